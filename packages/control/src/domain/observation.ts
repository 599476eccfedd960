import type { Certificate } from "./certificate.ts";
import type { ConnectionError, ObservedRecord } from "./connection.ts";
import type { Probe } from "./probe.ts";

/**
 * What was seen in one look at a connection. A fact that was not asked for is null; one that could
 * not be had is `unknown`, which delays and never moves a state.
 */
export interface Observation {
  readonly ownership: OwnershipSeen | null;
  readonly records: RecordsSeen | null;
  readonly caa: "allowed" | "forbidden" | "unknown" | null;
  readonly certificate: Certificate | null;
  /** Only where the edge is not ours; `certificate` then says what follows from it. */
  readonly probe: Probe | null;
  readonly write: WriteSeen | null;
  /** Whether a stored credential may be used and sees the zone. */
  readonly credential: "usable" | "none" | null;
}

export interface OwnershipSeen {
  readonly outcome: "match" | "partial" | "mismatch" | "absent" | "unknown";
  readonly error: ConnectionError | null;
}

export interface RecordsSeen {
  readonly outcome: "match" | "wrong" | "unknown";
  readonly error: ConnectionError | null;
  readonly observed: readonly ObservedRecord[];
}

/** The end of one attempt to write the records through a credential. */
export type WriteSeen =
  | { readonly outcome: "written" }
  /** For good: retrying the same would be refused the same. */
  | { readonly outcome: "refused"; readonly error: ConnectionError }
  /** For now: the provider is away or asks to wait. */
  | { readonly outcome: "later"; readonly error: ConnectionError; readonly retryAfterMs: number };

export const nothingSeen: Observation = {
  ownership: null,
  records: null,
  caa: null,
  certificate: null,
  probe: null,
  write: null,
  credential: null,
};

/** Who holds the hostname's claim, read under the hostname's lock. */
export type ClaimSeen = "free" | "own" | "held" | "drifted";
