import type { RootKeys } from "@mooring/vault";
import type { EdgeLimits } from "./limits.ts";

/** What an edge is told; the names are those of the environment. */
export interface EdgeSettings {
  readonly DATA_DIR: string;
  readonly BASE_URL: string;
  readonly ASK_URL: string;
  readonly EDGE_HTTP_PORT: number;
  readonly EDGE_HTTPS_PORT: number;
  readonly EDGE_HOST: string;
  readonly EDGE_INTERNAL_PORT: number | null;
  /** Whether there is a line for each request, and at which level. */
  readonly EDGE_ACCESS_LOG: "off" | "debug" | "info";
  readonly EDGE_CNAME: string;
  readonly EDGE_IPV4: readonly string[];
  readonly EDGE_IPV6: readonly string[];
  readonly DNS_AUTHORITATIVE_PORT: number;
  readonly ACME_DIRECTORY_URL: readonly string[];
  readonly ACME_CA_FILE: string | null;
  readonly ACME_EMAIL: string | null;
  readonly ACME_EAB_KID: string | null;
  readonly ACME_EAB_KEY: string | null;
  readonly ORIGIN_ALLOW_PRIVATE: boolean;
  readonly EGRESS_ALLOW: readonly string[];
}

export interface EdgeParts {
  readonly settings: EdgeSettings;
  readonly databaseUrl: string;
  readonly rootKeys: RootKeys;
  /** `ip[:port]` of the recursive resolvers that the pre-flight asks. */
  readonly resolvers: readonly string[];
  /** What a CA calls itself in CAA records, by the address of its directory. */
  readonly caaNames: (directory: string) => readonly string[];
  readonly log: Log;
  readonly clock?: Clock;
  /** From 0 up to 1: which challenge is taken, and how far retries and renewals are spread. */
  readonly random?: () => number;
  /** Other bounds than the usual ones, for tests and benches. */
  readonly limits?: Partial<EdgeLimits>;
  /** Set for one of several processes that share the listeners of this machine's edge. */
  readonly worker?: EdgeWorker;
}

/** Which of how many; the first, with index 0, keeps on disk what all know. */
export interface EdgeWorker {
  readonly index: number;
  readonly of: number;
}

/** Where decisions take their time from; the database's time in production, a movable one in tests. */
export interface Clock {
  now(): Date;
}

/** What the edge says while it works; a pino logger fits. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
