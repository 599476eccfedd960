import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "all_inkl",
  name: "ALL-INKL.COM",
  adapter: true,
  nameservers: { suffixes: ["kasserver.com"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "login",
      label: "KAS login",
      secret: false,
      required: true,
      help_url: "https://kas.all-inkl.com/",
      placeholder: "w0123456",
    },
    {
      key: "password",
      label: "KAS password",
      secret: true,
      required: true,
      help_url: "https://kas.all-inkl.com/",
    },
  ],
  credentialHelp:
    "The login (w0…) is shown in the KAS panel. KAS has no tokens: the password opens the whole account, so use a sub-account that has only this domain, without two-factor login, where you can.",
  // Records have no TTL that could be set.
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
  minimumTtlSeconds: 7_200,
  defaultTtlSeconds: 7_200,
  fieldNames: { host: "Name", value: "Data", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://kasapi.kasserver.com/dokumentation/",
};
