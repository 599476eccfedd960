import { rollBackTo, setSavepoint, type Tx } from "../../db/engine/transaction.ts";
import { lockHostnames } from "../../db/queries/connections/hostname-locks.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { requireApplication } from "../applications/applications.ts";
import { requireOwnCustomer } from "../applications/customer.ts";
import { takeConnects } from "../billing/usage.ts";
import { audit, quietly, type ServiceContext } from "../context.ts";
import { insertOrResume, insertUncounted, prepareConnection } from "./create.ts";
import { type NamedRecords, namedBy } from "./needed.ts";
import type { CreateBatch } from "./schemas.ts";

interface BatchResult {
  readonly hostname: string;
  readonly status: "created" | "resumed" | "failed";
  readonly connection: Connection | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Batch {
  readonly batchId: string;
  readonly results: readonly (BatchResult & {
    /** What the customer has to publish; null for one that was refused. */
    readonly named: NamedRecords | null;
  })[];
}

type Prepared = { readonly spelling: string; readonly outcome: Connection | AppError };

type Insert = typeof insertOrResume;

const maxInFlight = 20;

/** Creates many connections in one transaction; a refused hostname does not affect the others. */
export async function createBatch(ctx: ServiceContext, input: CreateBatch): Promise<Batch> {
  const application = await ctx.read((tx) => requireApplication(tx, input.application_id));
  const batchId = input.batch_id ?? newId(ctx.now());
  const customerRef = requireOwnCustomer(ctx.actor, input.customer_ref);
  const prepare = (name: string) => prepareConnection(ctx, application, name, { customerRef });
  const prepared = await prepareAll(input.hostnames, prepare);
  return ctx.write(async (tx) => {
    await lockHostnames(tx, prepared.flatMap(preparedHostnames));
    const results = await createAll(ctx, tx, prepared, batchId);
    await auditBatch(ctx, tx, batchId, [...results.values()]);
    const named = (connection: Connection | null) =>
      connection && namedBy(ctx.runtime, application, connection);
    return {
      batchId,
      results: withRepeats(input.hostnames, results).map((result) => ({
        ...result,
        named: named(result.connection),
      })),
    };
  });
}

/** In the order of the request. A hostname that was created above is resumed by its repeat. */
function withRepeats(
  spellings: readonly string[],
  results: ReadonlyMap<string, BatchResult>,
): BatchResult[] {
  const answered = new Set<string>();
  return spellings.flatMap((spelling) => {
    const result = results.get(spelling);
    if (result === undefined) return [];
    const isRepeat = result.status === "created" && answered.has(spelling);
    answered.add(spelling);
    return isRepeat ? { ...result, status: "resumed" } : result;
  });
}

/**
 * The tenant's counter is locked once, at the end: other requests of the tenant do not wait for the
 * batch. Where the plan allows fewer than the batch has, each one is counted by itself instead.
 */
async function createAll(
  ctx: ServiceContext,
  tx: Tx,
  prepared: readonly Prepared[],
  batchId: string,
): Promise<ReadonlyMap<string, BatchResult>> {
  await setSavepoint(tx, "batch");
  const results = await createEach(ctx, tx, prepared, batchId, insertUncounted);
  const created = [...results.values()].flatMap(({ status, connection }) =>
    status === "created" && connection !== null ? [connection.id] : [],
  );
  if (await takeConnects(ctx.runtime, tx, ctx.actor, created)) return results;
  await rollBackTo(tx, "batch");
  return createEach(ctx, tx, prepared, batchId, insertOrResume);
}

async function createEach(
  ctx: ServiceContext,
  tx: Tx,
  prepared: readonly Prepared[],
  batchId: string,
  insert: Insert,
): Promise<ReadonlyMap<string, BatchResult>> {
  const results = new Map<string, BatchResult>();
  for (const item of prepared.toSorted(byHostname)) {
    results.set(item.spelling, await createOne(ctx, tx, item, batchId, insert));
  }
  return results;
}

/** One row for the whole batch, which names what it made. */
async function auditBatch(
  ctx: ServiceContext,
  tx: Tx,
  batchId: string,
  results: readonly BatchResult[],
): Promise<void> {
  const made = results.filter(({ status }) => status === "created");
  if (made.length === 0) return;
  const connections = made.flatMap(({ connection }) => connection?.id ?? []);
  await audit(ctx, tx, "batch.create", batchId, { created: made.length, connections });
}

/** Each spelling once, in the order of the request. */
async function prepareAll(
  spellings: readonly string[],
  prepare: (spelling: string) => Promise<Connection>,
): Promise<Prepared[]> {
  const different = [...new Set(spellings)];
  const prepared: Prepared[] = [];
  const waiting = different.entries();
  const work = async (): Promise<void> => {
    for (const [index, spelling] of waiting) {
      prepared[index] = { spelling, outcome: await prepare(spelling).catch(expected) };
    }
  };
  await Promise.all(Array.from({ length: maxInFlight }, work));
  return prepared;
}

async function createOne(
  ctx: ServiceContext,
  tx: Tx,
  { spelling, outcome }: Prepared,
  batchId: string,
  insert: Insert,
): Promise<BatchResult> {
  if (outcome instanceof AppError) return failed(spelling, outcome);
  await setSavepoint(tx, "batch_item");
  try {
    const { connection, resumed } = await insert(quietly(ctx), tx, outcome, batchId);
    return { hostname: spelling, status: resumed ? "resumed" : "created", connection, error: null };
  } catch (error) {
    const refusal = expected(error);
    await rollBackTo(tx, "batch_item");
    return failed(spelling, refusal);
  }
}

function failed(hostname: string, { code, message }: AppError): BatchResult {
  return { hostname, status: "failed", connection: null, error: { code, message } };
}

/** A refusal is one item's result; any other error, or an unavailable database, fails the batch. */
function expected(error: unknown): AppError {
  if (error instanceof AppError && error.code !== "unavailable") return error;
  throw error;
}

function preparedHostnames({ outcome }: Prepared): readonly string[] {
  return outcome instanceof AppError ? [] : [outcome.hostname];
}

/** Of two spellings of one hostname the first of the request stays the first. */
function byHostname(a: Prepared, b: Prepared): number {
  const name = (item: Prepared) => preparedHostnames(item)[0] ?? item.spelling;
  if (name(a) === name(b)) return 0;
  return name(a) < name(b) ? -1 : 1;
}
