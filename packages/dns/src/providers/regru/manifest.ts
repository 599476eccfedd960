import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "regru",
  name: "REG.RU",
  adapter: true,
  nameservers: { suffixes: ["reg.ru"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "username",
      label: "Login",
      secret: false,
      required: true,
      help_url: "https://www.reg.ru/user/account/#/settings/api/",
    },
    {
      key: "password",
      label: "API password",
      secret: true,
      required: true,
      help_url: "https://www.reg.ru/user/account/#/settings/api/",
    },
  ],
  credentialHelp:
    "Open the API settings of the account, set an alternative password for the API, and add the address from which this service calls out to the list there; without an address the API answers nobody. The password covers the whole account; REG.RU has no narrower one. The domain has to use ns1.reg.ru and ns2.reg.ru.",
  allowedAddress: { families: ["ipv4"] },
  cannotChangeInPlace: true,
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
  minimumTtlSeconds: 300,
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Subdomain", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://www.reg.ru/reseller/api2doc",
};
