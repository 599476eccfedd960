import type pg from "pg";

/** Whatever runs statements as a pool does. */
export type Queries = Pick<pg.Pool, "query">;
