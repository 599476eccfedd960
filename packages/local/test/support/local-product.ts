import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../../../../test/support/free-port.ts";

/** `npm start` as a child of the test: what it says, and what became of it. */
export interface LocalProduct {
  readonly child: ChildProcess;
  /** Everything said so far, stdout and stderr. */
  readonly said: () => string;
  /** Resolves with the match once the output has it; fails when the process ends first. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

const root = path.resolve(import.meta.dirname, "../../../..");

export interface ProductSettings {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Before the script: options of Node itself. */
  readonly nodeArgs?: readonly string[];
}

/** Started with an environment of its own: nothing of the test run's reaches it. */
export function startProduct(settings: ProductSettings): LocalProduct {
  const child = spawn(
    process.execPath,
    [...(settings.nodeArgs ?? []), path.join(root, "packages/local/src/main.ts")],
    {
      cwd: root,
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        DATA_DIR: settings.dataDir,
        LOG_LEVEL: "warn",
        ...settings.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let text = "";
  const collect = (chunk: Buffer): void => {
    text += chunk.toString("utf8");
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  return {
    child,
    said: () => text,
    ended,
    async waitFor(pattern) {
      for (;;) {
        const match = pattern.exec(text);
        if (match) return match;
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`it ended without saying ${pattern}; it said:\n${text}`);
        }
        await delay(10);
      }
    },
  };
}

/** Every listener of a start on a port of its own, as its environment says it. */
export async function productPorts(): Promise<Readonly<Record<string, string>>> {
  const names = ["PORT", "EDGE_HTTP_PORT", "EDGE_HTTPS_PORT", "DEMO_PORT"];
  const ports = new Set<number>();
  while (ports.size < names.length) ports.add(await freePort());
  return Object.fromEntries([...ports].map((port, index) => [names[index], String(port)]));
}

/** A directory that the database's user may enter as well. */
export async function makeDataDir(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-start-"));
  await chmod(directory, 0o755);
  return directory;
}

export async function removeDataDir(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

/** The living processes that were started for this data directory, by environment or argument. */
export async function processesOf(dataDir: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    // A zombie has neither; one that has just gone cannot be read.
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    const environment = await readFile(`/proc/${name}/environ`, "utf8").catch(() => "");
    if (command.includes(dataDir) || environment.includes(`DATA_DIR=${dataDir}`)) {
      found.push(Number(name));
    }
  }
  return found;
}

/** The process id of a child that the supervisor runs, `api` for one. */
export async function childNamed(dataDir: string, name: string): Promise<number> {
  for (const pid of await processesOf(dataDir)) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.split("\0").slice(-3).join(" ").trim().endsWith(`serve ${name}`)) return pid;
  }
  throw new Error(`there is no ${name} process`);
}
