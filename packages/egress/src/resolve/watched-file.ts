import { readFile, stat } from "node:fs/promises";

/** The parsed content of a file that may change; null while there is none. */
export interface WatchedFile<T> {
  current(): Promise<T | null>;
}

/** A change is seen within this time; in between no system call is made. */
const checkAgainAfterMs = 2_000;

export function watchFile<T>(path: string, parse: (text: string) => T): WatchedFile<T> {
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let version = "";
  let value: T | null = null;
  let checking: Promise<void> | null = null;

  async function check(): Promise<void> {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const found = `${mtimeMs} ${size} ${ino}`;
      if (found === version) return;
      value = parse(await readFile(path, "utf8"));
      version = found;
    } catch {
      // Absent, or replaced at this moment: there is nothing to read until the next check.
      value = null;
      version = "";
    }
  }

  return {
    async current() {
      if (performance.now() - checkedAtMs >= checkAgainAfterMs) {
        checking ??= check().finally(() => {
          checkedAtMs = performance.now();
          checking = null;
        });
      }
      await checking;
      return value;
    },
  };
}
