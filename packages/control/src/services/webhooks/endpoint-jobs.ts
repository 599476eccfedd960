import type { Tx } from "../../db/engine/transaction.ts";
import {
  deletePiece,
  type EndpointJob,
  insertEndpointJob,
  lockOpenJob,
  type Piece,
  recordPiece,
  replayPiece,
  resumePiece,
} from "../../db/queries/webhooks/endpoint-jobs.ts";
import { newId } from "../../domain/id.ts";
import type { EndpointReplay } from "../../domain/webhooks/webhook.ts";
import type { ServiceContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";

/** Rows of one transaction: a moment, however much there is to do. */
const pieceSize = 1_000;

const pieces: Readonly<
  Record<EndpointJob["kind"], (tx: Tx, job: EndpointJob, limit: number) => Promise<Piece>>
> = { resume: resumePiece, replay: replayPiece, delete: deletePiece };

/** Does what is open for endpoints, piece by piece. Any number of workers may do so at once. */
export async function runEndpointJobs(runtime: Runtime): Promise<void> {
  const next = (tx: Tx) => runNextPiece(tx, runtime.clock.now());
  while (await runtime.transaction(next));
}

async function runNextPiece(tx: Tx, now: Date): Promise<boolean> {
  const job = await lockOpenJob(tx);
  if (job === null) return false;
  await runPiece(tx, job, now);
  return true;
}

async function runPiece(tx: Tx, job: EndpointJob, now: Date): Promise<Piece> {
  const piece = await pieces[job.kind](tx, job, pieceSize);
  await recordPiece(tx, job, piece, now);
  return piece;
}

type ReplayRange = { readonly since: Date } & Pick<EndpointJob, "eventType" | "isFailedOnly">;

const every = { eventType: null, isFailedOnly: false } as const;

/**
 * What is put off becomes due within a second, by a worker; what is due already is sent without it.
 */
export async function startResume(ctx: ServiceContext, tx: Tx, endpointId: string): Promise<void> {
  const job = newJob(ctx, { endpointId, kind: "resume", since: null, ...every });
  await insertEndpointJob(tx, ctx.actor, job);
}

/** Sends events since a time again, the first piece of them in this transaction. */
export async function startReplay(
  ctx: ServiceContext,
  tx: Tx,
  endpointId: string,
  { since, ...which }: ReplayRange,
): Promise<EndpointReplay> {
  const job = newJob(ctx, { endpointId, kind: "replay", since, ...which });
  await insertEndpointJob(tx, ctx.actor, job);
  const { done, isLast } = await runPiece(tx, job, job.createdAt);
  return { since, replayed: done, complete: isLast };
}

function newJob(
  ctx: ServiceContext,
  about: Pick<EndpointJob, "endpointId" | "kind" | "since" | "eventType" | "isFailedOnly">,
): EndpointJob {
  const createdAt = ctx.now();
  return { ...about, id: newId(createdAt), cursorAt: null, cursorId: null, createdAt };
}
