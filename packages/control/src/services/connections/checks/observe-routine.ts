import { orElse } from "@mooring/concurrency";
import { confirmRecords, type DnssecVerdict, type ReusingResolver } from "@mooring/dns";
import type { Connection, DesiredRecord } from "../../../domain/connections/connection.ts";
import { emptyObservation, recordsVerdict } from "../../../domain/connections/observation.ts";
import { isRoutine, routineRecords } from "../../../domain/connections/routine-check.ts";
import { fromDesired } from "../../../domain/records/desired-records.ts";
import { withBudget } from "../../domains/budget.ts";
import type { Runtime } from "../../runtime.ts";
import { currentRecords } from "../current-records.ts";
import type { ConnectionCheck } from "./observe.ts";

/** Short: the check that follows when nothing was confirmed needs the rest of the lease. */
const confirmBudgetMs = 3_000;

/**
 * A check of a name that was well last time, with two or three questions instead of a dozen: one
 * server of the zone still has the records, and DNSSEC does not refuse them. Null when that was not
 * confirmed, or the check has to be a full one; nothing is concluded then.
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
  const [records, dnssec, certificate] = await withBudget(confirmBudgetMs, signal, (inner) =>
    Promise.all([
      orElse(
        inner,
        confirmRecords(resolver, expected.map(fromDesired), {
          zone: requested.zone,
          edgeAddresses: [...edgeIpv4, ...edgeIpv6],
          now: clock.now(),
          signal: inner,
        }),
        null,
      ),
      orElse(inner, validate(resolver, hostname, requested.desired, inner), null),
      runtime.certificates.load(connection),
    ]),
  );
  signal.throwIfAborted();
  if (records === null || dnssec?.outcome === "bogus") return null;
  return {
    proof: null,
    records,
    observation: {
      ...emptyObservation,
      requested,
      records: recordsVerdict(records, clock.now()),
      certificate,
    },
  };
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
