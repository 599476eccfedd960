import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "ionos",
  name: "IONOS",
  adapter: true,
  nameservers: {
    suffixes: [
      "ui-dns.com",
      "ui-dns.org",
      "ui-dns.de",
      "ui-dns.biz",
      "1and1.com",
      "1and1-dns.com",
      "1and1-dns.org",
      "1and1-dns.de",
      "1and1-dns.biz",
      "ionos.com",
    ],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_prefix",
      label: "API key prefix",
      secret: false,
      required: true,
      help_url: "https://developer.hosting.ionos.com/keys",
    },
    {
      key: "api_secret",
      label: "API key secret",
      secret: true,
      required: true,
      help_url: "https://developer.hosting.ionos.com/keys",
    },
  ],
  credentialHelp:
    "The contract owner creates a key in the IONOS developer portal; it consists of a public prefix and a secret.",
  capabilities: {
    cname_flattening: false,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "none",
  apexRecordType: null,
  domainConnect: true,
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 3600,
  fieldNames: { host: "Host name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://www.ionos.com/help/domains/configuring-your-ip-address/",
};
