import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { getCACertificates } from "node:tls";
import { createGuard } from "@mooring/egress";
import type { Connection } from "../../domain/connection.ts";
import type { Observation } from "../../domain/observation.ts";
import { type Probe, probedCertificate } from "../../domain/probe.ts";
import { orElse, withBudget } from "../domains/budget.ts";
import type { Runtime } from "../runtime.ts";
import type { Look } from "./observe.ts";
import { probeCertificate } from "./probe.ts";
import { hasForeignEdge } from "./settings.ts";

/** Long enough for an edge that obtains the certificate meanwhile; what takes longer is seen next time. */
const probeBudgetMs = 10_000;
const maxAddresses = 8;

/**
 * Where the edge is not ours, a worker's look also connects to the hostname as a visitor would. That
 * is what makes an edge with on-demand certificates obtain one before anybody visits, so it is done
 * only when an order can succeed: records right, CAA not against it.
 */
export async function probeFacts(
  runtime: Runtime,
  connection: Connection,
  { observation }: Look,
  signal: AbortSignal,
): Promise<Partial<Pick<Observation, "probe" | "certificate">>> {
  const isDue = isServed(connection) && hasForeignEdge(runtime, connection);
  const isReady = observation.records?.outcome === "match" && observation.caa !== "forbidden";
  if (!isDue || !isReady) return {};
  const unknown: Probe = { outcome: "unknown" };
  const probe = await withBudget(probeBudgetMs, signal, (inner) =>
    orElse(inner, probeHostname(runtime, connection, inner), unknown),
  );
  signal.throwIfAborted();
  return { probe, certificate: probedCertificate(probe, connection, observation.certificate) };
}

function isServed({ state }: Connection): boolean {
  return state === "issuing_cert" || state === "live" || state === "drifted";
}

async function probeHostname(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<Probe> {
  const { config, clock } = runtime;
  const edge = [...config.edgeIpv4, ...config.edgeIpv6];
  const guard = createGuard({ allow: [...config.egressAllow, ...edge.map(asNetwork)] });
  return probeCertificate(
    guard,
    {
      hostname: connection.hostname,
      addresses: await addressesOf(runtime, connection, signal),
      port: config.edgeProbePort,
      ca: config.acmeCaFile === null ? undefined : withOwnRoots(config.acmeCaFile),
      now: clock.now(),
    },
    signal,
  );
}

async function addressesOf(
  runtime: Runtime,
  { environment, hostname }: Connection,
  signal: AbortSignal,
): Promise<string[]> {
  const resolver = runtime.dns.resolverFor(environment, hostname);
  const replies = await Promise.all([
    resolver.resolve(hostname, "A", signal),
    resolver.resolve(hostname, "AAAA", signal),
  ]);
  const found = replies.flatMap((reply) => (reply.outcome === "records" ? reply.records : []));
  const addresses = found.filter(({ type }) => type === "A" || type === "AAAA");
  return [...new Set(addresses.map(({ value }) => value))].slice(0, maxAddresses);
}

/** Where the operator says the edge is may be connected to, also in a private network. */
function asNetwork(address: string): string {
  return `${address}/${isIPv6(address) ? 128 : 32}`;
}

/** Read at every look: a replaced file counts from the next one on. */
function withOwnRoots(file: string): string[] {
  return [...getCACertificates("default"), readFileSync(file, "utf8")];
}
