import { certificateField, type ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "powerdns",
  name: "PowerDNS",
  adapter: true,
  nameservers: { suffixes: [], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_url",
      label: "API address",
      secret: false,
      required: true,
      help_url: "https://doc.powerdns.com/authoritative/http-api/index.html",
      placeholder: "https://pdns.example.net:8081",
    },
    {
      key: "api_key",
      label: "API key",
      secret: true,
      required: true,
      help_url: "https://doc.powerdns.com/authoritative/http-api/index.html",
    },
    {
      key: "server_id",
      label: "Server ID",
      secret: false,
      required: false,
      help_url: "https://doc.powerdns.com/authoritative/http-api/index.html",
      placeholder: "localhost",
    },
    certificateField("https://doc.powerdns.com/authoritative/http-api/index.html"),
  ],
  serverFields: ["api_url", "server_id"],
  credentialHelp:
    "Set api=yes, api-key and webserver=yes in pdns.conf and put TLS in front of it, since the key is sent by https only; give the fingerprint of a certificate that no authority signed. The key can change every zone of the server.",
  nameserverPermission: "GET on /zones/ of the API, with the NS records of the zone",
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
  minimumTtlSeconds: 0,
  defaultTtlSeconds: 3600,
  fieldNames: { host: "Name", value: "Content", ttl: "TTL" },
  hostStyle: "absolute",
  apexHost: "zone",
  docsUrl: "https://doc.powerdns.com/authoritative/http-api/index.html",
};
