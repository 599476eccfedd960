import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "exoscale",
  name: "Exoscale DNS",
  adapter: true,
  nameservers: {
    suffixes: ["exoscale.ch", "exoscale.com", "exoscale.net", "exoscale.io"],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_key",
      label: "API key",
      secret: false,
      required: true,
      help_url: "https://portal.exoscale.com/iam/keys",
      placeholder: "EXO…",
    },
    {
      key: "api_secret",
      label: "API secret",
      secret: true,
      required: true,
      help_url: "https://portal.exoscale.com/iam/keys",
    },
  ],
  credentialHelp:
    "Create an IAM role that allows the service class dns only, then a key with this role. Of the operations the service needs list-dns-domains, list-dns-domain-records, create-dns-domain-record, update-dns-domain-record, delete-dns-domain-record and get-operation. The secret is shown once.",
  nameserverPermission: "list-dns-domain-records",
  capabilities: {
    cname_flattening: true,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: false,
  },
  apexFlattening: "alias",
  apexRecordType: "ALIAS",
  domainConnect: false,
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Name", value: "Content", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://community.exoscale.com/product/networking/dns/",
};
