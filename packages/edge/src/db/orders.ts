import type { SealContext } from "@mooring/vault";
import type pg from "pg";
import type { Order } from "../acme/order.ts";

/** The vault context of the key of an order in flight. */
export function orderKeyContext(hostname: string): SealContext {
  return { tenant: null, table: "acme_orders", row: hostname, column: "sealed_key" };
}

/** An ACME order in flight and its sealed certificate key. */
export interface SavedOrder {
  readonly order: Order;
  readonly sealedKey: string;
}

/** The order in flight for this claim at this CA. */
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

/** Saves an order before it is used, so that any edge can resume it after a crash. */
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

export type ChallengeKind = "http-01" | "tls-alpn-01";

/** Stores the response to a challenge; the CA may ask any of the edges for it. */
export async function putChallenge(
  pool: pg.Pool,
  challenge: {
    readonly hostname: string;
    readonly kind: ChallengeKind;
    readonly token: string;
    readonly keyAuthorization: string;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await pool.query(
    `insert into acme_challenges (hostname, kind, token, key_authorization, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (hostname, kind, token) do update
       set key_authorization = excluded.key_authorization, expires_at = excluded.expires_at`,
    [
      challenge.hostname,
      challenge.kind,
      challenge.token,
      challenge.keyAuthorization,
      challenge.expiresAt,
    ],
  );
}

export async function dropChallenges(pool: pg.Pool, hostname: string): Promise<void> {
  await pool.query("delete from acme_challenges where hostname = $1", [hostname]);
}

/** The key authorization of an open HTTP-01 challenge. */
export async function httpChallengeResponse(
  pool: pg.Pool,
  hostname: string,
  token: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await pool.query<{ answer: string }>({
    name: "challenge_answer",
    text: `select key_authorization as answer from acme_challenges
      where hostname = $1 and kind = 'http-01' and token = $2 and expires_at > $3`,
    values: [hostname, token, now],
  });
  return rows[0]?.answer ?? null;
}

/** The key authorization of the name's newest open TLS-ALPN-01 challenge. */
export async function tlsChallengeResponse(
  pool: pg.Pool,
  hostname: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await pool.query<{ answer: string }>({
    name: "open_challenge",
    text: `select key_authorization as answer from acme_challenges
      where hostname = $1 and kind = 'tls-alpn-01' and expires_at > $2 order by expires_at desc limit 1`,
    values: [hostname, now],
  });
  return rows[0]?.answer ?? null;
}
