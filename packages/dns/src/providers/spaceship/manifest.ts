import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "spaceship",
  name: "Spaceship",
  adapter: true,
  nameservers: {
    suffixes: ["spaceship.net"],
    expressions: [/^launch[12]\.spaceship\.net$/],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://www.spaceship.com/application/api-manager/",
    },
    {
      key: "api_secret",
      label: "API secret",
      secret: true,
      required: true,
      help_url: "https://www.spaceship.com/application/api-manager/",
    },
  ],
  credentialHelp:
    "Create a key in the API Manager with the permissions domains:read, dnsrecords:read and dnsrecords:write, and no others. The secret is shown once.",
  cannotChangeInPlace: true,
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
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Host", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://docs.spaceship.dev/",
};
