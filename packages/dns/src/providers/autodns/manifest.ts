import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "autodns",
  name: "InterNetX AutoDNS",
  adapter: true,
  nameservers: { suffixes: ["ns14.net"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "username",
      label: "User name",
      secret: false,
      required: true,
      help_url: "https://login.autodns.com/",
    },
    {
      key: "password",
      label: "Password",
      secret: true,
      required: true,
      help_url: "https://login.autodns.com/",
    },
    {
      key: "context",
      label: "Context",
      secret: false,
      required: false,
      help_url: "https://help.internetx.com/display/APIJSONEN",
      placeholder: "4",
    },
  ],
  credentialHelp:
    "Create a user of its own below yours whose permissions are limited to zones: read, search and update. The context is the number that the login asks for beside the name; 4 is that of AutoDNS itself. A user with two-factor login cannot be used.",
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
  defaultTtlSeconds: 86_400,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://help.internetx.com/display/APIJSONEN",
};
