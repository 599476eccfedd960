import type { Queries } from "./queries.ts";

/** Renewal information of a CA (RFC 9773), as stored. */
export interface StoredRenewalInfo {
  readonly start: string;
  readonly end: string;
  readonly explanationUrl: string | null;
  /** The CA moved the window into the past before the renewal was due: a revocation. */
  readonly withdrawn: boolean;
  readonly askedAt: string;
}

/** A certificate whose CA is due to be asked for renewal information. */
export interface DueRenewalInfo {
  readonly hostname: string;
  readonly connectionId: string;
  readonly epoch: number;
  readonly issueId: string;
  readonly issuer: string;
  readonly chain: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly renewAt: Date;
  readonly known: StoredRenewalInfo | null;
}

/**
 * Claims due rows by moving their time to `askAgainAt`: one edge asks, and after its crash another
 * edge asks then.
 */
export async function claimDueRenewalInfo(
  queries: Queries,
  now: Date,
  askAgainAt: Date,
  limit: number,
): Promise<DueRenewalInfo[]> {
  const { rows } = await queries.query<{
    hostname: string;
    connection_id: string;
    epoch: string;
    issue_id: string;
    issuer: string;
    chain: string;
    not_before: Date;
    not_after: Date;
    renew_at: Date;
    renewal_info: StoredRenewalInfo | null;
  }>({
    name: "claim_due_renewal_info",
    text: `with due as (
        select hostname from certificates
        where ari_due_at <= $1 and chain is not null
        order by ari_due_at limit $3 for update skip locked)
      -- As an array: of a join the server would expect a tenth of the table, and read all of it.
      update certificates c set ari_due_at = $2 where c.hostname = any (array(select hostname from due))
      returning c.hostname, c.connection_id, c.epoch, c.issue_id, c.issuer, c.chain, c.not_before,
        c.not_after, c.renew_at, c.renewal_info`,
    values: [now, askAgainAt, limit],
  });
  return rows.map((row) => ({
    hostname: row.hostname,
    connectionId: row.connection_id,
    epoch: Number(row.epoch),
    issueId: row.issue_id,
    issuer: row.issuer,
    chain: row.chain,
    notBefore: row.not_before,
    notAfter: row.not_after,
    renewAt: row.renew_at,
    known: row.renewal_info,
  }));
}

/** Sets when to ask again, if the certificate is still the same; null: never. */
export async function postponeRenewalInfo(
  queries: Queries,
  asked: DueRenewalInfo,
  askAt: Date | null,
): Promise<void> {
  await queries.query(
    "update certificates set ari_due_at = $3 where hostname = $1 and issue_id = $2",
    [asked.hostname, asked.issueId, askAt],
  );
}

/**
 * Stores the CA's window and moves the renewal into it, unless a renewal is in flight or has failed
 * and waits for its next attempt. Writes nothing if the certificate has been replaced.
 */
export async function storeRenewalInfo(
  queries: Queries,
  asked: DueRenewalInfo,
  update: { readonly info: StoredRenewalInfo; readonly renewAt: Date; readonly askAt: Date },
  now: Date,
): Promise<void> {
  await queries.query(
    `update certificates set renewal_info = $3, renew_at = $4, ari_due_at = $5,
       status = case when status in ('issued', 'revoked')
         then case when $6 then 'revoked' else 'issued' end else status end,
       due_at = case when failures = 0 and (leased_until is null or leased_until <= $7)
         then $4 else due_at end
     where hostname = $1 and issue_id = $2`,
    [
      asked.hostname,
      asked.issueId,
      JSON.stringify(update.info),
      update.renewAt,
      update.askAt,
      update.info.withdrawn,
      now,
    ],
  );
}
