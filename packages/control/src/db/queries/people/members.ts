import type { ListedMember, Member } from "../../../domain/people/member.ts";
import type { Role } from "../../../domain/people/role.ts";
import type { Tx } from "../../engine/transaction.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";

const columns = ["id", "email", "name", "role", "created_at", "last_seen_at"] as const;

interface MemberRow {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly created_at: Date;
  readonly last_seen_at: Date | null;
}

function toMember(row: MemberRow): Member {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  };
}

/** Answers false, and inserts nothing, when the tenant has a member with this address. */
export async function insertMember(tx: Tx, tenantId: string, member: Member): Promise<boolean> {
  const row = await tx
    .insertInto("members")
    .values({
      id: member.id,
      tenant_id: tenantId,
      email: member.email,
      name: member.name,
      role: member.role,
      created_at: member.createdAt,
      last_seen_at: member.lastSeenAt,
    })
    .onConflict((conflict) => conflict.columns(["tenant_id", "email"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function pageMembers(
  tx: Tx,
  page: PageRequest,
  now: Date,
): Promise<Page<ListedMember>> {
  const query = tx
    .selectFrom("members")
    .select(columns)
    .select((eb) =>
      eb
        .selectFrom("sign_in_links")
        .select((link) => link.fn.max("expires_at").as("until"))
        .whereRef("sign_in_links.member_id", "=", "members.id")
        .where("sign_in_links.expires_at", ">", now)
        .as("invited_until"),
    );
  return fetchPage(query, page, (row) => ({
    ...toMember(row),
    invitedUntil: row.invited_until,
  }));
}

export async function countMembers(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom("members")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function selectMember(tx: Tx, id: string): Promise<Member | null> {
  const row = await tx
    .selectFrom("members")
    .select(columns)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? toMember(row) : null;
}

/** For the operator and for sign-in, which see all tenants. */
export async function selectMemberByEmail(
  tx: Tx,
  tenantId: string,
  email: string,
): Promise<Member | null> {
  const row = await tx
    .selectFrom("members")
    .select(columns)
    .where("tenant_id", "=", tenantId)
    .where("email", "=", email)
    .executeTakeFirst();
  return row ? toMember(row) : null;
}

export async function updateMember(
  tx: Tx,
  id: string,
  change: { readonly name?: string | null; readonly role?: Role },
): Promise<void> {
  await tx
    .updateTable("members")
    .set({ ...change })
    .where("id", "=", id)
    .execute();
}

/** Moves `last_seen_at` forward. */
export async function noteMemberSeen(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable("members")
    .set({ last_seen_at: now })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("last_seen_at", "is", null), eb("last_seen_at", "<", now)]))
    .execute();
}

/** Sessions, links and passkeys of the member go with it. */
export async function deleteMember(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("members").where("id", "=", id).execute();
}

/** The owners, locked: two changes at once cannot leave a tenant without one. */
export async function lockOwners(tx: Tx): Promise<readonly string[]> {
  const rows = await tx
    .selectFrom("members")
    .select("id")
    .where("role", "=", "owner")
    .orderBy("id")
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}
