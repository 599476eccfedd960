import type { Connection } from "@mooring/sdk";
import type { OwnDomain } from "./machine/state.ts";

/**
 * What a domain's card says in one word. The console has the same words for the same situations.
 */
export type Situation =
  | Exclude<Connection["state"], "archived">
  | "at_risk"
  | "preparing"
  | "ready"
  | "switching"
  | "reverted";

type Facts = Pick<Connection, "state" | "error_code" | "cutover">;

/** The move of a name that serves elsewhere says more than the state below it. */
export function connectionSituation({ state, error_code: code, cutover }: Facts): Situation {
  const move = cutover?.status ?? "done";
  if (move !== "done" && moving.includes(state)) return move;
  if (state === "live" && code !== null) return "at_risk";
  // What was disconnected is in no list.
  return state === "archived" ? "failed" : state;
}

/** Proven, and not served yet. */
const moving: readonly Connection["state"][] = [
  "verified",
  "dns_writing",
  "propagating",
  "stalled",
];

/** Of a pair the situation of the one that is less far. */
export function domainSituation({ main, partner }: OwnDomain): Situation {
  const both = [main, partner].flatMap((one) => (one === null ? [] : [connectionSituation(one)]));
  return order.find((one) => both.includes(one)) ?? "live";
}

const order: readonly Situation[] = [
  "failed",
  "drifted",
  "stalled",
  "created",
  "pending_ownership",
  "verifying",
  "preparing",
  "verified",
  "dns_writing",
  "propagating",
  "reverted",
  "ready",
  "switching",
  "issuing_cert",
  "at_risk",
  "live",
];

/** What the customer can do about it. */
export type NextMove = "none" | "fix" | "switch" | "continue";

export function nextMove(domain: OwnDomain): NextMove {
  const parts = [domain.main, domain.partner].filter((one) => one !== null);
  if (parts.some(isTroubled)) return "fix";
  const situation = domainSituation(domain);
  if (situation === "ready" || situation === "reverted") return "switch";
  return situation === "live" ? "none" : "continue";
}

function isTroubled(one: Connection): boolean {
  const { error_code: code } = one;
  if (["failed", "drifted", "stalled"].includes(connectionSituation(one))) return true;
  return code !== null && !harmless.includes(code);
}

/** What passes by itself, and what has only not been done yet. */
const harmless: readonly string[] = [
  "txt_not_found",
  "record_missing",
  "dns_timeout",
  "dns_servfail",
  "ca_rate_limited",
  "ca_unavailable",
  "provider_rate_limited",
  "provider_unavailable",
];
