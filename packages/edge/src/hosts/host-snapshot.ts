import { mkdirSync, readFileSync } from "node:fs";
import { open, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Log } from "../config/settings.ts";
import type { StoredApplication } from "./application.ts";
import type { Host } from "./host.ts";

/** A set of hosts with their applications, and when it was last equal to the database. */
export interface HostSet {
  readonly asOf: Date;
  readonly applications: Iterable<StoredApplication>;
  readonly hosts: Iterable<Host>;
}

/**
 * The known hosts on disk, so that an edge starts without the database. One process of a machine
 * writes; files are replaced atomically, so that readers see one set or the other.
 */
export interface HostSnapshot {
  /** Writes the hosts only if the revision has changed since the last write. */
  save(set: HostSet, revision: number): Promise<void>;
  /** Null when there is no set or it is older than a day. */
  load(now: Date): HostSet | null;
}

/** How long a set is served without confirmation by the database. */
export const snapshotMaxAgeMs = 24 * 3_600_000;

/** Lines per write; the event loop runs between two writes. */
const linesPerWrite = 500;

export function createHostSnapshot(directory: string, log: Log): HostSnapshot {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const hostsFile = path.join(directory, "known-hosts.jsonl");
  const timeFile = path.join(directory, "known-hosts-as-of");
  /** Those of an earlier release, which had the origin of each host with it. */
  const replacedFiles = ["hosts.jsonl", "hosts-as-of"].map((name) => path.join(directory, name));
  let written: number | null = null;
  let confirmed = 0;
  let saving: Promise<void> | null = null;

  const save = async (set: HostSet, revision: number): Promise<void> => {
    const { asOf } = set;
    if (revision === written && asOf.getTime() === confirmed) return;
    try {
      if (revision !== written) await writeLines(hostsFile, set);
      written = revision;
      await replace(timeFile, (draft) =>
        writeFile(draft, asOf.toISOString(), { mode: 0o600, flush: true }),
      );
      confirmed = asOf.getTime();
      for (const file of replacedFiles) await rm(file, { force: true });
    } catch (error) {
      // A full disk must not stop the edge.
      log.warn({ err: error }, "host snapshot not written");
    }
  };

  return {
    save(set, revision) {
      saving = (saving ?? Promise.resolve()).then(() => save(set, revision));
      return saving;
    },
    load(now) {
      const asOf = new Date(readText(timeFile) ?? Number.NaN);
      const age = now.getTime() - asOf.getTime();
      const lines = age <= snapshotMaxAgeMs ? readText(hostsFile) : null;
      return lines === null ? null : { asOf, ...parseLines(lines) };
    },
  };
}

/** Applications, then hosts, in one file: a reader never sees a host without its application. */
async function writeLines(file: string, set: HostSet): Promise<void> {
  await replace(file, async (draft) => {
    const handle = await open(draft, "w", 0o600);
    try {
      let lines: string[] = [];
      for (const line of linesOf(set)) {
        lines.push(`${JSON.stringify(line)}\n`);
        if (lines.length < linesPerWrite) continue;
        await handle.write(lines.join(""));
        lines = [];
      }
      await handle.write(lines.join(""));
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

function* linesOf({ applications, hosts }: HostSet): Generator<StoredApplication | Host> {
  yield* applications;
  yield* hosts;
}

async function replace(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await write(draft);
  await rename(draft, file);
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null; // no snapshot
  }
}

/** Only this module writes these lines. */
function parseLines(text: string): Omit<HostSet, "asOf"> {
  const hosts: Host[] = [];
  const applications: StoredApplication[] = [];
  for (const line of text.split("\n").filter(Boolean)) {
    const parsed = JSON.parse(line) as Host | StoredApplication;
    if ("hostname" in parsed) hosts.push(parsed);
    else applications.push(parsed);
  }
  return { hosts, applications };
}
