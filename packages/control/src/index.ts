/** The control plane's surface: start its processes, and the operator's verbs. */
export { formatKeyRing, generateRootKey, type Purpose, purposes } from "@mooring/vault";
export { diagnosisBody } from "./api/connections/diagnosis.ts";
export type { AssetDirectories } from "./api/pages/assets.ts";
export {
  type Config,
  ConfigError,
  databaseUrl,
  examineConfig,
  readConfig,
} from "./config/config.ts";
export { examineFiles } from "./config/files.ts";
export { findRootKeys, loadEdgeKeys, loadRootKeys } from "./config/root-keys.ts";
export { NotEmptyError } from "./db/backup/load-entries.ts";
export type { DatabaseInfo } from "./db/engine/inspect-server.ts";
export {
  inspectLogin,
  type LoginFacts,
  type LoginName,
  loginRoles,
  provideLogin,
} from "./db/engine/logins.ts";
export { type MigrationReport, migrate, schemaVersions } from "./db/engine/migrate.ts";
export type { LogHealth } from "./db/queries/transparency/logs.ts";
export { caaIssuer } from "./domain/certificates/certificate.ts";
export { AppError } from "./domain/errors.ts";
export { isRole, type Role, roles } from "./domain/people/role.ts";
export { newRandomLabel } from "./domain/random-label.ts";
export { BootstrapError } from "./domain/registrations/bootstrap.ts";
export { type Environment, environments, isScope, type Scope, scopes } from "./domain/tenancy.ts";
export { createLogger, type Logger, redact } from "./process/log.ts";
export { type OpenedRuntime, openRuntime, type RuntimeOptions } from "./process/open-runtime.ts";
export { type RunningApi, startApi } from "./process/start-api.ts";
export { type RunningWorkers, startWorker } from "./process/start-worker.ts";
export {
  activateKey,
  createDomainConnectKey,
  type KeyReport,
  listDomainConnectKeys,
  retireKey,
} from "./services/domain-connect/keys.ts";
export { type Explanation, explainDomain } from "./services/domains/explain.ts";
export {
  type BackupContents,
  backupDatabase,
  backupVault,
  restoreDatabase,
  verifyBackup,
} from "./services/operator/backup/backup-database.ts";
export { BackupFileError } from "./services/operator/backup/backup-file.ts";
export {
  checkRootKeys,
  inspectDatabase,
  inspectRootKeys,
  type RootKeyFinding,
} from "./services/operator/check-root-keys.ts";
export {
  type ConsoleLink,
  createConsoleLink,
  createOperatorLink,
  setConsoleDomain,
} from "./services/operator/console-links.ts";
export {
  type DrillName,
  readDrillNames,
  syntheticDrillNames,
  writeDrillCopy,
} from "./services/operator/drill-copy.ts";
export {
  type ImportOptions,
  importConnections,
} from "./services/operator/import/import-connections.ts";
export type {
  ImportAction,
  ImportNext,
  ImportResult,
  ImportRow,
} from "./services/operator/import/row.ts";
export { listParked, wakeParkedWork } from "./services/operator/parked.ts";
export type { SealedColumn } from "./services/operator/rotate-secrets.ts";
export {
  type RotationOptions,
  type RotationReport,
  retireAssertionKeys,
  rotateSecrets,
} from "./services/operator/rotate-secrets.ts";
export {
  deleteTenant,
  type Resumed,
  resumeTenant,
  suspendTenant,
  type TenantDeletion,
} from "./services/operator/tenant-states.ts";
export {
  bootstrap,
  createOperatorKey,
  createTenant,
  type FirstTenant,
  listTenants,
  type NewTenant,
  type OperatorKey,
  setTenantPlan,
} from "./services/operator/tenants.ts";
export { inspectBootstrap, refreshBootstrap } from "./services/registrations/bootstrap.ts";
export {
  inspectLogs,
  listLogHealth,
  resumeStoppedLog,
} from "./services/transparency/inspect-logs.ts";
