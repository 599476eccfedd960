import type { DnsRecord, RecordProof } from "@mooring/dns";
import { validationAlias } from "../certificates/validation.ts";
import { defaultTtlSeconds } from "../records/record-template.ts";
import type { Connection } from "./connection.ts";
import type { Decision } from "./lifecycle.ts";
import type { Observation, OwnershipObservation } from "./observation.ts";
import { ownershipRecord } from "./ownership-challenge.ts";
import { ownTarget } from "./target.ts";

/**
 * What proves ownership of a hostname, in this order where several do: its TXT record, a CNAME of
 * the name itself to the connection's target, or the CNAME that delegates validation.
 */
export const proofMethods = ["txt", "cname", "delegation"] as const;
export type ProofMethod = (typeof proofMethods)[number];

/** `import`, `trust_dns`: an operator has answered for it. */
export const ownershipMethods = [...proofMethods, "import", "trust_dns"] as const;
export type OwnershipMethod = (typeof ownershipMethods)[number];

export interface Ownership {
  readonly method: OwnershipMethod;
  readonly provenAt: Date;
}

/** What a check has proven; undefined: nothing. A holder that wins a contest proves again. */
export function newOwnership(
  { claim, contestMove }: Pick<Decision, "claim" | "contestMove">,
  { ownership }: Pick<Observation, "ownership">,
  now: Date,
): Ownership | undefined {
  const isProven = claim === "take" || contestMove.is === "won";
  const method = isProven ? ownership?.method : undefined;
  return method === undefined ? undefined : { method, provenAt: now };
}

/** Where names of ours are that can prove. */
export interface ProofPlaces {
  readonly edgeCname: string;
  readonly validationZone: string | null;
}

/** A record that proves ownership when it is there. */
export interface ProofRecord {
  readonly method: ProofMethod;
  readonly record: DnsRecord;
}

export type Provable = Pick<
  Connection,
  "hostname" | "kind" | "zone" | "challenge" | "targetLabel" | "validationLabel"
>;

/** The records that can prove this connection, of the methods that its application allows. */
export function proofRecords(
  connection: Provable,
  allowed: readonly ProofMethod[],
  places: ProofPlaces,
): readonly ProofRecord[] {
  return proofMethods
    .filter((method) => allowed.includes(method))
    .flatMap((method) => {
      const record = proofRecord(method, connection, places);
      return record === null ? [] : [{ method, record }];
    });
}

/** Whether what proved when DNS was asked is still the connection's, and allowed. */
export function isStillProof(
  { outcome, method, value }: OwnershipObservation,
  connection: Provable,
  allowed: readonly ProofMethod[],
  places: ProofPlaces,
): boolean {
  if (outcome !== "match" || value === undefined) return true;
  return proofRecords(connection, allowed, places).some(
    (proof) => proof.method === method && proof.record.value === value,
  );
}

function proofRecord(
  method: ProofMethod,
  connection: Provable,
  { edgeCname, validationZone }: ProofPlaces,
): DnsRecord | null {
  switch (method) {
    case "txt":
      return ownershipRecord(connection);
    case "cname": {
      const target = hasOwnCname(connection) ? ownTarget(edgeCname, connection) : null;
      return target === null ? null : cname(connection.hostname, target);
    }
    case "delegation": {
      const alias = validationAlias(validationZone, connection);
      return alias === null ? null : cname(alias.name, alias.target);
    }
  }
}

/** The apex of a zone has no CNAME, and that of a wildcard is every name's. */
function hasOwnCname({ hostname, kind, zone }: Provable): boolean {
  return kind !== "apex" && zone !== hostname && !hostname.startsWith("*.");
}

function cname(name: string, value: string): DnsRecord {
  return { name, type: "CNAME", value, ttl: defaultTtlSeconds, priority: null };
}

/** A proof with the record that was looked for. */
export interface OwnershipProof extends RecordProof, ProofRecord {}

/** Definite outcomes come last: while one proof is not known, none is known to be absent. */
const decisive = ["match", "partial", "unknown"] as const;

/**
 * The one of several proofs that decides: any that is there proves, and only when none is the
 * record that the customer was asked for says what is wrong.
 */
export function decidingProof(
  proofs: readonly OwnershipProof[],
  leading: ProofMethod | null,
): OwnershipProof | null {
  for (const outcome of decisive) {
    const found = proofs.find((proof) => proof.outcome === outcome);
    if (found !== undefined) return found;
  }
  const tricked = proofs.find(({ method, reason }) => method === "cname" && reason !== undefined);
  return tricked ?? proofs.find(({ method }) => method === leading) ?? proofs[0] ?? null;
}
