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

/** The tenant and environment that a transaction is confined to by row level security. */
export interface TenantScope {
  readonly tenantId: string;
  readonly environment: Environment;
}

export interface KeyActor extends TenantScope {
  readonly kind: "key";
  readonly keyId: string;
  readonly applicationId: string;
  readonly scopes: readonly Scope[];
}

/** A browser with a widget token: for one application, perhaps for one customer or hostname only. */
export interface WidgetActor extends TenantScope {
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

/** The authenticated caller. */
export type Actor = KeyActor | WidgetActor;

export const widgetScopes: readonly Scope[] = ["connections:read", "connections:write"];

export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}

/** The actor's name in the audit log. */
export function actorLabel(actor: Actor): string {
  return actor.kind === "key" ? `key:${actor.keyId}` : `widget:${actor.tokenId}`;
}

/**
 * Whose an Idempotency-Key is. Tokens of one application, domain and customer share theirs, since a
 * customer who comes back has a new token.
 */
export function idempotencyActor(actor: Actor): string {
  if (actor.kind === "key") return actorLabel(actor);
  return JSON.stringify(["widget", actor.applicationId, actor.domain, actor.customerRef]);
}
