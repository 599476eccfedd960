import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "dnsimple",
  name: "DNSimple",
  adapter: true,
  nameservers: {
    suffixes: [
      "dnsimple.com",
      "dnsimple-edge.com",
      "dnsimple-edge.net",
      "dnsimple-edge.org",
      "dnsimple-edge.io",
    ],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_token",
      label: "API access token",
      secret: true,
      required: true,
      help_url: "https://support.dnsimple.com/articles/api-access-token/",
    },
    {
      key: "account_id",
      label: "Account ID",
      secret: false,
      required: false,
      help_url: "https://dnsimple.com/user",
    },
  ],
  credentialHelp:
    "Create an account access token; any plan with API access will do. On plans that offer scoped tokens, limit it to the zone. With a user token also give the account ID.",
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
  defaultTtlSeconds: 3600,
  fieldNames: { host: "Name", value: "Content", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://support.dnsimple.com/articles/record-editor/",
};
