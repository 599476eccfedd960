import { certificateField, type ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "cpanel",
  name: "cPanel",
  adapter: true,
  nameservers: { suffixes: [], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "server",
      label: "cPanel address",
      secret: false,
      required: true,
      help_url: "https://docs.cpanel.net/cpanel/the-cpanel-interface/",
      placeholder: "https://server.example.net:2083",
    },
    {
      key: "username",
      label: "User name",
      secret: false,
      required: true,
      help_url: "https://docs.cpanel.net/cpanel/the-cpanel-interface/",
    },
    {
      key: "api_token",
      label: "API token",
      secret: true,
      required: false,
      help_url: "https://docs.cpanel.net/cpanel/security/manage-api-tokens-in-cpanel/",
    },
    {
      key: "password",
      label: "Password",
      secret: true,
      required: false,
      help_url: "https://docs.cpanel.net/cpanel/security/manage-api-tokens-in-cpanel/",
    },
    certificateField("https://docs.cpanel.net/cpanel/security/ssl-tls/"),
  ],
  serverFields: ["server"],
  panel: {
    port: 2_083,
    marks: [
      { header: "server", matches: /^cpsrvd\b/i },
      { header: "set-cookie", matches: /^(?:cprelogin|cpsession)=/m },
    ],
  },
  credentialHelp:
    "In cPanel open Security, Manage API Tokens, create a token with an expiration date, and copy it with your user name. A token has all rights of the account; cPanel has no narrower one. Where the host offers no tokens, the account's password works, unless two-factor authentication is on. The account needs the feature Zone Editor.",
  nameserverPermission: "the feature Zone Editor (AAAA, CAA, SRV, TXT) of the account",
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
  defaultTtlSeconds: 14_400,
  fieldNames: { host: "Name", value: "Record", ttl: "TTL" },
  hostStyle: "absolute",
  apexHost: "zone",
  docsUrl: "https://api.docs.cpanel.net/openapi/cpanel/operation/dns-mass_edit_zone/",
};
