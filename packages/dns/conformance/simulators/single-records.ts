import type { RecordInput } from "../../src/record.ts";
import type { StoredRecord, StoredZone, ZoneStore } from "../zone-store.ts";

export type Outcome =
  | { readonly done: true; readonly record: StoredRecord }
  | {
      readonly done: false;
      readonly why: "missing" | "clash" | "duplicate" | "invalid";
      readonly message: string;
    };

/** What happens to one record, whatever the provider calls it. */
export function createOne(store: ZoneStore, zone: StoredZone, input: RecordInput): Outcome {
  const result = store.add(zone, input);
  return result.ok
    ? { done: true, record: result.record }
    : { done: false, why: result.problem, message: result.message };
}

export function updateOne(
  store: ZoneStore,
  zone: StoredZone,
  id: string,
  input: RecordInput,
): Outcome {
  if (!zone.records.some((record) => record.id === id)) return missing(id);
  const problem = store.replace(zone, [id], [input]);
  const record = zone.records.at(-1);
  if (problem === null && record !== undefined) return { done: true, record };
  const refused = problem === null || problem.ok ? null : problem;
  return { done: false, why: refused?.problem ?? "invalid", message: refused?.message ?? "" };
}

export function deleteOne(store: ZoneStore, zone: StoredZone, id: string): Outcome {
  const record = store.remove(zone, id);
  return record === null ? missing(id) : { done: true, record };
}

function missing(id: string): Outcome {
  return { done: false, why: "missing", message: `record ${id} not found` };
}
