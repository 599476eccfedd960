import type { Log } from "../config/settings.ts";
import type { Host } from "../hosts/host.ts";
import { statusClass } from "../metrics/applications.ts";
import type { EdgeStats } from "../metrics/metrics.ts";
import type { OriginOutcomes } from "../origin-health/outcomes.ts";
import type { AccessLog } from "../proxy/access-log.ts";
import type { Promoter } from "./promoter.ts";
import type { FastRequest } from "./request-log.ts";

export interface FastRequestParts {
  readonly stats: EdgeStats;
  readonly outcomes: OriginOutcomes;
  readonly accessLog: AccessLog | undefined;
  readonly log: Pick<Log, "warn">;
}

const maxPathLength = 512;
const gatewayErrors: ReadonlySet<number> = new Set([502, 503, 504]);

/** Counts, logs and judges the requests that HAProxy serves, as the Node edge does its own. */
export function observeFastRequests(
  promoter: Pick<Promoter, "hostOf" | "failed">,
  parts: FastRequestParts,
): (request: FastRequest) => void {
  const { stats, outcomes, accessLog } = parts;

  function count(host: Host, request: FastRequest): void {
    const { status, bytes, receivedBytes, elapsedMs, answeredMs } = request;
    const numbers = stats.applications.count(host.applicationId);
    numbers.requests[statusClass(status)] += 1;
    numbers.sentBytes += bytes;
    numbers.receivedBytes += receivedBytes;
    numbers.requestTimes.observe(elapsedMs);
    stats.requests += 1;
    if (answeredMs !== null) {
      numbers.originTimes.observe(answeredMs);
      stats.traffic.answered(host, answeredMs);
    }
    const moved = { bytesIn: receivedBytes, bytesOut: bytes };
    stats.traffic.ended(host, { status, ...moved, isRefused: false });
  }

  function judge(host: Host, request: FastRequest): void {
    if (!isOriginFailure(request)) {
      if (request.status !== null && gatewayErrors.has(request.status)) outcomes.failed(host);
      else if (request.answeredMs !== null) outcomes.succeeded(host);
      return;
    }
    const { hostname, connectionId } = host;
    const { reference, ending } = request;
    stats.originErrors += 1;
    outcomes.failed(host);
    promoter.failed(host);
    const reason = `the origin failed behind the accelerator: ${ending}`;
    parts.log.warn({ host: hostname, connectionId, reference, reason }, "origin request failed");
  }

  return (request) => {
    const host = promoter.hostOf(request.claim);
    if (host === null) return;
    if (request.isFirst) {
      stats.handshakes += 1;
      stats.traffic.secured(host);
    }
    if (!request.isFast) return;
    count(host, request);
    judge(host, request);
    const { reference, remoteAddress, method, status, bytes, elapsedMs } = request;
    accessLog?.({
      reference,
      host: host.hostname,
      connectionId: host.connectionId,
      remoteAddress,
      method,
      path: request.path.slice(0, maxPathLength),
      status,
      bytes,
      elapsedMs,
      isComplete: request.ending === "--",
    });
  };
}

/** HAProxy: `S` and `s` are the server's end and its silence, `P` what the proxy could not use. */
function isOriginFailure({ ending }: FastRequest): boolean {
  return /^[SsP]/.test(ending);
}
