import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "hetzner",
  name: "Hetzner DNS",
  adapter: true,
  nameservers: {
    suffixes: ["ns.hetzner.com", "ns.hetzner.de"],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_token",
      label: "API token",
      secret: true,
      required: true,
      help_url: "https://console.hetzner.com/projects",
    },
  ],
  credentialHelp:
    "In the project that holds the zone open Security → API tokens and create one with Read & Write. Tokens of the retired DNS Console are not accepted.",
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
  defaultTtlSeconds: 3600,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://docs.hetzner.com/networking/dns/",
};
