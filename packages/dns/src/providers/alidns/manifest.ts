import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "alidns",
  name: "Alibaba Cloud DNS",
  adapter: true,
  nameservers: { suffixes: ["hichina.com", "alidns.com"], expressions: [], ambiguousWith: [] },
  credentialFields: [
    {
      key: "access_key_id",
      label: "AccessKey ID",
      secret: false,
      required: true,
      help_url: "https://ram.console.aliyun.com/users",
    },
    {
      key: "access_key_secret",
      label: "AccessKey secret",
      secret: true,
      required: true,
      help_url: "https://ram.console.aliyun.com/users",
    },
  ],
  credentialHelp:
    "Create a RAM user for API access, give it a custom policy that allows alidns:DescribeDomains, DescribeDomainInfo, DescribeDomainRecords, AddDomainRecord, UpdateDomainRecord and DeleteDomainRecord, limited to the domain where the action can be, and create an AccessKey for it. A key of the main account works too, but covers everything in it.",
  nameserverPermission: "alidns:DescribeDomainInfo",
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
  fieldNames: { host: "Hostname", value: "Record Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://www.alibabacloud.com/help/en/dns/",
};
