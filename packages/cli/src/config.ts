/** The only reader of `process.env` in this package. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What commands read and children inherit: the environment without what is for this process alone. */
export function processEnvironment(): Environment {
  const { WATCH_REPORT_DEPENDENCIES: _, MOORING_HELD_BACK: __, ...env } = process.env;
  return env;
}

/** Whether `node --watch` runs this process and will start it again after a change. */
export function isWatched(): boolean {
  return process.env["WATCH_REPORT_DEPENDENCIES"] !== undefined;
}

/** In a child's environment: load, then wait until the parent says to begin. */
export const heldBack = { MOORING_HELD_BACK: "1" } as const;

export function isHeldBack(): boolean {
  return process.env["MOORING_HELD_BACK"] === heldBack.MOORING_HELD_BACK;
}
