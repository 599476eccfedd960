import { certificateField, type ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "directadmin",
  name: "DirectAdmin",
  adapter: true,
  nameservers: { suffixes: [], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "server",
      label: "DirectAdmin address",
      secret: false,
      required: true,
      help_url: "https://docs.directadmin.com/directadmin/customizing-workflow/api-all-about.html",
      placeholder: "https://server.example.net:2222",
    },
    {
      key: "username",
      label: "User name",
      secret: false,
      required: true,
      help_url: "https://docs.directadmin.com/directadmin/customizing-workflow/api-all-about.html",
    },
    {
      key: "login_key",
      label: "Login key",
      secret: true,
      required: true,
      help_url: "https://docs.directadmin.com/directadmin/customizing-workflow/api-all-about.html",
    },
    certificateField("https://docs.directadmin.com/webservices/ssl/server-hostname.html"),
  ],
  serverFields: ["server"],
  panel: { port: 2_222, marks: [{ header: "server", matches: /^DirectAdmin Daemon\b/i }] },
  credentialHelp:
    "In DirectAdmin open Login Keys, press Create Key, give it an expiration date, and allow only CMD_API_SHOW_DOMAINS and CMD_API_DNS_CONTROL. Copy its value with your user name. The account's password would work as well, and could do everything.",
  nameserverPermission: "CMD_API_DNS_CONTROL, with the NS records of the zone",
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
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "absolute",
  apexHost: "zone",
  docsUrl: "https://docs.directadmin.com/directadmin/customizing-workflow/api-all-about.html",
};
