import type { Tx } from "../db/engine/transaction.ts";
import type { Actor } from "../domain/tenancy.ts";
import type { Runtime } from "./runtime.ts";

/** What a verb gets: who asks, the process's runtime, and transactions confined to the asker. */
export interface ServiceContext {
  readonly runtime: Runtime;
  readonly actor: Actor;
  /** Aborts when the request has taken as long as it may, counted from its first use. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /**
   * The verb's one write, whose result is the verb's result: with an Idempotency-Key its reply is
   * stored in the same transaction. What is slow or leaves the process happens before it.
   */
  readonly write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
}

export function createContext(runtime: Runtime, actor: Actor, timeoutMs: number): ServiceContext {
  let signal: AbortSignal | null = null;
  const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => runtime.tenant(actor, work);
  return {
    runtime,
    actor,
    // A timer is made only for a verb that waits for something.
    get signal() {
      signal ??= AbortSignal.timeout(timeoutMs);
      return signal;
    },
    now: () => runtime.clock.now(),
    read: transact,
    write: transact,
  };
}
