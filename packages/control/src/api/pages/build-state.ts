import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A first build takes seconds; a browser waits longer than this. */
const maxWaitMs = 60_000;
const pollMs = 50;

/**
 * Waits while a build of the directory runs, at most a minute. Returns what a reader has to know:
 * that it still runs, or why it failed; null when nothing is known against the files. `npm run
 * build` writes `.build` there: the process that builds, or the error. Without it, as in a release,
 * there is nothing to wait for.
 */
export async function untilBuilt(directory: string, waitMs = maxWaitMs): Promise<string | null> {
  const giveUpAt = performance.now() + waitMs;
  while (true) {
    const state = await readState(path.join(directory, ".build"));
    if (state?.error !== undefined) return `${state.error}; see the output of the build`;
    if (state?.pid === undefined || !isRunning(state.pid)) return null;
    if (performance.now() > giveUpAt) return "this part of Mooring is being built: ask again";
    await delay(pollMs);
  }
}

interface BuildState {
  readonly pid?: number;
  readonly error?: string;
}

async function readState(file: string): Promise<BuildState | null> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as BuildState;
  } catch {
    return null; // absent, or not ours
  }
}

/** A build that was killed leaves its file behind. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
