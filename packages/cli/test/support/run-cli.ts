import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable } from "node:stream";

/** `mooring …` as a child of the test, with an environment of its own. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The document that `--json` prints. */
  readonly json: () => Record<string, unknown>;
}

export type CliChild = ChildProcessByStdio<null, Readable, Readable>;

const main = path.resolve(import.meta.dirname, "../../src/main.ts");

export function spawnCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CliChild {
  return spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Resolves when it has said something; fails when it ends without a word. */
export async function untilItSpeaks(child: CliChild): Promise<void> {
  const silent = once(child, "exit").then(([code]) => {
    throw new Error(`it ended with ${code} before it said anything`);
  });
  await Promise.race([once(child.stdout, "data"), silent]);
}

export async function finish(child: CliChild): Promise<CliResult> {
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

export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  return finish(spawnCli(args, env));
}
