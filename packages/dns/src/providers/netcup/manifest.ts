import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "netcup",
  name: "netcup",
  adapter: true,
  nameservers: { suffixes: ["netcup.net"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "customer_number",
      label: "Customer number",
      secret: false,
      required: true,
      help_url: "https://www.customercontrolpanel.de/",
      placeholder: "12345",
    },
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://www.customercontrolpanel.de/",
    },
    {
      key: "api_password",
      label: "API password",
      secret: true,
      required: true,
      help_url: "https://www.customercontrolpanel.de/",
    },
    {
      key: "domains",
      label: "Domains, separated by commas",
      secret: false,
      required: true,
      help_url: "https://www.customercontrolpanel.de/",
      placeholder: "example.com, example.net",
    },
  ],
  credentialHelp:
    "In the customer control panel open Master data → API, create a key and set the API password. The key covers every domain of the customer; netcup has no narrower one. The interface cannot list domains, so name those that it is used for. Domains on netcup's CloudDNS are not reached by it.",
  // Only the zone has a TTL.
  cannotChangeInPlace: true,
  capabilities: {
    cname_flattening: false,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: false,
  },
  apexFlattening: "none",
  apexRecordType: null,
  domainConnect: false,
  minimumTtlSeconds: 300,
  defaultTtlSeconds: 86_400,
  fieldNames: { host: "Host", value: "Destination", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://helpcenter.netcup.com/en/wiki/general/our-api",
};
