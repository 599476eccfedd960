/**
 * What every kind of process needs at its start: configuration, keys, log, and messages for
 * failures. It loads nothing else of the control plane, which an edge process does not need.
 */
export {
  byVariable,
  type Config,
  ConfigError,
  databaseUrl,
  readConfig,
  recursiveResolvers,
} from "./config/config.ts";
export { loadEdgeKeys, loadRootKeys } from "./config/root-keys.ts";
export {
  type DatabaseProblem,
  databaseProblem,
  parseDatabaseUrl,
} from "./db/engine/database-problem.ts";
export { schemaVersions } from "./db/engine/migrate.ts";
export { lockSingleInstance, type SingleInstanceLock } from "./db/engine/single-instance-lock.ts";
export { caaIssuer } from "./domain/certificates/certificate.ts";
export { AppError } from "./domain/errors.ts";
export { createLogger, redact } from "./process/log.ts";
