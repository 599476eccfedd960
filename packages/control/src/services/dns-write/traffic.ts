import {
  createLimiter,
  type Dial,
  type Fetch,
  type Limiter,
  ProviderError,
  type ServerPolicy,
  type Zone,
} from "@mooring/dns";
import { EgressError, type Guard } from "@mooring/egress";
import { createExpiringCache, type ExpiringCache } from "../expiring-cache.ts";

/** The state that one process shares between all its calls to DNS providers. */
export interface ProviderTraffic {
  readonly limiter: Limiter;
  /** The zones that a stored credential listed recently, by credential and domain. */
  readonly zones: ExpiringCache<readonly Zone[]>;
}

/** Below every provider's own limit; the burst lets one connection make its few calls at once. */
const policy: ServerPolicy = { ratePerSecond: 2, burst: 12, maxInFlight: 4 };

export function createProviderTraffic(): ProviderTraffic {
  const nowMs = (): number => performance.now();
  return {
    limiter: createLimiter({ maxInFlight: 256, maxWaiting: 4_096, nowMs }),
    zones: createExpiringCache({ maxEntries: 10_000, nowMs }),
  };
}

/**
 * Outgoing calls of one credential: rate-limited, guarded, and blocked when the zone lease is lost.
 */
export interface ProviderLine {
  readonly fetch: Fetch;
  readonly dial: Dial;
  /** From now on nothing is sent while `isHeld` returns false. */
  holdTo(isHeld: () => boolean): void;
}

/** A server that the customer named: reached by https only. */
export interface CustomerServer {
  /** The one certificate that it may have; null where an authority must have signed it. */
  readonly certificateSha256: string | null;
}

/**
 * `key` identifies the credential; the rate limit applies to each. `server` is null for a provider
 * whose servers are its own.
 */
export function createProviderLine(
  { limiter }: ProviderTraffic,
  egress: Pick<Guard, "fetch" | "fetchWith" | "dial">,
  key: string,
  server: CustomerServer | null,
): ProviderLine {
  const send = server === null ? egress.fetch : customerFetch(egress, server);
  let isHeld = (): boolean => true;
  const paced = async <T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> => {
    const leave = await limiter.acquire(key, policy, signal);
    if (leave === null) throw new ProviderError("rate_limited", "Too many calls wait already.");
    try {
      // After the wait: the process may have been frozen for longer than the lease.
      if (!isHeld()) throw new ProviderError("unavailable", "Another writer has the zone.");
      return await send();
    } finally {
      leave();
    }
  };
  return {
    fetch: (url, init) => paced(init.signal ?? new AbortController().signal, () => send(url, init)),
    dial: (host, port, signal) =>
      paced(signal, async () => (await egress.dial({ host, port, signal })).socket),
    holdTo(check) {
      isHeld = check;
    },
  };
}

function customerFetch(
  egress: Pick<Guard, "fetchWith">,
  { certificateSha256 }: CustomerServer,
): Fetch {
  const pin = certificateSha256 === null ? {} : { certificateSha256 };
  const send = egress.fetchWith({ schemes: ["https"], ...pin });
  return async (url, init) => {
    try {
      return await send(url, init);
    } catch (error) {
      // Only of a public host: about others nothing is said.
      if (!(error instanceof EgressError && error.kind === "tls" && error.isPublic)) throw error;
      const message =
        certificateSha256 === null
          ? "The server's certificate could not be verified. For one that no authority signed, give its SHA-256 fingerprint."
          : "The server's certificate does not have the given SHA-256 fingerprint.";
      throw new ProviderError("unavailable", message, { cause: error });
    }
  };
}
