import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "inwx",
  name: "INWX",
  adapter: true,
  nameservers: {
    suffixes: [
      "inwx.de",
      "inwx.eu",
      "inwx.com",
      "inwx.net",
      "domrobot.com",
      "domrobot.net",
      "domrobot.org",
      "domrobot.info",
      "domrobot.biz",
    ],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "username",
      label: "User name",
      secret: false,
      required: true,
      help_url: "https://www.inwx.de/en/customer/account",
    },
    {
      key: "password",
      label: "Password",
      secret: true,
      required: true,
      help_url: "https://www.inwx.de/en/customer/account",
    },
    {
      key: "totp_secret",
      label: "Secret of the two-factor login (Mobile TAN), if it is on",
      secret: true,
      required: false,
      help_url: "https://www.inwx.de/en/offer/mobiletan",
    },
  ],
  credentialHelp:
    "The API has no keys: it takes the name and the password of an account. Create a sub-account whose role covers the name server only, and give its name and password. If its two-factor login is on, give the secret as well that was shown when it was switched on.",
  nameserverPermission: "a role that covers the name server",
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
  minimumTtlSeconds: 300,
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://www.inwx.de/en/help/apidoc",
};
