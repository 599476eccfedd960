import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "godaddy",
  name: "GoDaddy",
  adapter: true,
  nameservers: { suffixes: ["domaincontrol.com"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "personal_access_token",
      label: "Personal access token",
      secret: true,
      required: false,
      help_url: "https://developer.godaddy.com/personal-access-token",
      placeholder: "gd_pat_…",
    },
    {
      key: "api_key",
      label: "API key (classic)",
      secret: false,
      required: false,
      help_url: "https://developer.godaddy.com/keys",
    },
    {
      key: "api_secret",
      label: "API secret (classic)",
      secret: true,
      required: false,
      help_url: "https://developer.godaddy.com/keys",
    },
    {
      key: "zone",
      label: "DNS zone, if its domain is registered elsewhere",
      secret: false,
      required: false,
      help_url: "https://www.godaddy.com/help/manage-dns-records-680",
      placeholder: "example.com",
    },
  ],
  credentialHelp:
    "Generate a personal access token with the scopes domains.domain:read and domains.dns:update, or give a classic production key with its secret. GoDaddy opens its DNS API to accounts with at least 10 domains or with Discount Domain Club Premier; a refusal with a valid token means that yours is not eligible. Classic keys are announced to work through 2026 only. Zones are found by the list of your domains; a zone at GoDaddy whose domain is registered elsewhere is not in it: give its name.",
  cannotChangeInPlace: true,
  capabilities: {
    cname_flattening: false,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: false,
  },
  apexFlattening: "none",
  apexRecordType: null,
  domainConnect: true,
  minimumTtlSeconds: 600,
  defaultTtlSeconds: 3600,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://www.godaddy.com/help/manage-dns-records-680",
};
