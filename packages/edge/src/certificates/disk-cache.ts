import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Log } from "../config/settings.ts";
import type { StoredCertificate } from "../db/certificates.ts";

/**
 * Certificates that an edge has served, kept on disk, so that it also serves while the database is
 * away. Keys stay sealed: the files tell no more than a dump of the database would.
 */
export interface DiskCache {
  save(certificate: StoredCertificate): void;
  /** The name is no longer held: its key, though sealed, is not kept. */
  drop(hostname: string): void;
  /** Null for another claim, one that has expired, or none at all. */
  load(hostname: string, epoch: number, now: Date): StoredCertificate | null;
  /** Removes what was kept of names that were given up while nobody was there to drop them. */
  sweep(isHeld: (hostname: string) => boolean): void;
}

export function createDiskCache(directory: string, log: Log): DiskCache {
  const folder = path.join(directory, "certificates");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fileOf = (hostname: string): string =>
    path.join(folder, `${encodeURIComponent(hostname)}.json`);

  const write = (file: string, value: unknown): void => {
    try {
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
      renameSync(draft, file);
    } catch (error) {
      // A full disk must not stop what is served from memory.
      log.warn({ err: error }, "not kept on disk");
    }
  };

  return {
    save: (certificate) => write(fileOf(certificate.hostname), certificate),
    drop(hostname) {
      try {
        rmSync(fileOf(hostname), { force: true });
      } catch (error) {
        log.warn({ err: error }, "not removed from disk");
      }
    },
    load(hostname, epoch, now) {
      const kept = readJson<Omit<StoredCertificate, "notAfter"> & { readonly notAfter: string }>(
        fileOf(hostname),
      );
      if (kept?.epoch !== epoch || kept.hostname !== hostname) return null;
      const notAfter = new Date(kept.notAfter);
      return notAfter > now ? { ...kept, notAfter } : null;
    },
    sweep(isHeld) {
      for (const name of readdirSync(folder)) {
        const hostname = /^(.+)\.json$/.exec(name)?.[1];
        if (hostname !== undefined && isHeld(decodeURIComponent(hostname))) continue;
        // Anything else is a draft of a process that ended while it wrote, or of a name given up.
        rmSync(path.join(folder, name), { force: true });
      }
    },
  };
}

/** Only this module writes these files, whole or not at all; anything unreadable counts as absent. */
function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } catch {
    return null;
  }
}
