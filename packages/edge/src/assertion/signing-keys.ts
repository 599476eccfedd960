import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Log } from "../config/settings.ts";
import type { StoredAssertionKey } from "../db/assertion-keys.ts";

/** When a key was made is all that decides what it is used for. */
export interface DatedKey {
  readonly createdAt: Date;
}

const hour = 3_600_000;
const day = 24 * hour;

/** A successor is made after this long. */
const rotateAfterMs = 90 * day;
/**
 * A new key is published for this long before it signs, so that whoever keeps the key set for some
 * minutes knows it by then.
 */
const publishedAheadMs = hour;

/** Whether none is young enough to go on with; a key of a clock ahead of ours counts as young. */
export function needsNewKey(keys: readonly DatedKey[], now: Date): boolean {
  return keys.every((key) => now.getTime() - key.createdAt.getTime() >= rotateAfterMs);
}

/** The newest that has been published long enough; failing that, the one published longest. */
export function signingKey<K extends DatedKey>(keys: readonly K[], now: Date): K | null {
  const byAge = keys.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const isKnown = (key: K) => now.getTime() - key.createdAt.getTime() >= publishedAheadMs;
  return byAge.find(isKnown) ?? byAge.at(-1) ?? null;
}

/** The sealed keys on disk, for an edge that starts while the database is away. */
export interface KeptKeys {
  save(keys: readonly StoredAssertionKey[]): void;
  load(): readonly StoredAssertionKey[];
}

export function createKeptKeys(directory: string, log: Log): KeptKeys {
  const file = path.join(directory, "assertion-keys.json");
  return {
    save(keys) {
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        const draft = `${file}.${process.pid}`;
        writeFileSync(draft, JSON.stringify(keys), { mode: 0o600 });
        renameSync(draft, file);
      } catch (error) {
        // A full disk must not stop what is signed from memory.
        log.warn({ err: error }, "assertion keys not kept on disk");
      }
    },
    load() {
      return readKeys(file).map((key) => ({ ...key, createdAt: new Date(key.createdAt) }));
    },
  };
}

type OnDisk = Omit<StoredAssertionKey, "createdAt"> & { readonly createdAt: string };

/** Only this module writes the file, whole or not at all; anything unreadable counts as absent. */
function readKeys(file: string): readonly OnDisk[] {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as readonly OnDisk[];
  } catch {
    return [];
  }
}
