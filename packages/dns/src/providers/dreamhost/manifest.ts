import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "dreamhost",
  name: "DreamHost",
  adapter: true,
  nameservers: { suffixes: ["dreamhost.com"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://panel.dreamhost.com/?tree=home.api",
      placeholder: "1A2B3C4D5E6F7G8H",
    },
  ],
  credentialHelp:
    "Create an API key with the three functions dns-list_records, dns-add_record and dns-remove_record and no other. It covers every domain of the account; DreamHost has no narrower one, so delete it afterwards if needed.",
  cannotChangeInPlace: true,
  unwritableTypes: ["MX"],
  capabilities: {
    cname_flattening: false,
    wildcard: true,
    caa: false,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "none",
  apexRecordType: null,
  domainConnect: false,
  minimumTtlSeconds: 14_400,
  defaultTtlSeconds: 14_400,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://help.dreamhost.com/hc/en-us/articles/217555707-DNS-API-commands",
};
