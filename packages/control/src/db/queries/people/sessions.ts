import type { Role } from "../../../domain/people/role.ts";
import type { SignInMethod } from "../../../domain/people/session.ts";
import { createLoader, type Loader } from "../../engine/loader.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";
import { fetchPage, type Page, type PageRequest } from "../page.ts";

export interface NewSession {
  readonly id: string;
  readonly tokenHash: Buffer;
  /** Null with a role of null: an operator's. */
  readonly tenantId: string | null;
  readonly memberId: string | null;
  readonly role: Role | null;
  readonly signedInBy: SignInMethod;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto("sessions")
    .values({
      id: session.id,
      token_hash: session.tokenHash,
      tenant_id: session.tenantId,
      member_id: session.memberId,
      role: session.role,
      signed_in_by: session.signedInBy,
      address: session.address,
      user_agent: session.userAgent,
      created_at: session.createdAt,
      last_seen_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute();
}

/** A session that is valid now, as `find_sessions` has it. */
export interface FoundSession {
  readonly id: string;
  readonly tenantId: string | null;
  readonly tenantName: string | null;
  readonly memberId: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role | null;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  readonly isSuspended: boolean;
}

interface FoundRow {
  readonly token_hash: Buffer;
  readonly id: string;
  readonly tenant_id: string | null;
  readonly tenant_name: string | null;
  readonly member_id: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role | null;
  readonly last_seen_at: Date;
  readonly expires_at: Date;
  readonly suspended: boolean;
}

/** A lookup sees every revocation committed before it began. */
export function sessionLookup(database: Database, now: () => Date): Loader<Buffer, FoundSession> {
  return createLoader({
    identify: (hash) => hash.toString("latin1"),
    fetch: async (hashes) => {
      const rows = await database.prepared<FoundRow>(
        {
          name: "find_sessions",
          text: "select token_hash, id, tenant_id, tenant_name, member_id, email, name, role, last_seen_at, expires_at, suspended from find_sessions($1, $2)",
        },
        [hashes, now()],
      );
      return rows.map((row) => [row.token_hash.toString("latin1"), toFound(row)] as const);
    },
  });
}

function toFound(row: FoundRow): FoundSession {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    tenantName: row.tenant_name,
    memberId: row.member_id,
    email: row.email,
    name: row.name,
    role: row.role,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    isSuspended: row.suspended,
  };
}

/** Moves `last_seen_at` of the session and of its member forward. */
export async function touchSession(database: Database, id: string, now: Date): Promise<void> {
  await database.prepared({ name: "touch_session", text: "select touch_session($1, $2)" }, [
    id,
    now,
  ]);
}

/** One of a tenant's open sessions, as people see it. */
export interface ListedSession {
  readonly id: string;
  readonly memberId: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
}

function openSessions(tx: Tx, now: Date, idleSince: Date) {
  return tx
    .selectFrom("sessions")
    .leftJoin("members", "members.id", "sessions.member_id")
    .select((eb) => [
      "sessions.id",
      "sessions.member_id",
      "members.email",
      "members.name",
      eb.fn.coalesce("members.role", "sessions.role").as("role"),
      "sessions.created_at",
      "sessions.last_seen_at",
      "sessions.address",
      "sessions.user_agent",
    ])
    .where("sessions.revoked_at", "is", null)
    .where("sessions.expires_at", ">", now)
    .where("sessions.last_seen_at", ">", idleSince);
}

type OpenRow = Awaited<ReturnType<ReturnType<typeof openSessions>["execute"]>>[number];

function toListed(row: OpenRow): ListedSession {
  if (row.role === null) throw new Error("a session of a tenant has no role");
  return {
    id: row.id,
    memberId: row.member_id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    address: row.address,
    userAgent: row.user_agent,
  };
}

export interface OpenSessionFilter {
  readonly now: Date;
  readonly idleSince: Date;
  /** Only those of this member, or this one session; null: of all. */
  readonly owner: { readonly memberId: string | null; readonly sessionId: string } | null;
}

export async function pageSessions(
  tx: Tx,
  filter: OpenSessionFilter,
  page: PageRequest,
): Promise<Page<ListedSession>> {
  const { now, idleSince, owner } = filter;
  const inner = openSessions(tx, now, idleSince);
  const seen =
    owner === null
      ? inner
      : inner.where((eb) =>
          eb.or([
            eb("sessions.id", "=", owner.sessionId),
            ...(owner.memberId === null ? [] : [eb("sessions.member_id", "=", owner.memberId)]),
          ]),
        );
  return fetchPage(tx.selectFrom(seen.as("listed")).selectAll(), page, toListed);
}

export async function selectOpenSession(
  tx: Tx,
  id: string,
  now: Date,
  idleSince: Date,
): Promise<ListedSession | null> {
  const row = await openSessions(tx, now, idleSince)
    .where("sessions.id", "=", id)
    .executeTakeFirst();
  return row ? toListed(row) : null;
}

/** Answers whether it was open until now. */
export async function revokeSession(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** By the secret that a browser holds: the one before a new sign-in of the same browser. */
export async function revokeSessionByHash(tx: Tx, tokenHash: Buffer, now: Date): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("token_hash", "=", tokenHash)
    .where("revoked_at", "is", null)
    .execute();
}

/** Deletes what ended before a time: sessions, links, and sign-ins that were begun. */
export async function sweepSignIns(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom("sessions").where("expires_at", "<=", before).execute();
  await tx.deleteFrom("sign_in_links").where("expires_at", "<=", before).execute();
  await tx.deleteFrom("sign_in_attempts").where("expires_at", "<=", before).execute();
}
