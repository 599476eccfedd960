/**
 * What every process needs before it is known which one it becomes: configuration, keys, log, and words
 * for what goes wrong. It loads none of the control plane, which an edge can do without.
 */
export { type Config, ConfigError, databaseUrl, readConfig } from "./config.ts";
export { type DatabaseProblem, databaseProblem } from "./db/engine/database-problem.ts";
export { schemaVersions } from "./db/engine/migrate.ts";
export { caaIssuer } from "./domain/certificate.ts";
export { AppError } from "./domain/errors.ts";
export { createLogger, redact } from "./log.ts";
export { recursiveResolvers } from "./recursive-resolvers.ts";
export { loadRootKeys } from "./root-keys.ts";
