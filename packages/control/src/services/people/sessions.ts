import {
  type ListedSession,
  pageSessions,
  revokeSession,
  selectOpenSession,
} from "../../db/queries/people/sessions.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import { reaches } from "../../domain/people/role.ts";
import { sessionIdleMs } from "../../domain/people/session.ts";
import type { SessionActor } from "../../domain/tenancy.ts";
import { auditTenant, type ServiceContext } from "../context.ts";
import { type Listing, type PageQuery, readPage } from "../paging.ts";
import { requireSession } from "./session.ts";

export interface ShownSession extends ListedSession {
  readonly isCurrent: boolean;
}

/** Everybody sees their own sessions, an admin those of the whole tenant. */
export async function listSessions(
  ctx: ServiceContext,
  query: PageQuery,
): Promise<Listing<ShownSession>> {
  const { actor } = ctx;
  requireSession(actor);
  const owner = reaches(actor.role, "admin")
    ? null
    : { memberId: actor.member?.id ?? null, sessionId: actor.sessionId };
  const list = ["sessions", owner?.memberId ?? owner?.sessionId ?? "all"];
  const { items, nextCursor } = await readPage(ctx, list, query, (tx, page) =>
    pageSessions(tx, { ...validity(ctx), owner }, page),
  );
  const shown = items.map((session) => ({ ...session, isCurrent: session.id === actor.sessionId }));
  return { items: shown, nextCursor };
}

/** Ends a session of one's own, or, as an admin, of somebody whose role is not above. */
export function endSession(ctx: ServiceContext, id: string): Promise<void> {
  const { actor } = ctx;
  requireSession(actor);
  return ctx.write(async (tx) => {
    const { now, idleSince } = validity(ctx);
    const session = await selectOpenSession(tx, id, now, idleSince);
    if (session === null || (!isOwn(actor, session) && !reaches(actor.role, "admin"))) {
      throw notFound("session");
    }
    if (!isOwn(actor, session) && !reaches(actor.role, session.role)) {
      throw new AppError("forbidden", "the session belongs to a role above yours");
    }
    await revokeSession(tx, id, now);
    await auditTenant(ctx, tx, "session.revoke", id, { member_id: session.memberId });
  });
}

/** Signs out: the session of the call itself ends. */
export async function signOut(ctx: ServiceContext): Promise<void> {
  const { actor, runtime } = ctx;
  if (actor.kind === "operator") {
    // An operator's session belongs to no tenant, so no tenant's transaction can see it.
    await runtime.system((tx) => revokeSession(tx, actor.sessionId, ctx.now()));
    return;
  }
  requireSession(actor);
  await ctx.write(async (tx) => {
    if (!(await revokeSession(tx, actor.sessionId, ctx.now()))) return;
    await auditTenant(ctx, tx, "session.end", actor.sessionId);
  });
}

function isOwn(actor: SessionActor, session: ListedSession): boolean {
  if (session.id === actor.sessionId) return true;
  return actor.member !== null && session.memberId === actor.member.id;
}

function validity(ctx: ServiceContext) {
  const now = ctx.now();
  return { now, idleSince: new Date(now.getTime() - sessionIdleMs) };
}
