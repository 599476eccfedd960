import type { SecureContext } from "node:tls";
import { createSingleFlight, orElse } from "@mooring/concurrency";
import type { Clock } from "@mooring/postgres";
import type { Vault } from "@mooring/vault";
import type { Log } from "../../config/settings.ts";
import { certificateKeyContext, type StoredCertificate } from "../../db/certificates.ts";
import type { CertificateFeed } from "../../feed/feed.ts";
import type { Host, HostTable } from "../../hosts/host.ts";
import { findCover } from "../../hosts/view/covered-hosts.ts";
import type { HandshakeCertificates, Refusal } from "../../tls/certificate-source.ts";
import type { OcspStaples } from "../../tls/ocsp/staples.ts";
import { createContextCache, createServerContext } from "../../tls/secure-context.ts";
import type { SessionTickets } from "../../tls/session-tickets.ts";
import { createTlsAlpnCertificate } from "../../x509/acme-x509.ts";
import type { DiskCache } from "./disk-cache.ts";
import { createOnDemand } from "./on-demand.ts";

/** The certificates and challenge responses for handshakes and requests. */
export interface CertificateSource extends HandshakeCertificates {
  /** The key authorization for an open HTTP-01 challenge; null when none is open. */
  challengeResponse(hostname: string, token: string): Promise<string | null>;
}

export interface SourceParts {
  readonly feed: CertificateFeed;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly log: Log;
  readonly disk: DiskCache;
  /** Null where no session can be resumed. */
  readonly ticketSecrets: SessionTickets["secrets"] | null;
  /** Null where nothing is stapled. */
  readonly staples: OcspStaples | null;
  readonly hosts: Pick<HostTable, "get">;
  /** How long a handshake waits for its certificate. */
  readonly parkedMs: number;
}

export interface RunningSource extends CertificateSource {
  /**
   * The stored certificate of exactly this claim with its key, opened, and from now on on disk;
   * null without one.
   */
  opened(host: Host): Promise<OpenCertificate | null>;
  /**
   * Drops the name from memory: another edge has stored a certificate, or the name was released.
   */
  forget(hostname: string): void;
  /** Drops every name: notifications may have been missed. */
  forgetAll(): void;
}

/** A certificate for a process beside this one, which ends TLS in its place. */
export interface OpenCertificate {
  readonly chain: string;
  /** PEM. */
  readonly key: string;
  readonly notAfter: Date;
}

type Lookup = Promise<SecureContext | Refusal>;

export function createSource(parts: SourceParts): RunningSource {
  const { feed, clock, staples, parkedMs } = parts;
  const cache = createContextCache(parts.vault, clock, parts.ticketSecrets, staples);
  const waiters = createWaiters();
  const onDemand = createOnDemand(feed);
  const shareObtaining = createSharing(parts.log);
  const shareReading = createSharing(parts.log);

  const find = async (host: Host): Promise<StoredCertificate | null> => {
    const now = clock.now();
    return feed.load(host, now).catch(() =>
      // Without the feed, certificates that were served before are served from disk.
      parts.disk.load(host.hostname, host.epoch, now),
    );
  };

  const stored = async (host: Host): Promise<SecureContext | null> => {
    const found = await find(host);
    if (!found) return null;
    parts.disk.save(found);
    await staples?.prepare(found.chain, host.hostname);
    return cache.open(found, host.tenantId);
  };

  /** A wildcard's certificate also serves a name with a claim of its own and no certificate yet. */
  const storedOrCover = async (host: Host): Promise<SecureContext | null> => {
    const own = await stored(host);
    const cover = own === null ? findCover(parts.hosts, host) : null;
    return cover === null ? own : (cache.get(cover) ?? stored(cover));
  };

  const obtain = async (host: Host, signal: AbortSignal): Lookup => {
    const context = await storedOrCover(host);
    if (context) return context;
    let isExpected = await onDemand.order(host, signal);
    while (isExpected && !signal.aborted) {
      await waiters.next(host.hostname, signal);
      isExpected = await onDemand.isExpected(host);
      // Read last: an order that has ended by now has either stored its certificate or failed.
      const made = await stored(host);
      if (made) return made;
    }
    return isExpected ? "timeout" : ((await stored(host)) ?? "unavailable");
  };

  const obtainShared = (host: Host): Lookup =>
    shareObtaining(host, () => obtain(host, AbortSignal.timeout(parkedMs)));

  const readShared = (host: Host): Lookup =>
    shareReading(host, async () => (await storedOrCover(host)) ?? "overloaded");

  return {
    async opened(host) {
      const found = await find(host);
      if (found === null) return null;
      // No handshake of this process will save it.
      parts.disk.save(found);
      const sealed = certificateKeyContext(host.tenantId, host.hostname);
      const key = parts.vault.open("certificate_key", sealed, found.sealedKey).toString("utf8");
      return { chain: found.chain, key, notAfter: found.notAfter };
    },
    cached: (host) => cache.get(certified(host)),
    contextFor: async (host, signal) =>
      cache.get(certified(host)) ?? orElse(signal, obtainShared(certified(host)), "timeout"),
    existing: async (host, signal) =>
      cache.get(certified(host)) ?? orElse(signal, readShared(certified(host)), "timeout"),
    staple: (context) => staples?.current(context) ?? null,
    async challengeContext(hostname) {
      const response = await feed.tlsChallenge(hostname);
      if (!response) return null;
      const made = await createTlsAlpnCertificate(hostname, response, clock.now());
      return createServerContext({ cert: made.certificatePem, key: made.keyPem });
    },
    challengeResponse: (hostname, token) => feed.httpChallenge(hostname, token),
    forgetAll: () => cache.forgetAll(),
    forget(hostname) {
      cache.forget(hostname);
      onDemand.forget(hostname);
      waiters.notify(hostname);
    },
  };
}

/**
 * Handshakes of one name that arrive together share one lookup, which continues when they leave.
 */
function createSharing(log: Log): (host: Host, lookup: () => Lookup) => Lookup {
  const share = createSingleFlight<Awaited<Lookup>>();
  return ({ hostname }, lookup) =>
    share(hostname, null, () =>
      lookup().catch((error: unknown): Refusal => {
        log.warn({ err: error, hostname }, "no certificate for a handshake");
        return "unavailable";
      }),
    );
}

/** Whose certificate serves the host: its own, or that of the wildcard. */
function certified(host: Host): Host {
  return host.coveredBy ?? host;
}

/** Handshakes that wait for a certificate of a name, woken by `notify` or by a poll. */
interface Waiters {
  /** Resolves at the next notification, when the poll is due, or when the signal aborts. */
  next(hostname: string, signal: AbortSignal): Promise<void>;
  notify(hostname: string): void;
}

const waiterPollMs = 250;

function createWaiters(): Waiters {
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
        const timer = setTimeout(done, waiterPollMs);
        signal.addEventListener("abort", done, { once: true });
        set.add(done);
      }),
    notify(hostname) {
      for (const done of [...(waiting.get(hostname) ?? [])]) done();
    },
  };
}
