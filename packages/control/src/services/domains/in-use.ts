import { type AnswerRecord, type Resolver, resolveAddresses, withoutCaches } from "@mooring/dns";
import type { OldLocation, OldRecord } from "../../domain/connections/cutover.ts";
import { isEdgeName } from "../../domain/ownership/target.ts";
import type { Environment } from "../../domain/tenancy.ts";
import type { Runtime } from "../runtime.ts";
import { firstPage } from "./first-page.ts";

/** Our own name and addresses: a name that resolves there is not in use elsewhere. */
export interface OwnEdge {
  readonly edgeCname: string;
  readonly edgeIpv4: readonly string[];
  readonly edgeIpv6: readonly string[];
}

/**
 * Where a name that is not ours resolves to, as a server that owns it says, with the TTL that
 * caches are given. Null when it has no addresses and no CNAME, when it resolves to us, or when no
 * server answered.
 */
export async function findOldLocation(
  input: Resolver,
  hostname: string,
  own: OwnEdge,
  signal: AbortSignal,
): Promise<OldLocation | null> {
  const resolver = withoutCaches(input, (name) => isEdgeName(own.edgeCname, name));
  const [alias, ...found] = await Promise.all([
    resolveRecords(resolver, hostname, "CNAME", signal),
    resolveRecords(resolver, hostname, "A", signal),
    resolveRecords(resolver, hostname, "AAAA", signal),
  ]);
  const addresses = found.flat();
  const records = alias.length > 0 ? alias : addresses;
  const ours = new Set([
    ...own.edgeIpv4,
    ...own.edgeIpv6,
    ...(await edgeAddresses(input, own, signal)),
  ]);
  const resolvesToUs = alias.some(({ value }) => isEdgeName(own.edgeCname, value));
  const isOurs =
    resolvesToUs || (alias.length === 0 && addresses.every(({ value }) => ours.has(value)));
  if (records.length === 0 || isOurs) return null;
  return {
    records: records.map((record) => toRecord(hostname, record)),
    addresses: [...new Set(addresses.map(({ value }) => value))],
    ttl: Math.max(...[...alias, ...addresses].map(({ ttl }) => ttl)),
  };
}

async function edgeAddresses(
  resolver: Resolver,
  { edgeCname }: OwnEdge,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return (await resolveAddresses(resolver, edgeCname, signal)) ?? [];
}

async function resolveRecords(
  resolver: Resolver,
  name: string,
  type: "CNAME" | "A" | "AAAA",
  signal: AbortSignal,
): Promise<readonly AnswerRecord[]> {
  const reply = await resolver.resolve(name, type, signal);
  return reply.outcome === "records" ? reply.records : [];
}

function toRecord(host: string, { type, value, ttl, priority }: AnswerRecord): OldRecord {
  return { host, type, value, ttl, priority };
}

/** What a name that serves elsewhere has today. */
export interface InUse {
  readonly addresses: readonly string[];
  readonly servesHttps: boolean;
  readonly ttl: number;
  readonly mail: boolean;
}

export async function observeUse(
  runtime: Pick<Runtime, "dns" | "config" | "egress">,
  environment: Environment,
  hostname: string,
  signal: AbortSignal,
): Promise<InUse | null> {
  const resolver = runtime.dns.resolverFor(environment, hostname);
  const old = await findOldLocation(resolver, hostname, runtime.config, signal);
  if (old === null) return null;
  const [isServed, mx] = await Promise.all([
    servesHttps(runtime, hostname, old.addresses, signal),
    withoutCaches(resolver).resolve(hostname, "MX", signal),
  ]);
  const { addresses, ttl } = old;
  return { addresses, servesHttps: isServed, ttl, mail: mx.outcome === "records" };
}

const httpsPort = 443;
const maxAddresses = 4;

/** Whether one of the addresses answers a visitor over TLS, whatever its certificate. */
async function servesHttps(
  { egress }: Pick<Runtime, "egress">,
  hostname: string,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const asked = addresses
    .slice(0, maxAddresses)
    .map((address) =>
      firstPage(egress, { address, port: httpsPort, hostname, isTls: true }, signal),
    );
  return (await Promise.all(asked)).some((page) => page !== null);
}
