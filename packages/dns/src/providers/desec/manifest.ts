import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "desec",
  name: "deSEC",
  adapter: true,
  nameservers: {
    suffixes: ["desec.io", "desec.org"],
    expressions: [/^ns1\.desec\.io$/, /^ns2\.desec\.org$/],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_token",
      label: "Token",
      secret: true,
      required: true,
      help_url: "https://desec.io/tokens",
    },
  ],
  credentialHelp:
    "Create a token without domain management permission; a token policy can limit it to the domain.",
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
  minimumTtlSeconds: 3600,
  defaultTtlSeconds: 3600,
  fieldNames: { host: "Subname", value: "Content", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://desec.readthedocs.io/en/latest/dns/rrsets.html",
};
