import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "gcore",
  name: "Gcore DNS",
  adapter: true,
  nameservers: {
    suffixes: ["gcorelabs.net", "gcdn.services"],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_token",
      label: "API token",
      secret: true,
      required: true,
      help_url: "https://portal.gcore.com/accounts/profile/api-tokens",
      placeholder: "1234$abcdef",
    },
  ],
  credentialHelp:
    "Create a permanent API token in the profile, with an expiry and a role that can edit DNS and no other product where the account has one. It covers every zone of the account; Gcore has no narrower one.",
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
  minimumTtlSeconds: 120,
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://gcore.com/docs/api-reference/dns",
};
