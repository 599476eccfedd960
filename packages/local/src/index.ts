export { LocalPostgresError } from "./postgres/programs.ts";
export {
  type PostgresLog,
  type RunningPostgres,
  type StartOptions,
  startPostgres,
} from "./postgres/server.ts";
