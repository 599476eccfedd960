import { setTimeout as delay } from "node:timers/promises";
import { EgressError } from "../egress-error.ts";
import { AnswerCache, type Outcome } from "./answer-cache.ts";
import { createLanes } from "./lanes.ts";
import { type NameAnswer, nameTimeout } from "./name-servers.ts";

export interface CachedResolverOptions {
  /** Asks the name servers, without a cache. */
  readonly ask: (hostname: string) => Promise<NameAnswer>;
  readonly nowMs?: () => number;
  readonly maxNames?: number;
  /** A question that takes longer counts as unanswered. */
  readonly timeoutMs?: number;
  /** Names of one owner that are asked for at the same time. */
  readonly perOwner?: number;
}

/** Chosen so that a dial, which has five seconds by default, still learns why it failed. */
const defaultTimeoutMs = 4_500;
const defaultMaxNames = 10_000;
const defaultPerOwner = 64;
/** For questions that belong to nobody in particular, such as those of the operator's own URLs. */
const withoutOwner = 256;
const maxWaitingPerOwner = 1_024;
/** How long a caller waits for a new answer when there is an old one. */
const oldAfterMs = 1_000;

export type CachedResolver = (hostname: string, owner?: string) => Promise<readonly string[]>;

/**
 * Answers from a bounded cache by time to live. Equal questions share one; each owner has slots of
 * its own, so that silent names of one delay only that one. Rejects as `ask` does, with `dns` for a
 * name without addresses.
 */
export function createCachedResolver(options: CachedResolverOptions): CachedResolver {
  const { nowMs = () => performance.now(), maxNames = defaultMaxNames } = options;
  const cache = new AnswerCache(maxNames, nowMs);
  const question = createQuestions(options, cache);

  function outcomeOf(name: string, owner: string): Promise<Outcome> | Outcome {
    const cached = cache.get(name);
    if (cached === null) return question(name, owner);
    if (cached.state === "old") return orOld(question(name, owner), cached.outcome);
    if (cached.state === "ageing") void question(name, owner);
    return cached.outcome;
  }

  return async (hostname, owner = "") =>
    addressesOf(await outcomeOf(hostname.toLowerCase(), owner));
}

/** Questions to the name servers; one at a time for each name. Their outcomes go into the cache. */
function createQuestions(
  { ask, timeoutMs = defaultTimeoutMs, perOwner = defaultPerOwner }: CachedResolverOptions,
  cache: AnswerCache,
): (name: string, owner: string) => Promise<Outcome> {
  const asking = new Map<string, Promise<Outcome>>();
  const lanes = createLanes({
    running: (owner) => (owner === "" ? withoutOwner : perOwner),
    waiting: maxWaitingPerOwner,
  });

  async function askInTime(name: string, entered: Promise<() => void>): Promise<Outcome> {
    const { promise: timeUp, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(nameTimeout()), timeoutMs);
    let hasEnded = false;
    const answer = entered.then(async (leave) => {
      try {
        // The time may have passed in the queue.
        return await (hasEnded ? timeUp : Promise.race([ask(name), timeUp]));
      } finally {
        leave();
      }
    });
    try {
      return await Promise.race([answer, timeUp]);
    } catch (error) {
      return { kind: "failed", error };
    } finally {
      hasEnded = true;
      clearTimeout(timer);
    }
  }

  return (name, owner) => {
    const known = asking.get(name);
    if (known !== undefined) return known;
    const entered = lanes.enter(owner);
    if (entered === null) return Promise.resolve({ kind: "failed", error: new TooManyNames() });
    const asked = askInTime(name, entered).then((outcome) => {
      asking.delete(name);
      cache.store(name, outcome);
      return outcome;
    });
    asking.set(name, asked);
    return asked;
  };
}

/** The new outcome; the old answer when that fails or takes too long. */
async function orOld(asked: Promise<Outcome>, old: Outcome): Promise<Outcome> {
  const timeout = new AbortController();
  const late = delay(oldAfterMs, old, { signal: timeout.signal }).catch(() => old);
  const outcome = await Promise.race([asked, late]);
  timeout.abort();
  return outcome.kind === "failed" ? old : outcome;
}

/** The queue of an owner is full of names that are not answered. */
export class TooManyNames extends EgressError {
  constructor() {
    super("dns", "too many names of this account are being resolved");
  }
}

function addressesOf(outcome: Outcome): readonly string[] {
  if (outcome.kind === "failed") throw outcome.error;
  if (outcome.kind === "absent") throw new EgressError("dns", "the host has no address");
  return outcome.addresses;
}
