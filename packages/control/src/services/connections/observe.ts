import { randomBytes } from "node:crypto";
import { caaAllows, checkRecords, proveTxt, type RecordsCheck, type TxtProof } from "@mooring/dns";
import { selectCertificate } from "../../db/certificates.ts";
import { inSystem } from "../../db/transaction.ts";
import { caaIssuer } from "../../domain/ca.ts";
import type { Certificate } from "../../domain/certificate.ts";
import { type Connection, challengeName, phaseOf } from "../../domain/connection.ts";
import { toDnsRecord } from "../../domain/desired-records.ts";
import { nothingSeen, type Observation } from "../../domain/observation.ts";
import { ownershipVerdict, recordsVerdict } from "../../domain/verdict.ts";
import type { Runtime } from "../runtime.ts";

/** What a look gathered: the facts for the lifecycle, and the evidence for whoever asked. */
export interface Look {
  readonly observation: Observation;
  readonly proof: TxtProof | null;
  readonly records: RecordsCheck | null;
}

/** What to look at; by default what the state needs. */
export interface Wish {
  readonly ownership?: boolean;
  readonly records?: boolean;
}

/** Gathers what the connection's state needs, and what the caller wishes besides. Writes nothing. */
export async function observe(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
  wish: Wish = {},
): Promise<Look> {
  const phase = phaseOf(connection.state);
  const wantsOwnership = wish.ownership ?? phase === "ownership";
  const wantsRecords = wish.records ?? (connection.state !== "verified" && phase !== "ownership");
  const [proof, records, caa, certificate] = await Promise.all([
    wantsOwnership ? proveOwnership(runtime, connection, signal) : null,
    wantsRecords ? lookForRecords(runtime, connection, signal) : null,
    needsCaa(connection) ? lookAtCaa(runtime, connection, signal) : null,
    phase === "certificate" ? readCertificate(runtime, connection) : null,
  ]);
  return {
    proof,
    records,
    observation: {
      ...nothingSeen,
      ownership: proof ? ownershipVerdict(proof) : null,
      records: records ? recordsVerdict(records, runtime.clock.now()) : null,
      caa,
      certificate,
    },
  };
}

export function proveOwnership(
  runtime: Runtime,
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

function lookForRecords(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<RecordsCheck> {
  const { EDGE_IPV4, EDGE_IPV6 } = runtime.config;
  return checkRecords(
    runtime.dns.resolverFor(connection.environment, connection.hostname),
    connection.desiredRecords.map(toDnsRecord),
    { edgeAddresses: [...EDGE_IPV4, ...EDGE_IPV6], now: runtime.clock.now(), signal },
  );
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
  return inSystem(runtime.database.query, (tx) => selectCertificate(tx, connection));
}
