import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "namesilo",
  name: "NameSilo",
  adapter: true,
  nameservers: { suffixes: ["dnsowl.com", "namesilo.com"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://www.namesilo.com/account/api-manager",
    },
  ],
  credentialHelp:
    "Generate a key in the API Manager of the main account; sub-accounts cannot have one. A key has all permissions of the account: do not make it read-only, and if you limit it to addresses, include the one from which this service calls out.",
  capabilities: {
    cname_flattening: false,
    wildcard: true,
    caa: false,
    multi_txt: true,
    ns_delegation: false,
  },
  apexFlattening: "none",
  apexRecordType: null,
  domainConnect: true,
  minimumTtlSeconds: 3_600,
  defaultTtlSeconds: 7_207,
  fieldNames: { host: "Hostname", value: "Target", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://www.namesilo.com/api-reference",
};
