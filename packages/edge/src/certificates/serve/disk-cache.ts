import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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
  const filePath = (hostname: string): string =>
    path.join(folder, `${encodeURIComponent(hostname)}.json`);

  /** A disk that is full or read-only must not stop the edge. */
  const tried = (change: () => void, failure: string): void => {
    try {
      change();
    } catch (error) {
      log.warn({ err: error }, failure);
    }
  };
  const write = (file: string, value: unknown): void => {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(value), { mode: 0o600 });
    renameSync(draft, file);
  };
  const remove = (file: string): void =>
    tried(() => rmSync(file, { force: true }), "certificate not removed from disk");
  const unwritten = "certificate not written to disk";
  tried(() => mkdirSync(folder, { recursive: true, mode: 0o700 }), unwritten);

  return {
    save: (certificate) =>
      tried(() => write(filePath(certificate.hostname), certificate), unwritten),
    drop: (hostname) => remove(filePath(hostname)),
    load(hostname, epoch, now) {
      const stored = readJson<Omit<StoredCertificate, "notAfter"> & { readonly notAfter: string }>(
        filePath(hostname),
      );
      if (stored?.epoch !== epoch || stored.hostname !== hostname) return null;
      const notAfter = new Date(stored.notAfter);
      return notAfter > now ? { ...stored, notAfter } : null;
    },
    sweep(isClaimed) {
      if (!existsSync(folder)) return;
      for (const name of readdirSync(folder)) {
        const hostname = parseFileName(name);
        if (hostname !== null && isClaimed(hostname)) continue;
        // A released name, or the draft of a process that ended while writing.
        remove(path.join(folder, name));
      }
    },
  };
}

/** Null for a file that this module did not name. */
function parseFileName(name: string): string | null {
  try {
    return decodeURIComponent(/^(.+)\.json$/.exec(name)?.[1] ?? "") || null;
  } catch {
    return null;
  }
}

/** Only this module writes these files, atomically; an unreadable file counts as absent. */
function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } catch {
    return null;
  }
}
