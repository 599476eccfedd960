import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "namecheap",
  name: "Namecheap",
  adapter: true,
  nameservers: { suffixes: ["registrar-servers.com"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_user",
      label: "API user",
      secret: false,
      required: true,
      help_url: "https://ap.www.namecheap.com/settings/tools/apiaccess/",
    },
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://ap.www.namecheap.com/settings/tools/apiaccess/",
    },
    {
      key: "client_ip",
      label: "Allowed IPv4 address",
      secret: false,
      required: false,
      help_url: "https://ap.www.namecheap.com/settings/tools/apiaccess/",
      placeholder: "192.0.2.1",
    },
    {
      key: "username",
      label: "Account name, if it differs from the API user",
      secret: false,
      required: false,
      help_url: "https://ap.www.namecheap.com/settings/tools/apiaccess/",
    },
  ],
  credentialHelp:
    "Open Profile → Tools → API Access, switch it on and add the IPv4 address from which this service calls out to the allowed list. Namecheap asks for 20 domains, a 50 USD balance or 50 USD spent in two years. Its API rewrites the whole zone and does not show SRV records, so each write has to be accepted first.",
  allowedAddress: { families: ["ipv4"], field: "client_ip" },
  rewriteWarning:
    "Namecheap replaces the whole zone with each change, and does not list SRV and some other records: such records of this zone would be lost.",
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
  defaultTtlSeconds: 1800,
  fieldNames: { host: "Host", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl:
    "https://www.namecheap.com/support/knowledgebase/article.aspx/434/2237/how-do-i-set-up-host-records-for-a-domain/",
};
