import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "cloudns",
  name: "ClouDNS",
  adapter: true,
  nameservers: { suffixes: ["cloudns.net", "cloudns.uk"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "sub_auth_id",
      label: "API sub-user ID",
      secret: false,
      required: false,
      help_url: "https://www.cloudns.net/api-settings/",
    },
    {
      key: "auth_id",
      label: "API user ID (without a sub-user)",
      secret: false,
      required: false,
      help_url: "https://www.cloudns.net/api-settings/",
    },
    {
      key: "auth_password",
      label: "API password",
      secret: true,
      required: true,
      help_url: "https://www.cloudns.net/api-settings/",
    },
  ],
  credentialHelp:
    "The API needs a paid plan. Create an API sub-user and delegate only this DNS zone to it, then enter its ID and password. An API user works too, but covers every zone of the account. A user that is limited to addresses must include the address from which this service calls out.",
  nameserverPermission: "the zone to be delegated to its sub-user",
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
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Host", value: "Points to", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://www.cloudns.net/wiki/article/41/",
};
