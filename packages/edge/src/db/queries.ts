import type pg from "pg";

/**
 * Whatever runs statements as a pool does. All SQL of the edge is in this folder, as named
 * functions. Their first parameter says what they need: `queries` anything that runs a statement,
 * `client` a transaction of the caller, `pool` a transaction of their own (`inTransaction`).
 */
export type Queries = Pick<pg.Pool, "query">;
