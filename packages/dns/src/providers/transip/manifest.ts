import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "transip",
  name: "TransIP",
  adapter: true,
  nameservers: {
    suffixes: ["transip.net", "transip.nl", "transip.eu"],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "account_name",
      label: "Account name",
      secret: false,
      required: false,
      help_url: "https://www.transip.nl/cp/account/api/",
    },
    {
      key: "private_key",
      label: "Private key",
      secret: true,
      required: false,
      help_url: "https://www.transip.nl/cp/account/api/",
      placeholder: "-----BEGIN PRIVATE KEY-----",
    },
    {
      key: "access_token",
      label: "Access token (in place of the key)",
      secret: true,
      required: false,
      help_url: "https://www.transip.nl/cp/account/api/",
    },
  ],
  credentialHelp:
    "Switch the API on in the control panel, create a key pair, and give the account name with the whole private key; or create an access token, which expires. Both cover the whole account. A key that only accepts addresses on the whitelist needs the address there from which this service calls out.",
  cannotChangeInPlace: true,
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
  defaultTtlSeconds: 86_400,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://api.transip.nl/rest/docs.html",
};
