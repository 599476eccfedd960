import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "porkbun",
  name: "Porkbun",
  adapter: true,
  nameservers: { suffixes: ["ns.porkbun.com", "porkbun.com"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://porkbun.com/account/api",
      placeholder: "pk1_…",
    },
    {
      key: "secret_api_key",
      label: "Secret API key",
      secret: true,
      required: true,
      help_url: "https://porkbun.com/account/api",
      placeholder: "sk1_…",
    },
  ],
  credentialHelp:
    "Create an API key, and switch on API Access for the domain under Domain Management → Details. Both are needed. A key that is limited to domains or to addresses must include this domain and the address from which this service calls out.",
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
  minimumTtlSeconds: 600,
  defaultTtlSeconds: 600,
  fieldNames: { host: "Host", value: "Answer", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://kb.porkbun.com/article/231-how-to-add-dns-records-on-porkbun",
};
