import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "infomaniak",
  name: "Infomaniak",
  adapter: true,
  nameservers: {
    suffixes: ["infomaniak.com", "infomaniak.ch"],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "api_token",
      label: "API token",
      secret: true,
      required: true,
      help_url: "https://manager.infomaniak.com/v3/infomaniak-api",
    },
  ],
  credentialHelp:
    "Create an API token with the scopes domain:read, dns:read and dns:write, and no other. A token cannot be limited to one domain: it has the rights of the user who creates it, so use one who manages this domain only.",
  nameserverPermission: "dns:read",
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
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Source", value: "Target", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://developer.infomaniak.com/docs/api/get/2/zones/%7Bzone%7D/records",
};
