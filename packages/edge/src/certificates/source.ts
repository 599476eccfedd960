import type { SecureContext } from "node:tls";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import type { Clock, Log } from "../config/settings.ts";
import { certificateProgress, loadCertificate } from "../db/certificates.ts";
import { challengeAnswer, openChallenge } from "../db/orders.ts";
import type { Host } from "../hosts/host.ts";
import { createTlsAlpnCertificate } from "../tls/acme-x509.ts";
import { createContextCache, createServerContext } from "../tls/secure-context.ts";
import type { DiskCache } from "./disk-cache.ts";
import type { Permission } from "./preflight.ts";

export interface SourceParts {
  readonly pool: pg.Pool;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly permission: Permission;
  readonly log: Log;
  readonly disk: DiskCache;
  /** Wakes the loop that issues. */
  readonly wake: () => void;
}

export interface RunningSource extends CertificateSource {
  /** Another edge has stored one, or the name was given up: what is in memory no longer counts. */
  forget(hostname: string): void;
}

const parkedMs = 15_000;

export function createSource(parts: SourceParts): RunningSource {
  const { pool, clock, log } = parts;
  const cache = createContextCache(parts.vault, clock);
  const waiters = createWaiters();
  const looking = new Map<string, Promise<SecureContext | Refusal>>();
  const reading = new Map<string, Promise<SecureContext | Refusal>>();

  const stored = async (host: Host): Promise<SecureContext | null> => {
    const now = clock.now();
    const found = await loadCertificate(pool, host.hostname, host.epoch, now).catch(() =>
      // The database is away: what was served before may be served on from disk.
      parts.disk.load(host.hostname, host.epoch, now),
    );
    if (!found) return null;
    parts.disk.save(found);
    return cache.open(found, host.tenantId);
  };

  const obtain = async (host: Host, signal: AbortSignal): Promise<SecureContext | Refusal> => {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const context = await stored(host);
      if (context) return context;
      const progress = await certificateProgress(pool, host.hostname, host.epoch);
      // An edge never orders without a row: control makes it when records and CAA are right.
      if (!progress?.isExpected) return "unavailable";
      if (isFirst && !(await parts.permission.isAllowed(host.hostname, signal)))
        return "unavailable";
      parts.wake();
      await waiters.next(host.hostname, signal);
    }
    return "timeout";
  };

  /** One look for all handshakes of a name that arrive together. */
  const shared = (
    under: Map<string, Promise<SecureContext | Refusal>>,
    { hostname }: Host,
    look: () => Promise<SecureContext | Refusal>,
  ): Promise<SecureContext | Refusal> => {
    const known = under.get(hostname);
    if (known !== undefined) return known;
    const fresh = look()
      .catch((error: unknown): Refusal => {
        log.warn({ err: error, hostname }, "no certificate for a handshake");
        return "unavailable";
      })
      .finally(() => under.delete(hostname));
    under.set(hostname, fresh);
    return fresh;
  };

  const look = (host: Host): Promise<SecureContext | Refusal> =>
    shared(looking, host, () => obtain(host, AbortSignal.timeout(parkedMs)));

  const read = (host: Host): Promise<SecureContext | Refusal> =>
    shared(reading, host, async () => (await stored(host)) ?? "overloaded");

  return {
    atHand: (host) => cache.get(host),
    contextFor: async (host, signal) => cache.get(host) ?? untilAborted(look(host), signal),
    existing: async (host, signal) => cache.get(host) ?? untilAborted(read(host), signal),
    async challengeContext(hostname) {
      const answer = await openChallenge(pool, hostname, clock.now());
      if (!answer) return null;
      const made = await createTlsAlpnCertificate(hostname, answer, clock.now());
      return createServerContext({ cert: made.certificatePem, key: made.keyPem });
    },
    challengeResponse: (hostname, token) => challengeAnswer(pool, hostname, token, clock.now()),
    forget(hostname) {
      cache.forget(hostname);
      waiters.tell(hostname);
    },
  };
}

/** Each handshake leaves at its own limit, whatever the shared look does. */
async function untilAborted(
  look: Promise<SecureContext | Refusal>,
  signal: AbortSignal,
): Promise<SecureContext | Refusal> {
  const { promise, resolve } = Promise.withResolvers<Refusal>();
  const onAbort = (): void => resolve("timeout");
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([look, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Why a handshake gets no certificate; each is an alert and a closed connection, never a default. */
export type Refusal = "unavailable" | "overloaded" | "timeout";

/** Where handshakes and challenges get their answers; contexts are made by `createServerContext`. */
export interface CertificateSource {
  /** What `contextFor` would give from memory; null when it would have to look further. */
  atHand(host: Host): SecureContext | null;
  /**
   * The context for a known host: 1. memory, 2. database, 3. permission, 4. the row is woken and
   * the handshake waits, bounded in number and time. A context of an older epoch is never given.
   */
  contextFor(host: Host, signal: AbortSignal): Promise<SecureContext | Refusal>;
  /** As `contextFor`, but only what was obtained before: a busy edge begins nothing new. */
  existing(host: Host, signal: AbortSignal): Promise<SecureContext | Refusal>;
  /** The self-made certificate that answers a TLS-ALPN-01 challenge; null when none is open. */
  challengeContext(hostname: string): Promise<SecureContext | null>;
  /** The key authorization that answers an HTTP-01 challenge; null when none is open. */
  challengeResponse(hostname: string, token: string): Promise<string | null>;
}

/** Handshakes that wait for news of a name: told by a notification, else after a short while. */
export interface Waiters {
  /** Resolves at the next news, when the poll is due, or when the signal aborts. */
  next(hostname: string, signal: AbortSignal): Promise<void>;
  tell(hostname: string): void;
}

const pollMs = 250;

export function createWaiters(): Waiters {
  const waiting = new Map<string, Set<() => void>>();
  return {
    next: (hostname, signal) =>
      new Promise((resolve) => {
        const set = waiting.get(hostname) ?? new Set();
        waiting.set(hostname, set);
        const done = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          set.delete(done);
          if (set.size === 0) waiting.delete(hostname);
          resolve();
        };
        const timer = setTimeout(done, pollMs);
        signal.addEventListener("abort", done, { once: true });
        set.add(done);
      }),
    tell(hostname) {
      for (const done of [...(waiting.get(hostname) ?? [])]) done();
    },
  };
}
