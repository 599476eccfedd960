import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../processes/free-port.ts";
import { longestWaitMs } from "../processes/until.ts";

/** `npm start` as a child of the test: its output and its end. */
export interface LocalProduct {
  readonly child: ChildProcess;
  /** The output so far, stdout and stderr. */
  readonly output: () => string;
  /** Resolves with the match once the output has it; throws when the process ends first. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

const root = path.resolve(import.meta.dirname, "../../../..");

export interface ProductSettings {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node, before the script. */
  readonly nodeArgs?: readonly string[];
  /** By default the root of the repository. */
  readonly directory?: string;
}

/** Starts the product without npm and the build. */
export function startProduct(settings: ProductSettings): LocalProduct {
  const main = path.join(root, "packages/local/src/main.ts");
  return launch(process.execPath, [...(settings.nodeArgs ?? []), main], settings);
}

/** Runs `mooring` with these arguments. */
export function startCommand(args: readonly string[], settings: ProductSettings): LocalProduct {
  return launch(process.execPath, [path.join(root, "packages/cli/src/main.ts"), ...args], settings);
}

/** Runs a program that is installed elsewhere. */
export function startProgram(
  program: string,
  args: readonly string[],
  settings: ProductSettings,
): LocalProduct {
  return launch(program, args, settings);
}

/** Runs a module given as text, as the product. */
export function startScript(source: string, settings: ProductSettings): LocalProduct {
  return launch(process.execPath, ["--input-type=module", "-e", source], settings);
}

/** Starts a script of package.json, `start` or `dev`, through npm itself. */
export function startNpm(script: string, settings: ProductSettings): LocalProduct {
  return launch("npm", ["run", script], settings);
}

/** The environment of the test run does not reach the child. */
function launch(program: string, args: readonly string[], settings: ProductSettings): LocalProduct {
  const child = spawn(program, args, {
    cwd: settings.directory ?? root,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      DATA_DIR: settings.dataDir,
      LOG_LEVEL: "warn",
      // An edge must not shed the few visitors of a test on a busy machine.
      EDGE_SHED_DELAY: "1m",
      EDGE_REFUSE_DELAY: "1m",
      ...settings.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const collect = (chunk: Buffer): void => {
    text += chunk.toString("utf8");
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal }));
  return {
    child,
    output: () => text,
    ended,
    async waitFor(pattern) {
      const deadline = performance.now() + longestWaitMs;
      for (;;) {
        const match = pattern.exec(text);
        if (match) return match;
        const isEnded = child.exitCode !== null || child.signalCode !== null;
        if (isEnded || performance.now() > deadline) {
          const what = isEnded ? "it ended" : `${longestWaitMs} ms passed`;
          throw new Error(`${what} without ${pattern}; its output:\n${text}`);
        }
        await delay(10);
      }
    },
  };
}

/** The environment that gives every listener of a start a free port. */
export async function productPorts(): Promise<Readonly<Record<string, string>>> {
  const names = ["PORT", "EDGE_HTTP_PORT", "EDGE_HTTPS_PORT", "DEMO_PORT", "VALIDATION_PORT"];
  const ports = new Set<number>();
  while (ports.size < names.length) ports.add(await freePort());
  return Object.fromEntries([...ports].map((port, index) => [names[index], String(port)]));
}

/** A directory that the user of the database may enter as well. */
export async function makeDataDir(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-start-"));
  await chmod(directory, 0o755);
  return directory;
}

export async function removeDataDir(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

/** The running processes of this data directory, found by environment or argument. */
export async function findProcesses(dataDir: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    // A zombie has neither; a process that has just ended cannot be read.
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
  for (const pid of await findProcesses(dataDir)) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.split("\0").slice(-3).join(" ").trim().endsWith(`serve ${name}`)) return pid;
  }
  throw new Error(`there is no ${name} process`);
}

/** The descendants of a process, without itself. */
export async function findDescendants(pid: number): Promise<readonly number[]> {
  const children = new Map<number, number[]>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentIn(await readFile(`/proc/${name}/stat`, "utf8").catch(() => ""));
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  for (let level = children.get(pid) ?? []; level.length > 0; ) {
    found.push(...level);
    level = level.flatMap((one) => children.get(one) ?? []);
  }
  return found;
}

/** Field 4 of /proc/PID/stat; the name in brackets before it may contain spaces. */
function parentIn(stat: string): number | null {
  const found = /^\d+ \(.*\) \S (\d+) /s.exec(stat)?.[1];
  return found === undefined ? null : Number(found);
}

/** Whether the process runs; a zombie does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return status !== "" && !/^State:\s+[ZX]/m.test(status);
}
