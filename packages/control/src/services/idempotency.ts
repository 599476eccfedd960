import { rollBackTo, setSavepoint, type Tx } from "../db/engine/transaction.ts";
import {
  type IdempotentRequest,
  insertReply,
  lockIdempotencyKey,
  type StoredReply,
  selectReply,
  sweepReplies,
} from "../db/queries/idempotency.ts";
import { AppError } from "../domain/errors.ts";
import { type ServiceContext, withWrite } from "./context.ts";
import type { Runtime } from "./runtime.ts";

interface Reply {
  readonly status: number;
  readonly body: string;
}

export interface OnceReply extends Reply {
  readonly replayed: boolean;
}

/** How a verb's outcome becomes the stored reply, which a repeated request gets byte for byte. */
export interface Rendering<T> {
  readonly result: (result: T) => Reply;
  /** Null for an error that is not stored, so that the key can be used again (5xx). */
  readonly error: (error: AppError) => Reply | null;
}

/** Leaves the verb's write when another request with this key has committed its reply meanwhile. */
class AlreadyAnswered extends Error {
  readonly reply: StoredReply;
  constructor(reply: StoredReply) {
    super("already answered");
    this.reply = reply;
  }
}

/**
 * Runs a verb at most once per key. The key is locked and the reply stored in the verb's own write
 * transaction: object and reply commit together, and a crash leaves neither. Of equal requests in
 * parallel one runs; the others get its reply or `idempotency_in_progress`.
 */
export async function once<T>(
  ctx: ServiceContext,
  request: IdempotentRequest,
  rendering: Rendering<T>,
  verb: (ctx: ServiceContext) => Promise<T>,
): Promise<OnceReply> {
  const earlier = await ctx.read((tx) => selectReply(tx, ctx.actor, request, ctx.now()));
  if (earlier) return replay(request, earlier);
  const guarded = withWrite(ctx, (work) => lockedWrite(ctx, request, rendering, work));
  try {
    return { ...rendering.result(await verb(guarded)), replayed: false };
  } catch (error) {
    if (error instanceof AlreadyAnswered) return replay(request, error.reply);
    throw error;
  }
}

function replay(request: IdempotentRequest, stored: StoredReply): OnceReply {
  if (!stored.fingerprint.equals(request.fingerprint)) {
    throw new AppError(
      "idempotency_mismatch",
      "this Idempotency-Key was used with another request body",
    );
  }
  return { status: stored.status, body: stored.body, replayed: true };
}

async function lockedWrite<T, R>(
  ctx: ServiceContext,
  request: IdempotentRequest,
  rendering: Rendering<R>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const outcome = await ctx.write(async (tx) => {
    if (!(await lockIdempotencyKey(tx, ctx.actor, request))) {
      throw new AppError(
        "idempotency_in_progress",
        "a request with this Idempotency-Key is running",
        {
          retryAfterSeconds: 1,
        },
      );
    }
    const stored = await selectReply(tx, ctx.actor, request, ctx.now());
    if (stored) throw new AlreadyAnswered(stored);
    return attempt(ctx, tx, request, rendering, work);
  });
  if ("refusal" in outcome) throw outcome.refusal;
  return outcome.result;
}

type Outcome<T> = { readonly result: T } | { readonly refusal: AppError };

/** A refusal is a reply too: its work is rolled back, its reply is stored. */
async function attempt<T, R>(
  ctx: ServiceContext,
  tx: Tx,
  request: IdempotentRequest,
  rendering: Rendering<R>,
  work: (tx: Tx) => Promise<T>,
): Promise<Outcome<T>> {
  await setSavepoint(tx, "idempotency_attempt");
  try {
    const result = await work(tx);
    await insertReply(tx, ctx.actor, request, rendering.result(asVerbResult(result)), ctx.now());
    return { result };
  } catch (error) {
    const reply = error instanceof AppError ? rendering.error(error) : null;
    if (!(error instanceof AppError) || !reply) throw error;
    await rollBackTo(tx, "idempotency_attempt");
    await insertReply(tx, ctx.actor, request, reply, ctx.now());
    return { refusal: error };
  }
}

/** Sound by the contract of `ServiceContext.write`: its result is the verb's own result. */
function asVerbResult<R>(result: unknown): R {
  return result as R;
}

/** Deletes stored replies older than a day, in batches. Returns how many. */
export async function sweepIdempotency(runtime: Runtime): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await runtime.transaction((tx) => sweepReplies(tx, runtime.clock.now()));
    total += deleted;
    if (deleted === 0) return total;
  }
}
