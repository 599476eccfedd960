import { orElse } from "@mooring/concurrency";
import {
  confirmRecords,
  type DnssecVerdict,
  type Reply,
  type Resolver,
  type ReusingResolver,
  withOneServer,
} from "@mooring/dns";
import type { Connection, DesiredRecord } from "../../../domain/connections/connection.ts";
import {
  emptyObservation,
  type RequestedRecords,
  recordsVerdict,
} from "../../../domain/connections/observation.ts";
import { isRoutine, routineRecords } from "../../../domain/connections/routine-check.ts";
import { fromDesired } from "../../../domain/records/desired-records.ts";
import { withBudget } from "../../budget.ts";
import type { Runtime } from "../../runtime.ts";
import { currentRecords } from "../current-records.ts";
import { type ConnectionCheck, checkCaa, edgeNamesFor } from "./observe.ts";

/** Short: the check that follows when nothing was confirmed needs the rest of the lease. */
const confirmBudgetMs = 3_000;

/**
 * A check of a name that was well last time, with three or four questions instead of a dozen: one
 * server of the zone still has the records, DNSSEC does not refuse them, and CAA allows the next
 * renewal. Null when that was not confirmed, or the check has to be a full one; nothing is
 * concluded then. CAA that was not answered is unknown, as in a full check.
 */
export async function observeRoutine(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<ConnectionCheck | null> {
  const { clock, config } = runtime;
  const intervals = { shortMs: config.recheckIntervalMs, longMs: config.recheckIntervalStableMs };
  if (!isRoutine(connection, clock.now(), intervals)) return null;
  const { environment, hostname } = connection;
  const resolver = runtime.dns.resolverFor(environment, hostname).reuse?.("ttl");
  if (resolver === undefined) return null;
  const requested = await currentRecords(runtime, connection, signal);
  if (requested === null || requested.pending !== null) return null;
  const expected = routineRecords(connection, requested.desired);
  const { edgeIpv4, edgeIpv6 } = config;
  const oneServer = withOneServer(resolver, requested.zone);
  const [records, dnssec, caa, certificate] = await withBudget(confirmBudgetMs, signal, (inner) =>
    Promise.all([
      orElse(
        inner,
        confirmRecords(oneServer, expected.map(fromDesired), {
          edgeAddresses: [...edgeIpv4, ...edgeIpv6],
          ...edgeNamesFor(config, connection),
          now: clock.now(),
          signal: inner,
        }),
        null,
      ),
      orElse(inner, validate(resolver, hostname, requested.desired, inner), null),
      orElse(
        inner,
        checkCaa(runtime, connection, withKnownAlias(oneServer, connection, requested), inner),
        "unknown" as const,
      ),
      runtime.certificates.load(connection),
    ]),
  );
  signal.throwIfAborted();
  if (records === null || dnssec?.outcome === "bogus" || caa === "forbidden") return null;
  return {
    proof: null,
    records,
    observation: {
      ...emptyObservation,
      requested,
      records: recordsVerdict(records, clock.now()),
      caa,
      certificate,
    },
  };
}

/**
 * A name with a CNAME has the CAA records of its target (RFC 8659 §3). Where the same check
 * confirms the CNAME, the target is asked at once: the edge's own answer serves all names.
 */
function withKnownAlias(
  resolver: Resolver,
  { hostname, kind }: Connection,
  { zone, desired }: RequestedRecords,
): Resolver {
  const alias = desired.find(({ host, type }) => host === hostname && type === "CNAME");
  // At the apex of a zone a CNAME is flattened: the name has records of its own.
  if (alias === undefined || kind === "apex" || zone === hostname) return resolver;
  return {
    ...resolver,
    askServer: (server, name, type, options) =>
      type === "CAA" && name === hostname
        ? Promise.resolve(openAlias(alias.value))
        : resolver.askServer(server, name, type, options),
  };
}

function openAlias(target: string): Reply {
  const absent = { outcome: "absent", rcode: "NOERROR", authoritative: true } as const;
  return { ...absent, chain: [target], negativeTtlSeconds: null };
}

/** The hostname's own record suffices: the names that it points to are the edge's. */
function validate(
  resolver: ReusingResolver,
  hostname: string,
  records: readonly DesiredRecord[],
  signal: AbortSignal,
): Promise<DnssecVerdict | null> {
  if (resolver.validate === undefined) return Promise.resolve(null);
  const isAlias = records.some(({ host, type }) => host === hostname && type === "CNAME");
  return resolver.validate(hostname, [isAlias ? "CNAME" : "A"], signal);
}
