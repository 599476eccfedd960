import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "ovh",
  name: "OVHcloud",
  adapter: true,
  nameservers: {
    suffixes: ["ovh.net", "anycast.me", "ovh.ca", "ovh.co.uk"],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "endpoint",
      label: "Endpoint",
      secret: false,
      required: true,
      help_url: "https://help.ovhcloud.com/csm/en-api-getting-started-ovhcloud-api",
      placeholder: "ovh-eu",
    },
    {
      key: "application_key",
      label: "Application key",
      secret: false,
      required: true,
      help_url:
        "https://eu.api.ovh.com/createToken/?GET=/domain/zone&GET=/domain/zone/*&POST=/domain/zone/*&PUT=/domain/zone/*&DELETE=/domain/zone/*",
    },
    {
      key: "application_secret",
      label: "Application secret",
      secret: true,
      required: true,
      help_url:
        "https://eu.api.ovh.com/createToken/?GET=/domain/zone&GET=/domain/zone/*&POST=/domain/zone/*&PUT=/domain/zone/*&DELETE=/domain/zone/*",
    },
    {
      key: "consumer_key",
      label: "Consumer key",
      secret: true,
      required: true,
      help_url:
        "https://eu.api.ovh.com/createToken/?GET=/domain/zone&GET=/domain/zone/*&POST=/domain/zone/*&PUT=/domain/zone/*&DELETE=/domain/zone/*",
    },
  ],
  credentialHelp:
    "Create a token with GET on /domain/zone and GET, POST, PUT and DELETE on /domain/zone/*, or on /domain/zone/<your domain>/*. The endpoint is ovh-eu, ovh-ca or ovh-us; the link leads to Europe's form, the others are at https://ca.api.ovh.com/createToken/ and https://api.us.ovhcloud.com/createToken/.",
  nameserverPermission: "GET on /domain/zone/*",
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
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 3600,
  fieldNames: { host: "Sub-domain", value: "Target", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://help.ovhcloud.com/csm/en-dns-edit-dns-zone",
};
