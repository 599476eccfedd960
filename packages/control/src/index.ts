/** The control plane's surface: start its processes, and the operator's verbs. */
export { generateRootKey } from "@mooring/vault";
export type { AssetDirectories } from "./api/assets/mount.ts";
export { type Config, ConfigError, databaseUrl, readConfig } from "./config.ts";
export type { ServerFacts } from "./db/engine/inspect-server.ts";
export { type MigrationReport, migrate, schemaVersions } from "./db/engine/migrate.ts";
export { type Hold, holdDatabase } from "./db/engine/single-instance-lock.ts";
export { caaIssuer } from "./domain/ca.ts";
export { AppError } from "./domain/errors.ts";
export { type Environment, environments, isScope, type Scope, scopes } from "./domain/tenancy.ts";
export { createLogger, type Logger, redact } from "./log.ts";
export { type OpenedRuntime, openRuntime, type RuntimeOptions } from "./open-runtime.ts";
export { loadRootKeys } from "./root-keys.ts";
export {
  activateKey,
  createDomainConnectKey,
  type KeyReport,
  listDomainConnectKeys,
  retireKey,
} from "./services/domain-connect/keys.ts";
export { checkRootKeys } from "./services/operator/check-root-keys.ts";
export {
  inspectDatabase,
  inspectRootKeys,
  type RootKeyFinding,
} from "./services/operator/inspect-database.ts";
export { createOperatorKey, type OperatorKey } from "./services/operator/keys.ts";
export { retireAssertionKeys } from "./services/operator/retire-assertion-keys.ts";
export {
  type RotationOptions,
  type RotationReport,
  rotateSecrets,
} from "./services/operator/rotate-secrets.ts";
export type { SealedColumn } from "./services/operator/sealed-columns.ts";
export {
  bootstrap,
  createTenant,
  listTenants,
  type NewTenant,
  setTenantPlan,
} from "./services/operator/tenants.ts";
export { type RunningApi, startApi } from "./start-api.ts";
export { type RunningWorkers, startWorker } from "./start-worker.ts";
