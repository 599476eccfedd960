import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "domeneshop",
  name: "Domeneshop",
  adapter: true,
  nameservers: { suffixes: ["hyp.net"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_token",
      label: "API token",
      secret: false,
      required: true,
      help_url: "https://www.domeneshop.no/admin?view=api",
    },
    {
      key: "api_secret",
      label: "API secret",
      secret: true,
      required: true,
      help_url: "https://www.domeneshop.no/admin?view=api",
    },
  ],
  credentialHelp:
    "Create API credentials on the API page of the control panel and copy the token and the secret. They cover every domain of the account; Domeneshop has no narrower ones. If the credentials are limited to addresses, the list must include the address from which this service calls out.",
  capabilities: {
    cname_flattening: true,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "alias",
  apexRecordType: "ANAME",
  domainConnect: false,
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Host name", value: "Data", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://api.domeneshop.no/docs/",
};
