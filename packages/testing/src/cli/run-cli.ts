import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { operatorCommands } from "../../../cli/src/operator/operator-commands.ts";
import { runCommand } from "../../../cli/src/program.ts";

/** `mooring …` as a child of the test, without the environment of the test. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The document that `--json` prints. */
  readonly json: () => Record<string, unknown>;
}

export type CliChild = ChildProcessByStdio<null, Readable, Readable>;

const main = path.resolve(import.meta.dirname, "../../../cli/src/main.ts");
/** With the compiled code of the test run a command starts in half the time. */
const inherited = ["PATH", "HOME", "NODE_COMPILE_CACHE"].flatMap((name) => {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value] as const];
});

export function spawnCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CliChild {
  return spawn(process.execPath, [main, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Resolves with the first output; throws when the process ends without any. */
export async function untilOutput(child: CliChild): Promise<void> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`it ended with ${code} without any output`);
  });
  await Promise.race([once(child.stdout, "data"), ended]);
}

type PipedChild = ChildProcessByStdio<Writable | null, Readable, Readable>;

export async function finish(child: PipedChild): Promise<CliResult> {
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  const [code] = await once(child, "close");
  return { code, stdout, stderr, json: () => JSON.parse(stdout) as Record<string, unknown> };
}

/** In a process of its own, where that is what is tested: its start, its signals, its streams. */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  return finish(spawnCli(args, env));
}

/** The same command in the process of the test, which takes a fiftieth of the time. */
export async function callCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input = "",
): Promise<CliResult> {
  let [stdout, stderr] = ["", ""];
  const code = await runCommand(args, operatorCommands, {
    env: ownEnvironment(env),
    stdin: Readable.from([input]),
    stdout: writer((text) => {
      stdout += text;
    }),
    stderr: writer((text) => {
      stderr += text;
    }),
  });
  return { code, stdout, stderr, json: () => JSON.parse(stdout) as Record<string, unknown> };
}

function ownEnvironment(env: Readonly<Record<string, string>>) {
  return { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env };
}

function writer(append: (text: string) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      append(chunk.toString("utf8"));
      done();
    },
  });
}

/** Runs it with this text in a pipe at its stdin. */
export function pipeToCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string,
): Promise<CliResult> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  return finish(child);
}

/** A person at a terminal of 80 columns: what is on the screen, and keys to press. */
export interface CliTerminal {
  readonly screen: () => string;
  type(text: string): void;
  /** The exit code. */
  readonly ended: Promise<number | null>;
  /** Takes the terminal away, from a command that still waits too. */
  close(): void;
}

/**
 * Runs it in the process of the test as on a terminal. Unlike a real one, it echoes nothing itself.
 */
export function callOnTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): CliTerminal {
  let shown = "";
  const show = writer((text) => {
    shown += text;
  });
  const screen = Object.assign(show, { isTTY: true, columns: 80 });
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const own = { env: ownEnvironment(env), stdin, stdout: screen, stderr: screen };
  return {
    screen: () => shown,
    type: (text) => void stdin.write(text),
    ended: runCommand(args, operatorCommands, own),
    close: () => void stdin.end(),
  };
}

/** Runs it on a terminal of its own, by script(1) of bsdutils, which every Debian has. */
export function openTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): CliTerminal {
  const words = [process.execPath, main, ...args].map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  const command = `stty cols 80 rows 40; ${words.join(" ")}`;
  const child = spawn("/usr/bin/script", ["-qefc", command, "/dev/null"], {
    env: { ...Object.fromEntries(inherited), SHELL: "/bin/sh", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  return {
    screen: () => shown,
    type: (text) => void child.stdin.write(text),
    ended: once(child, "close").then(([code]) => (typeof code === "number" ? code : null)),
    close: () => void child.kill("SIGHUP"),
  };
}
