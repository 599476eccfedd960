import type { CdnRanges } from "@mooring/dns/lookup";
import type { Clock } from "@mooring/postgres";
import type { KeyRing, RootKeys } from "@mooring/vault";
import type { IssuanceLimitTable } from "../certificates/budget/limits.ts";
import type { ListenerHandover } from "../listen/listener-handover.ts";
import type { RateLimiter } from "../rules/rate-limiter.ts";
import type { EdgeLimits, LimitSettings } from "./limits.ts";

/** Where NATS is and how to sign in there, under the names of the environment variables. */
export interface NatsSettings {
  /** Of one or more servers of a cluster; none where NATS is not used. */
  readonly NATS_URL: readonly string[];
  readonly NATS_CREDENTIALS_FILE: string | null;
  readonly NATS_CA_FILE: string | null;
  readonly NATS_CERTIFICATE_FILE: string | null;
  readonly NATS_KEY_FILE: string | null;
  /** How many servers of the cluster have a copy of the stream. */
  readonly NATS_REPLICAS: number;
}

/** The edge's settings, under the names of the environment variables. */
export interface EdgeSettings extends LimitSettings, NatsSettings {
  /** Where hosts, certificates and keys come from. */
  readonly EDGE_FEED: "postgres" | "nats";
  readonly DATA_DIR: string;
  readonly BASE_URL: string;
  readonly ASK_URL: string;
  readonly EDGE_HTTP_PORT: number;
  readonly EDGE_HTTPS_PORT: number;
  readonly EDGE_HOST: string;
  /** What serves busy names in front of the Node edge. */
  readonly EDGE_ACCELERATOR: "none" | "haproxy";
  /** How many names it serves at once. */
  readonly EDGE_ACCELERATOR_NAMES: number;
  /** The UDP port at which visitors find its HTTP/3; 0 without. */
  readonly EDGE_ACCELERATOR_HTTP3: number;
  readonly EDGE_INTERNAL_PORT: number | null;
  /** The log level of the line for each request. */
  readonly EDGE_ACCESS_LOG: "off" | "debug" | "info";
  /** How many applications have numbers of their own in the metrics. */
  readonly EDGE_METRICS_APPLICATIONS: number;
  /** Whether requests are counted by connection and reported. */
  readonly TRAFFIC: boolean;
  readonly EDGE_CNAME: string;
  readonly EDGE_IPV4: readonly string[];
  readonly EDGE_IPV6: readonly string[];
  readonly DNS_AUTHORITATIVE_PORT: number;
  /** The zone for delegated validation; null where there is none. */
  readonly VALIDATION_ZONE: string | null;
  readonly VALIDATION_NS: readonly string[];
  /** Whether `dns-persist-01` is used where a CA offers it. */
  readonly VALIDATION_PERSIST: boolean;
  readonly ACME_DIRECTORY_URL: readonly string[];
  readonly ACME_CA_FILE: string | null;
  readonly ACME_EMAIL: string | null;
  readonly ACME_EAB_KID: string | null;
  readonly ACME_EAB_KEY: string | null;
  /** External accounts by directory; the pair above is for directories that are not named. */
  readonly ACME_EABS: Readonly<Record<string, { readonly kid: string; readonly hmacKey: string }>>;
  /** Certificate profiles by directory; `none` for the CA's default. */
  readonly ACME_PROFILES: Readonly<Record<string, string>>;
  readonly ISSUANCE_LIMITS: IssuanceLimitTable;
  readonly ORIGIN_ALLOW_PRIVATE: boolean | "loopback";
  readonly EGRESS_ALLOW: readonly string[];
  /** `ip[:port]` of the resolvers for names that are dialled; none for the system's. */
  readonly EGRESS_RESOLVERS: readonly string[];
  readonly DATABASE_POOLER: string | null;
  /** A standby, from which hosts and certificates are read; null for none. */
  readonly DATABASE_REPLICA_URL: string | null;
  /** Milliseconds; a standby that is further behind is not read. */
  readonly DATABASE_REPLICA_MAX_LAG: number;
  /** Milliseconds, as the next one. */
  readonly EDGE_DRAIN: number;
  readonly EDGE_DRAIN_DELAY: number;
  /** Whether visitors can resume TLS sessions. */
  readonly EDGE_SESSION_TICKETS: boolean;
  /** Whether certificates that name an OCSP responder are served with its response. */
  readonly EDGE_OCSP: boolean;
  readonly EDGE_PROXY_PROTOCOL: boolean;
  readonly EDGE_PROXY_PROTOCOL_FROM: readonly string[];
  readonly EDGE_TRUSTED_PROXIES: readonly string[];
  readonly EDGE_HEALTH_CHECKS_FROM: readonly string[];
  /** The networks of CDNs, from the file that `EDGE_CDN_RANGES` names or as shipped. */
  readonly EDGE_CDN_RANGES: CdnRanges;
  /** Where names behind a CDN are probed without TLS. */
  readonly EDGE_PROBE_HTTP_PORT: number;
}

export interface EdgeParts {
  readonly settings: EdgeSettings;
  /** Null where the feed is NATS. */
  readonly databaseUrl: string | null;
  /** Root keys, or the keys of the edge's purposes only. */
  readonly rootKeys: RootKeys | KeyRing;
  /** `ip[:port]` of the recursive resolvers for the preflight. */
  readonly resolvers: readonly string[];
  /** The issuer names of a CA in CAA records, by the URL of its directory. */
  readonly caaNames: (directory: string) => readonly string[];
  readonly log: Log;
  readonly clock?: Clock;
  /** In [0, 1): chooses the challenge and spreads retries and renewals. */
  readonly random?: () => number;
  /** Overrides of the default limits, for tests and benches. */
  readonly limits?: Partial<EdgeLimits>;
  /** Where an edge of one process gets sockets that listen already; it opens them by default. */
  readonly handover?: ListenerHandover;
  /** Set for one of several processes that share this machine's listeners. */
  readonly worker?: EdgeWorker;
}

/** One process of several. */
export interface EdgeWorker {
  readonly index: number;
  readonly of: number;
  readonly handover: ListenerHandover;
  /** Rate limits that the processes share; by default each has its own. */
  readonly limiter?: RateLimiter;
}

/** The edge's log; a pino logger fits. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
