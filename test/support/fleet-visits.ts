import { randomInt } from "node:crypto";
import { request } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { FleetMember } from "./whole-fleet.ts";

/** What became of the requests of visitors while edges were killed. */
export interface Visits {
  served: number;
  /** Under way when their edge was killed: nobody can answer those any more. */
  cut: number;
  /**
   * Sent to the other edge by one that was too busy, before or after TLS, as every process is at times
   * on a machine with more of them than cores.
   */
  shed: number;
  readonly failed: string[];
}

export function noVisits(): Visits {
  return { served: 0, cut: 0, shed: 0, failed: [] };
}

export interface Visit {
  readonly edges: readonly FleetMember[];
  /** The authority that the visitor trusts. */
  readonly ca: string;
  readonly hostname: string;
  /** Which edge is tried first. */
  readonly turn: number;
}

const attempts = 20;
const pauseMs = 100;
/** What an edge says, before there is a page, to a connection that it turns away at once. */
const turnedAway = /alert internal error|disconnected before secure TLS/;

/** Through a balancer that knows whether a connection is taken and whether an edge is too busy. */
export async function visit(one: Visit, visits: Visits): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 1) await delay(pauseMs);
    const edge = one.edges[(one.turn + attempt) % one.edges.length];
    if (edge === undefined) break;
    const [outcome, said] = await tryEdge(edge, one);
    if (outcome === "refused") continue;
    if (outcome === "failed") visits.failed.push(said.slice(0, 200));
    else visits[outcome] += 1;
    if (outcome !== "shed") return;
  }
  visits.failed.push("no edge takes it");
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
    if (edge.killedAt() >= startedAt) return ["cut", String(error)];
    return [turnedAway.test(String(error)) ? "shed" : "failed", String(error)];
  }
}

function get(port: number, { hostname, ca }: Visit): Promise<string> {
  return new Promise((resolve, reject) => {
    // Visitors are many; one address alone would meet the edge's limit for it.
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
