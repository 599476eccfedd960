import type { SecureContext } from "node:tls";
import type { Vault } from "@mooring/vault";
import type pg from "pg";
import type { CertificateSource, Refusal } from "../certificate-source.ts";
import type { Clock } from "../clock.ts";
import { certificateProgress, loadCertificate } from "../db/certificates.ts";
import { challengeAnswer, openChallenge } from "../db/challenges.ts";
import type { Host } from "../host.ts";
import type { Log } from "../log.ts";
import type { Permission } from "../permission.ts";
import { createTlsAlpnCertificate } from "../tls/acme-x509.ts";
import { createContextCache, createServerContext } from "../tls/secure-context.ts";
import type { DiskCache } from "./disk-cache.ts";
import { createWaiters } from "./waiters.ts";

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
