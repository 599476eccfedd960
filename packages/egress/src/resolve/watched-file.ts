import { readFile, stat } from "node:fs/promises";

/** The parsed content of a file that may change; null while there is none. */
export interface WatchedFile<T> {
  current(): Promise<T | null>;
}

/** A change is seen within this time; in between no system call is made. */
const lookAgainAfterMs = 2_000;

export function watchFile<T>(path: string, parse: (text: string) => T): WatchedFile<T> {
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let version = "";
  let value: T | null = null;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const found = `${mtimeMs} ${size} ${ino}`;
      if (found === version) return;
      value = parse(await readFile(path, "utf8"));
      version = found;
    } catch {
      // Absent, or replaced at this moment: there is nothing to read until the next look.
      value = null;
      version = "";
    }
  }

  return {
    async current() {
      if (performance.now() - lookedAtMs >= lookAgainAfterMs) {
        looking ??= look().finally(() => {
          lookedAtMs = performance.now();
          looking = null;
        });
      }
      await looking;
      return value;
    },
  };
}
