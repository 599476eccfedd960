import type { ProviderManifest } from "../adapter/manifest.ts";

const usersUrl = "https://my.selectel.ru/iam/users_management/users";

export const manifest: ProviderManifest = {
  slug: "selectel",
  name: "Selectel",
  adapter: true,
  nameservers: {
    suffixes: ["selectel.ru", "selectel.org"],
    expressions: [/^[a-d]\.ns\.selectel\.ru$/],
    ambiguousWith: [],
  },
  credentialFields: [
    {
      key: "account_id",
      label: "Account number",
      secret: false,
      required: true,
      help_url: "https://my.selectel.ru/profile",
      placeholder: "123456",
    },
    {
      key: "username",
      label: "Service user",
      secret: false,
      required: true,
      help_url: usersUrl,
    },
    {
      key: "password",
      label: "Password of the service user",
      secret: true,
      required: true,
      help_url: usersUrl,
    },
    {
      key: "project_name",
      label: "Project in which the zone is",
      secret: false,
      required: true,
      help_url: "https://my.selectel.ru/vpc/projects",
    },
  ],
  credentialHelp:
    "Add a service user whose role is project administrator, limited to the project in which the zone is, and give its name and password with the account's number and the project's name. Zones of the legacy DNS hosting (name servers below selectel.org) cannot be reached; move them to the current one first.",
  nameserverPermission: "the role of the project in which the zone is",
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
  minimumTtlSeconds: 60,
  defaultTtlSeconds: 3_600,
  fieldNames: { host: "Name", value: "Value", ttl: "TTL" },
  hostStyle: "relative",
  apexHost: "@",
  docsUrl: "https://docs.selectel.ru/en/dns/",
};
