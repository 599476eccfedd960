import { closeSync, mkdirSync, openSync, readFileSync, readSync } from "node:fs";
import { open, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import type { Log } from "../config/settings.ts";
import type { StoredApplication } from "./application.ts";
import type { Host } from "./host.ts";

/** A set of hosts with their applications, and when it was last equal to that of the feed. */
export interface HostSet {
  readonly asOf: Date;
  /** Where a feed that is read in order goes on; null or absent where it begins again. */
  readonly place?: string | null;
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
  /** Null when there is no set, it is older than a day, or its file is damaged. */
  load(now: Date): HostSet | null;
}

/** How long a set is served without confirmation by the database. */
export const snapshotMaxAgeMs = 24 * 3_600_000;

/** Lines per write; the event loop runs between two writes. */
const linesPerWrite = 500;

export function createHostSnapshot(directory: string, log: Log): HostSnapshot {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const hostsFile = path.join(directory, "known-hosts-2.jsonl");
  const timeFile = path.join(directory, "known-hosts-as-of");
  /** Those of earlier releases, without a checksum or with the origin of each host. */
  const replacedFiles = ["known-hosts.jsonl", "hosts.jsonl", "hosts-as-of"].map((name) =>
    path.join(directory, name),
  );
  let written: number | null = null;
  let confirmed = 0;
  let saving: Promise<void> | null = null;

  const save = async (set: HostSet, revision: number): Promise<void> => {
    const { asOf, place } = set;
    if (revision === written && asOf.getTime() === confirmed) return;
    try {
      if (revision !== written) await writeLines(hostsFile, set);
      written = revision;
      await replace(timeFile, (draft) =>
        writeFile(draft, place ? `${asOf.toISOString()}\n${place}` : asOf.toISOString(), {
          mode: 0o600,
          flush: true,
        }),
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
      try {
        const [time = "", place = null] = readFileSync(timeFile, "utf8").split("\n");
        const asOf = new Date(time);
        const age = now.getTime() - asOf.getTime();
        if (!(age <= snapshotMaxAgeMs)) return null;
        if (isWhole(hostsFile)) return { asOf, place, ...parseFile(hostsFile) };
        log.error({ file: hostsFile }, "host snapshot is damaged and not used");
      } catch (error) {
        if (!isAbsent(error)) log.error({ err: error }, "host snapshot not read");
      }
      return null;
    },
  };
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Applications, then hosts, in one file: a reader never sees a host without its application. */
async function writeLines(file: string, set: HostSet): Promise<void> {
  await replace(file, async (draft) => {
    const handle = await open(draft, "w", 0o600);
    try {
      let checksum = 0;
      let lines: string[] = [];
      const write = async (): Promise<void> => {
        const bytes = Buffer.from(lines.join(""));
        checksum = crc32(bytes, checksum);
        lines = [];
        // One call may write less than it is given.
        for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
      };
      for (const line of linesOf(set)) {
        lines.push(`${JSON.stringify(line)}\n`);
        if (lines.length >= linesPerWrite) await write();
      }
      await write();
      await handle.write(lastLine(checksum));
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

/** The last line of a file, always of the same length; a file that was cut has none. */
function lastLine(checksum: number): string {
  return `${JSON.stringify({ checksum: checksum.toString(16).padStart(8, "0") })}\n`;
}

const lastLineLength = lastLine(0).length;

function isWhole(file: string): boolean {
  let checksum = 0;
  let end = Buffer.alloc(0);
  for (const chunk of chunksOf(file)) {
    const bytes = Buffer.concat([end, chunk]);
    const body = bytes.subarray(0, Math.max(0, bytes.length - lastLineLength));
    end = Buffer.from(bytes.subarray(body.length));
    checksum = crc32(body, checksum);
  }
  return end.toString("utf8") === lastLine(checksum);
}

const chunkBytes = 1_048_576;

/** In pieces, because a string is at most half a gigabyte. */
function* chunksOf(file: string): Generator<Buffer> {
  const handle = openSync(file, "r");
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const length = readSync(handle, chunk);
      if (length === 0) return;
      yield chunk.subarray(0, length);
    }
  } finally {
    closeSync(handle);
  }
}

const lineEnd = 0x0a;

function* readLines(file: string): Generator<string> {
  let rest = Buffer.alloc(0);
  for (const chunk of chunksOf(file)) {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(lineEnd) + 1;
    rest = Buffer.from(bytes.subarray(end));
    yield* bytes.toString("utf8", 0, end).split("\n").filter(Boolean);
  }
}

type Line = Host | StoredApplication | { readonly checksum: string };

/** Only this module writes these lines. The applications are first; the hosts are read as they are used. */
function parseFile(file: string): Omit<HostSet, "asOf"> {
  const applications: StoredApplication[] = [];
  for (const line of readLines(file)) {
    const parsed = JSON.parse(line) as Line;
    if ("hostname" in parsed || "checksum" in parsed) break;
    applications.push(parsed);
  }
  return { applications, hosts: { [Symbol.iterator]: () => hostsIn(file) } };
}

function* hostsIn(file: string): Generator<Host> {
  for (const line of readLines(file)) {
    const parsed = JSON.parse(line) as Line;
    if ("hostname" in parsed) yield parsed;
  }
}
