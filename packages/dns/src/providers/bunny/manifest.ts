import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "bunny",
  name: "bunny.net DNS",
  adapter: true,
  nameservers: { suffixes: ["bunny.net"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://dash.bunny.net/account/api-key",
    },
  ],
  credentialHelp:
    "Copy the account API key. bunny.net has no narrower key, so rotate it afterwards if needed.",
  capabilities: {
    cname_flattening: true,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "cname",
  apexRecordType: "CNAME",
  domainConnect: false,
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 300,
  fieldNames: { host: "Hostname", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://docs.bunny.net/docs/dns-records",
};
