import { randomBytes } from "node:crypto";
import { caaAllows, checkRecords, proveTxt, type RecordsCheck, type TxtProof } from "@mooring/dns";
import { selectCertificate } from "../../db/queries/certificates.ts";
import { caaIssuer } from "../../domain/ca.ts";
import type { Certificate } from "../../domain/certificate.ts";
import { type Connection, challengeName, phaseOf } from "../../domain/connection.ts";
import { fromDesired } from "../../domain/desired-records.ts";
import {
  emptyObservation,
  type Observation,
  ownershipVerdict,
  recordsVerdict,
} from "../../domain/observation.ts";
import { orElse, withBudget } from "../domains/budget.ts";
import type { Runtime } from "../runtime.ts";

/**
 * What DNS has not answered by then counts as unknown: a look that never came to an end would leave
 * the connection without a reason and its phase without an end.
 */
const lookBudgetMs = 12_000;

/** What a look gathered: the facts for the lifecycle, and the evidence for whoever asked. */
export interface Look {
  readonly observation: Observation;
  readonly proof: TxtProof | null;
  readonly records: RecordsCheck | null;
}

/** What to look at; by default what the state needs. */
export interface CheckScope {
  readonly ownership?: boolean;
  readonly records?: boolean;
}

/** Gathers what the connection's state needs, and what the caller wishes besides. Writes nothing. */
export async function observe(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
  wish: CheckScope = {},
): Promise<Look> {
  const phase = phaseOf(connection.state);
  const wantsOwnership = wish.ownership ?? phase === "ownership";
  const wantsRecords = wish.records ?? (connection.state !== "verified" && phase !== "ownership");
  const [proof, records, caa, certificate] = await withBudget(lookBudgetMs, signal, (inner) =>
    Promise.all([
      wantsOwnership
        ? orElse(inner, proveOwnership(runtime, connection, inner), unansweredProof)
        : null,
      wantsRecords
        ? orElse(inner, lookForRecords(runtime, connection, inner), unansweredRecords(connection))
        : null,
      needsCaa(connection)
        ? orElse(inner, lookAtCaa(runtime, connection, inner), "unknown" as const)
        : null,
      hasCertificate(connection) ? readCertificate(runtime, connection) : null,
    ]),
  );
  // Whoever asked has gone or stops: what was not seen for that reason says nothing about DNS.
  signal.throwIfAborted();
  return {
    proof,
    records,
    observation: {
      ...emptyObservation,
      ownership: proof ? ownershipVerdict(proof) : null,
      records: records ? recordsVerdict(records, runtime.clock.now()) : null,
      caa,
      certificate,
    },
  };
}

const unansweredProof: TxtProof = {
  outcome: "unknown",
  observed: [],
  servers: [],
  reason: "dns_timeout",
};

function unansweredRecords(connection: Connection): RecordsCheck {
  const unknown = { outcome: "unknown", observedValues: [], servers: [] } as const;
  return {
    records: connection.desiredRecords.map((record) => ({
      record: fromDesired(record),
      ...unknown,
    })),
    visibleEverywhereBy: null,
  };
}

export function proveOwnership(
  runtime: Pick<Runtime, "dns">,
  connection: Connection,
  signal: AbortSignal,
): Promise<TxtProof> {
  return proveTxt(runtime.dns.resolverFor(connection.environment, connection.hostname), {
    name: challengeName(connection.hostname),
    value: connection.challenge,
    randomLabel: `_${randomBytes(9).toString("hex")}`,
    signal,
  });
}

export function lookForRecords(
  runtime: Pick<Runtime, "dns" | "config" | "clock">,
  connection: Connection,
  signal: AbortSignal,
): Promise<RecordsCheck> {
  const { EDGE_IPV4, EDGE_IPV6 } = runtime.config;
  return checkRecords(
    runtime.dns.resolverFor(connection.environment, connection.hostname),
    connection.desiredRecords.map(fromDesired),
    { edgeAddresses: [...EDGE_IPV4, ...EDGE_IPV6], now: runtime.clock.now(), signal },
  );
}

/** While one is awaited, and later for its renewals. */
function hasCertificate({ state }: Connection): boolean {
  return state === "issuing_cert" || state === "live" || state === "drifted";
}

/** Before a certificate is wanted, and while it is. */
function needsCaa({ state }: Connection): boolean {
  return state === "propagating" || state === "stalled" || state === "issuing_cert";
}

async function lookAtCaa(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<"allowed" | "forbidden" | "unknown"> {
  const resolver = runtime.dns.resolverFor(connection.environment, connection.hostname);
  const verdict = await caaAllows(
    resolver,
    connection.hostname,
    caaIssuer(runtime.config.ACME_DIRECTORY_URL),
    signal,
  );
  return verdict.outcome;
}

function readCertificate(runtime: Runtime, connection: Connection): Promise<Certificate | null> {
  return runtime.system((tx) => selectCertificate(tx, connection));
}
