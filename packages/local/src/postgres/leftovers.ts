import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "./absent.ts";

/** Removes drafts (see `draftOf`) whose makers are gone. */
export async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const maker = /\.(\d+)-[0-9a-f]{8}\.tmp$/.exec(name)?.[1];
    if (maker !== undefined && !isAlive(Number(maker))) {
      await rm(join(directory, name), { recursive: true, force: true });
    }
  }
}

/** Whether a process with this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}
