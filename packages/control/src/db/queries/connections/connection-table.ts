import { sql } from "kysely";
import type { Tables } from "../../tables.ts";

/**
 * The connections that have not moved to `archived_connections`, which is a child of their table.
 * For statements that never mean one that was archived long ago, or that read this table first: a
 * statement about both takes twice the time to plan.
 */
export const unmovedConnections = sql<Tables["connections"]>`only connections`.as("connections");

/** Those of both tables. */
export const allConnections = sql<Tables["connections"]>`connections`.as("connections");
