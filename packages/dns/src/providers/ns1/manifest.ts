import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "ns1",
  name: "IBM NS1 Connect",
  adapter: true,
  nameservers: {
    suffixes: ["nsone.net"],
    expressions: [],
    ambiguousWith: ["netlify", "squarespace"],
  },
  credentialFields: [
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://my.nsone.net/#/account/settings",
    },
  ],
  credentialHelp:
    'Create an API key with "View zones" and "Manage zones", and limit it to the zone with the allow list.',
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
  minimumTtlSeconds: 300,
  defaultTtlSeconds: 3600,
  fieldNames: { host: "Record name", value: "Answers", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://www.ibm.com/docs/en/ns1-connect?topic=zones-managing-dns-records",
};
