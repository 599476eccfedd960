import { sql } from "kysely";
import type { Role } from "../../../domain/people/role.ts";
import type { Tx } from "../../engine/transaction.ts";

export interface SignInLink {
  readonly tokenHash: Buffer;
  /** Null, with a role of null: an operator's. */
  readonly tenantId: string | null;
  readonly memberId: string | null;
  readonly role: Role | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertSignInLink(tx: Tx, link: SignInLink): Promise<void> {
  await tx
    .insertInto("sign_in_links")
    .values({
      token_hash: link.tokenHash,
      tenant_id: link.tenantId,
      member_id: link.memberId,
      role: link.role,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
    })
    .execute();
}

/** Whom a link signs in; a member's role is that of now. */
export interface LinkTarget {
  readonly tenantId: string | null;
  readonly tenantName: string | null;
  readonly memberId: string | null;
  readonly memberName: string | null;
  readonly role: Role | null;
}

interface TargetRow {
  readonly tenant_id: string | null;
  readonly tenant_name: string | null;
  readonly member_id: string | null;
  readonly member_name: string | null;
  readonly role: Role | null;
}

function toTarget(row: TargetRow): LinkTarget {
  return {
    tenantId: row.tenant_id,
    tenantName: row.tenant_name,
    memberId: row.member_id,
    memberName: row.member_name,
    role: row.role,
  };
}

/** Null for a link that is unknown, used or over. */
export async function selectLinkTarget(
  tx: Tx,
  tokenHash: Buffer,
  now: Date,
): Promise<LinkTarget | null> {
  const { rows } = await sql<TargetRow>`
    select l.tenant_id, t.name as tenant_name, l.member_id, coalesce(m.name, m.email) as member_name,
      coalesce(m.role, l.role) as role
    from sign_in_links l left join tenants t on t.id = l.tenant_id left join members m on m.id = l.member_id
    where l.token_hash = ${tokenHash} and l.expires_at > ${now}`.execute(tx);
  return rows[0] ? toTarget(rows[0]) : null;
}

/** Ends the links that wait for the member. */
export async function deleteMemberLinks(tx: Tx, memberId: string): Promise<void> {
  await tx.deleteFrom("sign_in_links").where("member_id", "=", memberId).execute();
}

/** Uses a link up. Of several at once, one gets true. */
export async function deleteSignInLink(tx: Tx, tokenHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("sign_in_links")
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
