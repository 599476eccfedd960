import type { Tx } from "../db/engine/transaction.ts";
import { insertAudit } from "../db/queries/audit.ts";
import { type Actor, actorLabel } from "../domain/tenancy.ts";
import type { Runtime } from "./runtime.ts";

/** What a verb gets: the caller, the process's runtime, and transactions confined to the caller's tenant. */
export interface ServiceContext {
  readonly runtime: Runtime;
  readonly actor: Actor;
  /** Aborts at the request's timeout, which runs from the first use of this property. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /**
   * The verb's one write transaction. Its result is the verb's result: with an Idempotency-Key the
   * reply is stored in the same transaction. Slow and outgoing calls happen before it.
   */
  readonly write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
}

export function createContext(runtime: Runtime, actor: Actor, timeoutMs: number): ServiceContext {
  let signal: AbortSignal | null = null;
  const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => runtime.tenant(actor, work);
  return {
    runtime,
    actor,
    // Lazy: most verbs never use the signal, so most requests start no timer.
    get signal() {
      signal ??= AbortSignal.timeout(timeoutMs);
      return signal;
    },
    now: () => runtime.clock.now(),
    read: transact,
    write: transact,
  };
}

/**
 * The same context with another `write`. Not a spread: that would read `signal`, which starts its
 * timer, and would freeze the getter's value.
 */
export function withWrite(ctx: ServiceContext, write: ServiceContext["write"]): ServiceContext {
  return {
    runtime: ctx.runtime,
    actor: ctx.actor,
    get signal() {
      return ctx.signal;
    },
    now: ctx.now,
    read: ctx.read,
    write,
  };
}

/** Writes the audit row in the change's own transaction: `audit(ctx, tx, "api_key.revoke", keyId)`. */
export async function audit(
  ctx: ServiceContext,
  tx: Tx,
  action: `${string}.${string}`,
  id: string,
  details: object = {},
): Promise<void> {
  await insertAudit(tx, {
    tenantId: ctx.actor.tenantId,
    environment: ctx.actor.environment,
    at: ctx.now(),
    actor: actorLabel(ctx.actor),
    action,
    subject: `${action.slice(0, action.indexOf("."))}:${id}`,
    details,
  });
}
