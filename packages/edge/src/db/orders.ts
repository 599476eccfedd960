import type pg from "pg";
import type { Order } from "../acme/order.ts";

export interface SavedOrder {
  readonly order: Order;
  readonly sealedKey: string;
}

/** The order under way for this claim at this CA. */
export async function loadOrder(
  pool: pg.Pool,
  at: { readonly hostname: string; readonly directory: string; readonly epoch: number },
): Promise<SavedOrder | null> {
  const { rows } = await pool.query<{ progress: Order; sealed_key: string }>(
    `select progress, sealed_key from acme_orders
     where hostname = $1 and directory = $2 and epoch = $3`,
    [at.hostname, at.directory, at.epoch],
  );
  const row = rows[0];
  return row ? { order: row.progress, sealedKey: row.sealed_key } : null;
}

/** Kept before anything is done with it: a crash later resumes this very order. */
export async function saveOrder(
  pool: pg.Pool,
  at: { readonly hostname: string; readonly directory: string; readonly epoch: number },
  saved: SavedOrder,
  now: Date,
): Promise<void> {
  await pool.query(
    `insert into acme_orders (hostname, directory, epoch, progress, sealed_key, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (hostname) do update set directory = excluded.directory, epoch = excluded.epoch,
       progress = excluded.progress, sealed_key = excluded.sealed_key, created_at = excluded.created_at`,
    [at.hostname, at.directory, at.epoch, JSON.stringify(saved.order), saved.sealedKey, now],
  );
}

export async function dropOrder(pool: pg.Pool, hostname: string): Promise<void> {
  await pool.query("delete from acme_orders where hostname = $1", [hostname]);
}
