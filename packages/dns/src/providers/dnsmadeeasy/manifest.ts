import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "dnsmadeeasy",
  name: "DNS Made Easy",
  adapter: true,
  nameservers: {
    suffixes: ["dnsmadeeasy.com", "digicertdns.com", "digicertdns.net"],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://cp.dnsmadeeasy.com/account/info",
    },
    {
      key: "secret_key",
      label: "Secret key",
      secret: true,
      required: true,
      help_url: "https://cp.dnsmadeeasy.com/account/info",
    },
  ],
  credentialHelp:
    "Open Config → Account Information in the control panel and generate API credentials. They have the permissions of the user whom they belong to: use a sub-user who may manage this domain only.",
  nameserverPermission: "a user who may manage the domain",
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
  defaultTtlSeconds: 1_800,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://api-docs.dnsmadeeasy.com/",
};
