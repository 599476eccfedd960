import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "websupport",
  name: "Websupport",
  adapter: true,
  nameservers: {
    suffixes: ["websupport.sk", "websupport.cz", "websupport.eu"],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_key",
      label: "Identifier",
      secret: false,
      required: true,
      help_url: "https://admin.websupport.sk/en/auth/apiKey",
    },
    {
      key: "secret",
      label: "Secret key",
      secret: true,
      required: true,
      help_url: "https://admin.websupport.sk/en/auth/apiKey",
    },
  ],
  credentialHelp:
    "Create an API key under Security and Login, and copy its identifier and its secret key. It covers every service of the account; Websupport has no narrower one, so delete it afterwards if needed.",
  capabilities: {
    cname_flattening: false,
    wildcard: true,
    caa: false,
    multi_txt: true,
    ns_delegation: false,
  },
  apexFlattening: "none",
  apexRecordType: null,
  domainConnect: false,
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 600,
  fieldNames: { host: "Name", value: "Content", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://rest.websupport.sk/v2/docs",
};
