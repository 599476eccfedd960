import {
  answerProbe,
  deriveOwnershipTokenKey,
  deriveProbeKey,
  ownershipToken,
  type ProbeListener,
  readOwnershipTokenId,
  readProbeNonce,
} from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type { Exchange } from "../../http/exchange.ts";

/** Answers the control plane's question whether requests for a name arrive here. */
export type ProbeAnswers = (nonce: string, hostname: string, listener: ProbeListener) => string;

/**
 * The key comes from one that every edge has, also one that was given keys of few purposes by an
 * earlier release.
 */
export function createProbeAnswers(
  vault: Pick<Vault, "deriveKey">,
  clock: Pick<Clock, "now">,
): ProbeAnswers {
  const key = deriveProbeKey(vault.deriveKey("certificate_key"));
  return (nonce, hostname, listener) =>
    answerProbe(key, { nonce, hostname, listener }, clock.now());
}

/** The token of a name that a connection has in Cloudflare's API. */
export type OwnershipTokens = (hostname: string, connectionId: string) => string;

export function createOwnershipTokens(vault: Pick<Vault, "deriveKey">): OwnershipTokens {
  const key = deriveOwnershipTokenKey(vault.deriveKey("certificate_key"));
  return (hostname, connectionId) => ownershipToken(key, hostname, connectionId);
}

/** The keys of all root keys that are loaded, to recognise an edge by. */
export function probeKeys(vault: Pick<Vault, "deriveKey" | "keyIds">): readonly Buffer[] {
  return vault.keyIds.map((id) => deriveProbeKey(vault.deriveKey("certificate_key", id)));
}

/** The nonce of a request that asks for an answer; null for every other request. */
export function probeNonce(exchange: Exchange): string | null {
  return isRead(exchange) ? readProbeNonce(exchange.head.target) : null;
}

/** The connection whose token a request asks for; null for every other request. */
export function ownershipTokenId(exchange: Exchange): string | null {
  return isRead(exchange) ? readOwnershipTokenId(exchange.head.target) : null;
}

function isRead({ head }: Exchange): boolean {
  return head.method === "GET" || head.method === "HEAD";
}

/** No cache may keep it: an answer is for one nonce and one minute. */
export function sendProbeAnswer(exchange: Exchange, answer: string): void {
  const body = Buffer.from(answer);
  const hasBody = exchange.head.method !== "HEAD";
  const fields = ["content-type", "text/plain", "cache-control", "no-store"];
  exchange.respond({ status: 200, reason: "OK", fields, length: body.length, hasBody });
  if (hasBody) exchange.write(body);
  exchange.end([]);
}
