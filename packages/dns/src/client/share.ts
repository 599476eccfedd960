import { AsyncLocalStorage } from "node:async_hooks";
import { createSingleFlight, type SingleFlight } from "@mooring/concurrency";

/**
 * How soon a question is asked among those that wait for the same server: `fresh` before
 * `recheck` (of what works), `retry` last.
 */
export type Urgency = "fresh" | "recheck" | "retry";

/** On whose behalf questions are asked. */
export interface Share {
  /** Opaque; shares with the same key have one part of each server together. */
  readonly key: string;
  readonly urgency: Urgency;
  /**
   * Called when so many questions of the same key wait for a server that this one would wait long.
   * Who aborts then, and tries again after `retryAfterMs`, finds a shorter queue. Not called again
   * for a server that has taken a question of this object.
   */
  readonly onCrowded?: (retryAfterMs: number) => void;
}

/** Who asks without saying so: the process itself, which is not limited to a part. */
export const nobody: Share = { key: "", urgency: "fresh" };

/** Those who wait for one question. Others may join while it waits. */
export interface Askers {
  readonly shares: readonly Share[];
  /** Calls `onJoin` for each share that joins later, until the returned function is called. */
  follow(onJoin: (share: Share) => void): () => void;
}

const alone: Askers = { shares: [nobody], follow: () => () => undefined };

const storage = new AsyncLocalStorage<Askers>();

/** Runs with all questions that are asked meanwhile asked on behalf of the share. */
export function askFor<T>(share: Share, run: () => T): T {
  return storage.run({ shares: [share], follow: alone.follow }, run);
}

/** Those on whose behalf the running code asks. */
export function currentAskers(): Askers {
  return storage.getStore() ?? alone;
}

interface JointAskers extends Askers {
  join(askers: Askers): void;
}

function createJointAskers(): JointAskers {
  const shares: Share[] = [];
  const followers = new Set<(share: Share) => void>();
  const add = (share: Share): void => {
    if (shares.some(({ key, urgency }) => key === share.key && urgency === share.urgency)) return;
    shares.push(share);
    for (const onJoin of followers) onJoin(share);
  };
  return {
    shares,
    follow(onJoin) {
      followers.add(onJoin);
      return () => void followers.delete(onJoin);
    },
    join(askers) {
      for (const share of askers.shares) add(share);
      askers.follow(add);
    },
  };
}

/**
 * A single flight whose questions are asked on behalf of all its callers: they go with the best of
 * what each of them alone would have.
 */
export function createJointFlight<T>(): SingleFlight<T> {
  const fly = createSingleFlight<T>();
  const flights = new Map<string, JointAskers>();
  return (key, signal, run) => {
    const own = currentAskers();
    flights.get(key)?.join(own);
    return fly(key, signal, (inner) => {
      const askers = createJointAskers();
      askers.join(own);
      flights.set(key, askers);
      const end = (): void => {
        if (flights.get(key) === askers) flights.delete(key);
      };
      const flight = storage.run(askers, () => run(inner));
      flight.then(end, end);
      return flight;
    });
  };
}
