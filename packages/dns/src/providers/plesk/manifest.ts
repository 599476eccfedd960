import { certificateField, type ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "plesk",
  name: "Plesk",
  adapter: true,
  nameservers: { suffixes: [], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "server",
      label: "Plesk address",
      secret: false,
      required: true,
      help_url: "https://docs.plesk.com/en-US/obsidian/api-rpc/about-rest-api.79359/",
      placeholder: "https://server.example.net:8443",
    },
    {
      key: "secret_key",
      label: "Secret key",
      secret: true,
      required: true,
      help_url: "https://docs.plesk.com/en-US/obsidian/api-rpc/about-rest-api.79359/",
    },
    certificateField(
      "https://docs.plesk.com/en-US/obsidian/administrator-guide/website-management/ssltls-certificates.59462/",
    ),
  ],
  serverFields: ["server"],
  panel: { port: 8_443, marks: [{ header: "server", matches: /^sw-cp-server\b/i }] },
  credentialHelp:
    "The administrator of the server creates a secret key with: plesk bin secret_key --create -ip-address ADDRESS -description NAME, ADDRESS being the one that this service calls from. The key can change every domain of the server; Plesk has no narrower one and gives none to customers of a shared server, who add the records by hand.",
  allowedAddress: { families: ["ipv4", "ipv6"] },
  nameserverPermission: "the key of an administrator, with the NS records of the zone",
  capabilities: {
    cname_flattening: false,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "none",
  apexRecordType: null,
  domainConnect: true,
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 86_400,
  fieldNames: { host: "Domain name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://docs.plesk.com/en-US/obsidian/api-rpc/about-rest-api.79359/",
};
