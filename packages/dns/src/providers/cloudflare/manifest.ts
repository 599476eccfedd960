import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "cloudflare",
  name: "Cloudflare",
  adapter: true,
  nameservers: {
    suffixes: [
      "ns.cloudflare.com",
      "secondary.cloudflare.com",
      "foundationdns.com",
      "foundationdns.net",
      "foundationdns.org",
    ],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_token",
      label: "API token",
      secret: true,
      required: true,
      help_url: "https://dash.cloudflare.com/profile/api-tokens",
    },
  ],
  credentialHelp:
    'Create a token from the template "Edit zone DNS", add the permission Zone · Zone · Read to its Zone · DNS · Edit, and limit its resources to the one zone. The global API key is not accepted.',
  capabilities: {
    cname_flattening: true,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "cname",
  apexRecordType: "CNAME",
  domainConnect: true,
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 300,
  fieldNames: { host: "Name", value: "Content", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://developers.cloudflare.com/dns/manage-dns-records/",
};
