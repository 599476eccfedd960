import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../config/settings.ts";
import { searchPath } from "../haproxy-program.ts";
import type { AcceleratorPaths } from "../paths.ts";
import { createRuntimeApi, type RuntimeApi } from "../runtime/runtime-api.ts";

/** One HAProxy, with sockets of its own: it runs beside the one that it replaces. */
export interface HaproxyProcess {
  readonly pid: number | null;
  readonly api: RuntimeApi;
  /** Resolves when it has ended, and its sockets are gone. */
  readonly ended: Promise<HaproxyEnd>;
  /** Resolves when it serves; rejects with what it has said when it does not. */
  answering(): Promise<void>;
  /** From now on it is the one that names are promoted to. */
  lead(): void;
  kill(signal: "SIGUSR1" | "SIGKILL"): void;
}

export interface HaproxyEnd {
  readonly code?: number | null;
  readonly signal?: NodeJS.Signals | null;
  /** The last that it said. */
  readonly said?: string;
  readonly err?: unknown;
}

export interface HaproxyCommand {
  readonly paths: AcceleratorPaths;
  readonly program: string;
  /** The public port. */
  readonly descriptors: readonly number[];
  /** Beside the search path; it gets nothing else of this environment, which may have secrets. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Pick<Log, "debug">;
}

/** The first descriptor after standard input, output and error. */
export const firstDescriptor = 3;

const readyMs = 15_000;
const pollMs = 25;
let started = 0;

export function startHaproxy(command: HaproxyCommand): HaproxyProcess {
  const { paths } = command;
  started += 1;
  const id = `${process.pid}.${started}`;
  const sockets = paths.socketsOf(id);
  const child = spawnHaproxy(command, id);
  const api = createRuntimeApi(sockets.admin);
  const ended = endOf(child, command.log).then((end) => {
    for (const socket of [sockets.admin, sockets.web]) rmSync(socket, { force: true });
    return end;
  });
  return {
    pid: child.pid ?? null,
    api,
    ended,
    answering: () => untilAnswering(api, ended),
    lead: () => link(paths.admin, sockets.admin),
    kill: (signal) => void child.kill(signal),
  };
}

function spawnHaproxy(command: HaproxyCommand, id: string): ChildProcess {
  const { paths, program, descriptors, environment } = command;
  return spawn(program, ["-db", "-L", id, "-f", paths.configuration], {
    env: { PATH: searchPath, ...environment },
    cwd: paths.directory,
    stdio: ["ignore", "ignore", "pipe", ...descriptors],
  });
}

async function endOf(child: ChildProcess, log: Pick<Log, "debug">): Promise<HaproxyEnd> {
  let said = "";
  child.stderr?.setEncoding("utf8");
  child.stderr?.on("data", (chunk: string) => {
    said = `${said}${chunk}`.slice(-2_000);
    log.debug({ text: chunk.trim() }, "accelerator said");
  });
  try {
    const [code, signal] = await once(child, "exit");
    return { code, signal, said: said.trim() };
  } catch (error) {
    return { err: error };
  }
}

async function untilAnswering(api: RuntimeApi, ended: Promise<HaproxyEnd>): Promise<void> {
  const deadline = performance.now() + readyMs;
  let end: HaproxyEnd | null = null;
  void ended.then((one) => {
    end = one;
  });
  for (;;) {
    const isAnswering = await answers(api);
    if (end !== null) throw new Error(`HAProxy does not start: ${JSON.stringify(end)}`);
    if (isAnswering) return;
    if (performance.now() > deadline) throw new Error("HAProxy does not answer after its start");
    await delay(pollMs);
  }
}

export async function answers(api: RuntimeApi): Promise<boolean> {
  try {
    return (await api.run("show info")).includes("Pid:");
  } catch {
    return false;
  }
}

/** The name leads to the one socket or to the other, never to none. */
function link(name: string, socket: string): void {
  const made = `${name}.${process.pid}`;
  rmSync(made, { force: true });
  symlinkSync(path.basename(socket), made);
  renameSync(made, name);
}
