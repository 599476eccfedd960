import {
  claimDueConnections,
  prolongLeases,
  releaseConnection,
} from "../../db/queries/due-connections.ts";
import type { Connection } from "../../domain/connection.ts";
import type { Runtime } from "../runtime.ts";
import type { DueRows } from "../work/due-rows.ts";

/** Connections to be looked at, as rows that a worker leases. */
export function dueConnections(runtime: Runtime): DueRows<Connection> {
  const { database } = runtime;
  return {
    table: "connections",
    idOf: (connection) => connection.id,
    versionOf: (connection) => connection.version,
    claim: (now, until, limit) => claimDueConnections(database, now, until, limit),
    prolong: (held, until) => prolongLeases(database, held, until),
    release: (connection, dueAt) => releaseConnection(database, connection, dueAt),
  };
}
