import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "yandex_cloud",
  name: "Yandex Cloud DNS",
  adapter: true,
  nameservers: { suffixes: ["yandexcloud.net"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "service_account_json",
      label: "Authorized key (JSON)",
      secret: true,
      required: true,
      help_url: "https://yandex.cloud/en/docs/iam/operations/authentication/manage-authorized-keys",
      placeholder: '{ "id": "aje…", "service_account_id": "aje…", … }',
    },
    {
      key: "folder_id",
      label: "Folder ID",
      secret: false,
      required: true,
      help_url: "https://yandex.cloud/en/docs/resource-manager/operations/folder/get-id",
      placeholder: "b1g…",
    },
  ],
  credentialHelp:
    "Create a service account in the folder of the zone, grant it the role dns.editor on that folder and no other, then create an authorized key for it and paste the whole JSON file.",
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
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 600,
  fieldNames: { host: "Name", value: "Values", ttl: "TTL (seconds)" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://yandex.cloud/en/docs/dns/api-ref/",
};
