import type { Tx } from "../db/engine/transaction.ts";
import { type AuditSource, insertAudit } from "../db/queries/operator/audit.ts";
import { type Actor, actorLabel, actorName, type Environment } from "../domain/tenancy.ts";
import type { Runtime } from "./runtime.ts";

/**
 * What a verb gets: the caller, the process's runtime, and transactions confined to the caller's
 * tenant.
 */
export interface ServiceContext {
  readonly runtime: Runtime;
  readonly actor: Actor;
  readonly request: RequestFacts;
  /** False within a call that writes one audit row for all that it does. */
  readonly isAudited: boolean;
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

/** Where a call comes from, for the audit log. */
export interface RequestFacts {
  readonly id: string | null;
  /** The client's IP address. */
  readonly address: string | null;
}

export function createContext(
  runtime: Runtime,
  actor: Actor,
  timeoutMs: number,
  request: RequestFacts = { id: null, address: null },
): ServiceContext {
  let signal: AbortSignal | null = null;
  const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => runtime.tenant(actor, work);
  return {
    runtime,
    actor,
    request,
    isAudited: true,
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
  return copyContext(ctx, { write });
}

/** The same context for the parts of a call that writes one audit row for all of them. */
export function quietly(ctx: ServiceContext): ServiceContext {
  return copyContext(ctx, { isAudited: false });
}

function copyContext(
  ctx: ServiceContext,
  changes: Partial<Pick<ServiceContext, "write" | "isAudited">>,
): ServiceContext {
  return {
    runtime: ctx.runtime,
    actor: ctx.actor,
    request: ctx.request,
    isAudited: changes.isAudited ?? ctx.isAudited,
    get signal() {
      return ctx.signal;
    },
    now: ctx.now,
    read: ctx.read,
    write: changes.write ?? ctx.write,
  };
}

type Action = `${string}.${string}`;

/**
 * Writes the audit row in the change's own transaction: `audit(ctx, tx, "api_key.revoke", keyId)`.
 */
export async function audit(
  ctx: ServiceContext,
  tx: Tx,
  action: Action,
  id: string,
  details: object = {},
): Promise<void> {
  if (ctx.isAudited) await writeAudit(ctx, tx, ctx.actor.environment, action, id, details);
}

/** The same for what belongs to the tenant as a whole: it is shown in both environments. */
export async function auditTenant(
  ctx: ServiceContext,
  tx: Tx,
  action: Action,
  id: string,
  details: object = {},
): Promise<void> {
  await writeAudit(ctx, tx, null, action, id, details);
}

async function writeAudit(
  ctx: ServiceContext,
  tx: Tx,
  environment: Environment | null,
  action: Action,
  id: string,
  details: object,
): Promise<void> {
  await insertAudit(tx, {
    tenantId: ctx.actor.tenantId,
    environment,
    at: ctx.now(),
    ...auditSource(ctx),
    action,
    subject: `${action.slice(0, action.indexOf("."))}:${id}`,
    details,
  });
}

/** Who does it and from where, as an audit row has it. */
export function auditSource(ctx: Pick<ServiceContext, "actor" | "request">): AuditSource {
  return {
    actor: actorLabel(ctx.actor),
    actorName: actorName(ctx.actor),
    requestId: ctx.request.id,
    address: ctx.request.address,
  };
}
