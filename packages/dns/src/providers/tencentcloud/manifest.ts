import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "tencentcloud",
  name: "Tencent Cloud DNSPod",
  adapter: true,
  nameservers: {
    suffixes: [
      "dnspod.net",
      "dnspod.com",
      "dnsv1.com",
      "dnsv2.com",
      "dnsv3.com",
      "dnsv4.com",
      "dnsv5.com",
    ],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "secret_id",
      label: "SecretId",
      secret: false,
      required: true,
      help_url: "https://console.cloud.tencent.com/cam/capi",
      placeholder: "AKID…",
    },
    {
      key: "secret_key",
      label: "SecretKey",
      secret: true,
      required: true,
      help_url: "https://console.cloud.tencent.com/cam/capi",
    },
    {
      key: "site",
      label: "Site: china or international",
      secret: false,
      required: false,
      help_url: "https://console.intl.cloud.tencent.com/cam/capi",
      placeholder: "china",
    },
  ],
  credentialHelp:
    "Create a sub-user for API access in CAM, give it the policy QcloudDNSPodFullAccess or one that allows dnspod:DescribeDomainList, DescribeDomain, DescribeRecordList, CreateRecord, ModifyRecord and DeleteRecord, and create a key for it. A key from console.intl.cloud.tencent.com needs the site international.",
  nameserverPermission: "dnspod:DescribeDomain",
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
  minimumTtlSeconds: 600,
  defaultTtlSeconds: 600,
  fieldNames: { host: "Host", value: "Record Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://www.tencentcloud.com/document/product/1157",
};
