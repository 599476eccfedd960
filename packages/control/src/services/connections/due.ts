import type { DueRows } from "@mooring/postgres";
import {
  claimDueConnections,
  extendLeases,
  releaseConnection,
} from "../../db/queries/due-connections.ts";
import type { Connection } from "../../domain/connection.ts";
import type { Runtime } from "../runtime.ts";

/** Connections due for a check, as rows that a worker leases. */
export function dueConnections(runtime: Runtime): DueRows<Connection> {
  const { database } = runtime;
  return {
    table: "connections",
    idOf: (connection) => connection.id,
    versionOf: (connection) => connection.version,
    claim: (now, until, limit) => claimDueConnections(database, now, until, limit),
    extend: (leased, until) => extendLeases(database, leased, until),
    release: (connection, dueAt) => releaseConnection(database, connection, dueAt),
  };
}
