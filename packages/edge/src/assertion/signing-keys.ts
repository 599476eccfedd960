import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Log } from "../config/settings.ts";
import type { StoredAssertionKey } from "../db/assertion-keys.ts";

/** The use of a key depends on its age alone. */
interface DatedKey {
  readonly createdAt: Date;
}

const hour = 3_600_000;
const day = 24 * hour;

/** A successor is created after this long. */
const rotateAfterMs = 90 * day;
/**
 * A new key is published for this long before it signs, so that origins that cache the key set for
 * some minutes have it by then.
 */
const publishAheadMs = hour;

/** Whether every key is due for rotation; a key dated in the future counts as young. */
export function needsNewKey(keys: readonly DatedKey[], now: Date): boolean {
  return keys.every((key) => now.getTime() - key.createdAt.getTime() >= rotateAfterMs);
}

/** The newest key that has been published long enough; without one, the oldest. */
export function signingKey<K extends DatedKey>(keys: readonly K[], now: Date): K | null {
  const byAge = keys.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  const isKnown = (key: K) => now.getTime() - key.createdAt.getTime() >= publishAheadMs;
  return byAge.find(isKnown) ?? byAge.at(-1) ?? null;
}

/** The sealed keys on disk, for an edge that starts without the database. */
export interface KeySnapshot {
  save(keys: readonly StoredAssertionKey[]): void;
  load(): readonly StoredAssertionKey[];
}

export function createKeySnapshot(directory: string, log: Log): KeySnapshot {
  const file = path.join(directory, "assertion-keys.json");
  return {
    save(keys) {
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        const draft = `${file}.${process.pid}`;
        writeFileSync(draft, JSON.stringify(keys), { mode: 0o600 });
        renameSync(draft, file);
      } catch (error) {
        // A full disk must not stop the edge.
        log.warn({ err: error }, "assertion key snapshot not written");
      }
    },
    load() {
      return readKeys(file).map((key) => ({ ...key, createdAt: new Date(key.createdAt) }));
    },
  };
}

type OnDisk = Omit<StoredAssertionKey, "createdAt"> & { readonly createdAt: string };

/** Only this module writes the file, atomically; an unreadable file counts as absent. */
function readKeys(file: string): readonly OnDisk[] {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as readonly OnDisk[];
  } catch {
    return [];
  }
}
