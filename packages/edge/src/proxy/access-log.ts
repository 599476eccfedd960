import { readOwnershipTokenId, readProbeNonce } from "@mooring/egress";
import { httpChallengePath } from "../acme/authorization.ts";
import type { Host } from "../hosts/host.ts";
import type { Exchange } from "../http/exchange.ts";
import { fieldValue } from "../http/fields.ts";
import { statusClass } from "../metrics/applications.ts";
import type { EdgeStats } from "../metrics/metrics.ts";
import type { ExchangeObserver, ExchangeSummary } from "./measured-exchange.ts";
import { newReference, referenceField } from "./response/error-page.ts";

/** One request as it is logged, without anything that may be secret: no query, no header. */
export interface AccessLine {
  /** The reference that an error page shows. */
  readonly reference: string;
  readonly host: string;
  readonly connectionId: string | null;
  readonly remoteAddress: string;
  readonly method: string;
  readonly path: string;
  /** Null when the client disconnected before the response. */
  readonly status: number | null;
  /** Of the response's body. */
  readonly bytes: number;
  readonly elapsedMs: number;
  /** Whether the whole response was sent. */
  readonly isComplete: boolean;
}

export type AccessLog = (line: AccessLine) => void;

const maxPathLength = 512;
const maxHostLength = 255;

/**
 * Logs and counts the exchanges of one connection. `secured` is the host of its handshake; without
 * one requests are logged under the name that they ask for, and no application's numbers change.
 */
export function observeExchanges(
  secured: Host | null,
  { stats, log }: { readonly stats: EdgeStats; readonly log: AccessLog | undefined },
): ExchangeObserver {
  const count = (summary: ExchangeSummary): void => {
    if (secured === null) return;
    const numbers = stats.applications.count(secured.applicationId);
    numbers.requests[statusClass(summary.response?.status ?? null)] += 1;
    numbers.sentBytes += summary.sentBytes;
    numbers.receivedBytes += summary.receivedBytes;
    numbers.requestTimes.observe(summary.elapsedMs);
  };
  const countVisit = (host: Host, { head }: Exchange, summary: ExchangeSummary): void => {
    // Questions of our own control plane and of CAs are no visits.
    if (head.target.startsWith("/.well-known/") && isOwnQuestion(head.target)) return;
    stats.traffic.ended(host, {
      status: summary.response?.status ?? null,
      bytesIn: summary.receivedBytes,
      bytesOut: summary.sentBytes,
      isRefused: isRefused(summary),
    });
  };
  return {
    onEnded(exchange, summary) {
      count(summary);
      if (secured !== null) countVisit(secured, exchange, summary);
      if (log !== undefined) log(accessLine(secured, exchange, summary));
    },
    onTunnelClosed(sentBytes, receivedBytes) {
      if (secured === null) return;
      const numbers = stats.applications.of(secured.applicationId);
      numbers.sentBytes += sentBytes;
      numbers.receivedBytes += receivedBytes;
      stats.traffic.transferred(secured, receivedBytes, sentBytes);
    },
  };
}

function isOwnQuestion(target: string): boolean {
  return (
    target.startsWith(httpChallengePath) ||
    readProbeNonce(target) !== null ||
    readOwnershipTokenId(target) !== null
  );
}

/** Whether the page is the edge's own, and not for an origin that failed. */
function isRefused({ response }: ExchangeSummary): boolean {
  if (response === null || response.status < 400) return false;
  if (response.status === 502 || response.status === 504) return false;
  return fieldValue(response.fields, referenceField) !== null;
}

function accessLine(
  secured: Host | null,
  { head, remoteAddress }: Exchange,
  { response, sentBytes, elapsedMs, isComplete }: ExchangeSummary,
): AccessLine {
  const { method, target, authority } = head;
  const { hostname = authority.slice(0, maxHostLength), connectionId = null } = secured ?? {};
  return {
    reference: (response && fieldValue(response.fields, referenceField)) ?? newReference(),
    host: hostname,
    connectionId,
    remoteAddress,
    method,
    path: (target.split("?", 1)[0] ?? "").slice(0, maxPathLength),
    status: response?.status ?? null,
    bytes: sentBytes,
    elapsedMs: Math.round(elapsedMs * 10) / 10,
    isComplete,
  };
}
