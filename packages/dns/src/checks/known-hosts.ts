/**
 * DNS hosts without a manifest, recognised by the names of their servers. Providers with a manifest
 * have their patterns there.
 */
export interface KnownHost {
  readonly slug: string;
  readonly name: string;
  /** A server matches when its name equals a suffix or ends with "." and the suffix. */
  readonly suffixes: readonly string[];
  /** Matched against the whole server name; more specific than any suffix. */
  readonly expressions: readonly RegExp[];
  /** Slugs of others that use the same or similar server names. */
  readonly ambiguousWith: readonly string[];
  /** A hint only: discovery by the _domainconnect record decides. */
  readonly domainConnect: boolean;
  /** The slug of the panel in which its customers edit their zones. */
  readonly panel: string | null;
}

type Extras = Partial<Pick<KnownHost, "expressions" | "ambiguousWith" | "domainConnect" | "panel">>;

function host(slug: string, name: string, suffixes: string, extras: Extras = {}): KnownHost {
  return {
    slug,
    name,
    suffixes: suffixes === "" ? [] : suffixes.split(" "),
    expressions: extras.expressions ?? [],
    ambiguousWith: extras.ambiguousWith ?? [],
    domainConnect: extras.domainConnect ?? false,
    panel: extras.panel ?? null,
  };
}

