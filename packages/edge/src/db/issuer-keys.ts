import type pg from "pg";

/** The sealed account key of a CA; null before the first order there. */
export async function loadAccountKey(pool: pg.Pool, directory: string): Promise<string | null> {
  const { rows } = await pool.query<{ sealed_key: string }>(
    "select sealed_key from acme_accounts where directory = $1",
    [directory],
  );
  return rows[0]?.sealed_key ?? null;
}

/** Of several first edges one stores its key; all use that one. */
export async function storeAccountKey(
  pool: pg.Pool,
  directory: string,
  sealedKey: string,
  now: Date,
): Promise<void> {
  await pool.query(
    `insert into acme_accounts (directory, sealed_key, created_at) values ($1, $2, $3)
     on conflict (directory) do nothing`,
    [directory, sealedKey, now],
  );
}

export interface StoredAuthority {
  readonly certificate: string;
  readonly sealedKey: string;
}

export async function loadAuthority(pool: pg.Pool): Promise<StoredAuthority | null> {
  const { rows } = await pool.query<{ certificate: string; sealed_key: string }>(
    "select certificate, sealed_key from local_ca where id = 1",
  );
  const row = rows[0];
  return row ? { certificate: row.certificate, sealedKey: row.sealed_key } : null;
}

/** Of several first edges one stores its authority; all use that one. */
export async function storeAuthority(
  pool: pg.Pool,
  authority: StoredAuthority,
  now: Date,
): Promise<void> {
  await pool.query(
    `insert into local_ca (id, certificate, sealed_key, created_at) values (1, $1, $2, $3)
     on conflict (id) do nothing`,
    [authority.certificate, authority.sealedKey, now],
  );
}
