import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "scaleway",
  name: "Scaleway",
  adapter: true,
  nameservers: { suffixes: ["dom.scw.cloud"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "secret_key",
      label: "Secret key",
      secret: true,
      required: true,
      help_url: "https://console.scaleway.com/iam/api-keys",
    },
    {
      key: "project_id",
      label: "Project ID",
      secret: false,
      required: false,
      help_url: "https://console.scaleway.com/project/settings",
    },
  ],
  credentialHelp:
    "Create an API key for an IAM application whose policy has only the permission set DomainsDNSFullAccess.",
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
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://www.scaleway.com/en/docs/domains-and-dns/how-to/manage-dns-records/",
};
