import type { TokenAction, TokenGuide, TokenStep } from "./guide.ts";

function step(action: TokenAction, label = ""): TokenStep {
  return { action, label };
}

function token(
  effort: TokenGuide["effort"],
  url: string,
  steps: readonly TokenStep[],
  alternatives: TokenGuide["alternatives"] = [],
): TokenGuide {
  return { effort, url, alternatives, steps: [...steps, step("copy")] };
}

const minute = "minute";
const developer = "developer";

/** By the slug of a manifest; one without a row is made for people who write programs. */
export const tokens: Readonly<Record<string, TokenGuide>> = {
  all_inkl: token(minute, "https://kas.all-inkl.com/", []),
  azure_dns: token(
    developer,
    "https://portal.azure.com/#view/Microsoft_AAD_IAM/ActiveDirectoryMenuBlade/~/RegisteredApps",
    [
      step("press", "New registration"),
      step("open", "Certificates & secrets"),
      step("permit", "DNS Zone Contributor"),
    ],
  ),
  bunny: token(minute, "https://dash.bunny.net/account/api-key", [step("open", "API Key")]),
  cloudflare: token(minute, "https://dash.cloudflare.com/profile/api-tokens", [
    step("press", "Create Token"),
    step("choose", "Edit zone DNS"),
    step("permit", "Zone · DNS · Edit, Zone · Zone · Read"),
    step("limit", "Zone Resources"),
    step("press", "Continue to summary"),
  ]),
  cloudns: token(
    minute,
    "https://www.cloudns.net/api-settings/",
    [step("open", "API sub-users"), step("limit", "DNS zones")],
    [
      ["sub_auth_id", "auth_password"],
      ["auth_id", "auth_password"],
    ],
  ),
  cpanel: token(
    minute,
    "https://docs.cpanel.net/cpanel/security/manage-api-tokens-in-cpanel/",
    [step("open", "Security"), step("open", "Manage API Tokens"), step("press", "Create")],
    [
      ["server", "username", "api_token"],
      ["server", "username", "password"],
    ],
  ),
  desec: token(minute, "https://desec.io/tokens", [step("press", "Create new token")]),
  digitalocean: token(minute, "https://cloud.digitalocean.com/account/api/tokens", [
    step("press", "Generate New Token"),
    step("choose", "Custom Scopes"),
    step("permit", "domain: read, create, update, delete"),
    step("press", "Generate Token"),
  ]),
  directadmin: token(
    minute,
    "https://docs.directadmin.com/directadmin/customizing-workflow/api-all-about.html",
    [
      step("open", "Login Keys"),
      step("press", "Create Key"),
      step("permit", "CMD_API_SHOW_DOMAINS, CMD_API_DNS_CONTROL"),
    ],
  ),
  dnsimple: token(minute, "https://support.dnsimple.com/articles/api-access-token/", [
    step("open", "Access tokens"),
    step("press", "Add"),
    step("limit", "Zones"),
  ]),
  dnsmadeeasy: token(minute, "https://cp.dnsmadeeasy.com/account/info", [
    step("open", "Account Information"),
  ]),
  domeneshop: token(minute, "https://www.domeneshop.no/admin?view=api", [step("open", "API")]),
  dynadot: token(minute, "https://www.dynadot.com/account/domain/setting/api.html", [
    step("open", "API"),
    step("addresses", "API"),
  ]),
  gandi: token(minute, "https://admin.gandi.net/organizations/account/pat", [
    step("press", "Create a token"),
    step("limit", "Restrict to selected products"),
    step("permit", "See and renew domain names, Manage domain name technical configurations"),
    step("press", "Create"),
  ]),
  godaddy: token(
    developer,
    "https://developer.godaddy.com/personal-access-token",
    [step("press", "Generate Token"), step("permit", "domains.domain:read, domains.dns:update")],
    [["personal_access_token"], ["api_key", "api_secret"]],
  ),
  google_cloud_dns: token(developer, "https://console.cloud.google.com/iam-admin/serviceaccounts", [
    step("press", "Create service account"),
    step("permit", "DNS Administrator"),
    step("open", "Keys"),
    step("press", "Add key"),
  ]),
  hetzner: token(minute, "https://console.hetzner.com/projects", [
    step("open", "Security"),
    step("open", "API tokens"),
    step("permit", "Read & Write"),
  ]),
  hostinger: token(minute, "https://hpanel.hostinger.com/profile/api", [step("open", "API")]),
  huaweicloud: token(developer, "https://console-intl.huaweicloud.com/iam/#/mine/accessKey", [
    step("permit", "DNS Administrator"),
    step("press", "Create Access Key"),
  ]),
  infomaniak: token(minute, "https://manager.infomaniak.com/v3/infomaniak-api", [
    step("permit", "domain:read, dns:read, dns:write"),
  ]),
  ionos: token(minute, "https://developer.hosting.ionos.com/keys", [step("press", "Create key")]),
  linode: token(minute, "https://cloud.linode.com/profile/tokens", [
    step("press", "Create a Personal Access Token"),
    step("permit", "Domains: Read/Write"),
  ]),
  namecheap: token(developer, "https://ap.www.namecheap.com/settings/tools/apiaccess/", [
    step("open", "Namecheap API Access"),
    step("addresses", "Whitelisted IPs"),
  ]),
  namecom: token(minute, "https://www.name.com/account/settings/api", [step("open", "API Tokens")]),
  namesilo: token(minute, "https://www.namesilo.com/account/api-manager", [
    step("press", "Generate"),
  ]),
  netcup: token(minute, "https://www.customercontrolpanel.de/", [
    step("open", "Master data"),
    step("open", "API"),
  ]),
  netlify: token(minute, "https://app.netlify.com/user/applications#personal-access-tokens", [
    step("press", "New access token"),
    step("press", "Generate token"),
  ]),
  njalla: token(minute, "https://njal.la/settings/api/", [step("press", "Add token")]),
  ns1: token(minute, "https://my.nsone.net/#/account/settings", [
    step("open", "API Keys"),
    step("press", "Add Key"),
  ]),
  ovh: token(
    minute,
    "https://eu.api.ovh.com/createToken/?GET=/domain/zone&GET=/domain/zone/*&POST=/domain/zone/*&PUT=/domain/zone/*&DELETE=/domain/zone/*",
    [step("press", "Create")],
  ),
  plesk: token(
    developer,
    "https://docs.plesk.com/en-US/obsidian/cli-linux/using-command-line-utilities/secret_key-authentication-in-plesk-xml-api.73880/",
    [step("addresses", "-ip-address")],
  ),
  porkbun: token(minute, "https://porkbun.com/account/api", [
    step("press", "Create API Key"),
    step("open", "Domain Management"),
    step("choose", "API Access"),
  ]),
  regru: token(minute, "https://www.reg.ru/user/account/#/settings/api/", [
    step("addresses", "Настройки API"),
  ]),
  route53: token(developer, "https://console.aws.amazon.com/iam/home#/users", [
    step("press", "Create user"),
    step("permit", "route53:ListResourceRecordSets, ChangeResourceRecordSets, GetHostedZone"),
    step("open", "Security credentials"),
    step("press", "Create access key"),
  ]),
  sandbox: token(minute, "https://www.rfc-editor.org/rfc/rfc6761#section-6.2", []),
  scaleway: token(developer, "https://console.scaleway.com/iam/api-keys", [
    step("press", "Generate API key"),
    step("permit", "DomainsDNSFullAccess"),
  ]),
  simply: token(minute, "https://www.simply.com/controlpanel/", [step("open", "API")]),
  spaceship: token(minute, "https://www.spaceship.com/application/api-manager/", [
    step("press", "New API key"),
  ]),
  transip: token(
    minute,
    "https://www.transip.nl/cp/account/api/",
    [step("addresses", "Whitelist")],
    [["account_name", "private_key"], ["access_token"]],
  ),
  vercel: token(minute, "https://vercel.com/account/tokens", [step("press", "Create Token")]),
  vultr: token(minute, "https://my.vultr.com/settings/#settingsapi", [
    step("press", "Enable API"),
    step("addresses", "Access Control"),
  ]),
};
