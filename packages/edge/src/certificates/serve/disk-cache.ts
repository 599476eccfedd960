import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Log } from "../../config/settings.ts";
import type { StoredCertificate } from "../../db/certificates.ts";

/**
 * Served certificates on disk, so that an edge serves them without the database. Keys stay sealed:
 * the files reveal no more than a dump of the database.
 */
export interface DiskCache {
  save(certificate: StoredCertificate): void;
  /** Removes a released name, with its sealed key. */
  drop(hostname: string): void;
  /** Null for another claim, an expired certificate, or none. */
  load(hostname: string, epoch: number, now: Date): StoredCertificate | null;
  /** Removes files of names that were released while no edge was running. */
  sweep(isClaimed: (hostname: string) => boolean): void;
}

export function createDiskCache(directory: string, log: Log): DiskCache {
  const folder = path.join(directory, "certificates");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const filePath = (hostname: string): string =>
    path.join(folder, `${encodeURIComponent(hostname)}.json`);

  const write = (file: string, value: unknown): void => {
    try {
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
      renameSync(draft, file);
    } catch (error) {
      // A full disk must not stop the edge.
      log.warn({ err: error }, "certificate not written to disk");
    }
  };

  return {
    save: (certificate) => write(filePath(certificate.hostname), certificate),
    drop(hostname) {
      try {
        rmSync(filePath(hostname), { force: true });
      } catch (error) {
        log.warn({ err: error }, "certificate not removed from disk");
      }
    },
    load(hostname, epoch, now) {
      const stored = readJson<Omit<StoredCertificate, "notAfter"> & { readonly notAfter: string }>(
        filePath(hostname),
      );
      if (stored?.epoch !== epoch || stored.hostname !== hostname) return null;
      const notAfter = new Date(stored.notAfter);
      return notAfter > now ? { ...stored, notAfter } : null;
    },
    sweep(isClaimed) {
      for (const name of readdirSync(folder)) {
        const hostname = /^(.+)\.json$/.exec(name)?.[1];
        if (hostname !== undefined && isClaimed(decodeURIComponent(hostname))) continue;
        // A released name, or the draft of a process that ended while writing.
        rmSync(path.join(folder, name), { force: true });
      }
    },
  };
}

/** Only this module writes these files, atomically; an unreadable file counts as absent. */
function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } catch {
    return null;
  }
}
