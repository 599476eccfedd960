import type { DnsRecord, RecordProof } from "@mooring/dns";
import { validationAlias } from "../certificates/validation.ts";
import type { Connection } from "../connections/connection.ts";
import { defaultTtlSeconds } from "../records/record-template.ts";
import { ownershipRecord } from "./ownership-challenge.ts";
import {
  type Ownership,
  type OwnershipMethod,
  type ProofMethod,
  proofMethods,
} from "./proof-methods.ts";
import { ownTarget } from "./target.ts";

/** What a check has proven; undefined: nothing. A holder that wins a contest proves again. */
export function newOwnership(
  decision: { readonly claim: string; readonly contestMove: { readonly is: string } },
  { ownership }: { readonly ownership: SeenProof | null },
  now: Date,
): Ownership | undefined {
  const isProven = decision.claim === "take" || decision.contestMove.is === "won";
  const method = isProven ? ownership?.method : undefined;
  return method === undefined ? undefined : { method, provenAt: now };
}

/** Where names of ours are that can prove. */
export interface ProofZones {
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
  zones: ProofZones,
): readonly ProofRecord[] {
  return proofMethods
    .filter((method) => allowed.includes(method))
    .flatMap((method) => {
      const record = proofRecord(method, connection, zones);
      return record === null ? [] : [{ method, record }];
    });
}

/** What a check saw of a proof. */
interface SeenProof {
  readonly outcome: string;
  readonly method?: OwnershipMethod;
  readonly value?: string;
}

/** Whether what proved when DNS was asked is still the connection's, and allowed. */
export function isStillProof(
  { outcome, method, value }: SeenProof,
  connection: Provable,
  allowed: readonly ProofMethod[],
  zones: ProofZones,
): boolean {
  if (outcome !== "match" || value === undefined) return true;
  return proofRecords(connection, allowed, zones).some(
    (proof) => proof.method === method && proof.record.value === value,
  );
}

function proofRecord(
  method: ProofMethod,
  connection: Provable,
  { edgeCname, validationZone }: ProofZones,
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

/** A proof with the record that was asked for. */
export interface OwnershipProof extends RecordProof, ProofRecord {}

/** Definite outcomes come last: while one proof is not known, none is known to be absent. */
const decisive = ["match", "partial", "unknown"] as const;

/**
 * The one of several proofs that decides. Any record that is there proves; where none is, the one
 * that the customer was asked for says what is wrong.
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
