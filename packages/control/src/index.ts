/** The control plane's surface: start its processes, and the operator's verbs. */
export { type Config, ConfigError, databaseUrl, readConfig } from "./config.ts";
export { type MigrationReport, migrate, schemaVersions } from "./db/migrate.ts";
export { createLogger, type Logger } from "./log.ts";
export { type OpenedRuntime, openRuntime, type RuntimeOptions } from "./open-runtime.ts";
export { loadRootKeys } from "./root-keys.ts";
export {
  bootstrap,
  createTenant,
  listTenants,
  type NewTenant,
  setTenantPlan,
} from "./services/operator/tenants.ts";
export { type RunningApi, startApi } from "./start-api.ts";
