import { rollBackTo, setSavepoint, type Tx } from "../../db/engine/transaction.ts";
import type { Application } from "../../domain/application.ts";
import type { Connection } from "../../domain/connection.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../domain/id.ts";
import { requireApplication } from "../applications.ts";
import { audit, quietly, type ServiceContext } from "../context.ts";
import { insertOrResume, prepareConnection } from "./create.ts";
import type { CreateBatch } from "./schemas.ts";

interface BatchResult {
  readonly hostname: string;
  readonly status: "created" | "resumed" | "failed";
  readonly connection: Connection | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface Batch {
  readonly batchId: string;
  readonly results: readonly BatchResult[];
}

type Prepared = { readonly spelling: string; readonly outcome: Connection | AppError };

const maxInFlight = 20;

/** Creates many connections in one transaction; a refused hostname does not affect the others. */
export async function createBatch(ctx: ServiceContext, input: CreateBatch): Promise<Batch> {
  const application = await ctx.read((tx) => requireApplication(tx, input.application_id));
  const batchId = input.batch_id ?? newId(ctx.now());
  const prepared = await prepareAll(ctx, application, input.hostnames);
  return ctx.write(async (tx) => {
    const results = new Map<string, BatchResult>();
    // All batches lock hostnames in the same order, so that two of them cannot deadlock.
    for (const item of prepared.toSorted(byHostname)) {
      results.set(item.spelling, await createOne(ctx, tx, item, batchId));
    }
    await auditBatch(ctx, tx, batchId, [...results.values()]);
    return { batchId, results: input.hostnames.flatMap((name) => results.get(name) ?? []) };
  });
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

async function prepareAll(
  ctx: ServiceContext,
  application: Application,
  spellings: readonly string[],
): Promise<Prepared[]> {
  const waiting = [...new Set(spellings)];
  const prepared: Prepared[] = [];
  const work = async (): Promise<void> => {
    for (let spelling = waiting.shift(); spelling !== undefined; spelling = waiting.shift()) {
      const outcome = await prepareConnection(ctx, application, spelling).catch(expected);
      prepared.push({ spelling, outcome });
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
): Promise<BatchResult> {
  if (outcome instanceof AppError) return failed(spelling, outcome);
  await setSavepoint(tx, "batch_item");
  try {
    const { connection, resumed } = await insertOrResume(quietly(ctx), tx, outcome, batchId);
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

function byHostname(a: Prepared, b: Prepared): number {
  const name = ({ spelling, outcome }: Prepared) =>
    outcome instanceof AppError ? spelling : outcome.hostname;
  return name(a) < name(b) ? -1 : 1;
}
