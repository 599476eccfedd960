import type { Actor, WidgetActor } from "../tenancy.ts";
import { type Connection, connectionPhase } from "./connection.ts";
import { partnerName } from "./pair.ts";

/**
 * Whether an actor may read a connection and act on it. `token` and `pair` are decided by rows:
 * whether this very token has made or resumed the connection, and whether the hostname and the
 * token's domain are a pair.
 */
export type Reach = "reached" | "hidden" | "token" | "pair";

type Reachable = Pick<Connection, "applicationId" | "customerRef" | "hostname" | "state">;

/**
 * A key or a member reaches all connections of its environment; a widget token those of its
 * customer or domain.
 */
export function computeReach(actor: Actor, connection: Reachable): Reach {
  if (actor.kind !== "widget") return "reached";
  if (connection.applicationId !== actor.applicationId) return "hidden";
  if (connection.customerRef !== actor.customerRef) return "hidden";
  if (actor.domain !== null) return reachByDomain(actor.domain, connection.hostname);
  if (!isAnonymous(actor) || connectionPhase(connection.state) === "ownership") return "reached";
  return "token";
}

function reachByDomain(domain: string, hostname: string): Reach {
  if (hostname === domain) return "reached";
  return partnerName(domain) === hostname ? "pair" : "hidden";
}

/**
 * A token that names neither a customer nor a domain tells its bearers not apart from anybody else.
 */
export function isAnonymous(actor: Actor): actor is WidgetActor {
  return actor.kind === "widget" && actor.domain === null && actor.customerRef === null;
}
