import type { SealContext } from "@mooring/vault";
import type { Order } from "../acme/order.ts";
import type { Queries } from "./queries.ts";

/** The vault context of the key of an order in flight. */
export function orderKeyContext(hostname: string): SealContext {
  return { tenant: null, table: "acme_orders", row: hostname, column: "sealed_key" };
}

/** An ACME order in flight and its sealed certificate key. */
export interface SavedOrder {
  readonly order: Order;
  readonly sealedKey: string;
}

/** An order that is saved for the first time. */
export interface NewOrder extends SavedOrder {
  /** SHA-256 of the SubjectPublicKeyInfo: by it a certificate in a public log is known as ours. */
  readonly publicKeySha256: Buffer;
}

/** The order in flight for this claim at this CA. */
export async function loadOrder(
  queries: Queries,
  at: { readonly hostname: string; readonly directory: string; readonly epoch: number },
): Promise<SavedOrder | null> {
  const { rows } = await queries.query<{ progress: Order; sealed_key: string }>(
    `select progress, sealed_key from acme_orders
     where hostname = $1 and directory = $2 and epoch = $3`,
    [at.hostname, at.directory, at.epoch],
  );
  const row = rows[0];
  return row ? { order: row.progress, sealedKey: row.sealed_key } : null;
}

/**
 * Saves an order before it is used, so that any edge can resume it after a crash. Its public key is
 * stored with it and stays: the certificate is public before we have it.
 */
export async function saveOrder(
  queries: Queries,
  at: { readonly hostname: string; readonly directory: string; readonly epoch: number },
  saved: NewOrder,
  now: Date,
): Promise<void> {
  await queries.query(
    `with known as (
       insert into certificate_keys (sha256, created_at) values ($7, $6)
       on conflict (sha256) do update set created_at = excluded.created_at)
     insert into acme_orders (hostname, directory, epoch, progress, sealed_key, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (hostname) do update set directory = excluded.directory, epoch = excluded.epoch,
       progress = excluded.progress, sealed_key = excluded.sealed_key, created_at = excluded.created_at`,
    [
      at.hostname,
      at.directory,
      at.epoch,
      JSON.stringify(saved.order),
      saved.sealedKey,
      now,
      saved.publicKeySha256,
    ],
  );
}

export async function dropOrder(queries: Queries, hostname: string): Promise<void> {
  await queries.query("delete from acme_orders where hostname = $1", [hostname]);
}

export type ChallengeKind = "http-01" | "tls-alpn-01";

/** Stores the response to a challenge; the CA may ask any of the edges for it. */
export async function putChallenge(
  queries: Queries,
  challenge: {
    readonly hostname: string;
    readonly kind: ChallengeKind;
    readonly token: string;
    readonly keyAuthorization: string;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await queries.query(
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

export async function dropChallenges(queries: Queries, hostname: string): Promise<void> {
  await queries.query("delete from acme_challenges where hostname = $1", [hostname]);
}

/** The key authorization of an open HTTP-01 challenge. */
export async function httpChallengeResponse(
  queries: Queries,
  hostname: string,
  token: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await queries.query<{ answer: string }>({
    name: "challenge_answer",
    text: `select key_authorization as answer from acme_challenges
      where hostname = $1 and kind = 'http-01' and token = $2 and expires_at > $3`,
    values: [hostname, token, now],
  });
  return rows[0]?.answer ?? null;
}

/** The key authorization of the name's newest open TLS-ALPN-01 challenge. */
export async function tlsChallengeResponse(
  queries: Queries,
  hostname: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await queries.query<{ answer: string }>({
    name: "open_challenge",
    text: `select key_authorization as answer from acme_challenges
      where hostname = $1 and kind = 'tls-alpn-01' and expires_at > $2 order by expires_at desc limit 1`,
    values: [hostname, now],
  });
  return rows[0]?.answer ?? null;
}

/**
 * The name's certificate of this claim: none was asked for, an order is due or under way, or one is
 * put off.
 */
export type OrderProgress = "absent" | "expected" | "waiting" | "later";

/**
 * A row that is put off for this long still counts as due: an edge waits for the news of its claim.
 */
const soonMs = 2_000;

export async function orderProgress(
  queries: Queries,
  host: { readonly hostname: string; readonly epoch: number },
  now: Date,
): Promise<OrderProgress> {
  const { rows } = await queries.query<{ is_soon: boolean | null; waits: number }>({
    name: "order_progress",
    text: `select due_at <= $4 or leased_until > $3 as is_soon, waits from certificates
      where hostname = $1 and epoch = $2`,
    values: [host.hostname, host.epoch, now, new Date(now.getTime() + soonMs)],
  });
  const row = rows[0];
  if (!row) return "absent";
  if (row.is_soon === true) return "expected";
  return row.waits > 0 ? "waiting" : "later";
}

/**
 * Makes the first order of a held name due: its row is created, or one that waits for DNS is due
 * now. A row after a failure, or one that waits for a budget, keeps its time.
 */
export async function requestOrder(
  queries: Queries,
  host: { readonly hostname: string; readonly epoch: number },
  now: Date,
): Promise<void> {
  await queries.query(
    `insert into certificates as c (hostname, connection_id, tenant_id, environment, epoch,
       registrable_domain, status, due_at, created_at)
     select h.hostname, h.connection_id, h.tenant_id, h.environment, h.epoch, h.registrable_domain,
       'pending', $3, $3 from edge_hosts('', 1, array[$1::text]) h where h.epoch = $2
     on conflict (hostname) do update set due_at = excluded.due_at
     where c.epoch = excluded.epoch and c.chain is null and c.waits > 0 and c.due_at > excluded.due_at
       and (c.leased_until is null or c.leased_until <= excluded.due_at)`,
    [host.hostname, host.epoch, now],
  );
  await queries.query("select pg_notify('mooring_due', 'certificates')");
}
