import type { ProviderManifest } from "../adapter/manifest.ts";

const clientsUrl = "https://control.akamai.com/apps/identity-management/#/tabs/users/list";

export const manifest: ProviderManifest = {
  slug: "akamai",
  name: "Akamai Edge DNS",
  adapter: true,
  nameservers: {
    suffixes: ["akam.net"],
    expressions: [/^a\d+-\d+\.akam\.net$/],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "host",
      label: "Host",
      secret: false,
      required: true,
      help_url: clientsUrl,
      placeholder: "akab-….luna.akamaiapis.net",
    },
    {
      key: "client_token",
      label: "Client token",
      secret: false,
      required: true,
      help_url: clientsUrl,
    },
    {
      key: "client_secret",
      label: "Client secret",
      secret: true,
      required: true,
      help_url: clientsUrl,
    },
    {
      key: "access_token",
      label: "Access token",
      secret: true,
      required: true,
      help_url: clientsUrl,
    },
  ],
  credentialHelp:
    "In Identity & Access create an API client that has read-write access to DNS—Zone Record Management only, limited to the group in which the zone is, and copy the four lines of its credential.",
  nameserverPermission: "DNS—Zone Record Management for the group of the zone",
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
  minimumTtlSeconds: 30,
  defaultTtlSeconds: 300,
  fieldNames: { host: "Name", value: "Rdata", ttl: "TTL" },
  hostStyle: "absolute",
  apexHost: "zone",
  docsUrl: "https://techdocs.akamai.com/edge-dns/docs",
};
