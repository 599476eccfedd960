import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "azure_dns",
  name: "Azure DNS",
  adapter: true,
  nameservers: {
    suffixes: ["azure-dns.com", "azure-dns.net", "azure-dns.org", "azure-dns.info"],
    expressions: [/^ns[1-4]-\d+\.azure-dns\.(com|net|org|info)$/],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "tenant_id",
      label: "Directory (tenant) ID",
      secret: false,
      required: true,
      help_url:
        "https://portal.azure.com/#view/Microsoft_AAD_IAM/ActiveDirectoryMenuBlade/~/RegisteredApps",
    },
    {
      key: "client_id",
      label: "Application (client) ID",
      secret: false,
      required: true,
      help_url:
        "https://portal.azure.com/#view/Microsoft_AAD_IAM/ActiveDirectoryMenuBlade/~/RegisteredApps",
    },
    {
      key: "client_secret",
      label: "Client secret",
      secret: true,
      required: true,
      help_url:
        "https://portal.azure.com/#view/Microsoft_AAD_IAM/ActiveDirectoryMenuBlade/~/RegisteredApps",
    },
    {
      key: "subscription_id",
      label: "Subscription ID",
      secret: false,
      required: true,
      help_url: "https://portal.azure.com/#view/Microsoft_Azure_Billing/SubscriptionsBlade",
    },
    {
      key: "resource_group",
      label: "Resource group of the zone",
      secret: false,
      required: false,
      help_url: "https://portal.azure.com/#browse/Microsoft.Network%2FdnsZones",
    },
    {
      key: "zone",
      label: "DNS zone, if the role covers this zone only",
      secret: false,
      required: false,
      help_url: "https://portal.azure.com/#browse/Microsoft.Network%2FdnsZones",
      placeholder: "example.com",
    },
    {
      key: "cloud",
      label: "Cloud: public, usgovernment or china",
      secret: false,
      required: false,
      help_url: "https://learn.microsoft.com/azure/dns/dns-getstarted-portal",
      placeholder: "public",
    },
  ],
  credentialHelp:
    "Register an application, add a client secret, and give it the role DNS Zone Contributor on the zone (DNS zone → Access control). Zones are found by a list, which needs Reader on the resource group; without that role give the resource group and the DNS zone.",
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
  defaultTtlSeconds: 3600,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://learn.microsoft.com/azure/dns/dns-operations-recordsets-portal",
};
