import type { ProviderManifest } from "../adapter/manifest.ts";

export const manifest: ProviderManifest = {
  slug: "route53",
  name: "Amazon Route 53",
  adapter: true,
  nameservers: {
    suffixes: [],
    expressions: [/^ns-\d+\.awsdns-\d+\.(com|net|org|co\.uk)$/],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "access_key_id",
      label: "Access key ID",
      secret: false,
      required: true,
      help_url: "https://console.aws.amazon.com/iam/home#/users",
      placeholder: "AKIA…",
    },
    {
      key: "secret_access_key",
      label: "Secret access key",
      secret: true,
      required: true,
      help_url: "https://console.aws.amazon.com/iam/home#/users",
    },
    {
      key: "session_token",
      label: "Session token (temporary credentials)",
      secret: true,
      required: false,
      help_url: "https://console.aws.amazon.com/iam/home#/users",
    },
    {
      key: "hosted_zone_id",
      label: "Hosted zone ID",
      secret: false,
      required: false,
      help_url: "https://console.aws.amazon.com/route53/v2/hostedzones",
      placeholder: "Z…",
    },
  ],
  credentialHelp:
    "Create an IAM user with a policy that allows route53:ListResourceRecordSets, route53:ChangeResourceRecordSets and route53:GetHostedZone on the one hosted zone, and route53:ListHostedZones on *. Open the user, not your own account, and create an access key for it under Security credentials. With a hosted zone ID the last permission is not needed. Roles with an external ID are not supported.",
  nameserverPermission: "route53:GetHostedZone on the hosted zone",
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
  defaultTtlSeconds: 300,
  fieldNames: { host: "Record name", value: "Value", ttl: "TTL (seconds)" },
  hostStyle: "relative",
  apexHost: "",
  docsUrl:
    "https://docs.aws.amazon.com/Route53/latest/DeveloperGuide/resource-record-sets-creating.html",
};
