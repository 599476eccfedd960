import type { FailureReason, RecordOutcome } from "@mooring/dns";
import { ownershipChallenge } from "../ownership/ownership-challenge.ts";
import type { DiagnosisFacts } from "./facts.ts";

/** What one server of the delegation answers for a record. */
export interface ServerAnswer {
  readonly server: string;
  /** `unknown`: it gave no answer, for `reason`. */
  readonly outcome: RecordOutcome;
  readonly values: readonly string[];
  readonly reason: FailureReason | "wildcard" | "wildcard_answer" | "cname" | null;
}

export interface RequestedRecordAnswers {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly servers: readonly ServerAnswer[];
}

/**
 * The requested records, each with the answer of every server: ownership first while it was
 * checked.
 */
export function serverAnswers({ connection, dns }: DiagnosisFacts): RequestedRecordAnswers[] {
  // A proof that is a desired record is listed with these.
  const proof = dns.proof?.method === "txt" ? [proofAnswers(connection, dns.proof.servers)] : [];
  const records = (dns.records?.records ?? []).map(({ record, servers }) => ({
    host: record.name,
    type: record.type,
    value: record.value,
    servers: servers.map(toServerAnswer),
  }));
  return [...proof, ...records];
}

type Answered = Omit<ServerAnswer, "reason"> & {
  readonly reason?: NonNullable<ServerAnswer["reason"]>;
};

function proofAnswers(
  connection: DiagnosisFacts["connection"],
  servers: readonly Answered[],
): RequestedRecordAnswers {
  const { name: host, value } = ownershipChallenge(connection);
  return { host, type: "TXT", value, servers: servers.map(toServerAnswer) };
}

function toServerAnswer({ server, outcome, values, reason }: Answered): ServerAnswer {
  return { server, outcome, values, reason: reason ?? null };
}
