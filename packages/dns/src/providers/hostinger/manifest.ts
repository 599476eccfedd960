import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "hostinger",
  name: "Hostinger",
  adapter: true,
  nameservers: {
    suffixes: ["dns-parking.com", "hostinger.com"],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_token",
      label: "API token",
      secret: true,
      required: true,
      help_url: "https://hpanel.hostinger.com/profile/api",
    },
  ],
  credentialHelp:
    "In hPanel open Account → API and create a token, with an expiry date if you like. A token cannot be limited: it has the permissions of the user who creates it, who must be able to manage the domain. The domain has to be in that account's portfolio.",
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
  minimumTtlSeconds: 120,
  defaultTtlSeconds: 14_400,
  fieldNames: { host: "Name", value: "Content", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://developers.hostinger.com/",
};
