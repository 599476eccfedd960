import { AppError } from "../../domain/errors.ts";
import { type Role, reaches } from "../../domain/people/role.ts";
import { leastRole } from "../../domain/people/role-access.ts";
import type { Actor } from "../../domain/tenancy.ts";
import type { Route } from "./route.ts";

/** Refuses a valid credential that does not extend to this route. */
export function requireAccess(actor: Actor, route: Route): void {
  const refusal = findRefusal(actor, route);
  if (refusal !== null) throw new AppError("forbidden", refusal);
  if (actor.kind === "key" || actor.kind === "widget") requireScope(actor, route);
  if (actor.kind === "session") requireRole(actor.role, actor, route);
  if (actor.kind === "key" && actor.role !== null) requireRole(actor.role, actor, route);
  if (isSuspended(actor) && route.method !== "GET" && route.endsSession !== true) {
    throw new AppError(
      "tenant_suspended",
      "this account is suspended: it can be read and not changed; ask the operator of the service",
    );
  }
}

function isSuspended(actor: Actor): boolean {
  return "isSuspended" in actor && actor.isSuspended;
}

/** Whether the credential of a request, looked up again, still extends to the route. */
export async function isStillAllowed(
  authenticate: () => Promise<Actor>,
  route: Route,
): Promise<boolean> {
  try {
    requireAccess(await authenticate(), route);
    return true;
  } catch (error) {
    if (error instanceof AppError && ["unauthorized", "forbidden"].includes(error.code))
      return false;
    throw error;
  }
}

/** Why this kind of credential is not accepted here, whatever it may do; null when it is. */
function findRefusal(actor: Actor, { session, widget }: Route): string | null {
  const { kind } = actor;
  const hasCustomer = actor.kind === "widget" && actor.customerRef !== null;
  const refusals: Readonly<Record<Actor["kind"], string | false>> = {
    widget: !widget
      ? "a widget token cannot be used here"
      : widget === "customer" && !hasCustomer && "this needs a widget token with a customer_ref",
    key:
      session !== undefined &&
      session !== "refused" &&
      session !== "test" &&
      "this needs a signed-in member, not an API key",
    session:
      session === "test" && actor.environment === "live"
        ? "a session can be used here in the test environment only"
        : (session === "refused" || session === "operator") && "a session cannot be used here",
    operator:
      session !== "any" &&
      session !== "operator" &&
      "an operator's session reads the operator's views only",
    command: "the command line calls no route",
  };
  return refusals[kind] || null;
}

function requireScope({ scopes }: Actor, route: Route): void {
  if (route.scopes.length > 0 && !route.scopes.some((scope) => scopes.includes(scope))) {
    throw new AppError("forbidden", `this needs the scope ${route.scopes.join(" or ")}`);
  }
}

function requireRole(role: Role, { environment }: Actor, route: Route): void {
  const least = leastRole(route.role, environment);
  if (!reaches(role, least)) throw new AppError("forbidden", `this needs the role ${least}`);
}
