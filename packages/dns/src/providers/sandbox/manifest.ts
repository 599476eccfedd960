import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "sandbox",
  name: "Sandbox",
  adapter: true,
  nameservers: { suffixes: ["ns.sandbox.test"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "token",
      label: "Token",
      secret: true,
      required: true,
      help_url: "https://www.rfc-editor.org/rfc/rfc6761#section-6.2",
      placeholder: "sandbox",
    },
    {
      key: "delay",
      label: "Seconds until a write appears",
      secret: false,
      required: false,
      help_url: "https://www.rfc-editor.org/rfc/rfc6761#section-6.2",
      placeholder: "0",
    },
  ],
  credentialHelp:
    "Answers names under .test in the test environment. The token is the word sandbox; the delay is 0 to 60 seconds.",
  capabilities: {
    cname_flattening: true,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "alias",
  apexRecordType: "ALIAS",
  domainConnect: false,
  minimumTtlSeconds: 1,
  defaultTtlSeconds: 60,
  fieldNames: { host: "Host", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://www.rfc-editor.org/rfc/rfc6761#section-6.2",
};
