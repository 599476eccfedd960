import type { ProviderManifest } from "../adapter/manifest.ts";

const keysUrl = "https://cloud.oracle.com/identity/domains/my-profile/auth-tokens";

export const manifest: ProviderManifest = {
  slug: "oracle",
  name: "Oracle Cloud DNS",
  adapter: true,
  nameservers: {
    suffixes: ["dns.oraclecloud.net", "dns.oraclecloud.com"],
    expressions: [],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "tenancy_ocid",
      label: "Tenancy OCID",
      secret: false,
      required: true,
      help_url: "https://cloud.oracle.com/tenancy",
      placeholder: "ocid1.tenancy.oc1..…",
    },
    {
      key: "user_ocid",
      label: "User OCID",
      secret: false,
      required: true,
      help_url: keysUrl,
      placeholder: "ocid1.user.oc1..…",
    },
    {
      key: "fingerprint",
      label: "Fingerprint of the API key",
      secret: false,
      required: true,
      help_url: keysUrl,
    },
    {
      key: "private_key",
      label: "Private key of the API key",
      secret: true,
      required: true,
      help_url: keysUrl,
      placeholder: "-----BEGIN PRIVATE KEY-----",
    },
    {
      key: "region",
      label: "Region",
      secret: false,
      required: true,
      help_url: "https://cloud.oracle.com/regions",
      placeholder: "eu-frankfurt-1",
    },
    {
      key: "compartment_ocid",
      label: "OCID of the compartment in which the zone is",
      secret: false,
      required: true,
      help_url: "https://cloud.oracle.com/identity/compartments",
      placeholder: "ocid1.compartment.oc1..…",
    },
  ],
  credentialHelp:
    "Create a user whose group may, by policy, inspect and read dns-zones and use dns-records in the compartment of the zone, add an API key to it, and give the values of the configuration file that is shown then, with the whole private key.",
  nameserverPermission: "to read dns-zones in the compartment of the zone",
  capabilities: {
    cname_flattening: true,
    wildcard: true,
    caa: true,
    multi_txt: true,
    ns_delegation: true,
  },
  apexFlattening: "alias",
  apexRecordType: "ALIAS",
  domainConnect: false,
  minimumTtlSeconds: 30,
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Name", value: "RDATA", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl: "https://docs.oracle.com/en-us/iaas/Content/DNS/Concepts/dnszonemanagement.htm",
};
