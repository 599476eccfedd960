import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { StoredAssertionKey } from "../db/assertion-keys.ts";
import type { Log } from "../log.ts";

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
