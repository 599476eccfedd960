import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "vercel",
  name: "Vercel",
  adapter: true,
  nameservers: { suffixes: ["vercel-dns.com", "zeit.world"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_token",
      label: "Access token",
      secret: true,
      required: true,
      help_url: "https://vercel.com/account/tokens",
    },
    {
      key: "team_id",
      label: "Team ID",
      secret: false,
      required: false,
      help_url: "https://vercel.com/docs/accounts#find-your-team-id",
      placeholder: "team_…",
    },
  ],
  credentialHelp:
    "Create an access token and scope it to the team that owns the domain; for a domain of a team also give the team ID, which the team's settings show under General.",
  capabilities: {
    cname_flattening: true,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "alias",
  apexRecordType: "ALIAS",
  domainConnect: true,
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 60,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://vercel.com/docs/domains/managing-dns-records",
};
