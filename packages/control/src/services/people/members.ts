import { z } from "zod";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  countMembers,
  deleteMember,
  insertMember,
  lockOwners,
  pageMembers,
  selectMember,
  updateMember,
} from "../../db/queries/people/members.ts";
import { deleteMemberLinks } from "../../db/queries/people/sign-in-links.ts";
import { AppError, notFound } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { type ListedMember, type Member, normalizedEmail } from "../../domain/people/member.ts";
import { type Role, reaches, roles } from "../../domain/people/role.ts";
import type { SessionActor } from "../../domain/tenancy.ts";
import { auditTenant, type ServiceContext } from "../context.ts";
import { type Listing, type PageQuery, readPage } from "../paging.ts";
import { invitationMs, type NewLink, writeLink } from "./links.ts";
import { requireSession } from "./session.ts";

const name = z.string().trim().min(1).max(100).nullable();

export const InviteMember = z.strictObject({
  email: z
    .string()
    .max(254)
    .transform(normalizedEmail)
    .pipe(z.email({ error: "expected a mail address" })),
  role: z.enum(roles),
  name: name.optional(),
});
export type InviteMember = z.infer<typeof InviteMember>;

export const UpdateMember = z.strictObject({
  role: z.enum(roles).optional(),
  name: name.optional(),
});
export type UpdateMember = z.infer<typeof UpdateMember>;

const maxMembers = 1_000;

export interface Invited {
  readonly member: Member;
  /** Signs the new member in once; shown only now. */
  readonly link: NewLink;
}

export function listMembers(ctx: ServiceContext, query: PageQuery): Promise<Listing<ListedMember>> {
  return readPage(ctx, ["members"], query, (tx, page) => pageMembers(tx, page, ctx.now()));
}

export function inviteMember(ctx: ServiceContext, input: InviteMember): Promise<Invited> {
  const { actor } = ctx;
  requireSession(actor);
  requireGrant(actor, input.role);
  const now = ctx.now();
  return ctx.write(async (tx) => {
    if ((await countMembers(tx)) >= maxMembers) {
      throw new AppError("conflict", `a tenant has at most ${maxMembers} members`);
    }
    const member: Member = {
      id: newId(now),
      email: input.email,
      name: input.name ?? null,
      role: input.role,
      createdAt: now,
      lastSeenAt: null,
    };
    if (!(await insertMember(tx, actor.tenantId, member))) {
      throw new AppError("conflict", "somebody with this mail address is a member already");
    }
    const { email, role } = member;
    await auditTenant(ctx, tx, "member.invite", member.id, { email, role });
    const whom = { tenantId: actor.tenantId, memberId: member.id, role };
    return { member, link: await writeLink(ctx.runtime, tx, whom, invitationMs) };
  });
}

/** A new link, such as for who lost the first one; links from before end. */
export function inviteAgain(ctx: ServiceContext, id: string): Promise<Invited> {
  const { actor } = ctx;
  requireSession(actor);
  return ctx.write(async (tx) => {
    const member = await requireMember(tx, id);
    const { email, role } = member;
    requireGrant(actor, role);
    await deleteMemberLinks(tx, id);
    await auditTenant(ctx, tx, "member.invite", id, { email, role });
    const whom = { tenantId: actor.tenantId, memberId: id, role };
    return { member, link: await writeLink(ctx.runtime, tx, whom, invitationMs) };
  });
}

export function changeMember(
  ctx: ServiceContext,
  id: string,
  input: UpdateMember,
): Promise<Member> {
  const { actor } = ctx;
  requireSession(actor);
  return ctx.write(async (tx) => {
    const member = await requireMember(tx, id);
    requireGrant(actor, member.role);
    if (input.role !== undefined) requireGrant(actor, input.role);
    if (input.role !== undefined && input.role !== "owner") await requireAnotherOwner(tx, member);
    const changed = { ...member, ...requestedChanges(input) };
    await updateMember(tx, id, requestedChanges(input));
    await auditTenant(ctx, tx, "member.update", id, {
      changed: Object.keys(requestedChanges(input)),
      ...(input.role === undefined ? {} : { from: member.role, to: input.role }),
    });
    return changed;
  });
}

/** The member's sessions, links and passkeys end with it. */
export function removeMember(ctx: ServiceContext, id: string): Promise<void> {
  const { actor } = ctx;
  requireSession(actor);
  return ctx.write(async (tx) => {
    const member = await requireMember(tx, id);
    requireGrant(actor, member.role);
    await requireAnotherOwner(tx, member);
    await deleteMember(tx, id);
    const { email, role } = member;
    await auditTenant(ctx, tx, "member.remove", id, { email, role });
  });
}

/** Only owners deal with owners; nobody grants a role above their own. */
function requireGrant(actor: SessionActor, role: Role): void {
  if (reaches(actor.role, role)) return;
  throw new AppError("forbidden", `this needs the role ${role}`);
}

async function requireMember(tx: Tx, id: string): Promise<Member> {
  const member = await selectMember(tx, id);
  if (member === null) throw notFound("member");
  return member;
}

/** The last owner can be neither removed nor lowered. */
async function requireAnotherOwner(tx: Tx, member: Member): Promise<void> {
  if (member.role !== "owner") return;
  const owners = await lockOwners(tx);
  if (owners.some((id) => id !== member.id)) return;
  throw new AppError("conflict", "this is the last owner: make somebody else an owner first");
}

function requestedChanges(input: UpdateMember) {
  return {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.role === undefined ? {} : { role: input.role }),
  };
}
