import { randomInt } from "node:crypto";
import { request } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { FleetMember } from "./whole-fleet.ts";

/** The results of the visits while edges were killed. */
export interface Visits {
  served: number;
  /** In flight when their edge was killed, and so never answered. */
  cut: number;
  /**
   * Refused by an edge that was too busy, before or after TLS, and retried at the other one. It happens
   * on a machine with more processes than cores.
   */
  shed: number;
  readonly failed: string[];
}

export function noVisits(): Visits {
  return { served: 0, cut: 0, shed: 0, failed: [] };
}

export interface Visit {
  readonly edges: readonly FleetMember[];
  /** The certificate authority that the client trusts. */
  readonly ca: string;
  readonly hostname: string;
  /** Which edge is tried first. */
  readonly turn: number;
}

const attempts = 20;
const pauseMs = 100;
/** An edge that is too busy answers with this alert. It is an answer, also if the edge is killed next. */
const shedAlert = /alert internal error/;
/** An edge that is too busy also closes before TLS, which a killed one may do as well. */
const closedEarly = /disconnected before secure TLS/;

/** Visits like a load balancer: a refused connection or a busy edge is retried at the other edge. */
export async function visit(one: Visit, visits: Visits): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 1) await delay(pauseMs);
    const edge = one.edges[(one.turn + attempt) % one.edges.length];
    if (edge === undefined) break;
    const [outcome, message] = await tryEdge(edge, one);
    if (outcome === "refused") continue;
    if (outcome === "failed") visits.failed.push(message.slice(0, 200));
    else visits[outcome] += 1;
    if (outcome !== "shed") return;
  }
  visits.failed.push("no edge accepts the connection");
}

type Outcome = "served" | "refused" | "shed" | "cut" | "failed";

async function tryEdge(edge: FleetMember, one: Visit): Promise<[Outcome, string]> {
  const startedAt = performance.now();
  try {
    const page = await get(edge.port, one);
    if (page === `200 hello ${one.hostname}`) return ["served", page];
    return [page.startsWith("503") ? "shed" : "failed", page];
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ECONNREFUSED") return ["refused", code];
    const message = String(error);
    if (shedAlert.test(message)) return ["shed", message];
    if (edge.killedAt() >= startedAt) return ["cut", message];
    return [closedEarly.test(message) ? "shed" : "failed", message];
  }
}

function get(port: number, { hostname, ca }: Visit): Promise<string> {
  return new Promise((resolve, reject) => {
    // From many addresses: one alone would reach the edge's limit per address.
    const localAddress = `127.100.${randomInt(250)}.${randomInt(1, 250)}`;
    const at = { host: "127.0.0.1", port, localAddress };
    const options = { ...at, servername: hostname, ca, agent: false };
    const sent = request({ ...options, headers: { host: hostname } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("error", reject);
      response.on("end", () => resolve(`${response.statusCode} ${text}`));
    });
    sent.on("error", reject);
    sent.end();
  });
}
