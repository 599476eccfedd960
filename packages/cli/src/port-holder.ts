import { readdir, readFile, readlink } from "node:fs/promises";

/** A process that listens on a port. */
export interface PortHolder {
  readonly pid: number;
  /** Its command line. */
  readonly command: string;
}

const listening = "0A";

/**
 * Who listens on a TCP port of this machine; null where the system does not tell (other systems than
 * Linux, or another user's process).
 */
export async function findPortHolder(port: number): Promise<PortHolder | null> {
  const inodes = new Set([
    ...(await listeningInodes("/proc/net/tcp", port)),
    ...(await listeningInodes("/proc/net/tcp6", port)),
  ]);
  if (inodes.size === 0) return null;
  const pids = (await entries("/proc")).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    if (await holdsAny(pid, inodes)) return { pid: Number(pid), command: await commandOf(pid) };
  }
  return null;
}

/** Columns of /proc/net/tcp: number, local address:port in hex, remote, state, …, inode (tenth). */
async function listeningInodes(file: string, port: number): Promise<string[]> {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return (await text(file))
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === listening && columns[1]?.endsWith(`:${wanted}`))
    .flatMap((columns) => columns[9] ?? []);
}

async function holdsAny(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  for (const fd of await entries(`/proc/${pid}/fd`)) {
    const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => "");
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined && inodes.has(inode)) return true;
  }
  return false;
}

async function commandOf(pid: string): Promise<string> {
  const words = (await text(`/proc/${pid}/cmdline`)).split("\0").filter((word) => word !== "");
  return words.join(" ");
}

// Processes come and go while /proc is read, and those of others may not be looked into: what cannot
// be read is simply not there.
async function text(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

async function entries(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => []);
}
