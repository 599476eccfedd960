import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "digitalocean",
  name: "DigitalOcean",
  adapter: true,
  nameservers: { suffixes: ["digitalocean.com"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_token",
      label: "API token",
      secret: true,
      required: true,
      help_url: "https://cloud.digitalocean.com/account/api/tokens",
      placeholder: "dop_v1_…",
    },
  ],
  credentialHelp:
    "Generate a token with the custom scopes domain:read, domain:create, domain:update and domain:delete.",
  capabilities: {
    cname_flattening: false,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "none",
  apexRecordType: null,
  domainConnect: false,
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 1800,
  fieldNames: { host: "Hostname", value: "Value", ttl: "TTL (seconds)" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://docs.digitalocean.com/products/networking/dns/how-to/manage-records/",
};
