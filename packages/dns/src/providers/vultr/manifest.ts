import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "vultr",
  name: "Vultr",
  adapter: true,
  nameservers: { suffixes: ["vultr.com"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://my.vultr.com/settings/#settingsapi",
    },
  ],
  credentialHelp:
    "Enable the API under Account → API and add the address from which this service calls out to its access control list. A sub-user limited to DNS is safer than the account key.",
  allowedAddress: { families: ["ipv4", "ipv6"] },
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
  minimumTtlSeconds: 120,
  defaultTtlSeconds: 300,
  fieldNames: { host: "Name", value: "Data", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://docs.vultr.com/products/network/dns",
};
