import { surroundings } from "./surroundings.ts";

/** The only reader of the environment in this package. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What commands read and children inherit: the environment without what concerns this process only.
 */
export function processEnvironment(): Environment {
  const { WATCH_REPORT_DEPENDENCIES: _, MOORING_WAIT_FOR_BEGIN: __, ...env } = surroundings().env;
  return env;
}

/** Whether `node --watch` runs this process and starts it again after a change. */
export function isWatched(): boolean {
  return process.env["WATCH_REPORT_DEPENDENCIES"] !== undefined;
}

/** In a child's environment: load, then wait for the parent's begin message. */
export const waitForBeginEnv = { MOORING_WAIT_FOR_BEGIN: "1" } as const;

export function mustWaitForBegin(): boolean {
  return process.env["MOORING_WAIT_FOR_BEGIN"] === waitForBeginEnv.MOORING_WAIT_FOR_BEGIN;
}
