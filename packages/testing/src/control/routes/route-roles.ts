import type { Role } from "../../../../control/src/domain/people/role.ts";
import type { Environment } from "../../../../control/src/domain/tenancy.ts";

/**
 * The least role of each route, stated a second time and independent of the route's own file: a
 * route that is not named here is for viewers when it reads and for developers when it writes.
 */
const byName: Readonly<Record<string, Role | "not in a session">> = {
  "POST /v1/connections/{id}/verify": "support",
  "POST /v1/connections/{id}/records:check": "support",
  "POST /v1/connections/{id}/share": "support",
  "POST /v1/status-links": "support",
  "DELETE /v1/status-links/{id}": "support",
  "POST /v1/connections/{id}/sending:check": "support",
  "POST /v1/connections/{id}/certificate:retry": "support",
  "POST /v1/webhook-endpoints/{id}/deliveries/{deliveryId}/replay": "support",
  "POST /v1/webhook-endpoints/{id}/replay": "support",
  "POST /v1/domains:check": "support",
  // A generator: it writes nothing.
  "POST /v1/email/records": "viewer",
  "GET /v1/widget/settings": "not in a session",
  "GET /v1/audit": "admin",
  "POST /v1/members": "admin",
  "POST /v1/members/{id}/invitation": "admin",
  "PATCH /v1/members/{id}": "admin",
  "DELETE /v1/members/{id}": "admin",
  "POST /v1/passkeys:challenge": "viewer",
  "POST /v1/passkeys": "viewer",
  "DELETE /v1/passkeys/{id}": "viewer",
  "DELETE /v1/session": "viewer",
  "DELETE /v1/sessions/{id}": "viewer",
  "POST /v1/subscriptions": "owner",
  "DELETE /v1/applications/{id}": "owner",
};

/** Keys of the live environment need an admin. */
const adminInLive = [
  "POST /v1/applications/{id}/keys",
  "DELETE /v1/applications/{id}/keys/{keyId}",
];

export function statedRole(name: string, environment: Environment): Role | "not in a session" {
  if (name.startsWith("GET /v1/operator/")) return "not in a session";
  if (name === "POST /v1/tokens" && environment === "live") return "not in a session";
  if (environment === "live" && adminInLive.includes(name)) return "admin";
  return byName[name] ?? (name.startsWith("GET ") ? "viewer" : "developer");
}
