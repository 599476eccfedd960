import type { ProviderAdapter } from "../../src/providers/adapter/contract.ts";
import { findAdapter } from "../../src/providers/registry.ts";
import type { Backend } from "../simulator.ts";
import { startAkamai } from "../simulators/akamai.ts";
import { startAlidns } from "../simulators/alidns.ts";
import { startAllInkl } from "../simulators/all-inkl.ts";
import { startAzureDns } from "../simulators/azure-dns.ts";
import { startBunny } from "../simulators/bunny.ts";
import { startCloudflare } from "../simulators/cloudflare.ts";
import { startCloudns } from "../simulators/cloudns.ts";
import { startCpanel } from "../simulators/cpanel.ts";
import { startDesec } from "../simulators/desec.ts";
import { startDigitalocean } from "../simulators/digitalocean.ts";
import { startDirectadmin } from "../simulators/directadmin.ts";
import { startDnsimple } from "../simulators/dnsimple.ts";
import { startDnsmadeeasy } from "../simulators/dnsmadeeasy.ts";
import { startDomeneshop } from "../simulators/domeneshop.ts";
import { startDynadot } from "../simulators/dynadot.ts";
import { startExoscale } from "../simulators/exoscale.ts";
import { startGandi } from "../simulators/gandi.ts";
import { startGodaddy } from "../simulators/godaddy.ts";
import { startGodaddyClassic } from "../simulators/godaddy-classic.ts";
import { startGoogleCloudDns } from "../simulators/google-cloud-dns.ts";
import { startHetzner } from "../simulators/hetzner.ts";
import { startHostinger } from "../simulators/hostinger.ts";
import { startHuaweicloud } from "../simulators/huaweicloud.ts";
import { startInfomaniak } from "../simulators/infomaniak.ts";
import { startInwx } from "../simulators/inwx.ts";
import { startIonos } from "../simulators/ionos.ts";
import { startLinode } from "../simulators/linode.ts";
import { startNamecheap } from "../simulators/namecheap.ts";
import { startNamecom } from "../simulators/namecom.ts";
import { startNamesilo } from "../simulators/namesilo.ts";
import { startNetcup } from "../simulators/netcup.ts";
import { startNetlify } from "../simulators/netlify.ts";
import { startNjalla } from "../simulators/njalla.ts";
import { startNs1 } from "../simulators/ns1.ts";
import { startOracle } from "../simulators/oracle.ts";
import { startOvh } from "../simulators/ovh.ts";
import { startPlesk } from "../simulators/plesk.ts";
import { startPorkbun } from "../simulators/porkbun.ts";
import { startPowerdns } from "../simulators/powerdns.ts";
import { startRegru } from "../simulators/regru.ts";
import { startRoute53 } from "../simulators/route53.ts";
import { startScaleway } from "../simulators/scaleway.ts";
import { startSelectel } from "../simulators/selectel.ts";
import { startSimply } from "../simulators/simply.ts";
import { startSpaceship } from "../simulators/spaceship.ts";
import { startTencentcloud } from "../simulators/tencentcloud.ts";
import { startTransip } from "../simulators/transip.ts";
import { startVercel } from "../simulators/vercel.ts";
import { startVultr } from "../simulators/vultr.ts";

/** A simulator for each provider with an HTTP API, one per credential type where there are two. */
export const simulators: readonly {
  readonly name: string;
  readonly adapter: ProviderAdapter;
  readonly start: () => Promise<Backend>;
}[] = [
  simulated("akamai", startAkamai),
  simulated("alidns", startAlidns),
  simulated("all_inkl", startAllInkl),
  simulated("azure_dns", startAzureDns),
  simulated("bunny", startBunny),
  simulated("cloudflare", startCloudflare),
  simulated("cloudns", startCloudns),
  simulated("cpanel", startCpanel),
  simulated("desec", startDesec),
  simulated("digitalocean", startDigitalocean),
  simulated("directadmin", startDirectadmin),
  simulated("dnsimple", startDnsimple),
  simulated("dnsmadeeasy", startDnsmadeeasy),
  simulated("domeneshop", startDomeneshop),
  simulated("dynadot", startDynadot),
  simulated("exoscale", startExoscale),
  simulated("gandi", startGandi),
  simulated("godaddy", startGodaddy),
  simulated("godaddy", startGodaddyClassic, "godaddy with a classic key"),
  simulated("google_cloud_dns", startGoogleCloudDns),
  simulated("hetzner", startHetzner),
  simulated("hostinger", startHostinger),
  simulated("huaweicloud", startHuaweicloud),
  simulated("infomaniak", startInfomaniak),
  simulated("inwx", startInwx),
  simulated("ionos", startIonos),
  simulated("linode", startLinode),
  simulated("namecheap", startNamecheap),
  simulated("namecom", startNamecom),
  simulated("namesilo", startNamesilo),
  simulated("netcup", startNetcup),
  simulated("netlify", startNetlify),
  simulated("njalla", startNjalla),
  simulated("ns1", startNs1),
  simulated("oracle", startOracle),
  simulated("ovh", startOvh),
  simulated("plesk", startPlesk),
  simulated("porkbun", startPorkbun),
  simulated("powerdns", startPowerdns),
  simulated("regru", startRegru),
  simulated("route53", startRoute53),
  simulated("scaleway", startScaleway),
  simulated("selectel", startSelectel),
  simulated("simply", startSimply),
  simulated("spaceship", startSpaceship),
  simulated("tencentcloud", startTencentcloud),
  simulated("transip", startTransip),
  simulated("vercel", startVercel),
  simulated("vultr", startVultr),
];

function simulated(slug: string, start: () => Promise<Backend>, name = slug) {
  const adapter = findAdapter(slug);
  if (adapter === null) throw new Error(`there is no adapter ${slug}`);
  return { name, adapter, start };
}
