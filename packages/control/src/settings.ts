/**
 * What every process needs before it is known which one it becomes: configuration, keys, log, and words
 * for what goes wrong. It loads none of the control plane, which an edge can do without.
 */
export {
  byVariable,
  type Config,
  ConfigError,
  databaseUrl,
  readConfig,
  recursiveResolvers,
} from "./config/config.ts";
export { loadRootKeys } from "./config/root-keys.ts";
export { type DatabaseProblem, databaseProblem } from "./db/database-problem.ts";
export { schemaVersions } from "./db/migrate.ts";
export { caaIssuer } from "./domain/ca.ts";
export { AppError } from "./domain/errors.ts";
export { createLogger, redact } from "./process/log.ts";
