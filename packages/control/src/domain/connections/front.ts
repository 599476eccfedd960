/** What becomes of names behind a CDN in an application. */
export const proxiedChoices = ["accept", "refuse"] as const;
export type ProxiedChoice = (typeof proxiedChoices)[number];

/**
 * What stands in front of a name that does not resolve to an edge, as the last check saw it; a JSON
 * column. Null for every name that resolves to an edge, or to somebody who is not known as a CDN.
 */
export interface Front {
  /** The CDN's name in lower case, or `unknown`. */
  readonly by: string;
  /** ISO 8601: since when requests for the name arrive at an edge; null while they do not. */
  readonly since: string | null;
  readonly seen: FrontOutcome;
  /** Of an answer that was not an edge's. */
  readonly status: number | null;
  /** How the CDN reaches the edge for a visitor with https; null when it does not. */
  readonly tls: "full" | "flexible" | null;
  /** Whether HTTP-01 reaches the edge; null when that is not known. */
  readonly challenge: "passed" | "hidden" | null;
  readonly is_cached: boolean;
  /** Checks in a row in which somebody else answered, and the processes that made them. */
  readonly misses: number;
  readonly workers: readonly string[];
}

/** Of both probes together: over http and over https. */
export type FrontOutcome = "ours" | "stale" | "blocked" | "other" | "failed";

/** What one check saw in front of a name. */
export type FrontSight =
  /** The name has addresses of the edge, or none. */
  | { readonly is: "absent" }
  | {
      readonly is: "present";
      /** Null where no CDN was recognised. */
      readonly by: string | null;
      readonly outcome: FrontOutcome;
      readonly status: number | null;
      readonly tls: Front["tls"];
      readonly challenge: Front["challenge"];
      readonly isCached: boolean;
      /** The process that asked. */
      readonly worker: string;
    };

export interface SeenProbe {
  readonly outcome: FrontOutcome | "redirect";
  readonly listener: "http" | "https" | null;
}

/**
 * What the probes say together. An edge that answers one of them is reached. Somebody else must
 * have answered for certain: a proxy that blocks this client, or cannot reach what is behind it,
 * says nothing about where the name leads.
 */
export function frontOutcome(http: SeenProbe, https: SeenProbe | null): FrontOutcome {
  const outcomes = [http.outcome, https?.outcome ?? "failed"];
  const decisive = (["ours", "stale", "blocked"] as const).find((one) => outcomes.includes(one));
  if (decisive !== undefined) return decisive;
  if (outcomes.includes("other")) return "other";
  // Two redirects lead away; one usually leads from http to https.
  return outcomes.every((one) => one === "redirect") ? "other" : "failed";
}

/** How the CDN reaches the edge when a visitor comes with https. */
export function frontTls(https: SeenProbe | null): Front["tls"] {
  if (https?.outcome !== "ours") return null;
  return https.listener === "https" ? "full" : "flexible";
}

/** `unknown` is only for one that passes requests on: most servers elsewhere are no CDN. */
export function frontAfter(
  before: Front | null,
  sight: FrontSight | null,
  now: Date,
): Front | null {
  if (sight === null) return before;
  if (sight.is === "absent") return null;
  if (sight.outcome === "ours") return reached(before, sight, now);
  const isKnown = sight.by !== null || before?.since != null;
  return isKnown ? missed(before ?? unseen, sight) : null;
}

type PresentFront = Extract<FrontSight, { readonly is: "present" }>;

const unseen: Pick<Front, "by" | "since" | "challenge" | "misses" | "workers"> = {
  by: "unknown",
  since: null,
  challenge: null,
  misses: 0,
  workers: [],
};

function reached(before: Front | null, sight: PresentFront, now: Date): Front {
  return {
    by: sight.by ?? before?.by ?? "unknown",
    since: before?.since ?? now.toISOString(),
    seen: "ours",
    status: null,
    tls: sight.tls ?? before?.tls ?? null,
    challenge: sight.challenge ?? before?.challenge ?? null,
    is_cached: sight.isCached,
    misses: 0,
    workers: [],
  };
}

function missed(before: typeof unseen, sight: PresentFront): Front {
  const isMiss = sight.outcome === "other";
  const { misses, workers } = before;
  return {
    by: sight.by ?? before.by,
    since: before.since,
    seen: sight.outcome,
    status: sight.status,
    tls: sight.tls,
    challenge: sight.challenge ?? before.challenge,
    is_cached: sight.isCached,
    misses: misses + Number(isMiss),
    workers: isMiss ? [...new Set([...workers, sight.worker])].slice(-2) : workers,
  };
}

/** Whether requests for the name arrive at an edge through a CDN, by the last check that knew. */
export function isBehindCdn({ front }: { readonly front: Front | null }): boolean {
  return front !== null && front.since !== null;
}

/** As the API and events show it. */
export function proxiedSnapshot(front: Front | null) {
  if (front === null || front.since === null || front.seen === "other") return null;
  return { by: front.by, since: front.since };
}
