import { createSerialQueue } from "@mooring/concurrency";
import type { ValidationNames } from "@mooring/dns/lookup";
import type { Clock } from "@mooring/postgres";
import type pg from "pg";
import {
  allValidationNames,
  lastValidationChange,
  type ValidationName,
  validationChanges,
  validationNames,
} from "../db/validation.ts";

/**
 * The names of the validation zone in memory: loaded once, then updated by notifications and by a
 * poll of the change log. Without the database the last state is served; a value ends with its
 * order's time limit at the CA, so an old one proves nothing.
 */
export interface PublishedNames extends ValidationNames {
  readonly size: number;
  load(): Promise<void>;
  /** A notification: the state of this label may have changed. */
  changed(label: string): void;
  /** Reads what notifications may have missed, and drops values that have expired. */
  catchUp(): Promise<void>;
}

/** Ids of the change log are assigned before commit; this many are read again each time. */
const overlap = 500;
const labelsPerRead = 1_000;
/**
 * A DNS response holds this many values at most; more orders for one name at a time are no honest
 * ones.
 */
const maxValues = 100;
const none: readonly string[] = [];

export function createPublishedNames(
  pool: pg.Pool,
  clock: Clock,
  onError: (error: unknown) => void,
): PublishedNames {
  const names = new Map<string, readonly string[]>();
  /** Labels with values, which may expire. */
  const shown = new Set<string>();
  let lastId = 0;
  let processed = new Set<number>();
  let pending = new Set<string>();
  let isScheduled = false;
  /** One read at a time: a late, older result would bring back removed values. */
  const serially = createSerialQueue();

  function put({ label, values }: ValidationName): void {
    names.set(label, values.length === 0 ? none : values.slice(0, maxValues));
    if (values.length === 0) shown.delete(label);
    else shown.add(label);
  }

  function remove(label: string): void {
    names.delete(label);
    shown.delete(label);
  }

  async function read(labels: Iterable<string>): Promise<void> {
    const wanted = [...new Set(labels)];
    for (let from = 0; from < wanted.length; from += labelsPerRead) {
      const piece = wanted.slice(from, from + labelsPerRead);
      const found = await validationNames(pool, piece, clock.now());
      const missing = new Set(piece);
      for (const name of found) {
        put(name);
        missing.delete(name.label);
      }
      for (const label of missing) remove(label);
    }
  }

  async function load(): Promise<void> {
    // Read before the names: a change in between is then processed twice rather than not at all.
    lastId = await lastValidationChange(pool);
    const present = new Set<string>();
    for await (const page of allValidationNames(pool, () => clock.now())) {
      for (const name of page) {
        put(name);
        present.add(name.label);
      }
    }
    for (const label of names.keys()) if (!present.has(label)) remove(label);
  }

  async function catchUp(): Promise<void> {
    const logged = await validationChanges(pool, Math.max(0, lastId - overlap));
    // Old entries are deleted: if the log does not reach back to the last one read, load
    // everything.
    if (lastId > 0 && (logged[0]?.id ?? 0) > lastId) return await load();
    const fresh = logged.filter(({ id }) => !processed.has(id)).map(({ label }) => label);
    await read([...fresh, ...shown]);
    lastId = Math.max(lastId, logged.at(-1)?.id ?? 0);
    processed = new Set(logged.map(({ id }) => id));
  }

  function flush(): void {
    isScheduled = false;
    const labels = pending;
    pending = new Set();
    serially(() => read(labels)).catch(onError);
  }

  return {
    findValues: (label) => names.get(label) ?? null,
    serial: () => lastId + 1,
    get size() {
      return names.size;
    },
    load: () => serially(load),
    changed(label) {
      pending.add(label);
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(flush);
    },
    catchUp: () => serially(catchUp),
  };
}
