import type { NameAnswer } from "./name-servers.ts";

/** An answer of the name servers, or why there is none. */
export type Outcome = NameAnswer | { readonly kind: "failed"; readonly error: unknown };

/**
 * fresh: to be used without a question. ageing: to be used while a new answer is fetched. old: to
 * be used when no new answer can be had.
 */
export interface CachedOutcome {
  readonly outcome: Outcome;
  readonly state: "fresh" | "ageing" | "old";
}

const shortestTtlMs = 1_000;
const longestTtlMs = 300_000;
/** RFC 9520 §3.2 asks for at least a second, RFC 2308 §5 for at most some hours. */
const negativeMs = 5_000;
const ageingMs = 30_000;
/** RFC 8767 §5 suggests up to days; an address may have another owner long before. */
const oldMs = 3_600_000;

interface Entry {
  readonly outcome: Outcome;
  /** Until then no question is asked. */
  readonly askAgainAtMs: number;
  /** The end of the answer's time to live. */
  readonly expiresAtMs: number;
}

/** Answers by name, bounded in time and number; the least recently used leave first. */
export class AnswerCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxNames: number;
  readonly #nowMs: () => number;

  constructor(maxNames: number, nowMs: () => number) {
    this.#maxNames = maxNames;
    this.#nowMs = nowMs;
  }

  get(name: string): CachedOutcome | null {
    const entry = this.#entries.get(name);
    if (entry === undefined) return null;
    // The most recently used name is the last.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    const now = this.#nowMs();
    const { outcome, expiresAtMs } = entry;
    if (now < entry.askAgainAtMs) return { outcome, state: "fresh" };
    if (!isUsable(entry, now)) return null;
    return { outcome, state: now < expiresAtMs + ageingMs ? "ageing" : "old" };
  }

  /**
   * A failure does not replace an answer that can still be used; it only delays the next question.
   */
  store(name: string, outcome: Outcome): void {
    const now = this.#nowMs();
    const known = this.#entries.get(name);
    this.#entries.delete(name);
    if (outcome.kind === "failed" && known !== undefined && isUsable(known, now)) {
      this.#entries.set(name, { ...known, askAgainAtMs: now + negativeMs });
      return;
    }
    const until = now + (outcome.kind === "found" ? clampTtl(outcome.ttlMs) : negativeMs);
    this.#entries.set(name, { outcome, askAgainAtMs: until, expiresAtMs: until });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxNames) break;
      this.#entries.delete(oldest);
    }
  }
}

function isUsable({ outcome, expiresAtMs }: Entry, now: number): boolean {
  return outcome.kind === "found" && now < expiresAtMs + oldMs;
}

function clampTtl(ttlMs: number): number {
  return Math.min(longestTtlMs, Math.max(shortestTtlMs, ttlMs));
}
