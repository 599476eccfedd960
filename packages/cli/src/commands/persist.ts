import { setTimeout as delay } from "node:timers/promises";
import { MooringError } from "@mooring/sdk";
import { isPassing } from "./explain.ts";

const shortestMs = 1_000;
const longestMs = 30_000;

/** Reads again, ever more slowly, while the API is away; any other error ends the command. */
export async function persist<T>(
  tell: (text: string, value: object) => void,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T> {
  for (let waitMs = shortestMs; ; waitMs = Math.min(2 * waitMs, longestMs)) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof MooringError) || !isPassing(error)) throw error;
      const text = `the API is away (${error.message}), trying again in ${waitMs / 1_000} s`;
      tell(text, { status: "away", message: error.message, retry_in_ms: waitMs });
      await delay(waitMs, undefined, { signal });
    }
  }
}
