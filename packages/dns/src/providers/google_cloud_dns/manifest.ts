import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "google_cloud_dns",
  name: "Google Cloud DNS",
  adapter: true,
  nameservers: {
    suffixes: [],
    expressions: [/^ns-cloud-[a-z]\d\.googledomains\.com$/],
    ambiguousWith: ["squarespace", "shopify"],
  },
  credentialFields: [
    {
      key: "service_account_json",
      label: "Service account key (JSON)",
      secret: true,
      required: true,
      help_url: "https://console.cloud.google.com/iam-admin/serviceaccounts",
      placeholder: '{ "type": "service_account", … }',
    },
    {
      key: "project_id",
      label: "Project ID, if it differs from the key",
      secret: false,
      required: false,
      help_url: "https://console.cloud.google.com/net-services/dns/zones",
    },
  ],
  signInField: "access_token",
  credentialHelp:
    "Create a service account and grant it, on the project and not on the zone alone, since zones are found by a list, a role with dns.managedZones.list, dns.resourceRecordSets.list, create, update, delete and dns.changes.create (DNS Administrator contains them). Then add a JSON key and paste the whole file.",
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
  minimumTtlSeconds: 0,
  defaultTtlSeconds: 300,
  fieldNames: { host: "DNS name", value: "Data", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://cloud.google.com/dns/docs/records",
};
