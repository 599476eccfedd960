import type { ProviderAdapter } from "./adapter/contract.ts";
import type { ProviderManifest } from "./adapter/manifest.ts";
import { akamai } from "./akamai/provider.ts";
import { alidns } from "./alidns/provider.ts";
import { allInkl } from "./all_inkl/provider.ts";
import { azureDns } from "./azure_dns/provider.ts";
import { bunny } from "./bunny/provider.ts";
import { cloudflare } from "./cloudflare/provider.ts";
import { cloudns } from "./cloudns/provider.ts";
import { cpanel } from "./cpanel/provider.ts";
import { desec } from "./desec/provider.ts";
import { digitalocean } from "./digitalocean/provider.ts";
import { directadmin } from "./directadmin/provider.ts";
import { dnsimple } from "./dnsimple/provider.ts";
import { dnsmadeeasy } from "./dnsmadeeasy/provider.ts";
import { domeneshop } from "./domeneshop/provider.ts";
import { dynadot } from "./dynadot/provider.ts";
import { exoscale } from "./exoscale/provider.ts";
import { gandi } from "./gandi/provider.ts";
import { godaddy } from "./godaddy/provider.ts";
import { googleCloudDns } from "./google_cloud_dns/provider.ts";
import { hetzner } from "./hetzner/provider.ts";
import { hostinger } from "./hostinger/provider.ts";
import { huaweicloud } from "./huaweicloud/provider.ts";
import { infomaniak } from "./infomaniak/provider.ts";
import { inwx } from "./inwx/provider.ts";
import { ionos } from "./ionos/provider.ts";
import { linode } from "./linode/provider.ts";
import { namecheap } from "./namecheap/provider.ts";
import { namecom } from "./namecom/provider.ts";
import { namesilo } from "./namesilo/provider.ts";
import { netcup } from "./netcup/provider.ts";
import { netlify } from "./netlify/provider.ts";
import { njalla } from "./njalla/provider.ts";
import { ns1 } from "./ns1/provider.ts";
import { oracle } from "./oracle/provider.ts";
import { ovh } from "./ovh/provider.ts";
import { plesk } from "./plesk/provider.ts";
import { porkbun } from "./porkbun/provider.ts";
import { powerdns } from "./powerdns/provider.ts";
import { regru } from "./regru/provider.ts";
import { rfc2136 } from "./rfc2136/provider.ts";
import { route53 } from "./route53/provider.ts";
import { manifest as sandbox } from "./sandbox/manifest.ts";
import { scaleway } from "./scaleway/provider.ts";
import { selectel } from "./selectel/provider.ts";
import { simply } from "./simply/provider.ts";
import { spaceship } from "./spaceship/provider.ts";
import { tencentcloud } from "./tencentcloud/provider.ts";
import { transip } from "./transip/provider.ts";
import { vercel } from "./vercel/provider.ts";
import { vultr } from "./vultr/provider.ts";

/** Every adapter, in alphabetical order of the slug. */
export const adapters: readonly ProviderAdapter[] = [
  akamai,
  alidns,
  allInkl,
  azureDns,
  bunny,
  cloudflare,
  cloudns,
  cpanel,
  desec,
  digitalocean,
  directadmin,
  dnsimple,
  dnsmadeeasy,
  domeneshop,
  dynadot,
  exoscale,
  gandi,
  godaddy,
  googleCloudDns,
  hetzner,
  hostinger,
  huaweicloud,
  infomaniak,
  inwx,
  ionos,
  linode,
  namecheap,
  namecom,
  namesilo,
  netcup,
  netlify,
  njalla,
  ns1,
  oracle,
  ovh,
  plesk,
  porkbun,
  powerdns,
  regru,
  rfc2136,
  route53,
  scaleway,
  selectel,
  simply,
  spaceship,
  tencentcloud,
  transip,
  vercel,
  vultr,
];

/** Providers without an adapter here: the service that stores the sandbox zones writes them. */
const withoutAdapter: readonly ProviderManifest[] = [sandbox];

/** Every provider that this package describes, in alphabetical order of the slug. */
export const providers: readonly ProviderManifest[] = [
  ...adapters.map(({ manifest }) => manifest),
  ...withoutAdapter,
].sort((a, b) => (a.slug < b.slug ? -1 : 1));

const providersBySlug = new Map(providers.map((manifest) => [manifest.slug, manifest]));
const adaptersBySlug = new Map(adapters.map((adapter) => [adapter.manifest.slug, adapter]));

export function findProvider(slug: string): ProviderManifest | null {
  return providersBySlug.get(slug) ?? null;
}

export function findAdapter(slug: string): ProviderAdapter | null {
  return adaptersBySlug.get(slug) ?? null;
}
