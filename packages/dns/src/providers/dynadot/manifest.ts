import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "dynadot",
  name: "Dynadot",
  adapter: true,
  nameservers: { suffixes: ["dyna-ns.net"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "api_key",
      label: "API production key",
      secret: true,
      required: true,
      help_url: "https://www.dynadot.com/account/domain/setting/api.html",
    },
    {
      key: "api_secret",
      label: "API production secret key",
      secret: true,
      required: true,
      help_url: "https://www.dynadot.com/account/domain/setting/api.html",
    },
  ],
  credentialHelp:
    "Unlock the account, open Tools → API and generate the production key and its secret key. Add the address from which this service calls out to the list there; a change takes about ten minutes. The keys cover the whole account; Dynadot has no narrower ones. The domain has to use Dynadot DNS.",
  allowedAddress: { families: ["ipv4"] },
  cannotChangeInPlace: true,
  capabilities: {
    cname_flattening: true,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "alias",
  apexRecordType: "ANAME",
  domainConnect: false,
  minimumTtlSeconds: 300,
  defaultTtlSeconds: 300,
  fieldNames: { host: "Subdomain", value: "Target", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://www.dynadot.com/domain/api-document",
};
