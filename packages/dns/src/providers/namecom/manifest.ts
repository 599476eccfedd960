import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "namecom",
  name: "Name.com",
  adapter: true,
  nameservers: {
    suffixes: ["name.com"],
    expressions: [/^ns[1-4][a-z]{0,3}\.name\.com$/],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "username",
      label: "API username",
      secret: false,
      required: true,
      help_url: "https://www.name.com/account/settings/api",
    },
    {
      key: "api_token",
      label: "API token",
      secret: true,
      required: true,
      help_url: "https://www.name.com/account/settings/api",
    },
  ],
  credentialHelp:
    "Create an API token for production. An account with two-step verification must also allow API access in its security settings.",
  capabilities: {
    cname_flattening: true,
    wildcard: true,
    caa: false,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "alias",
  apexRecordType: "ANAME",
  domainConnect: false,
  minimumTtlSeconds: 300,
  defaultTtlSeconds: 300,
  fieldNames: { host: "Host", value: "Answer", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl:
    "https://www.name.com/support/articles/205188538-pointing-your-domain-to-hosting-with-a-records",
};
