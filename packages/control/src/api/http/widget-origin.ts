import { AppError } from "../../domain/errors.ts";
import type { WidgetActor } from "../../domain/tenancy.ts";

const localOrigin = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

export function isLocalOrigin(origin: string): boolean {
  return localOrigin.test(origin);
}

/**
 * Refuses a widget request from an origin that its application does not list. An application that
 * lists none allows this service's own pages, and a page on the developer's machine in test.
 */
export function requireWidgetOrigin(
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
  throw new AppError("forbidden", "this origin is not in the application's allowed_origins", {
    details: { reason: "origin_not_allowed", origin },
  });
}
