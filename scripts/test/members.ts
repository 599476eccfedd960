import path from "node:path";
import { after, describe } from "node:test";
import { pathToFileURL } from "node:url";
import { recordTimes, startTimes } from "./times.ts";

/**
 * Runs test files one after the other in this process, each as a suite of its own name: hooks at
 * the top of a file are hooks of its suite, and the next file is loaded when the one before has
 * ended.
 */
export async function runMembers(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const times = startTimes();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    describe(file, async () => {
      after(() => end());
      try {
        await import(pathToFileURL(path.resolve(file)).href);
      } catch (error) {
        end();
        throw error;
      }
    });
    await ended;
    recordTimes(file, times);
  }
}
