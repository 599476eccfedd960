import { surroundings } from "./surroundings.ts";

/** The only reader of the environment in this package. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What commands read and children inherit: the environment without what concerns this process only.
 */
export function processEnvironment(): Environment {
  const env = { ...surroundings().env };
  for (const name of ofThisProcess) delete env[name];
  return env;
}

/** The `LISTEN_` ones are those of sd_listen_fds(3). */
const ofThisProcess = [
  "WATCH_REPORT_DEPENDENCIES",
  "MOORING_WAIT_FOR_BEGIN",
  "MOORING_LISTENERS",
  "LISTEN_PID",
  "LISTEN_FDS",
  "LISTEN_FDNAMES",
];

/** With what concerns this process only. */
export function ownEnvironment(): Environment {
  return process.env;
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
