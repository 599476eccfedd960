import { sql } from "kysely";
import type { Role } from "../../../domain/people/role.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { PeopleTables } from "../../people-tables.ts";

type AttemptKind = PeopleTables["sign_in_attempts"]["kind"]["__select__"];

/** What a browser has begun: stored under the hash of a secret that only it has. */
export async function insertAttempt(
  tx: Tx,
  attempt: {
    readonly tokenHash: Buffer;
    readonly kind: AttemptKind;
    readonly details: object;
    readonly expiresAt: Date;
  },
): Promise<void> {
  await tx
    .insertInto("sign_in_attempts")
    .values({
      token_hash: attempt.tokenHash,
      kind: attempt.kind,
      details: JSON.stringify(attempt.details),
      expires_at: attempt.expiresAt,
    })
    .execute();
}

/** Remembers that an attempt was used; false when it was before. */
export async function insertUsedAttempt(
  tx: Tx,
  attempt: {
    readonly tokenHash: Buffer;
    readonly kind: AttemptKind;
    readonly expiresAt: Date;
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("sign_in_attempts")
    .values({
      token_hash: attempt.tokenHash,
      kind: attempt.kind,
      details: "{}",
      expires_at: attempt.expiresAt,
    })
    .onConflict((conflict) => conflict.column("token_hash").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Uses an attempt up; null when there is none, or it has expired. */
export async function takeAttempt(
  tx: Tx,
  tokenHash: Buffer,
  kind: AttemptKind,
  now: Date,
): Promise<Readonly<Record<string, unknown>> | null> {
  const row = await tx
    .deleteFrom("sign_in_attempts")
    .where("token_hash", "=", tokenHash)
    .where("kind", "=", kind)
    .where("expires_at", ">", now)
    .returning("details")
    .executeTakeFirst();
  return row?.details ?? null;
}

/** A tenant that a verified mail address belongs to. */
export interface Membership {
  readonly tenantId: string;
  readonly tenantName: string;
  /** Null for somebody whose domain is listed and who has not been there yet. */
  readonly memberId: string | null;
  readonly name: string | null;
  readonly role: Role;
}

/** By membership, and by the domains that tenants list; the member's own role comes first. */
export async function selectMemberships(tx: Tx, email: string): Promise<Membership[]> {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const { rows } = await sql<{
    tenant_id: string;
    tenant_name: string;
    member_id: string | null;
    name: string | null;
    role: Role;
  }>`
    select t.id as tenant_id, t.name as tenant_name, m.id as member_id, m.name, coalesce(m.role, d.role) as role
    from tenants t
    left join members m on m.tenant_id = t.id and m.email = ${email}
    left join tenant_domains d on d.tenant_id = t.id and d.domain = ${domain}
    where t.id in (select tenant_id from members where email = ${email}
                   union select tenant_id from tenant_domains where domain = ${domain})
    order by t.name, t.id`.execute(tx);
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    tenantName: row.tenant_name,
    memberId: row.member_id,
    name: row.name,
    role: row.role,
  }));
}

export async function setTenantDomain(
  tx: Tx,
  tenantId: string,
  domain: string,
  role: Role | null,
  now: Date,
): Promise<void> {
  if (role === null) {
    await sql`delete from tenant_domains where tenant_id = ${tenantId} and domain = ${domain}`.execute(
      tx,
    );
    return;
  }
  await sql`insert into tenant_domains (tenant_id, domain, role, created_at)
    values (${tenantId}, ${domain}, ${role}, ${now})
    on conflict (tenant_id, domain) do update set role = excluded.role`.execute(tx);
}
