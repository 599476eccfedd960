import { createHash } from "node:crypto";
import { type DnsRecord, recordKey } from "../record.ts";

/**
 * - `create`: no other record is in the way; `record` is added.
 * - `update`: `existing` is removed and `record` is there afterwards; all of `existing` is ours, or
 *   its removal was authorised. Where `existing` is the record itself, only its TTL changes.
 * - `delete`: `record` (also the one of `existing`) is removed. Only a revert does this.
 * - `keep`: the record exists; nothing is done.
 * - `conflict`: `existing`, or something named in `reason`, is not ours, or a person has to accept
 *   what `reason` says first; nothing is done.
 */
type ChangeAction = "create" | "update" | "delete" | "keep" | "conflict";

/**
 * - `other_records`: records that are not ours; consent replaces them.
 * - `whole_zone`: the write replaces the zone; consent accepts what is lost.
 * - `delegated`: the name, or one above it, is served by other name servers.
 * - `managed`: a record that the provider keeps itself, or that cannot be edited through its API.
 * - `not_writable`: the record cannot be written there at all.
 */
export const conflictKinds = [
  "other_records",
  "whole_zone",
  "delegated",
  "managed",
  "not_writable",
] as const;
export type ConflictKind = (typeof conflictKinds)[number];

export interface Change {
  /** Identifies this record with exactly this `existing`; stable from one plan to the next. */
  readonly id: string;
  readonly action: ChangeAction;
  readonly record: DnsRecord;
  /** The before-image: what the change removes, or what is in conflict with it. */
  readonly existing: readonly DnsRecord[];
  /** One sentence for the person who decides. */
  readonly reason: string;
  /** What kind of conflict it is, for words in another language. */
  readonly conflict?: ConflictKind;
  /** A conflict; listing its id in `replace` makes it an update. */
  readonly replaceable: boolean;
  /** The record existed before, beside what is removed; a revert must not delete it. */
  readonly wasThere?: boolean;
}

export interface Plan {
  readonly zone: string;
  readonly changes: readonly Change[];
  /** How many records the zone was listed with when the plan was made. */
  readonly listedCount?: number;
}

export function changeId(zone: string, record: DnsRecord, existing: readonly DnsRecord[]): string {
  const content = JSON.stringify([zone, recordKey(record), existing.map(recordKey).sort()]);
  return `chg_${createHash("sha256").update(content).digest("hex").slice(0, 24)}`;
}

/** What an applied plan did to a zone, for undoing it. */
export interface Traces {
  /** Records that it added. */
  readonly put: readonly DnsRecord[];
  /** Records that it removed. */
  readonly taken: readonly DnsRecord[];
  /** Records that it wanted and that existed before it. */
  readonly found: readonly DnsRecord[];
  /** Records of which it changed the TTL alone. */
  readonly retimed: readonly Retimed[];
}

export interface Retimed {
  readonly before: DnsRecord;
  readonly after: DnsRecord;
}

export function planTraces(plan: Plan): Traces {
  const { add, remove } = planEdits(plan);
  const found = plan.changes.flatMap(({ record, wasThere }) => (wasThere === true ? record : []));
  const there = new Set(found.map(recordKey));
  const put = add.filter((record) => !there.has(recordKey(record)));
  return {
    put,
    taken: remove,
    found,
    retimed: plan.changes.flatMap((one) => retimedBy(one) ?? []),
  };
}

/** Null for a change of content. */
function retimedBy({ action, record, existing }: Change): Retimed | null {
  const before = existing.find((one) => recordKey(one) === recordKey(record));
  return action === "update" && before !== undefined ? { before, after: record } : null;
}

/** The records that a plan removes, adds, and gives another TTL, without duplicates. */
export function planEdits(plan: Plan): {
  readonly remove: readonly DnsRecord[];
  readonly add: readonly DnsRecord[];
  readonly retime: readonly DnsRecord[];
} {
  const add = new Map<string, DnsRecord>();
  const remove = new Map<string, DnsRecord>();
  const retime = plan.changes.flatMap((change) => retimedBy(change)?.after ?? []);
  for (const change of plan.changes) {
    const { action, record, existing } = change;
    if (retimedBy(change) !== null) continue;
    if (action === "create" || action === "update") add.set(recordKey(record), record);
    if (action !== "update" && action !== "delete") continue;
    for (const one of existing) remove.set(recordKey(one), one);
  }
  for (const key of add.keys()) remove.delete(key);
  return { remove: [...remove.values()], add: [...add.values()], retime };
}
