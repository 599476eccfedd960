import { derivedMicrosoftMx, type MailRecord, type MailSet } from "@mooring/dns";
import type { Connection } from "../../domain/connection.ts";
import { orElse } from "../domains/budget.ts";
import type { LookRuntime } from "../domains/recent-facts.ts";

export interface CheckedSet {
  readonly set: MailSet;
  /** Why the MX records are left to a person; null when they may be written. */
  readonly holdMx: string | null;
}

/**
 * A host that was typed, or that only follows from a rule, must exist before mail is led there: one
 * that does not resolve loses all of it.
 */
export async function checkMx(
  runtime: LookRuntime,
  connection: Connection,
  set: MailSet,
  signal: AbortSignal,
): Promise<CheckedSet> {
  if (set.provider !== "microsoft_365") return { set, holdMx: null };
  const given = set.records.find(({ role }) => role === "mx")?.record.value;
  if (given !== undefined) {
    const exists = await resolves(runtime, connection, given, signal);
    if (exists === true) return { set, holdMx: null };
    const why = exists === null ? "could not be looked up" : "does not exist in DNS";
    return { set, holdMx: `The MX host ${given} ${why}; compare it with the admin center.` };
  }
  const derived = derivedMicrosoftMx(set.domain);
  if (derived === null || (await resolves(runtime, connection, derived, signal)) !== true) {
    return { set, holdMx: null };
  }
  return {
    set: { ...set, records: [mxRecord(set.domain, derived), ...set.records] },
    holdMx: `The MX host ${derived} exists and probably is the domain's own; the admin center shows it for certain.`,
  };
}

function mxRecord(domain: string, value: string): MailRecord {
  return { role: "mx", record: { name: domain, type: "MX", value, ttl: 3_600, priority: 0 } };
}

/** Null when DNS does not answer. */
async function resolves(
  runtime: LookRuntime,
  { environment }: Connection,
  host: string,
  signal: AbortSignal,
): Promise<boolean | null> {
  const resolver = runtime.dns.resolverFor(environment, host);
  const replies = await Promise.all(
    (["A", "AAAA"] as const).map((type) =>
      orElse(signal, resolver.resolve(host, type, signal), null),
    ),
  );
  if (replies.some((reply) => reply?.outcome === "records")) return true;
  return replies.every((reply) => reply?.outcome === "absent") ? false : null;
}
