import type { Role } from "./people/role.ts";

/** Data of one environment is invisible in the other; scopes are the permissions of a caller. */
export const environments = ["test", "live"] as const;
export type Environment = (typeof environments)[number];

export const scopes = [
  "connections:read",
  "connections:write",
  "apps:admin",
  "webhooks:write",
  "usage:read",
] as const;
export type Scope = (typeof scopes)[number];

/**
 * What the operator lets a tenant do. `suspended`: it reads and does not write, and its names are
 * served by a maintenance page. `deleting`: its connections are archived, and its rows are removed
 * 30 days after the operator's call.
 */
export type TenantState = "active" | "suspended" | "deleting";

/** The tenant and environment that a transaction is confined to by row level security. */
export interface TenantScope {
  readonly tenantId: string;
  readonly environment: Environment;
}

/** A caller of a tenant, which the operator may have suspended. */
interface TenantCaller extends TenantScope {
  readonly isSuspended: boolean;
}

export interface KeyActor extends TenantCaller {
  readonly kind: "key";
  readonly keyId: string;
  readonly applicationId: string;
  readonly scopes: readonly Scope[];
  /** The role of the member who made it, which it never exceeds; null: made by the operator. */
  readonly role: Role | null;
}

/**
 * A browser with a widget token: for one application, perhaps for one customer or hostname only.
 */
export interface WidgetActor extends TenantCaller {
  readonly kind: "widget";
  readonly keyId: string;
  readonly applicationId: string;
  readonly tokenId: string;
  readonly domain: string | null;
  /** Whose browser it is, in the tenant's words; null when the token does not say. */
  readonly customerRef: string | null;
  readonly scopes: readonly Scope[];
  readonly allowedOrigins: readonly string[];
}

/** A person who has signed in to the console, in the environment that the request names. */
export interface SessionActor extends TenantCaller {
  readonly kind: "session";
  readonly sessionId: string;
  /** Null for a session of a link that names nobody. */
  readonly member: SessionMember | null;
  readonly tenantName: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  readonly session: SessionFacts;
}

/**
 * An operator who has signed in. Belongs to no tenant: row level security shows it no tenant's
 * rows.
 */
export interface OperatorActor extends TenantScope {
  readonly kind: "operator";
  readonly sessionId: string;
  readonly scopes: readonly Scope[];
  readonly session: SessionFacts;
}

/** An operator at the command line, who acts for the tenant. */
export interface CommandActor extends TenantScope {
  readonly kind: "command";
  readonly scopes: readonly Scope[];
}

export interface SessionMember {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

export interface SessionFacts {
  /** What the page must send with each change: it shows that the page could read our answers. */
  readonly csrfToken: string;
  /** When it ends, unless it is used before. */
  readonly expiresAt: Date;
}

/** The tenant of nobody. */
export const noTenant = "00000000-0000-0000-0000-000000000000";

/** The authenticated caller. */
export type Actor = KeyActor | WidgetActor | SessionActor | OperatorActor | CommandActor;

export const widgetScopes: readonly Scope[] = ["connections:read", "connections:write"];

export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}

/** Stands for the actor in the audit log. */
export function actorLabel(actor: Actor): string {
  switch (actor.kind) {
    case "key":
      return `key:${actor.keyId}`;
    case "widget":
      return `widget:${actor.tokenId}`;
    case "session":
      return actor.member ? `member:${actor.member.id}` : `session:${actor.sessionId}`;
    case "operator":
    case "command":
      return "operator";
  }
}

/** What people call the actor, where it is known without a lookup. */
export function actorName(actor: Actor): string | null {
  return actor.kind === "session" ? (actor.member?.name ?? actor.member?.email ?? null) : null;
}

/**
 * Whose an Idempotency-Key is. Tokens of one application, domain and customer share theirs, since a
 * customer who comes back has a new token.
 */
export function idempotencyActor(actor: Actor): string {
  if (actor.kind !== "widget") return actorLabel(actor);
  return JSON.stringify(["widget", actor.applicationId, actor.domain, actor.customerRef]);
}
