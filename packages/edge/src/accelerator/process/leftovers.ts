import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { EdgeSettings } from "../../config/settings.ts";
import { type AcceleratorPaths, acceleratorPaths } from "../paths.ts";

/** A HAProxy of this directory, by its command line. */
interface Found {
  readonly pid: number;
  readonly id: string;
  /** Whether the edge that started it is its parent still. */
  readonly hasParent: boolean;
}

const waitMs = 2_000;
const pollMs = 25;

/**
 * Ends every HAProxy whose edge was killed: it would hold the port and serve nobody. Nothing about
 * them is on disk, which may be full.
 */
export async function endLeftoverAccelerator(
  settings: Pick<EdgeSettings, "DATA_DIR">,
): Promise<void> {
  const paths = acceleratorPaths(settings.DATA_DIR);
  const left = findProcesses(paths).filter(({ hasParent }) => !hasParent);
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    for (const { pid } of left) kill(pid, signal);
    const areAlive = (): boolean => left.some(({ pid }) => kill(pid, 0));
    for (let waited = 0; areAlive() && waited < waitMs; waited += pollMs) await delay(pollMs);
  }
  dropSockets(paths);
}

/** Those of processes that have ended without their edge. */
function dropSockets(paths: AcceleratorPaths): void {
  const running = new Set(findProcesses(paths).map(({ id }) => id));
  for (const name of namesIn(paths.directory)) {
    const id = /^(?:admin|web)-(\d+\.\d+)\.sock$/.exec(name)?.[1];
    if (id === undefined || running.has(id)) continue;
    rmSync(path.join(paths.directory, name), { force: true });
  }
}

function findProcesses(paths: AcceleratorPaths): readonly Found[] {
  return namesIn("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const parts = readText(`/proc/${name}/cmdline`).split("\0");
    const id = parts[parts.indexOf("-L") + 1] ?? "";
    if (!parts.includes(paths.configuration) || !/^\d+\.\d+$/.test(id)) return [];
    const parent = /^PPid:\t(\d+)$/m.exec(readText(`/proc/${name}/status`))?.[1];
    return [{ pid: Number(name), id, hasParent: id.split(".")[0] === parent }];
  });
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** False when there is no such process. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
