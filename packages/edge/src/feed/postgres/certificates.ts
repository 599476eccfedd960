import type { Clock } from "@mooring/postgres";
import type pg from "pg";
import type { Permission } from "../../certificates/issue/preflight.ts";
import { loadCertificate } from "../../db/certificates.ts";
import {
  httpChallengeResponse,
  orderProgress,
  requestOrder,
  tlsChallengeResponse,
} from "../../db/orders.ts";
import type { Host } from "../../hosts/host.ts";
import type { CertificateFeed } from "../feed.ts";

export interface OrderingParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly permission: Permission;
  /** Whether DNS resolves to this service alone; asked before a handshake makes an order due. */
  readonly resolvesToUs: (host: Host, signal: AbortSignal) => Promise<boolean>;
  /** Wakes the issue loop. */
  readonly wake: () => void;
}

/** Certificates, orders and challenges by the database's rows. */
export function createPostgresCertificates(parts: OrderingParts): CertificateFeed {
  const { pool, clock } = parts;
  return {
    load: ({ hostname, epoch }, now) => loadCertificate(pool, hostname, epoch, now),
    async order(host, signal) {
      const progress = await orderProgress(pool, host, clock.now());
      // After a failure, or without budget, the next attempt is too far away for a handshake to
      // wait.
      if (progress === "later") return false;
      if (!(await parts.permission.isAllowed(host.hostname, signal))) return false;
      if (progress !== "expected") {
        if (!(await parts.resolvesToUs(host, signal))) return false;
        await requestOrder(pool, host, clock.now());
      }
      parts.wake();
      return true;
    },
    isExpected: async (host) => (await orderProgress(pool, host, clock.now())) === "expected",
    httpChallenge: (hostname, token) => httpChallengeResponse(pool, hostname, token, clock.now()),
    tlsChallenge: (hostname) => tlsChallengeResponse(pool, hostname, clock.now()),
  };
}
