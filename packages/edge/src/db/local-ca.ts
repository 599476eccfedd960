import type pg from "pg";

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
