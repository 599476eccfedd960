export { startPostgresInThread } from "./in-thread.ts";
export { LocalPostgresError } from "./programs.ts";
export {
  type PostgresLog,
  type RunningPostgres,
  type StartOptions,
  startPostgres,
} from "./server.ts";