export const knownHosts: readonly KnownHost[] = [
  host("a2hosting", "A2 Hosting", "a2hosting.com"),
  host("active24", "Active24", "active24.cz active24.com active24.sk"),
  host("afraid_freedns", "FreeDNS (afraid.org)", "afraid.org"),
  host("aruba", "Aruba.it", "technorail.com arubadns.net arubadns.cz"),
  host("arvancloud", "ArvanCloud", "arvancloud.ir"),
  host("aurora", "Aurora DNS (PCextreme)", "auroradns.eu auroradns.nl auroradns.info"),
  host("autodns", "InterNetX AutoDNS", "ns14.net"),
  host("beget", "Beget", "beget.com beget.pro beget.ru"),
  host("bigcommerce", "BigCommerce", "bigcommerce.com"),
  host("bluehost", "Bluehost", "bluehost.com"),
  host("cafe24", "Cafe24", "cafe24.com cafe24.co.kr"),
  host("checkdomain", "Checkdomain", "checkdomain.de"),
  host(
    "comlaude",
    "Com Laude",
    "comlaude-dns.com comlaude-dns.net comlaude-dns.co.uk comlaude-dns.eu",
  ),
  host("conoha", "ConoHa", "conoha.io"),
  host("constellix", "Constellix", "constellix.com constellix.net"),
  host("contabo", "Contabo", "contabo.net"),
  host("crazy_domains", "Crazy Domains", "crazydomains.com syrahost.com"),
  host("csc", "CSC Global", "cscdns.net cscdns.uk"),
  host("dinahosting", "Dinahosting", "dinahosting.com"),
  host("domain_chief", "Domain Chief", "", { domainConnect: true }),
  host("domain_com", "Domain.com", "domain.com"),
  host("domainfactory", "domainfactory", "namespace4you.de"),
  host("dotster", "Dotster", "dotster.com nameresolve.com"),
  host("dreamhost", "DreamHost", "dreamhost.com"),
  host("dyn", "Oracle Dyn", "dynect.net dns.dyn.com"),
  host("dynu", "Dynu", "dynu.com"),
  host("easydns", "easyDNS", "easydns.com easydns.net easydns.org easydns.info easydns.ca"),
  host("easyname", "easyname", "easyname.eu"),
  host("enom", "Enom", "name-services.com"),
  host("epik", "Epik", "epik.com"),
  host("eurodns", "EuroDNS", "eurodns.com eurodns.org eurodns.eu eurodns.biz"),
  host("euserv", "EUserv", "euserv.com"),
  host("fasthosts", "Fasthosts", "livedns.co.uk"),
  host("fastmail", "Fastmail", "messagingengine.com"),
  host("forpsi", "Forpsi", "forpsi.net forpsi.it forpsi.cz"),
  host("gabia", "Gabia", "gabia.co.kr gabia.net gabia.io"),
  host("gcore", "Gcore DNS", "gcorelabs.net gcdn.services"),
  host("gehirn", "Gehirn DNS", "gehirn.jp gehirndns.com gehirndns.net gehirndns.jp gehirndns.org"),
  host("glauca", "Glauca Digital (HexDNS)", "glauca.digital as207960.net", { domainConnect: true }),
  host("glesys", "GleSYS", "glesys.com namesystem.se namesystem.net"),
  host("gname", "Gname", "gname-dns.com share-dns.com share-dns.net"),
  host("godaddy_hosting", "GoDaddy hosting / reseller (secureserver)", "secureserver.net", {
    ambiguousWith: ["godaddy"],
  }),
  host(
    "hetzner_robot",
    "Hetzner Robot / konsoleH",
    "first-ns.de second-ns.de second-ns.com your-server.de",
    { ambiguousWith: ["hetzner"] },
  ),
  host("hexonet_rrpproxy", "CentralNic Reseller (RRPproxy)", "rrpproxy.net"),
  host("home_pl", "home.pl", "home.pl"),
  host("hostgator", "HostGator", "hostgator.com websitewelcome.com"),
  host("hosting_de", "hosting.de", "hosting.de"),
  host("hostpoint", "Hostpoint", "hostpoint.ch"),
  host("hosttech", "hosttech", "hosttech.eu hosttech.ch"),
  host("hover", "Hover", "hover.com"),
  host("hurricane_electric", "Hurricane Electric", "he.net"),
  host("ibm_softlayer", "IBM Cloud classic (SoftLayer)", "softlayer.com"),
  host("inmotion", "InMotion Hosting", "inmotionhosting.com"),
  host("internetbs", "Internet.bs", "topdns.com"),
  host("ionos_cloud", "IONOS Cloud DNS", "", {
    expressions: [/^ns-ic\.ui-dns\.(com|org|de|biz)$/],
    ambiguousWith: ["ionos"],
  }),
  host("ipage", "iPage", "ipage.com"),
  host("joker", "Joker.com", "ns.joker.com joker.com"),
  host("liquidweb", "Liquid Web", "liquidweb.com"),
  host("locaweb", "Locaweb", "locaweb.com.br"),
  host("loopia", "Loopia", "loopia.se"),
  host("luadns", "LuaDNS", "luadns.com luadns.net"),
  host("markmonitor", "MarkMonitor", "markmonitor.com markmonitor.zone"),
  host("mediatemple", "Media Temple", "mediatemple.net"),
  host("microsoft_365", "Microsoft 365 DNS", "bdm.microsoftonline.com"),
  host("misaka", "Misaka.io", "m1ns.com m1ns.net m1ns.org m1ns.one m1ns.io m1ns.app"),
  host("mittwald", "mittwald", "agenturserver.de mittwald.de"),
  host("muumuu", "Muumuu Domain", "muumuu-domain.com"),
  host("mythic_beasts", "Mythic Beasts", "mythic-beasts.com"),
  host("namebright", "NameBright", "namebrightdns.com"),
  host(
    "namecheap_hosting",
    "Namecheap web hosting (cPanel)",
    "namecheaphosting.com web-hosting.com",
    { panel: "cpanel" },
  ),
  host("names_co_uk", "names.co.uk", "phase8.net names.co.uk"),
  host("nazwa_pl", "nazwa.pl", "nazwa.pl"),
  host("nearlyfreespeech", "NearlyFreeSpeech", "nearlyfreespeech.net"),
  host("network_solutions", "Network Solutions / Web.com", "worldnic.com"),
  host("nic_ru", "RU-CENTER (nic.ru)", "nic.ru"),
  host("onamae", "Onamae.com", "dnsv.jp onamae.com"),
  host("one_com", "one.com", "one.com", { expressions: [/^ns0\d\.one\.com$/] }),
  host("online_net", "Online.net / Dedibox", "online.net"),
  host("openprovider", "Openprovider", "openprovider.nl openprovider.be openprovider.eu"),
  host("opensrs", "OpenSRS / Tucows", "systemdns.com"),
  host("packetframe", "Packetframe", "packetframe.com"),
  host("pointhq", "PointDNS", "pointhq.com"),
  host("rackspace", "Rackspace Cloud DNS", "stabletransit.com rackspacecloud.com rackspace.com"),
  host("rage4", "Rage4", "rage4.com r4ns.com r4ns.net"),
  host("rcodezero", "RcodeZero", "rcode0.net rcodezero.at"),
  host("reg_123", "123-reg", "123-reg.co.uk"),
  host("regfish", "regfish", "regfish-ns.net"),
  host("register_com", "Register.com", "register.com"),
  host("register_it", "Register.it", "register.it"),
  host("registro_br", "Registro.br", "auto.dns.br sec.dns.br"),
  host("resellerclub", "ResellerClub / BigRock (LogicBoxes)", "orderbox-dns.com"),
  host("sakura", "Sakura Cloud", "sakura.ne.jp dns.ne.jp"),
  host("sav", "Sav", "sav.com"),
  host("shopify", "Shopify (domains bought in Shopify)", "", {
    expressions: [/^ns-cloud-[a-z]\d\.googledomains\.com$/],
    ambiguousWith: ["google_cloud_dns", "squarespace"],
  }),
  host(
    "siteground",
    "SiteGround",
    "siteground.net sgvps.net siteground.us siteground.biz siteground.eu",
  ),
  host("squarespace", "Squarespace Domains", "squarespacedns.com", {
    expressions: [/^ns-cloud-[a-z]\d\.googledomains\.com$/],
    ambiguousWith: ["google_cloud_dns", "ns1"],
    domainConnect: true,
  }),
  host("strato", "STRATO", "rzone.de"),
  host("timeweb", "Timeweb", "timeweb.cloud timeweb.ru timeweb.org"),
  host("ukfast_safedns", "ANS SafeDNS (UKFast)", "ukfast.net"),
  host(
    "ultradns",
    "UltraDNS (Vercara/DigiCert)",
    "ultradns.com ultradns.net ultradns.org ultradns.biz ultradns.info ultradns.co.uk",
  ),
  host("united_domains", "united-domains", "udag.de udag.net udag.org"),
  host("value_domain", "Value-Domain", "value-domain.com"),
  host("ventraip", "VentraIP", "nameserver.net.au hostingplatform.net.au"),
  host("verisign_mdns", "Verisign Managed DNS", "verisigndns.com"),
  host("websupport", "Websupport", "websupport.sk websupport.cz websupport.eu"),
  host("wedos", "WEDOS", "wedos.net wedos.eu wedos.cz wedos.com"),
  host("weebly", "Weebly / Square Online", "weebly.com"),
  host("wix", "Wix", "wixdns.net"),
  host("wordpress_com", "WordPress.com", "wordpress.com", {
    expressions: [/^ns[1-4]\.wordpress\.com$/],
    domainConnect: true,
  }),
  host("world4you", "World4You", "world4you.at"),
  host("xserver", "Xserver", "xserver.jp"),
  host("yahoo_small_business", "Yahoo Small Business / Turbify", "yns1.yahoo.com yns2.yahoo.com"),
  host("yandex_360", "Yandex 360", "yandex.net yandex.com"),
  host("yandex_cloud", "Yandex Cloud DNS", "yandexcloud.net"),
  host("zilore", "Zilore", "zilore.net"),
  host("zoneedit", "ZoneEdit", "zoneedit.com"),
  host("zonomi", "Zonomi", "zonomi.com"),
];
