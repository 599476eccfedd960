export { LocalPostgresError } from "./postgres/local-postgres-error.ts";
export {
  type PostgresLog,
  type RunningPostgres,
  type StartOptions,
  startPostgres,
} from "./postgres/server.ts";
