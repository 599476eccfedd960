import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "loopia",
  name: "Loopia",
  adapter: true,
  nameservers: { suffixes: ["loopia.se"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "username",
      label: "API user name",
      secret: false,
      required: true,
      help_url: "https://customerzone.loopia.com/api",
      placeholder: "name@loopiaapi",
    },
    {
      key: "password",
      label: "API password",
      secret: true,
      required: true,
      help_url: "https://customerzone.loopia.com/api",
    },
  ],
  credentialHelp:
    "Create a user of LoopiaAPI in the customer zone, not the login itself, and permit it getDomains, getSubdomains, getZoneRecords, addZoneRecord, updateZoneRecord, removeZoneRecord and removeSubdomain. Loopia answers 60 calls a minute, one for each name of a zone, so a zone with many names takes minutes to read.",
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
  minimumTtlSeconds: 300,
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Subdomain", value: "Data", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://www.loopia.com/api/",
};
