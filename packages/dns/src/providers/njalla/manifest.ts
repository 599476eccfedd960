import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "njalla",
  name: "Njalla",
  adapter: true,
  nameservers: {
    suffixes: ["njalla.no", "njalla.in", "njalla.fo", "njal.la"],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_token",
      label: "API token",
      secret: true,
      required: true,
      help_url: "https://njal.la/settings/api/",
    },
  ],
  credentialHelp:
    "Create an API token that is limited to this domain and to the methods list-domains, list-records, add-record, edit-record and remove-record. A token that is limited to addresses must include the address from which this service calls out.",
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
  defaultTtlSeconds: 10_800,
  fieldNames: { host: "Name", value: "Content", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://njal.la/api/",
};
