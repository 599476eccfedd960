import { createHash, type X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { isIPv6, type Socket } from "node:net";
import { connect, getCACertificates, type TLSSocket } from "node:tls";
import { orElse } from "@mooring/concurrency";
import { withoutCaches } from "@mooring/dns";
import { createGuard, type Guard } from "@mooring/egress";
import type { Connection } from "../../../domain/connections/connection.ts";
import {
  type Observation,
  type Probe,
  probedCertificate,
} from "../../../domain/connections/observation.ts";
import { isEdgeName } from "../../../domain/ownership/target.ts";
import { withBudget } from "../../budget.ts";
import type { Runtime } from "../../runtime.ts";
import { hasExternalEdge } from "../transition.ts";
import type { ConnectionCheck } from "./observe.ts";

/**
 * Long enough for an edge that obtains the certificate meanwhile; the next check sees a slower one.
 */
const probeBudgetMs = 10_000;
const maxAddresses = 8;

/**
 * With an external edge, a worker's check also connects to the hostname as a browser would. An edge
 * with on-demand certificates then orders one before the first visit, so the probe runs only when
 * an order can succeed: the records match and CAA does not forbid it.
 */
export async function probeExternalEdge(
  runtime: Runtime,
  connection: Connection,
  { observation }: ConnectionCheck,
  signal: AbortSignal,
): Promise<Partial<Pick<Observation, "probe" | "certificate">>> {
  const isDue = isServed(connection) && hasExternalEdge(runtime, connection);
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
  const guard = createGuard({
    allow: [...config.egressAllow, ...edge.map(asNetwork)],
    nameServers: config.egressResolvers,
  });
  return probeCertificate(
    guard,
    {
      hostname: connection.hostname,
      addresses: await resolveAddresses(runtime, connection, signal),
      port: config.edgeProbePort,
      ca: config.acmeCaFile === null ? undefined : withOwnRoots(config.acmeCaFile),
      now: clock.now(),
    },
    signal,
  );
}

async function resolveAddresses(
  runtime: Runtime,
  { environment, hostname }: Connection,
  signal: AbortSignal,
): Promise<string[]> {
  // A resolver's cache may still hold the address from before the records were right.
  const own = runtime.dns.resolverFor(environment, hostname);
  const resolver = withoutCaches(
    // The check has found the zone's servers a moment ago.
    own.reuse?.("ttl") ?? own,
    (name) => isEdgeName(runtime.config.edgeCname, name),
  );
  const replies = await Promise.all([
    resolver.resolve(hostname, "A", signal),
    resolver.resolve(hostname, "AAAA", signal),
  ]);
  const found = replies.flatMap((reply) => (reply.outcome === "records" ? reply.records : []));
  const addresses = found.filter(({ type }) => type === "A" || type === "AAAA");
  return [...new Set(addresses.map(({ value }) => value))].slice(0, maxAddresses);
}

/** The egress guard allows the configured edge addresses, also in a private network. */
function asNetwork(address: string): string {
  return `${address}/${isIPv6(address) ? 128 : 32}`;
}

/** Read at every probe, so that a replaced file counts from the next one on. */
function withOwnRoots(file: string): string[] {
  return [...getCACertificates("default"), readFileSync(file, "utf8")];
}

export interface ProbeTarget {
  readonly hostname: string;
  readonly addresses: readonly string[];
  readonly port: number;
  /** Roots to trust, in PEM; Node's own when undefined. */
  readonly ca: readonly string[] | undefined;
  readonly now: Date;
}

const connectTimeoutMs = 3_000;

/**
 * Connects to each address with the hostname as SNI. Valid when every address that answers presents
 * a certificate that a browser would accept: trusted chain, this name, not expired.
 */
export async function probeCertificate(
  guard: Pick<Guard, "dial">,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<Probe> {
  const probes = await Promise.all(
    target.addresses.map((address) => probeAddress(guard, target, address, signal)),
  );
  return (
    probes.find(({ outcome }) => outcome === "invalid") ??
    probes.find(({ outcome }) => outcome === "valid") ?? { outcome: "unknown" }
  );
}

async function probeAddress(
  guard: Pick<Guard, "dial">,
  target: ProbeTarget,
  address: string,
  signal: AbortSignal,
): Promise<Probe> {
  const { port } = target;
  const dialled = await guard
    .dial({ host: address, port, signal, connectTimeoutMs })
    // Unreachable, refused by the guard, or timed out: nothing is known about its certificate.
    .catch(() => null);
  if (dialled === null) return { outcome: "unknown" };
  try {
    const secured = await startTls(dialled.socket, target, signal);
    return readPeer(secured.getPeerX509Certificate(), target);
  } catch (error) {
    // An edge that is still obtaining the certificate delays the handshake.
    if (signal.aborted) return { outcome: "unknown" };
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return { outcome: "invalid", reason: code };
  } finally {
    dialled.socket.destroy();
  }
}

async function startTls(
  socket: Socket,
  { hostname, ca }: ProbeTarget,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secured = connect({
    socket,
    servername: hostname,
    ALPNProtocols: ["h2", "http/1.1"],
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED can change the default.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca: [...ca] }),
  });
  // `once` removes its error listener after the handshake; later errors must not be uncaught.
  secured.on("error", () => undefined);
  await once(secured, "secureConnect", { signal });
  return secured;
}

/** The certificate of a peer whose chain is verified, checked for this name and the given time. */
function readPeer(
  peer: X509Certificate | undefined,
  expected: { readonly hostname: string; readonly now: Date },
): Probe {
  if (peer === undefined) return { outcome: "invalid", reason: "no_certificate" };
  const { validFromDate: notBefore, validToDate: notAfter } = peer;
  if (peer.checkHost(expected.hostname) === undefined) {
    return { outcome: "invalid", reason: "wrong_name" };
  }
  if (notAfter <= expected.now) return { outcome: "invalid", reason: "expired" };
  const issueId = deriveId(peer.raw);
  return {
    outcome: "valid",
    certificate: { ca: parseIssuer(peer.issuer), notBefore, notAfter, issueId },
  };
}

/**
 * The issuer's organisation or, without one, its common name; Node separates the fields by lines.
 */
function parseIssuer(issuer: string): string {
  const field = (name: string): string | undefined =>
    issuer
      .split("\n")
      .find((line) => line.startsWith(`${name}=`))
      ?.slice(name.length + 1);
  return field("O") ?? field("CN") ?? "";
}

/** A UUID derived from the certificate's bytes (version 8, RFC 9562 §5.8). */
function deriveId(der: Buffer): string {
  const bytes = createHash("sha256").update(der).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
