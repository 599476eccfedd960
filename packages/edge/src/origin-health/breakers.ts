/** So many failures in a row, and an origin gets no more requests for a while. */
const failuresToOut = 3;
const firstOutMs = 1_000;
const longestOutMs = 60_000;
/** So many failed checks in a row, and an origin is out until one succeeds. */
const failedChecksToOut = 2;
/**
 * Entries are for origins that fail; more than this are an attack, and the oldest are forgotten.
 */
const maxEntries = 10_000;

/**
 * in: takes requests. out: takes none. trial: its time has ended, and one request may find out
 * whether it works again.
 */
export type OriginState = "in" | "out" | "trial";

interface Entry {
  failures: number;
  /** How often it was out since its last success: the time grows. */
  outs: number;
  /** 0 while it is in. */
  outUntil: number;
  outMs: number;
  isTrying: boolean;
  failedChecks: number;
}

/** One request's use of an origin; the first call counts. */
export interface Attempt {
  succeeded(): void;
  failed(): void;
  /** The request says nothing about the origin, for example because its visitor left. */
  ended(): void;
}

/**
 * A circuit breaker for each origin that is one of several, per process. Nothing is stored of an
 * origin that works.
 */
export interface Breakers {
  /** With `isRisky` for a request that cannot be sent again, which is a trial only later. */
  stateOf(key: string, isRisky: boolean): OriginState;
  begin(key: string): Attempt;
  /** The result of an active check. */
  checked(key: string, isWorking: boolean): void;
  /** It is not checked any more. */
  unchecked(key: string): void;
}

export function createBreakers(options: {
  /** It is out for that long; null: until a check succeeds. */
  readonly onOut: (key: string, outMs: number | null) => void;
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
}): Breakers {
  const { onOut, now = () => performance.now(), random = Math.random } = options;
  const entries = new Map<string, Entry>();

  function provideEntry(key: string): Entry {
    const known = entries.get(key);
    if (known !== undefined) return known;
    const [oldest] = entries.size >= maxEntries ? entries.keys() : [];
    if (oldest !== undefined) entries.delete(oldest);
    const none = { failures: 0, outs: 0, outUntil: 0, outMs: 0, failedChecks: 0 };
    const entry: Entry = { ...none, isTrying: false };
    entries.set(key, entry);
    return entry;
  }

  function failed(key: string, isTrial: boolean): void {
    const entry = provideEntry(key);
    // Requests that began before it was out end later; they are no news.
    if (entry.outUntil > 0 && !isTrial) return;
    entry.failures += 1;
    entry.isTrying = false;
    if (!isTrial && entry.failures < failuresToOut) return;
    entry.outMs = Math.min(longestOutMs, firstOutMs * 2 ** entry.outs) * (0.8 + 0.4 * random());
    entry.outs += 1;
    entry.outUntil = now() + entry.outMs;
    onOut(key, Math.round(entry.outMs));
  }

  function succeeded(key: string): void {
    const entry = entries.get(key);
    // What checks found, only checks take back.
    if (entry !== undefined && entry.failedChecks < failedChecksToOut) entries.delete(key);
  }

  return {
    stateOf(key, isRisky) {
      const entry = entries.get(key);
      if (entry === undefined) return "in";
      if (entry.failedChecks >= failedChecksToOut) return "out";
      if (entry.outUntil === 0) return "in";
      const isEnded = now() >= entry.outUntil + (isRisky ? entry.outMs : 0);
      return isEnded && !entry.isTrying ? "trial" : "out";
    },
    begin(key) {
      const entry = entries.get(key);
      const isTrial = entry !== undefined && entry.outUntil > 0 && now() >= entry.outUntil;
      if (isTrial) entry.isTrying = true;
      let isEnded = false;
      const once = (work: () => void) => () => {
        if (isEnded) return;
        isEnded = true;
        work();
      };
      return {
        succeeded: once(() => succeeded(key)),
        failed: once(() => failed(key, isTrial)),
        ended: once(() => {
          if (isTrial) entry.isTrying = false;
        }),
      };
    },
    checked(key, isWorking) {
      if (isWorking) {
        entries.delete(key);
        return;
      }
      const entry = provideEntry(key);
      entry.failedChecks += 1;
      if (entry.failedChecks === failedChecksToOut) onOut(key, null);
    },
    unchecked(key) {
      const entry = entries.get(key);
      if (entry !== undefined) entry.failedChecks = 0;
    },
  };
}
