import {
  type FoundSession,
  sessionLookup,
  touchSession,
} from "../../db/queries/people/sessions.ts";
import { AppError } from "../../domain/errors.ts";
import { roleScopes } from "../../domain/people/role-access.ts";
import { deriveCsrfToken, hashSecret, sessionIdleMs } from "../../domain/people/session.ts";
import {
  type Environment,
  noTenant,
  type OperatorActor,
  type SessionActor,
} from "../../domain/tenancy.ts";
import type { Runtime } from "../runtime.ts";

export interface SessionAuthenticator {
  /** Who the secret of a cookie signs in; null when the session is unknown, over or revoked. */
  authenticate(secret: string): Promise<SignedInActor | null>;
}

/** The caller of a session, once the request has said which environment it is about. */
export type SignedInActor = (environment: Environment) => SessionActor | OperatorActor;

/** `last_seen_at` is written at most this often. */
const touchEveryMs = 60_000;

/** Sessions are read on every request; lookups that arrive together share a round trip. */
export function createSessionAuthenticator(runtime: Runtime): SessionAuthenticator {
  const { database, clock } = runtime;
  const sessions = sessionLookup(database, () => clock.now());
  return {
    async authenticate(secret) {
      const hash = hashSecret(secret);
      const found = hash === null ? null : await sessions.load(hash);
      if (found === null) return null;
      const now = clock.now();
      if (now.getTime() - found.lastSeenAt.getTime() >= touchEveryMs) {
        await touchSession(database, found.id, now);
      }
      return (environment) => toActor(found, secret, environment, now);
    },
  };
}

function toActor(
  found: FoundSession,
  secret: string,
  environment: Environment,
  now: Date,
): SessionActor | OperatorActor {
  const idleEnd = new Date(now.getTime() + sessionIdleMs);
  const session = {
    csrfToken: deriveCsrfToken(secret),
    expiresAt: idleEnd < found.expiresAt ? idleEnd : found.expiresAt,
  };
  const { id: sessionId, tenantId, role, memberId, email, name } = found;
  if (tenantId === null || role === null) {
    return { kind: "operator", sessionId, tenantId: noTenant, environment, scopes: [], session };
  }
  const member = memberId === null || email === null ? null : { id: memberId, email, name };
  const tenantName = found.tenantName ?? "";
  const scopes = roleScopes(role);
  return {
    kind: "session",
    sessionId,
    tenantId,
    tenantName,
    environment,
    isSuspended: found.isSuspended,
    member,
    role,
    scopes,
    session,
  };
}

/** Narrows the caller of a route that only sessions of a tenant reach. */
export function requireSession(actor: { readonly kind: string }): asserts actor is SessionActor {
  if (actor.kind !== "session") throw new AppError("forbidden", "this needs a signed-in member");
}
