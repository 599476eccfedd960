import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "linode",
  name: "Linode (Akamai Cloud)",
  adapter: true,
  nameservers: { suffixes: ["linode.com"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_token",
      label: "Personal access token",
      secret: true,
      required: true,
      help_url: "https://cloud.linode.com/profile/tokens",
    },
  ],
  credentialHelp:
    "Create a personal access token with Domains set to Read/Write and everything else to No Access.",
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
  fieldNames: { host: "Hostname", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://techdocs.akamai.com/cloud-computing/docs/dns-manager",
};
