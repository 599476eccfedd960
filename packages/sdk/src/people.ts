import type { Api, BodyOf, CallOptions, QueryOf } from "./api.ts";
import { type Listing, listing } from "./listing.ts";
import type { AuditEntry, ListedMember, ListedSession, OperatorTenant } from "./schema.gen.ts";

export type InviteMember = BodyOf<"post_members">;
export type UpdateMember = BodyOf<"patch_members_id">;
export type ListMembers = QueryOf<"get_members">;

/** The people of your team. In a session only: an API key gets 403. */
export type Members = ReturnType<typeof members>;

export function members(api: Api) {
  return {
    /** Adds a member; the response has a link that signs them in once. */
    invite: (body: InviteMember, options?: CallOptions) =>
      api.call("post_members", { body }, options),

    /** A new link, for an invitation that has ended or was lost. */
    inviteAgain: (id: string, options?: CallOptions) =>
      api.call("post_members_id_invitation", { params: { id } }, options),

    list: (query: ListMembers = {}, options?: CallOptions): Listing<ListedMember> =>
      listing(query, (page) => api.call("get_members", { query: page }, options)),

    /** Changes the role or name; it holds on the member's next request. */
    update: (id: string, body: UpdateMember, options?: CallOptions) =>
      api.call("patch_members_id", { params: { id }, body }, options),

    /** Their sessions end at once. */
    remove: (id: string, options?: CallOptions) =>
      api.call("delete_members_id", { params: { id } }, options),
  };
}

export type ListSessions = QueryOf<"get_sessions">;

/** Who is signed in to the console. */
export type Sessions = ReturnType<typeof sessions>;

export function sessions(api: Api) {
  return {
    /** The session of this client, with the token that its changes need. */
    current: (options?: CallOptions) => api.call("get_session", {}, options),

    /** Signs out. */
    end: (options?: CallOptions) => api.call("delete_session", {}, options),

    /** Your own open sessions; as an admin those of the whole team. */
    list: (query: ListSessions = {}, options?: CallOptions): Listing<ListedSession> =>
      listing(query, (page) => api.call("get_sessions", { query: page }, options)),

    /** Ends a session in all its tabs. */
    revoke: (id: string, options?: CallOptions) =>
      api.call("delete_sessions_id", { params: { id } }, options),
  };
}

export type ListTenants = QueryOf<"get_operator_tenants">;

/** The operator's read-only views over all tenants, in an operator's session only. */
export type Operator = ReturnType<typeof operator>;

export function operator(api: Api) {
  return {
    tenants: (query: ListTenants = {}, options?: CallOptions): Listing<OperatorTenant> =>
      listing(query, (page) => api.call("get_operator_tenants", { query: page }, options)),
    edges: (options?: CallOptions) => api.call("get_operator_edges", {}, options),
    queues: (options?: CallOptions) => api.call("get_operator_queues", {}, options),
    certificateAuthorities: (options?: CallOptions) =>
      api.call("get_operator_certificate_authorities", {}, options),
    providers: (options?: CallOptions) => api.call("get_operator_providers", {}, options),
  };
}

export type ListAudit = QueryOf<"get_audit">;

/** Who changed what. */
export type Audit = ReturnType<typeof audit>;

export function audit(api: Api) {
  return {
    /** Newest first. */
    list: (query: ListAudit = {}, options?: CallOptions): Listing<AuditEntry> =>
      listing(query, (page) => api.call("get_audit", { query: page }, options)),
  };
}

export type AddPasskey = BodyOf<"post_passkeys">;

/** Passkeys of the signed-in member. */
export type Passkeys = ReturnType<typeof passkeys>;

export function passkeys(api: Api) {
  return {
    /** What `navigator.credentials.create` needs. */
    challenge: (options?: CallOptions) => api.call("post_passkeys_challenge", {}, options),

    add: (body: AddPasskey, options?: CallOptions) => api.call("post_passkeys", { body }, options),

    list: (options?: CallOptions) => api.call("get_passkeys", {}, options),

    remove: (id: string, options?: CallOptions) =>
      api.call("delete_passkeys_id", { params: { id } }, options),
  };
}
