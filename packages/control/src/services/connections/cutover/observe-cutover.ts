import { randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";
import { probedName, resolveAddresses } from "@mooring/dns";
import { createGuard } from "@mooring/egress";
import { localEdge } from "../../../config/edge-addresses.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import {
  type CutoverFact,
  type CutoverObservation,
  isCuttingOver,
  type OldLocation,
} from "../../../domain/connections/cutover.ts";
import { compareOrigin } from "../../../domain/connections/cutover-origin.ts";
import { type FirstPage, firstPage } from "../../domains/first-page.ts";
import { findOldLocation } from "../../domains/in-use.ts";
import type { Runtime } from "../../runtime.ts";

import { observeMail } from "./mail.ts";

/** Connections to one address: several processes may answer there. */
const tries = 3;
/**
 * A prepared name is checked every ten seconds; its origin and its old location are not asked as
 * often.
 */
const everyChecks = 6;

/**
 * What stands between a name that serves elsewhere and its switch; null for every other connection.
 */
export async function observeCutover(
  runtime: Runtime,
  connection: Connection,
  isDnssecBroken: boolean,
  signal: AbortSignal,
): Promise<CutoverObservation | null> {
  const { cutover, environment, hostname } = connection;
  if (cutover === null || !isCuttingOver(connection) || connection.state !== "propagating") {
    return null;
  }
  const resolver = runtime.dns.resolverFor(environment, hostname);
  const old = await findOldLocation(resolver, hostname, runtime.config, signal);
  const isDue = cutover.status === "preparing" || connection.checks % everyChecks === 0;
  if (!isDue) return { old, facts: null };
  const [{ edge, page }, mail] = await Promise.all([
    observeEdge(runtime, connection, signal),
    observeMail(resolver, connection, signal),
  ]);
  const origin = await observeOrigin(runtime, connection, { old, page }, signal);
  return { old, facts: { edge, origin, mail, isDnssecBroken } };
}

interface SeenEdge {
  readonly edge: CutoverFact;
  readonly page: FirstPage | null;
}

/**
 * Every connection to an address of the edge must be served with the certificate that is stored.
 */
async function observeEdge(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<SeenEdge> {
  const { config } = runtime;
  const stored = await runtime.certificates.load(connection);
  const fingerprint = stored?.fingerprint ?? null;
  if (fingerprint === null) {
    return { edge: { ok: false, message: "The edge has no certificate yet." }, page: null };
  }
  const addresses = await ownAddresses(runtime, connection, signal);
  const guard = createGuard({
    allow: [...config.egressAllow, ...addresses.map(asNetwork)],
    nameServers: config.egressResolvers,
  });
  const port = edgePort(config);
  const target = { port, hostname: visited(connection), isTls: true };
  const asked = addresses.flatMap((address) => Array.from({ length: tries }, () => address));
  const pages = await Promise.all(
    asked.map((address) => firstPage(guard, { ...target, address }, signal)),
  );
  const answered = pages.filter((page) => page !== null);
  if (answered.length === 0) {
    return { edge: { ok: false, message: "The edge does not answer." }, page: null };
  }
  const isServed = answered.every((page) => page.fingerprint === fingerprint);
  const message = isServed
    ? "Every edge that answers serves the certificate."
    : "An edge does not serve the certificate yet.";
  return { edge: { ok: isServed, message }, page: answered[0] ?? null };
}

/** On one machine the edge listens on its own port; elsewhere visitors come to 443. */
function edgePort({ edgeCname, edgeHttpsPort, edgeProbePort }: Runtime["config"]): number {
  return edgeCname === localEdge.cname ? edgeHttpsPort : edgeProbePort;
}

async function ownAddresses(
  runtime: Runtime,
  { environment, hostname }: Connection,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { edgeIpv4, edgeIpv6, edgeCname } = runtime.config;
  const configured = [...edgeIpv4, ...edgeIpv6];
  if (configured.length > 0) return configured;
  const resolver = runtime.dns.resolverFor(environment, hostname);
  return (await resolveAddresses(resolver, edgeCname, signal)) ?? [];
}

/** Compares what both locations say to a visitor of `/`. */
async function observeOrigin(
  { config, egress }: Runtime,
  connection: Connection,
  { old, page }: { readonly old: OldLocation | null; readonly page: FirstPage | null },
  signal: AbortSignal,
): Promise<CutoverFact> {
  if (page === null) return { ok: false, message: "The origin was not asked yet." };
  const hostname = visited(connection);
  const addresses = old?.addresses ?? [];
  const ask = (port: number, isTls: boolean) =>
    addresses.map((address) => firstPage(egress, { address, port, hostname, isTls }, signal));
  const secure = await Promise.all(ask(edgePort(config), true));
  const before =
    secure.find((one) => one !== null) ??
    (await Promise.all(ask(80, false))).find((one) => one !== null);
  return compareOrigin(before ?? (addresses.length === 0 ? "no_address" : "unreachable"), page);
}

function visited({ hostname }: Connection): string {
  return probedName(hostname, `probe-${randomBytes(6).toString("hex")}`);
}

/** The guard allows the edge's own addresses, also in a private network. */
function asNetwork(address: string): string {
  return `${address}/${isIPv6(address) ? 128 : 32}`;
}
