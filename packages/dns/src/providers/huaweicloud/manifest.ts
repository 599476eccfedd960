import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "huaweicloud",
  name: "Huawei Cloud DNS",
  adapter: true,
  nameservers: {
    suffixes: [
      "huaweicloud-dns.com",
      "huaweicloud-dns.net",
      "huaweicloud-dns.org",
      "huaweicloud-dns.cn",
    ],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "access_key_id",
      label: "Access key ID (AK)",
      secret: false,
      required: true,
      help_url: "https://console-intl.huaweicloud.com/iam/#/mine/accessKey",
    },
    {
      key: "secret_access_key",
      label: "Secret access key (SK)",
      secret: true,
      required: true,
      help_url: "https://console-intl.huaweicloud.com/iam/#/mine/accessKey",
    },
    {
      key: "region",
      label: "Region",
      secret: false,
      required: false,
      help_url: "https://console-intl.huaweicloud.com/apiexplorer/#/endpoint/DNS",
      placeholder: "ap-southeast-1",
    },
  ],
  credentialHelp:
    "Create an IAM user for this service with programmatic access and the permissions to list public zones and to list, create, update and delete record sets (DNS Administrator has more than these), and give it an access key. The region is only needed where the general endpoint is not accepted.",
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
  minimumTtlSeconds: 1,
  defaultTtlSeconds: 300,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL (s)" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://support.huaweicloud.com/intl/en-us/api-dns/dns_api_60000.html",
};
