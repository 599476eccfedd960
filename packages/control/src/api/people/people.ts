import { z } from "zod";
import type { ListedMember, Member } from "../../domain/people/member.ts";
import { roles } from "../../domain/people/role.ts";
import type { ServiceContext } from "../../services/context.ts";
import { pageQuery } from "../../services/paging.ts";
import {
  changeMember,
  type Invited,
  InviteMember,
  inviteAgain,
  inviteMember,
  listMembers,
  removeMember,
  UpdateMember,
} from "../../services/people/members.ts";
import {
  endSession,
  listSessions,
  type ShownSession,
  signOut,
} from "../../services/people/sessions.ts";
import {
  defineRoute,
  IdParams,
  listing,
  listSchema,
  Time,
  time,
  timeOrNull,
  Uuid,
} from "../http/route.ts";

const role = z.enum(roles);

const SessionMemberBody = z
  .object({ id: Uuid, email: z.string(), name: z.string().nullable() })
  .meta({ id: "SessionMember" });

const SessionBody = z
  .object({
    id: Uuid,
    member: SessionMemberBody.nullable().describe("Null for a link that named nobody"),
    tenant: z
      .object({
        id: Uuid,
        name: z.string(),
        suspended: z.boolean().describe("The operator has suspended it: it cannot be changed"),
      })
      .nullable()
      .describe("Null for an operator"),
    role: role.nullable().describe("Null for an operator"),
    operator: z.boolean().describe("Reads the operator's views, and nothing of a tenant"),
    csrf_token: z.string().describe("Send it as `X-Mooring-Csrf` with every change"),
    expires_at: Time.describe("When it ends, unless it is used before"),
  })
  .meta({ id: "Session" });

function sessionBody({ actor }: ServiceContext): z.input<typeof SessionBody> {
  if (actor.kind !== "session" && actor.kind !== "operator") throw new Error("not a session");
  const isMember = actor.kind === "session";
  return {
    id: actor.sessionId,
    member: isMember && actor.member ? { ...actor.member } : null,
    tenant: isMember
      ? { id: actor.tenantId, name: actor.tenantName, suspended: actor.isSuspended }
      : null,
    role: isMember ? actor.role : null,
    operator: !isMember,
    csrf_token: actor.session.csrfToken,
    expires_at: time(actor.session.expiresAt),
  };
}

export const getSessionRoute = defineRoute({
  method: "GET",
  path: "/v1/session",
  tag: "Members and sessions",
  summary: "Who is signed in",
  scopes: [],
  role: "viewer",
  session: "any",
  output: SessionBody,
  statuses: [200],
  run: async (ctx) => ctx,
  reply: sessionBody,
});

export const endSessionRoute = defineRoute({
  method: "DELETE",
  path: "/v1/session",
  tag: "Members and sessions",
  summary: "Sign out",
  scopes: [],
  role: "viewer",
  session: "any",
  endsSession: true,
  output: null,
  statuses: [204],
  run: (ctx) => signOut(ctx),
  reply: () => null,
});

const ListedSessionBody = z
  .object({
    id: Uuid,
    member: SessionMemberBody.nullable(),
    role,
    created_at: Time,
    last_seen_at: Time,
    address: z.string().nullable(),
    user_agent: z.string().nullable(),
    current: z.boolean().describe("The session of this call"),
  })
  .meta({ id: "ListedSession" });

function listedSessionBody(session: ShownSession): z.input<typeof ListedSessionBody> {
  const { memberId: id, email, name } = session;
  return {
    id: session.id,
    member: id === null || email === null ? null : { id, email, name },
    role: session.role,
    created_at: time(session.createdAt),
    last_seen_at: time(session.lastSeenAt),
    address: session.address,
    user_agent: session.userAgent,
    current: session.isCurrent,
  };
}

export const listSessionsRoute = defineRoute({
  method: "GET",
  path: "/v1/sessions",
  tag: "Members and sessions",
  summary: "List the open sessions: your own, as an admin all",
  scopes: [],
  role: "viewer",
  session: "only",
  query: z.strictObject(pageQuery),
  output: listSchema(ListedSessionBody),
  statuses: [200],
  run: (ctx, { query }) => listSessions(ctx, query),
  reply: (page) => listing(page, listedSessionBody),
});

