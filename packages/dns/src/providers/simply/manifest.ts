import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "simply",
  name: "Simply.com",
  adapter: true,
  nameservers: { suffixes: ["simply.com", "unoeuro.com"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "account_name",
      label: "Account name",
      secret: false,
      required: true,
      help_url: "https://www.simply.com/controlpanel/",
      placeholder: "S123456",
    },
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://www.simply.com/controlpanel/",
    },
  ],
  credentialHelp:
    "Copy the account name and the API key from the Account page of the control panel. The key covers every product of the account; Simply.com has no narrower one, so renew it afterwards if needed.",
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
  minimumTtlSeconds: 120,
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Hostname", value: "Data", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://www.simply.com/en/docs/api/",
};
