import { isIPv4 } from "node:net";
import {
  findProvider,
  type NameServer,
  type ProviderManifest,
  providers,
  type Resolver,
  resolveAddresses,
} from "@mooring/dns";
import { isSandboxName } from "../../domain/sandbox/sandbox.ts";
import { isSwitchedOff } from "../credentials/providers.ts";
import { firstPage } from "./first-page.ts";
import type { DomainCheckRuntime } from "./observe-name.ts";

const foundLifetimeMs = 24 * 3_600_000;
/** A host that was restarted, or a zone that just moved, is seen within the hour. */
const absentLifetimeMs = 3_600_000;

type Servers = readonly NameServer[];

/**
 * The panel on the machine of a small web host, whose servers nobody is known by:
 *
 * 1. Servers that were probed recently are not probed again, whichever zone they serve.
 * 2. Only a server that the site of the zone is on, too, is one of its web host. Others are left
 *    alone: a firm's own name servers, or those of a DNS company that is not known here.
 * 3. One such server is asked for one page at each panel's port, through the guard, with nothing of
 *    the customer in it; the answer's headers are compared and its body is not read.
 *
 * For checks that a person waits for. Routine checks take what is known by then.
 */
export async function probePanel(
  runtime: DomainCheckRuntime,
  resolver: Resolver,
  { zone, servers }: { readonly zone: string; readonly servers: Servers },
  signal: AbortSignal,
): Promise<ProviderManifest | null> {
  const panels = probedPanels(runtime);
  if (isSandboxName(zone) || panels.length === 0) return null;
  const { panels: known } = runtime.domainFacts;
  const key = cacheKey(servers);
  if (known.get(key) !== undefined) return knownPanel(runtime, servers);
  const address = await findHostAddress(resolver, zone, servers, signal);
  if (address === null) return null;
  // First, so that a machine that drops packets, or that many ask about at once, is asked once.
  known.set(key, null, absentLifetimeMs);
  const found = await Promise.all(
    panels.map(async (manifest) =>
      (await isPanelAt(runtime, manifest, address, signal)) ? manifest : null,
    ),
  );
  const panel = found.find((one) => one !== null) ?? null;
  if (panel !== null) known.set(key, panel.slug, foundLifetimeMs);
  return panel;
}

/** What an earlier probe of these servers showed; nothing is sent. */
export function knownPanel(
  { domainFacts }: Pick<DomainCheckRuntime, "domainFacts">,
  servers: Servers,
): ProviderManifest | null {
  const slug = domainFacts.panels.get(cacheKey(servers)) ?? null;
  return slug === null ? null : findProvider(slug);
}

function cacheKey(servers: Servers): string {
  return servers
    .map(({ host }) => host.toLowerCase())
    .sort()
    .join(" ");
}

function probedPanels({ config }: Pick<DomainCheckRuntime, "config">): readonly ProviderManifest[] {
  return providers.filter(({ slug, panel }) => panel !== undefined && !isSwitchedOff(config, slug));
}

/** The address of a name server that is on the machine, or beside the machine, of the site. */
async function findHostAddress(
  resolver: Resolver,
  zone: string,
  servers: Servers,
  signal: AbortSignal,
): Promise<string | null> {
  const site = (await resolveAddresses(resolver, zone, signal)) ?? [];
  const networks = new Set(site.map(networkPart));
  const addresses = servers.flatMap((server) => server.addresses);
  return addresses.find((address) => networks.has(networkPart(address))) ?? null;
}

/** A host gives a machine several addresses of one small network: /24, or /64. */
function networkPart(address: string): string {
  if (isIPv4(address)) return address.split(".").slice(0, 3).join(".");
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(zeros).fill("0"), ...right].slice(0, 4).join(":");
}

async function isPanelAt(
  { egress }: Pick<DomainCheckRuntime, "egress">,
  { panel }: ProviderManifest,
  address: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (panel === undefined) return false;
  const target = { address, port: panel.port, hostname: null, isTls: true };
  const page = await firstPage(egress, target, signal);
  return panel.marks.some(({ header, matches }) => matches.test(page?.headers[header] ?? ""));
}
