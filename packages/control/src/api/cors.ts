import { AppError } from "../domain/errors.ts";
import type { WidgetActor } from "../domain/tenancy.ts";

/**
 * Browser origins. A preflight carries no token, so it is answered for localhost and for an origin
 * that any application lists; the request itself is then checked against its own application.
 */
export const corsMethods = "GET, POST, PATCH, PUT, DELETE";
export const corsHeaders = "authorization, content-type, idempotency-key";
export const exposedHeaders =
  "x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, idempotency-replayed";

const localOrigin = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

export function isLocalOrigin(origin: string): boolean {
  return localOrigin.test(origin);
}

/** Refuses a widget request from an origin that its application does not list. */
export function requireOrigin(
  actor: WidgetActor,
  request: { readonly origin: string | undefined; readonly host: string | undefined },
  baseUrl: string,
): void {
  const { origin, host } = request;
  if (origin === undefined || actor.allowedOrigins.includes(origin)) return;
  if (actor.allowedOrigins.length === 0) {
    const own = [new URL(baseUrl).origin, `https://${host}`, `http://${host}`];
    if (own.includes(origin)) return;
    if (actor.environment === "test" && isLocalOrigin(origin)) return;
  }
  throw new AppError("forbidden", "this origin is not in the application's allowed_origins");
}
