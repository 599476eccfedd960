import { randomBytes } from "node:crypto";
import {
  caaAllows,
  checkRecords,
  type DnssecVerdict,
  proveTxt,
  type RecordsCheck,
  type Silence,
  type TxtProof,
  validateHostname,
} from "@mooring/dns";
import { selectCertificate } from "../../db/queries/certificates.ts";
import { selectSilentServers } from "../../db/queries/silent-servers.ts";
import type { Certificate } from "../../domain/certificate.ts";
import { caaIssuer } from "../../domain/certificate.ts";
import { type Connection, challengeName, phaseOf } from "../../domain/connection.ts";
import { fromDesired } from "../../domain/desired-records.ts";
import {
  emptyObservation,
  type Observation,
  ownershipVerdict,
  recordsVerdict,
  silenceObservation,
} from "../../domain/observation.ts";
import { orElse, withBudget } from "../domains/budget.ts";
import type { Runtime } from "../runtime.ts";

/**
 * A question that DNS has not answered by then counts as `unknown`. Without a limit a check could run
 * forever, and the connection would have neither an error code nor an end of its phase.
 */
const checkBudgetMs = 12_000;

/** What a check gathered: the observation for the lifecycle, and the DNS evidence for the caller. */
export interface ConnectionCheck {
  readonly observation: Observation;
  readonly proof: TxtProof | null;
  readonly records: RecordsCheck | null;
}

/** What a check covers; by default what the connection's state needs. */
export interface CheckScope {
  readonly ownership?: boolean;
  readonly records?: boolean;
}

/** Gathers what the connection's state needs, or what the scope says instead. Writes nothing. */
export async function observe(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
  scope: CheckScope = {},
): Promise<ConnectionCheck> {
  const phase = phaseOf(connection.state);
  const wantsOwnership = scope.ownership ?? phase === "ownership";
  const wantsRecords = scope.records ?? (connection.state !== "verified" && phase !== "ownership");
  const [proof, records, dnssec, caa, certificate] = await withBudget(
    checkBudgetMs,
    signal,
    (inner) =>
      Promise.all([
        wantsOwnership
          ? orElse(
              inner,
              proveOwnership(runtime, connection, inner, silenceOf(runtime, connection)),
              unansweredProof,
            )
          : null,
        wantsRecords
          ? orElse(
              inner,
              checkDesiredRecords(runtime, connection, inner),
              unansweredRecords(connection),
            )
          : null,
        wantsRecords ? orElse(inner, validate(runtime, connection, inner), null) : null,
        needsCaa(connection)
          ? orElse(inner, checkCaa(runtime, connection, inner), "unknown" as const)
          : null,
        hasCertificate(connection) ? readCertificate(runtime, connection) : null,
      ]),
  );
  // The caller has gone or the process stops: an `unknown` for that reason says nothing about DNS.
  signal.throwIfAborted();
  return {
    proof,
    records,
    observation: {
      ...emptyObservation,
      ownership: proof ? ownershipVerdict(proof) : null,
      records: records ? recordsVerdict(records, runtime.clock.now(), dnssec) : null,
      caa,
      certificate,
      silence: proof ? silenceObservation(proof) : null,
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
  silence?: Silence,
): Promise<TxtProof> {
  return proveTxt(runtime.dns.resolverFor(connection.environment, connection.hostname), {
    name: challengeName(connection.hostname),
    value: connection.challenge,
    randomLabel: `_${randomBytes(9).toString("hex")}`,
    signal,
    ...(silence === undefined ? {} : { silence }),
  });
}

function silenceOf(runtime: Runtime, { id }: Connection): Silence {
  return {
    now: runtime.clock.now(),
    since: () => runtime.system((tx) => selectSilentServers(tx, id)),
  };
}

export function checkDesiredRecords(
  runtime: Pick<Runtime, "dns" | "config" | "clock">,
  connection: Connection,
  signal: AbortSignal,
): Promise<RecordsCheck> {
  const { edgeIpv4, edgeIpv6 } = runtime.config;
  return checkRecords(
    runtime.dns.resolverFor(connection.environment, connection.hostname),
    connection.desiredRecords.map(fromDesired),
    { edgeAddresses: [...edgeIpv4, ...edgeIpv6], now: runtime.clock.now(), signal },
  );
}

function validate(
  runtime: Pick<Runtime, "dns">,
  { environment, hostname }: Connection,
  signal: AbortSignal,
): Promise<DnssecVerdict> {
  return validateHostname(runtime.dns.resolverFor(environment, hostname), hostname, signal);
}

/** Read while a certificate is awaited, and later for its renewals. */
function hasCertificate({ state }: Connection): boolean {
  return state === "issuing_cert" || state === "live" || state === "drifted";
}

/** Checked before a certificate is ordered, and until it is issued. */
function needsCaa({ state }: Connection): boolean {
  return state === "propagating" || state === "stalled" || state === "issuing_cert";
}

async function checkCaa(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<"allowed" | "forbidden" | "unknown"> {
  const resolver = runtime.dns.resolverFor(connection.environment, connection.hostname);
  const verdict = await caaAllows(
    resolver,
    connection.hostname,
    caaIssuer(runtime.config.acmeDirectoryUrls),
    signal,
  );
  return verdict.outcome;
}

function readCertificate(runtime: Runtime, connection: Connection): Promise<Certificate | null> {
  return runtime.system((tx) => selectCertificate(tx, connection));
}
