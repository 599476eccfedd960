import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "netlify",
  name: "Netlify DNS",
  adapter: true,
  nameservers: {
    suffixes: [],
    expressions: [/^dns[1-4]\.p\d{2}\.nsone\.net$/],
    ambiguousWith: ["ns1", "squarespace"],
  },
  credentialFields: [
    {
      key: "api_token",
      label: "Personal access token",
      secret: true,
      required: true,
      help_url: "https://app.netlify.com/user/applications#personal-access-tokens",
    },
    {
      key: "account_slug",
      label: "Team slug",
      secret: false,
      required: false,
      help_url: "https://app.netlify.com/",
    },
  ],
  credentialHelp:
    "Create a personal access token. Netlify has no narrower scope than the account, so give it an expiry date.",
  cannotChangeInPlace: true,
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
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://docs.netlify.com/domains/configure-domains/manage-dns-records/",
};
