import type { PanelForm, PanelGuide } from "./guide.ts";

type Words = Partial<Pick<PanelGuide, "path" | "add" | "save" | "notes" | "form">>;

/** A link to the domain's own page. */
function zonePage(url: string, words: Words = {}): PanelGuide {
  return { url, isZonePage: true, path: [], add: null, save: null, notes: [], ...words };
}

/** A link to the list of domains, or to where the panel begins. */
function startPage(url: string, words: Words = {}): PanelGuide {
  return { ...zonePage(url, words), isZonePage: false };
}

function form(
  host: string,
  value: string | null,
  apexHost: "@" | "" = "@",
  more: Partial<Pick<PanelForm, "ttl" | "targetDot">> = {},
): PanelForm {
  return { host, value, ttl: "TTL", apexHost, minimumTtlSeconds: 300, targetDot: false, ...more };
}

/**
 * By the slug of a manifest or of a known host. A link to a domain's page is one that others use
 * too.
 */
export const panels: Readonly<Record<string, PanelGuide>> = {
  a2hosting: startPage("https://my.a2hosting.com/"),
  akamai: startPage("https://control.akamai.com/"),
  alidns: zonePage("https://dns.console.aliyun.com/#/dns/setting/{zone}"),
  aruba: startPage("https://admin.aruba.it/", {
    path: ["Dominio", "Gestione DNS e Name Server"],
    add: "Aggiungi record",
    form: form("Nome host", "Valore"),
  }),
  azure_dns: startPage("https://portal.azure.com/#browse/Microsoft.Network%2FdnsZones", {
    path: ["{zone}", "Recordsets"],
  }),
  bluehost: startPage("https://my.bluehost.com/", {
    path: ["Domains", "{zone}", "DNS"],
    add: "Add Record",
    save: "Save",
    form: form("Host Record", "Points To"),
  }),
  bunny: startPage("https://dash.bunny.net/dns", { path: ["{zone}"], add: "Add Record" }),
  cloudflare: zonePage("https://dash.cloudflare.com/?to=/:account/{zone}/dns/records", {
    path: ["DNS", "Records"],
    add: "Add record",
    save: "Save",
    notes: ["proxy_off"],
  }),
  cloudns: startPage("https://www.cloudns.net/main/", { path: ["{zone}"], add: "Add new record" }),
  constellix: startPage("https://manage.constellix.com/"),
  contabo: startPage("https://my.contabo.com/dns"),
  cpanel: startPage("https://{zone}:2083/", {
    path: ["Domains", "Zone Editor", "Manage"],
    add: "Add Record",
    save: "Save Record",
  }),
  desec: zonePage("https://desec.io/domains/{zone}"),
  digitalocean: zonePage("https://cloud.digitalocean.com/networking/domains/{zone}", {
    add: "Create Record",
  }),
  directadmin: startPage("https://{zone}:2222/", {
    path: ["Account Manager", "DNS Management"],
    add: "Add Record",
    save: "Add",
  }),
  dnsimple: startPage("https://dnsimple.com/dashboard", { path: ["{zone}", "DNS"] }),
  dnsmadeeasy: startPage("https://cp.dnsmadeeasy.com/"),
  domain_com: startPage("https://www.domain.com/"),
  domeneshop: startPage("https://www.domeneshop.no/admin", { path: ["{zone}", "DNS"] }),
  dreamhost: zonePage(
    "https://panel.dreamhost.com/index.cgi?tree=domain.dashboard#/site/{zone}/dns",
    {
      add: "Add Record",
      form: form("Name", "Value", ""),
    },
  ),
  dynadot: startPage("https://www.dynadot.com/account/domain/name/list.html", {
    path: ["{zone}", "DNS"],
    save: "Save DNS",
    form: form("Subdomain", "Target", ""),
  }),
  easydns: startPage("https://cp.easydns.com/"),
  gandi: zonePage("https://admin.gandi.net/domain/{zone}/records", {
    path: ["DNS Records"],
    add: "Add",
  }),
  gcore: startPage("https://dns.gcore.com/"),
  godaddy: zonePage("https://dcc.godaddy.com/control/dnsmanagement?domainName={zone}", {
    path: ["DNS"],
    add: "Add New Record",
    save: "Save",
  }),
  google_cloud_dns: startPage("https://console.cloud.google.com/net-services/dns/zones", {
    path: ["{zone}"],
    add: "Add standard",
    save: "Create",
  }),
  hetzner: startPage("https://console.hetzner.com/projects", { path: ["DNS", "{zone}"] }),
  hostgator: startPage("https://portal.hostgator.com/", { path: ["Domains", "{zone}", "DNS"] }),
  hostinger: zonePage("https://hpanel.hostinger.com/domain/{zone}/dns", {
    path: ["DNS / Nameservers"],
    add: "Add Record",
  }),
  hostpoint: zonePage("https://admin.hostpoint.ch/customer/Domains/Dns/Edit?name={zone}", {
    path: ["Domains", "{zone}", "DNS Zone bearbeiten"],
    add: "Neuer Record hinzufügen",
    save: "Record hinzufügen › Jetzt ausführen",
    notes: ["no_apex_alias"],
  }),
  hover: zonePage("https://www.hover.com/control_panel/domain/{zone}/dns", {
    path: ["DNS"],
    add: "Add a record",
    form: form("Hostname", "Target Host"),
  }),
  hurricane_electric: startPage("https://dns.he.net/"),
  infomaniak: startPage("https://manager.infomaniak.com/"),
  inwx: startPage("https://www.inwx.com/en/domain"),
  ionos: zonePage("https://my.ionos.com/domain-dns-settings/{zone}", {
    path: ["DNS"],
    add: "Add record",
    save: "Save",
  }),
  joker: startPage("https://joker.com/"),
  linode: startPage("https://cloud.linode.com/domains", { path: ["{zone}"], save: "Save" }),
  loopia: startPage("https://customerzone.loopia.com/", { path: ["{zone}"] }),
  microsoft_365: zonePage("https://admin.microsoft.com/#/Domains/Details/{zone}", {
    path: ["DNS records"],
  }),
  namebright: startPage("https://www.namebright.com/"),
  namecheap: zonePage("https://ap.www.namecheap.com/domains/domaincontrolpanel/{zone}/advancedns", {
    path: ["Advanced DNS"],
    add: "Add New Record",
    save: "Save All Changes",
  }),
  namecom: zonePage("https://www.name.com/account/domain/details/{zone}#dns", {
    path: ["DNS Records"],
    add: "Add Record",
  }),
  namesilo: zonePage("https://www.namesilo.com/account_domain_manage_dns.php?domain={zone}", {
    path: ["Manage DNS"],
    save: "Submit",
  }),
  netlify: startPage("https://app.netlify.com/teams/-/dns", { path: ["{zone}"] }),
  network_solutions: startPage("https://www.networksolutions.com/my-account/"),
  njalla: zonePage("https://njal.la/domains/{zone}/"),
  ns1: startPage("https://my.nsone.net/#/zones", { path: ["{zone}"] }),
  onamae: startPage("https://navi.onamae.com/domain", {
    path: ["DNS設定/転送設定", "{zone}", "DNSレコード設定を利用する"],
    add: "追加",
    save: "確認画面へ進む › 設定する",
    notes: ["no_apex_alias"],
    form: form("ホスト名", "VALUE", ""),
  }),
  one_com: startPage("https://www.one.com/admin/dns-overview.do", {
    path: ["Advanced settings", "DNS settings", "DNS records"],
    add: "Create new record",
    save: "Create record",
    form: form("Hostname", null, ""),
  }),
  ovh: zonePage("https://www.ovh.com/manager/#/web/zone/{zone}", {
    path: ["DNS zone"],
    add: "Add an entry",
  }),
  plesk: startPage("https://{zone}:8443/", {
    path: ["Websites & Domains", "{zone}", "Hosting & DNS", "DNS"],
    add: "Add Record",
    save: "OK",
  }),
  porkbun: zonePage("https://porkbun.com/account/dns/{zone}", { path: ["DNS"], save: "Add" }),
  rackspace: startPage("https://login.rackspace.com/"),
  reg_123: startPage("https://www.123-reg.co.uk/secure/cpanel/domain/overview", {
    path: ["{zone}", "DNS"],
    add: "Add New Record",
    save: "Save",
    form: form("Name", "Value", "@", { targetDot: true }),
  }),
  register_com: startPage("https://www.register.com/myaccount/"),
  registro_br: zonePage("https://registro.br/painel/dominios/?dominio={zone}", {
    path: ["Configurar zona DNS", "Modo avançado"],
    add: "Nova entrada",
    save: "Adicionar › Salvar alterações",
    notes: ["no_apex_alias", "no_wildcard"],
    form: form("Nome", "Dados", "", { ttl: null }),
  }),
  route53: startPage("https://console.aws.amazon.com/route53/v2/hostedzones", {
    path: ["Hosted zones", "{zone}"],
    add: "Create record",
    save: "Create records",
    notes: ["quotes"],
  }),
  sav: startPage("https://www.sav.com/domains"),
  scaleway: startPage("https://console.scaleway.com/domains", { path: ["{zone}"] }),
  shopify: startPage("https://admin.shopify.com/settings/domains", {
    path: ["{zone}", "Domain settings", "Edit DNS settings"],
    add: "Add custom record",
    save: "Confirm",
    notes: ["no_apex_alias"],
    form: form("Name", null),
  }),
  siteground: startPage("https://my.siteground.com/"),
  spaceship: zonePage(
    "https://www.spaceship.com/application/advanced-dns-application/manage/{zone}/",
    { add: "Add record" },
  ),
  squarespace: zonePage("https://account.squarespace.com/domains/managed/{zone}/dns/dns-settings", {
    path: ["DNS", "Custom records"],
    add: "Add record",
    save: "Save",
    form: form("Host", "Data"),
  }),
  strato: startPage("https://www.strato.de/apps/CustomerService", {
    path: ["Domains", "Domainverwaltung", "{zone}", "DNS", "TXT- und CNAME-Records"],
    add: "Weiteren Record erstellen",
    save: "Einstellungen übernehmen",
    notes: ["addresses_apart", "no_apex_alias"],
    form: form("Präfix", "Wert", "", { ttl: null, targetDot: true }),
  }),
  tencentcloud: zonePage("https://console.dnspod.cn/dns/{zone}/record"),
  transip: startPage("https://www.transip.nl/cp/", { path: ["{zone}", "DNS"] }),
  ultradns: startPage("https://portal.ultradns.com/"),
  vercel: zonePage("https://vercel.com/domains/{zone}", { path: ["DNS Records"], save: "Add" }),
  vultr: zonePage("https://my.vultr.com/dns/edit/?domain={zone}#dns-records", {
    path: ["DNS"],
  }),
  websupport: zonePage("https://admin.websupport.sk/sk/domain/{zone}/dns"),
  wix: startPage("https://manage.wix.com/account/domains", {
    path: ["{zone}", "Domain Actions", "Manage DNS Records"],
    add: "+ Add Record",
    save: "Save › Save Changes",
    notes: ["sections", "no_apex_alias"],
    form: form("Host Name", "Value", ""),
  }),
  wordpress_com: zonePage("https://wordpress.com/domains/manage/{zone}/dns/{zone}", {
    form: form("Name", "Value"),
  }),
  yandex_360: zonePage("https://admin.yandex.ru/domains/{zone}?action=set_dns"),
};
