import { createHash } from "node:crypto";
import { type DnsRecord, recordKey } from "../record.ts";

/**
 * - `create`: nothing stands in the way; `record` is added.
 * - `update`: `existing` is removed and `record` is there afterwards; all of `existing` is ours, or
 *   its removal was authorised.
 * - `delete`: `record` (also the one of `existing`) is removed. Only a revert does this.
 * - `keep`: nothing to do.
 * - `conflict`: `existing`, or something named in `reason`, is not ours; nothing is done.
 */
type ChangeAction = "create" | "update" | "delete" | "keep" | "conflict";

export interface Change {
  /** Stands for this record against exactly this `existing`; stable from one plan to the next. */
  readonly id: string;
  readonly action: ChangeAction;
  readonly record: DnsRecord;
  /** The before-image: what the change removes, or what is in conflict with it. */
  readonly existing: readonly DnsRecord[];
  /** One sentence for the person who decides. */
  readonly reason: string;
  /** A conflict that its id in `replace` turns into an update. */
  readonly replaceable: boolean;
  /** The record itself is there already, beside what has to go: it is not ours to take away again. */
  readonly wasThere?: boolean;
}

export interface Plan {
  readonly zone: string;
  readonly changes: readonly Change[];
}

export function changeId(zone: string, record: DnsRecord, existing: readonly DnsRecord[]): string {
  const content = JSON.stringify([zone, recordKey(record), existing.map(recordKey).sort()]);
  return `chg_${createHash("sha256").update(content).digest("hex").slice(0, 24)}`;
}

/** What a plan that was carried out has to do with a zone, for whoever wants to undo it. */
export interface Traces {
  /** Records that it put there. */
  readonly put: readonly DnsRecord[];
  /** Records that it took away. */
  readonly taken: readonly DnsRecord[];
  /** Records that it wanted and that were there before it, beside those that it took. */
  readonly found: readonly DnsRecord[];
}

export function tracesOf(plan: Plan): Traces {
  const { add, remove } = editsOf(plan);
  const found = plan.changes.flatMap(({ record, wasThere }) => (wasThere === true ? record : []));
  const there = new Set(found.map(recordKey));
  return { put: add.filter((record) => !there.has(recordKey(record))), taken: remove, found };
}

/** What a plan does, without duplicates: the records to take out and those to put in. */
export function editsOf(plan: Plan): {
  readonly remove: readonly DnsRecord[];
  readonly add: readonly DnsRecord[];
} {
  const add = new Map<string, DnsRecord>();
  const remove = new Map<string, DnsRecord>();
  for (const { action, record, existing } of plan.changes) {
    if (action === "create" || action === "update") add.set(recordKey(record), record);
    if (action !== "update" && action !== "delete") continue;
    for (const one of existing) remove.set(recordKey(one), one);
  }
  for (const key of add.keys()) remove.delete(key);
  return { remove: [...remove.values()], add: [...add.values()] };
}
