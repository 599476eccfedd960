import type { Connection } from "./connection.ts";
import { frontAfter, isBehindCdn } from "./front.ts";
import type { Observation } from "./observation.ts";

const missesOfTwo = 3;
/** An installation with one worker has no second one to ask. */
const missesOfOne = 6;

/**
 * What wrong records mean for a live name behind a CDN: it is lost after three misses in a row that
 * two workers saw. Null for other names, also for one that was never reached through a CDN.
 */
export function lostBehindCdn(
  connection: Connection,
  observation: Observation,
  now: Date,
): { readonly isLost: boolean; readonly misses: number } | null {
  const front = frontAfter(connection.front, observation.front, now);
  if (front === null || !isBehindCdn(connection)) return null;
  const { misses, workers } = front;
  return { isLost: misses >= (workers.length > 1 ? missesOfTwo : missesOfOne), misses };
}

/**
 * A CDN may reach an edge only by TLS, for which there must be a certificate: one that DNS
 * validates is obtained before the records are seen.
 */
export function isOwedToCdn(connection: Connection, observation: Observation, now: Date): boolean {
  const status = observation.certificate?.status ?? "none";
  const isRight = observation.validation === "right" && observation.caa === "allowed";
  if (!isRight || status === "issued" || status === "renewing") return false;
  return frontAfter(connection.front, observation.front, now) !== null;
}
