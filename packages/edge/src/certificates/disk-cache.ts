import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { StoredCertificate } from "../db/certificates.ts";
import type { Host } from "../host.ts";
import type { Log } from "../log.ts";

/**
 * What an edge has served, kept on disk, so that it also starts and serves while the database is
 * away. Keys stay sealed: the files tell no more than a dump of the database would.
 */
export interface DiskCache {
  save(certificate: StoredCertificate): void;
  /** The name is no longer held: its key, though sealed, is not kept. */
  drop(hostname: string): void;
  /** Null for another claim, one that has expired, or none at all. */
  load(hostname: string, epoch: number, now: Date): StoredCertificate | null;
  saveHosts(hosts: Iterable<Host>, now: Date): void;
  /** Null when there is no set, or the last good one is older than a day. */
  loadHosts(now: Date): readonly Host[] | null;
}

const hostsKeptMs = 24 * 3_600_000;

export function createDiskCache(directory: string, log: Log): DiskCache {
  mkdirSync(path.join(directory, "certificates"), { recursive: true, mode: 0o700 });
  const hostsFile = path.join(directory, "hosts.json");
  const fileOf = (hostname: string): string =>
    path.join(directory, "certificates", `${encodeURIComponent(hostname)}.json`);

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
    saveHosts: (hosts, now) => write(hostsFile, { savedAt: now.toISOString(), hosts: [...hosts] }),
    loadHosts(now) {
      const kept = readJson<{ readonly savedAt: string; readonly hosts: readonly Host[] }>(
        hostsFile,
      );
      if (!kept || now.getTime() - new Date(kept.savedAt).getTime() > hostsKeptMs) return null;
      return kept.hosts;
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