export const revokeSessionRoute = defineRoute({
  method: "DELETE",
  path: "/v1/sessions/{id}",
  tag: "Members and sessions",
  summary: "End a session",
  description: "Its next request is refused, in every tab. As an admin also those of others.",
  scopes: [],
  role: "viewer",
  session: "only",
  params: IdParams,
  output: null,
  statuses: [204],
  run: (ctx, { params }) => endSession(ctx, params.id),
  reply: () => null,
});

const memberFields = {
  id: Uuid,
  email: z.string(),
  name: z.string().nullable(),
  role,
  last_seen_at: Time.nullable(),
  created_at: Time,
};
const MemberBody = z.object(memberFields).meta({ id: "Member" });
const ListedMemberBody = z
  .object({
    ...memberFields,
    invitation: z
      .object({ expires_at: Time })
      .nullable()
      .describe("The link that waits for them; null when it was used or has ended"),
  })
  .meta({ id: "ListedMember" });
const NewMemberBody = z
  .object({
    ...memberFields,
    invitation: z
      .object({ url: z.url(), expires_at: Time })
      .describe("Signs the new member in, once. Give it to them: it is shown only here"),
  })
  .meta({ id: "NewMember" });

function memberBody(member: Member): z.input<typeof MemberBody> {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    last_seen_at: timeOrNull(member.lastSeenAt),
    created_at: time(member.createdAt),
  };
}

function listedMemberBody(member: ListedMember): z.input<typeof ListedMemberBody> {
  const { invitedUntil } = member;
  return {
    ...memberBody(member),
    invitation: invitedUntil && { expires_at: time(invitedUntil) },
  };
}

function invitedBody({ member, link }: Invited): z.input<typeof NewMemberBody> {
  return {
    ...memberBody(member),
    invitation: { url: link.url, expires_at: time(link.expiresAt) },
  };
}

export const inviteMemberRoute = defineRoute({
  method: "POST",
  path: "/v1/members",
  tag: "Members and sessions",
  summary: "Invite a member",
  description:
    "Nobody grants a role above their own. The member signs in by the link in the answer, or with OpenID Connect and this mail address.",
  scopes: [],
  role: "admin",
  session: "only",
  body: InviteMember,
  output: NewMemberBody,
  statuses: [201],
  errors: ["conflict"],
  run: (ctx, { body }) => inviteMember(ctx, body),
  reply: invitedBody,
});

export const inviteAgainRoute = defineRoute({
  method: "POST",
  path: "/v1/members/{id}/invitation",
  tag: "Members and sessions",
  summary: "Invite a member again",
  description:
    "Gives a new link, for an invitation that has ended or was lost. Links from before stop working. To withdraw an invitation, remove the member.",
  scopes: [],
  role: "admin",
  session: "only",
  params: IdParams,
  output: NewMemberBody,
  statuses: [201],
  run: (ctx, { params }) => inviteAgain(ctx, params.id),
  reply: invitedBody,
});

export const listMembersRoute = defineRoute({
  method: "GET",
  path: "/v1/members",
  tag: "Members and sessions",
  summary: "List the members, newest first",
  scopes: [],
  role: "viewer",
  session: "only",
  query: z.strictObject(pageQuery),
  output: listSchema(ListedMemberBody),
  statuses: [200],
  run: (ctx, { query }) => listMembers(ctx, query),
  reply: (page) => listing(page, listedMemberBody),
});

export const updateMemberRoute = defineRoute({
  method: "PATCH",
  path: "/v1/members/{id}",
  tag: "Members and sessions",
  summary: "Change a member's role or name",
  description: "Holds on the member's next request. The last owner cannot be lowered.",
  scopes: [],
  role: "admin",
  session: "only",
  params: IdParams,
  body: UpdateMember,
  output: MemberBody,
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params, body }) => changeMember(ctx, params.id, body),
  reply: memberBody,
});

export const removeMemberRoute = defineRoute({
  method: "DELETE",
  path: "/v1/members/{id}",
  tag: "Members and sessions",
  summary: "Remove a member",
  description: "Their sessions end at once. The last owner cannot be removed.",
  scopes: [],
  role: "admin",
  session: "only",
  params: IdParams,
  output: null,
  statuses: [204],
  errors: ["conflict"],
  run: (ctx, { params }) => removeMember(ctx, params.id),
  reply: () => null,
});
