import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "gandi",
  name: "Gandi LiveDNS",
  adapter: true,
  nameservers: { suffixes: ["gandi.net"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "personal_access_token",
      label: "Personal access token",
      secret: true,
      required: true,
      help_url: "https://admin.gandi.net/organizations/account/pat",
    },
  ],
  credentialHelp:
    'Create a personal access token limited to the domain, with "See and renew domain names" and "Manage domain name technical configurations".',
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
  defaultTtlSeconds: 10800,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://docs.gandi.net/en/domain_names/common_operations/dns_records.html",
};
