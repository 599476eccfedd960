import type { AnswerRecord, Message } from "../wire/message.ts";

/** Answers of the past, each for as long as its TTL allows. */
export interface AnswerMemory<T> {
  /** The answer, if its TTL is not over and it was given at `sinceMs` or later. */
  get(key: string, sinceMs: number): T | undefined;
  set(key: string, value: T, seconds: number): void;
}

/** A delegation is asked for once a day, however long its TTL. */
const maxSeconds = 86_400;
/** What is absent now may be there soon: an absence is believed for less than its TTL. */
const maxNegativeSeconds = 300;

interface Entry<T> {
  readonly value: T;
  readonly askedAtMs: number;
  readonly untilMs: number;
}

/** The oldest answer is dropped first when there are too many. */
export function createAnswerMemory<T>(options: {
  readonly now: () => Date;
  readonly maxEntries: number;
}): AnswerMemory<T> {
  const entries = new Map<string, Entry<T>>();
  return {
    get(key, sinceMs) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const nowMs = options.now().getTime();
      // After a clock was set back nobody knows how old an answer is.
      if (nowMs >= entry.untilMs || nowMs < entry.askedAtMs) entries.delete(key);
      else if (entry.askedAtMs >= sinceMs) return entry.value;
      return undefined;
    },
    set(key, value, seconds) {
      entries.delete(key);
      if (seconds <= 0) return;
      const askedAtMs = options.now().getTime();
      const untilMs = askedAtMs + Math.min(seconds, maxSeconds) * 1_000;
      entries.set(key, { value, askedAtMs, untilMs });
      const [oldest] = entries.keys();
      if (entries.size > options.maxEntries && oldest !== undefined) entries.delete(oldest);
    },
  };
}

/**
 * How long all of an answer may be reused: the least TTL of its records, or that of their absence.
 */
export function answerSeconds({ rcode, answers, authorities }: Message): number {
  if (rcode !== 0 && rcode !== 3) return 0;
  const denial = authorities.find(({ type }) => type === "SOA");
  const referral = authorities.filter(({ type }) => type === "NS");
  const present = shortest(answers.length > 0 ? answers : referral);
  if (denial === undefined) return present ?? 0;
  const minimum = Number(denial.value.slice(denial.value.lastIndexOf(" ") + 1));
  return Math.min(present ?? maxSeconds, denial.ttl, minimum, maxNegativeSeconds);
}

function shortest(records: readonly AnswerRecord[]): number | null {
  return records.length === 0 ? null : Math.min(...records.map(({ ttl }) => ttl));
}
