import { link, readlink, realpath, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { draftPath, hasCode, isAlive, readIfPresent, unlessAbsent } from "./files.ts";

/** What PostgreSQL writes about itself into `postmaster.pid` (lines 1, 4 and 8). */
export type Postmaster = {
  readonly pid: number;
  readonly port: number;
  /** `starting`, `ready`, `standby` or `stopping`; empty before the first is written. */
  readonly status: string;
};

/** The postmaster in the pid file of this data directory, running or not; null without the file. */
export async function readPostmaster(data: string): Promise<Postmaster | null> {
  const text = await readIfPresent(pidFile(data));
  return text === null ? null : parse(text);
}

function parse(text: string): Postmaster | null {
  const lines = text.split("\n");
  const pid = Number.parseInt(lines[0] ?? "", 10);
  if (!Number.isInteger(pid) || pid <= 1) return null;
  const port = Number.parseInt(lines[3] ?? "", 10);
  return { pid, port: Number.isInteger(port) ? port : 0, status: (lines[7] ?? "").trim() };
}

/**
 * Whether the process is a running postmaster of this data directory. An existing pid is not proof:
 * it may be a zombie that is not reaped (kill -9 in a container without an init), or an unrelated
 * process that got the number after a restart.
 */
export async function isRunning(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  const line = await readProcess(`/proc/${pid}/stat`);
  if (line === null) return false;
  // "pid (name) state …"; the name may itself contain spaces and brackets.
  const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(line) ?? [];
  if (name !== "postgres" || state === "Z" || state === "X") return false;
  return worksIn(pid, data);
}

/** A postmaster's working directory is its data directory. True when it cannot be read. */
async function worksIn(pid: number, data: string): Promise<boolean> {
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(data));
  } catch (error) {
    // Without CAP_SYS_PTRACE even root may not read this of another user's process.
    if (hasCode(error, "EACCES", "EPERM")) return true;
    if (hasCode(error, "ENOENT", "ESRCH")) return false;
    throw error;
  }
}

async function readProcess(path: string): Promise<string | null> {
  try {
    return await readIfPresent(path);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return null;
    throw error;
  }
}

/**
 * Replaces the pid in `postmaster.pid`, so that a start succeeds although a process with that pid
 * exists which is not a postmaster of this directory (`isRunning`). The file stays: PostgreSQL
 * reads the shared memory segment on line 7 and waits for orphaned backends. A file that another
 * starter has written meanwhile is left unchanged.
 */
export async function replacePid(data: string, pid: number): Promise<void> {
  const path = pidFile(data);
  const draft = draftPath(path);
  if ((await unlessAbsent(rename(path, draft).then(() => true))) === null) return;
  try {
    const text = (await readIfPresent(draft)) ?? "";
    if (parse(text)?.pid === pid) {
      await writeFile(draft, text.replace(/^\d+/, String(impossiblePid)));
    }
    await link(draft, path).catch((error: unknown) => {
      if (!hasCode(error, "EEXIST")) throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** Larger than any process id, within PostgreSQL's int. */
const impossiblePid = 2_147_483_647;

function pidFile(data: string): string {
  return join(data, "postmaster.pid");
}

/**
 * Whether a PostgreSQL server answers on the port. Sends an SSLRequest (protocol 3.0) and accepts
 * either reply; only a server that can start a session process sends one.
 */
export function answers(port: number, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: "127.0.0.1", port });
  const finish = (answer: boolean): void => {
    socket.destroy();
    resolve(answer);
  };
  socket.setTimeout(timeoutMs, () => finish(false));
  socket.once("error", () => finish(false));
  socket.once("close", () => finish(false));
  socket.once("connect", () => {
    const request = Buffer.alloc(8);
    request.writeInt32BE(8, 0);
    request.writeInt32BE(80_877_103, 4);
    socket.write(request);
  });
  socket.once("data", (reply) => finish(reply[0] === 0x4e || reply[0] === 0x53));
  return promise;
}
