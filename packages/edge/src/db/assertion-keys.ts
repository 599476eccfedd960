import type { JsonWebKey } from "node:crypto";
import { inTransaction } from "@mooring/postgres";
import type { SealContext } from "@mooring/vault";
import type pg from "pg";
import type { Queries } from "./queries.ts";

/** The vault context of an assertion key. */
export function assertionKeyContext(id: string): SealContext {
  return { tenant: null, table: "signing_keys", row: id, column: "sealed" };
}

/** A key that signs assertions for origins; its private half is sealed. */
export interface StoredAssertionKey {
  readonly id: string;
  readonly publicJwk: JsonWebKey;
  readonly sealed: string;
  readonly createdAt: Date;
}

/** All keys that are not retired, newest first. */
export async function loadAssertionKeys(queries: Queries): Promise<StoredAssertionKey[]> {
  const { rows } = await queries.query<{
    id: string;
    public_jwk: JsonWebKey;
    sealed: string;
    created_at: Date;
  }>(
    `select id, public_jwk, sealed, created_at from signing_keys
     where purpose = 'assertion' and retired_at is null order by created_at desc, id desc`,
  );
  return rows.map((row) => ({
    id: row.id,
    publicJwk: row.public_jwk,
    sealed: row.sealed,
    createdAt: row.created_at,
  }));
}

/** Adds a key if `isDue` under a lock, so that of several edges one does; returns all keys. */
export async function addAssertionKey(
  pool: pg.Pool,
  isDue: (keys: readonly StoredAssertionKey[]) => boolean,
  make: () => StoredAssertionKey,
): Promise<StoredAssertionKey[]> {
  return await inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtext('mooring_assertion_key'))");
    const keys = await loadAssertionKeys(client);
    if (!isDue(keys)) return keys;
    const made = make();
    await client.query(
      `insert into signing_keys (id, purpose, public_jwk, sealed, created_at)
       values ($1, 'assertion', $2, $3, $4)`,
      [made.id, JSON.stringify(made.publicJwk), made.sealed, made.createdAt],
    );
    return [made, ...keys];
  });
}
