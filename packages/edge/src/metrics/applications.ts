import { TimeCounts } from "./histogram.ts";

/** The class of a response; `none` when the client disconnected before it began. */
export type StatusClass = "1xx" | "2xx" | "3xx" | "4xx" | "5xx" | "none";

const classes: readonly StatusClass[] = ["none", "1xx", "2xx", "3xx", "4xx", "5xx"];

/** RFC 9110 §15: a status outside the classes counts as 5xx. */
export function statusClass(status: number | null): StatusClass {
  if (status === null) return "none";
  return classes[Math.floor(status / 100)] ?? "5xx";
}

/** What the requests of one application, or of all others together, amounted to. */
export class ApplicationStats {
  readonly requests: Record<StatusClass, number> = {
    none: 0,
    "1xx": 0,
    "2xx": 0,
    "3xx": 0,
    "4xx": 0,
    "5xx": 0,
  };
  sentBytes = 0;
  receivedBytes = 0;
  /** From the head of a request to the end of its response. */
  readonly requestTimes = new TimeCounts();
  /** From the start of forwarding to the head of the origin's response. */
  readonly originTimes = new TimeCounts();
  /** Requests in the current period. */
  recent = 0;
}

/** The label of all applications without a slot of their own. */
export const otherApplications = "other";

/**
 * Numbers of the busiest applications, each by itself; all others are added up. A number never
 * moves from one to the other, so that none decreases: one that gains a slot starts at zero.
 */
export interface ApplicationTable {
  /** Counts a request towards the application's slot; its numbers go to what this returns. */
  count(applicationId: string): ApplicationStats;
  /** Where other numbers of the application go. */
  of(applicationId: string): ApplicationStats;
  /** Gives slots to the busiest applications when a period has ended at `now`. */
  rank(now: number): void;
  entries(): IterableIterator<[label: string, stats: ApplicationStats]>;
}

const periodMs = 60_000;
/** Applications without a slot that are counted in one period. */
const maxCandidates = 10_000;
/** An application takes the slot of another only with this many times its requests. */
const clearlyBusier = 2;

export function createApplicationTable(slots: number): ApplicationTable {
  const ranked = new Map<string, ApplicationStats>();
  const others = new ApplicationStats();
  let candidates = new Map<string, number>();
  let rankedAt = 0;

  function takeSlot(applicationId: string): ApplicationStats {
    const stats = new ApplicationStats();
    ranked.set(applicationId, stats);
    return stats;
  }

  function noteCandidate(applicationId: string): void {
    if (slots === 0) return;
    const requests = candidates.get(applicationId);
    if (requests === undefined && candidates.size >= maxCandidates) return;
    candidates.set(applicationId, (requests ?? 0) + 1);
  }

  /** The least busy slot goes to the busiest candidate, as long as that is clearly busier. */
  function exchangeSlots(): void {
    const busiest = [...candidates].sort(([, a], [, b]) => b - a).slice(0, slots);
    const idlest = [...ranked].sort(([, a], [, b]) => a.recent - b.recent);
    for (const [index, [applicationId, requests]] of busiest.entries()) {
      const [leaving, stats] = idlest[index] ?? [];
      if (leaving === undefined || stats === undefined) return;
      if (requests <= stats.recent * clearlyBusier) return;
      ranked.delete(leaving);
      takeSlot(applicationId);
    }
  }

  /** Null when all slots are taken by others. */
  function provideSlot(applicationId: string): ApplicationStats | null {
    return ranked.get(applicationId) ?? (ranked.size < slots ? takeSlot(applicationId) : null);
  }

  return {
    count(applicationId) {
      const stats = provideSlot(applicationId);
      if (stats === null) {
        noteCandidate(applicationId);
        return others;
      }
      stats.recent += 1;
      return stats;
    },
    of: (applicationId) => provideSlot(applicationId) ?? others,
    rank(now) {
      if (now - rankedAt < periodMs) return;
      rankedAt = now;
      exchangeSlots();
      candidates = new Map();
      for (const stats of ranked.values()) stats.recent = 0;
    },
    *entries() {
      yield* ranked;
      yield [otherApplications, others];
    },
  };
}
