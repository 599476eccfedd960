import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** A process of the product that a test can stop, freeze and kill. */
export interface ProductProcess {
  readonly pid: number;
  /** Where an API listens; empty for a worker. */
  readonly url: string;
  /** Its log so far. */
  readonly output: () => string;
  /** Sends the signal; with SIGKILL and SIGTERM resolves when the process has ended. */
  signal(name: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT"): Promise<void>;
}

const main = path.join(import.meta.dirname, "process-main.ts");
/** Shared compile cache: a process that is killed every second spends most of its time starting. */
const codeCache = path.resolve(import.meta.dirname, "../../../../node_modules/.cache/mooring-test");
const maxLogChars = 1_048_576;

const startAttempts = 5;

/**
 * Resolves when the process is ready; its environment is exactly `env`. A process that exits
 * earlier (a busy database must answer within a second) is restarted, as a supervisor does.
 */
export async function startProcess(
  role: "api" | "worker",
  env: Readonly<Record<string, string>>,
): Promise<ProductProcess> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch(role, env);
    } catch (error) {
      if (attempt === startAttempts) throw error;
    }
  }
}

async function launch(
  role: "api" | "worker",
  env: Readonly<Record<string, string>>,
): Promise<ProductProcess> {
  const child = spawn(process.execPath, [main, role], {
    env: {
      PATH: process.env["PATH"],
      TMPDIR: process.env["TMPDIR"],
      NODE_COMPILE_CACHE: codeCache,
      PORT: "0",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-maxLogChars);
    });
  }
  const ended = once(child, "exit");
  const [message] = await Promise.race([
    once(child, "message"),
    ended.then(() => {
      throw new Error(`the ${role} process exited:\n${log}`);
    }),
  ]);
  return {
    pid: pidOf(child),
    url: urlIn(message),
    output: () => log,
    async signal(name) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(name);
      if (name === "SIGKILL" || name === "SIGTERM") await ended;
    },
  };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("the process has no id");
  return child.pid;
}

function urlIn(message: unknown): string {
  const hasUrl = typeof message === "object" && message !== null && "url" in message;
  return hasUrl && typeof message.url === "string" ? message.url : "";
}

/** Several worker processes on one database; a killed one is replaced. */
export interface WorkerFleet {
  readonly members: readonly ProductProcess[];
  /** Kills one with SIGKILL and starts another instead. */
  killAndReplace(index: number): Promise<void>;
  close(): Promise<void>;
}

export async function startFleet(
  size: number,
  env: Readonly<Record<string, string>>,
): Promise<WorkerFleet> {
  const start = (): Promise<ProductProcess> => startProcess("worker", env);
  const members = await Promise.all(Array.from({ length: size }, start));
  return {
    members,
    async killAndReplace(index) {
      await members[index]?.signal("SIGKILL");
      members[index] = await start();
    },
    async close() {
      await Promise.all(members.map((member) => member.signal("SIGTERM")));
    },
  };
}
