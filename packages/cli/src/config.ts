/** The only reader of `process.env` in this package. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What commands read and children inherit: the environment without what a watching Node adds. */
export function processEnvironment(): Environment {
  const { WATCH_REPORT_DEPENDENCIES: _, ...env } = process.env;
  return env;
}

/** Whether `node --watch` runs this process and will start it again after a change. */
export function isWatched(): boolean {
  return process.env["WATCH_REPORT_DEPENDENCIES"] !== undefined;
}
