import type { Clock } from "@mooring/postgres";
import type { StoredAssertionKey } from "../db/assertion-keys.ts";
import type { StoredCertificate } from "../db/certificates.ts";
import type { OriginReport, ReportedOrigin } from "../db/origin-health.ts";
import type { PresentEdge } from "../db/presence.ts";
import type { StoredTicketKey } from "../db/ticket-keys.ts";
import type { Host } from "../hosts/host.ts";
import type { KnownHosts } from "../hosts/view/known-hosts.ts";
import type { ReplicaState } from "./postgres/replica.ts";

/**
 * All that an edge is given from outside to serve, and all that it reports: nothing that serves
 * knows where it comes from. The implementations pass one conformance suite.
 */
export interface EdgeFeed {
  readonly clock: Clock;
  readonly hosts: KnownHosts;
  readonly certificates: CertificateFeed;
  readonly keys: KeyFeed;
  readonly origins: OriginFeed;
  readonly presence: PresenceFeed;
  readonly traffic: TrafficFeed;
  /** What is read from a replica; null where there is none. */
  readonly replica: (() => ReplicaState) | null;
  /**
   * The hosts as they are now, or as they were by the store in that directory where the feed is
   * away. `source` is confirmed only by the feed; stored hosts follow it as soon as it is back.
   */
  loadHosts(directory: string): Promise<"source" | "disk">;
  /** Reports changes from now on; `loadHosts` is called before. */
  follow(changes: FeedChanges): void;
  /**
   * The process is going to stop: it begins nothing new, and finishes what it has begun for others.
   */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** What a change means for the parts that serve. Hosts change by themselves. */
export interface FeedChanges {
  /** Hosts may have changed; for a process that passes them on. */
  hosts?(): void;
  /** The name has another certificate, or none. */
  certificate(hostname: string): void;
  /** Any certificate may have changed: changes may have been missed. */
  everyCertificate(): void;
  ticketKeys(): void;
  /** `f` or `s`, and ids of connections whose origins fail or serve. */
  origins(payload: string): void;
}

export interface CertificateFeed extends OrderFeed {
  /**
   * The certificate of exactly this claim, if it is still valid. It fails where that cannot be
   * known.
   */
  load(host: Host, now: Date): Promise<StoredCertificate | null>;
  /** The key authorization of an open HTTP-01 challenge. */
  httpChallenge(hostname: string, token: string): Promise<string | null>;
  /** The key authorization of the name's newest open TLS-ALPN-01 challenge. */
  tlsChallenge(hostname: string): Promise<string | null>;
}

/** Orders for handshakes. */
export interface OrderFeed {
  /**
   * Makes sure that an order for the name is due or under way. False where none can succeed now:
   * the name is not permitted, resolves elsewhere, or an earlier order has failed.
   */
  order(host: Host, signal: AbortSignal): Promise<boolean>;
  /** Whether the order is still due or under way. */
  isExpected(host: Host): Promise<boolean>;
}

/** Sealed keys that all edges share. Who has the database replaces those that are due. */
export interface KeyFeed {
  ticketKeys(): Promise<readonly StoredTicketKey[]>;
  assertionKeys(): Promise<readonly StoredAssertionKey[]>;
}

/** What edge processes see of origins, merged. */
export interface OriginFeed {
  report(reports: readonly OriginReport[]): Promise<readonly ReportedOrigin[]>;
  /** The origins whose last request failed, with its time. */
  failing(): Promise<ReadonlyMap<string, Date>>;
  /** Has the control plane check the connection now. */
  recheck(connectionId: string): Promise<void>;
}

/** What edge processes count, merged. */
export interface TrafficFeed {
  /**
   * Takes a batch (`traffic/batch.ts`), any number of times; false where that changes nothing.
   */
  report(batch: string): Promise<boolean>;
}

export interface PresenceFeed {
  tell(edge: PresentEdge): Promise<void>;
  leave(id: string): Promise<void>;
}
