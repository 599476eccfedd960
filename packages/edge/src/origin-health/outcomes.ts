import type { Clock } from "@mooring/postgres";
import type { OriginReport } from "../db/origin-health.ts";
import type { Host } from "../hosts/host.ts";

/** How requests to origins end, as the proxy calls it for every request. */
export interface OriginOutcomes {
  /** The origin answered with anything but 502, 503 or 504. */
  succeeded(host: Pick<Host, "connectionId">): void;
  /** The origin was not reached, gave no answer, or answered 502, 503 or 504. */
  failed(host: Pick<Host, "connectionId">): void;
}

/** As many in a row make an origin unreachable; more say nothing new. */
export const maxFailures = 5;

/**
 * The pause after each report of failures of one origin: however it behaves, it costs few writes. A
 * success is never held back, since it ends an outage.
 */
const pausesMs = [0, 0, 0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000];
/** All that can be known was reported; now and then again, for the case that it was lost. */
const saturatedPauseMs = 60_000;
const forgetAfterMs = 120_000;
const generationMs = 60_000;

/** What is known of an origin that fails or has failed lately. */
interface Entry {
  /** Since the last success of this process, the last `maxFailures`, in milliseconds. */
  failures: number[];
  unreported: number;
  /** Not reported yet; null when there is none. */
  success: number | null;
  /** The other processes know of failures, ours or theirs. */
  isKnown: boolean;
  /** How often others have announced failures, and how often when the last report was taken. */
  announced: number;
  announcedBefore: number;
  reports: number;
  /** Failures are not reported before this time. */
  notBefore: number;
  touchedAt: number;
}

/**
 * The outcomes of this process, and what of them the other processes have to know. The path of a
 * healthy origin is one write to a map: its last success is remembered for the case that another
 * process fails to reach it. Everything else happens only for origins that fail.
 */
export class OutcomeLog implements OriginOutcomes {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  /** The last successes, in two generations: what is old is dropped as a whole. */
  #recent = new Map<string, number>();
  #older = new Map<string, number>();
  #rotatedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#rotatedAt = this.#now();
  }

  succeeded({ connectionId }: Pick<Host, "connectionId">): void {
    const at = this.#now();
    this.#recent.set(connectionId, at);
    if (this.#entries.size === 0) return;
    const entry = this.#entries.get(connectionId);
    if (entry !== undefined) noteSuccess(entry, at);
  }

  failed({ connectionId }: Pick<Host, "connectionId">): void {
    const at = this.#now();
    const entry = this.#entryOf(connectionId);
    entry.failures = [...entry.failures, at].slice(-maxFailures);
    entry.unreported += 1;
    entry.touchedAt = at;
  }

  /**
   * What is due to be reported, at most `limit`; the same is due again until `reported` is called.
   */
  due(limit: number): readonly OriginReport[] {
    const at = this.#now();
    const reports: OriginReport[] = [];
    for (const [connectionId, entry] of this.#entries) {
      if (reports.length >= limit) break;
      if (!isDue(entry, at)) continue;
      entry.announcedBefore = entry.announced;
      const success = entry.success === null ? null : new Date(entry.success);
      reports.push({ connectionId, failures: entry.failures.map((ms) => new Date(ms)), success });
    }
    return reports;
  }

  reported(reports: readonly OriginReport[]): void {
    const at = this.#now();
    for (const report of reports) {
      const entry = this.#entries.get(report.connectionId);
      if (entry === undefined) continue;
      noteReported(entry, report, at);
      // A success while the report was under way: until now nobody knew of the failures.
      const failure = report.failures.at(-1)?.getTime() ?? null;
      const success = this.#lastSuccess(report.connectionId);
      if (failure !== null && success > failure) entry.success = success;
    }
  }

  /** Another process has reported failures, the last at `lastFailure`: a later success is news. */
  onFailing(connectionId: string, lastFailure?: Date): void {
    const entry = this.#entryOf(connectionId);
    entry.isKnown = true;
    entry.announced += 1;
    entry.touchedAt = this.#now();
    const success = this.#lastSuccess(connectionId);
    const known = Math.max(entry.failures.at(-1) ?? 0, lastFailure?.getTime() ?? 0);
    if (success > known) entry.success = success;
  }

  /** A success was reported: failures since then are news again. */
  onServing(connectionId: string): void {
    const entry = this.#entries.get(connectionId);
    if (entry === undefined) return;
    entry.isKnown = false;
    entry.unreported = entry.failures.length;
    // The pauses continue; only the long one of an outage that everybody knew of ends.
    entry.notBefore = Math.min(entry.notBefore, this.#now() + pauseAfter(entry.reports));
  }

  /** Forgets what has become old. Called often. */
  sweep(): void {
    const at = this.#now();
    if (at - this.#rotatedAt >= generationMs) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#rotatedAt = at;
    }
    for (const [id, entry] of this.#entries) {
      if (entry.success === null && at - entry.touchedAt > forgetAfterMs) this.#entries.delete(id);
    }
  }

  #lastSuccess(connectionId: string): number {
    return this.#recent.get(connectionId) ?? this.#older.get(connectionId) ?? 0;
  }

  #entryOf(connectionId: string): Entry {
    const known = this.#entries.get(connectionId);
    if (known !== undefined) return known;
    const entry: Entry = {
      failures: [],
      unreported: 0,
      success: null,
      isKnown: false,
      announced: 0,
      announcedBefore: 0,
      reports: 0,
      notBefore: 0,
      touchedAt: this.#now(),
    };
    this.#entries.set(connectionId, entry);
    return entry;
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}

function noteSuccess(entry: Entry, at: number): void {
  if (entry.isKnown) entry.success = at;
  // Failures that were not reported are over.
  entry.failures = [];
  entry.unreported = 0;
  entry.touchedAt = at;
}

function isDue(entry: Entry, at: number): boolean {
  return entry.success !== null || (entry.unreported > 0 && at >= entry.notBefore);
}

function pauseAfter(reports: number): number {
  return pausesMs[Math.min(reports, pausesMs.length - 1)] ?? saturatedPauseMs;
}

function noteReported(entry: Entry, report: OriginReport, at: number): void {
  if (entry.success !== null && entry.success <= (report.success?.getTime() ?? 0)) {
    entry.success = null;
  }
  const last = report.failures.at(-1)?.getTime() ?? 0;
  const fresh = entry.failures.filter((ms) => ms > last).length;
  entry.unreported = fresh;
  if (report.failures.length === 0) {
    // Failures that others announced meanwhile may be later than the success of the report.
    const isAnnounced = entry.announced > entry.announcedBefore;
    entry.isKnown = isAnnounced || (fresh > 0 && entry.isKnown);
    return;
  }
  entry.isKnown = true;
  entry.reports += 1;
  const isSaturated = report.failures.length >= maxFailures;
  entry.notBefore = at + (isSaturated ? saturatedPauseMs : pauseAfter(entry.reports));
}
