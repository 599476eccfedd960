import { askFor } from "@mooring/dns";
import type { DueRows } from "@mooring/postgres";
import type { Tx } from "../../../db/engine/transaction.ts";
import { selectConnection } from "../../../db/queries/connections/connections.ts";
import { lockHostname } from "../../../db/queries/connections/hostname-locks.ts";
import { insertTimeline } from "../../../db/queries/connections/timeline.ts";
import {
  type ArchivePosition,
  claimDueLeftBehind,
  type DueLeftBehind,
  deleteLeftBehind,
  extendLeftBehind,
  fillLeftBehind,
  isConnectedAgain,
  nextArchivedSequence,
  releaseLeftBehind,
  storeLeftBehind,
} from "../../../db/queries/left-behind/left-behind.ts";
import { sweepRemovalLinks } from "../../../db/queries/left-behind/removal-links.ts";
import { insertEvent } from "../../../db/queries/webhooks/events.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import {
  followSight,
  type LeftRecord,
  nextLookupAt,
  type Sight,
  type WatchStep,
  watchedMs,
} from "../../../domain/connections/left-behind.ts";
import type { Runtime } from "../../runtime.ts";
import { PutOff } from "../checks/tenant-share.ts";
import { findLeftRecords } from "./find-records.ts";

export type { DueLeftBehind };

/** Names of archived connections whose next lookup is due. */
export function dueLeftBehind({ database }: Runtime): DueRows<DueLeftBehind> {
  return {
    table: "left_behind",
    idOf: ({ connectionId }) => connectionId,
    versionOf: ({ version }) => version,
    claim: (now, until, limit) => claimDueLeftBehind(database, now, until, limit),
    extend: (leased, until) => extendLeftBehind(database, leased, until),
    release: (row, dueAt) => releaseLeftBehind(database, row, dueAt),
  };
}

interface Seen {
  readonly sight: Sight;
  readonly records: readonly LeftRecord[];
}

/**
 * Checks a name that a worker has leased; true when its result was stored.
 * 1. The watch ends 90 days after the archive.
 * 2. A name that is connected again is not asked for.
 * 3. Its name servers are asked in the tenant's share, as for a routine check; where they are busy,
 *    later.
 * 4. Under the hostname's lock, so that nobody connects it meanwhile: the row, and with two answers
 *    that agree the event.
 */
export async function checkLeftBehind(
  runtime: Runtime,
  row: DueLeftBehind,
  signal: AbortSignal,
): Promise<boolean> {
  const connection = await runtime.system((tx) => selectConnection(tx, row.connectionId));
  const endsAt = row.archivedAt.getTime() + watchedMs;
  const hasEnded = endsAt <= runtime.clock.now().getTime();
  if (connection === null || connection.state !== "archived" || hasEnded) {
    await runtime.system((tx) => deleteLeftBehind(tx, row));
    return true;
  }
  try {
    const seen = await see(runtime, connection, signal);
    return await runtime.system((tx) => store(runtime, tx, { row, connection, seen }));
  } catch (error) {
    if (!(error instanceof PutOff)) throw error;
    const dueAt = new Date(runtime.clock.now().getTime() + error.retryAfterMs);
    await releaseLeftBehind(runtime.database, row, dueAt);
    return true;
  }
}

async function see(runtime: Runtime, connection: Connection, signal: AbortSignal): Promise<Seen> {
  if (await runtime.system((tx) => isConnectedAgain(tx, connection))) return inUse;
  const crowded = new AbortController();
  const onCrowded = (retryAfterMs: number) => crowded.abort(new PutOff(retryAfterMs));
  const share = { key: connection.tenantId, urgency: "recheck", onCrowded } as const;
  const inner = AbortSignal.any([signal, crowded.signal]);
  const records = await askFor(share, () => findLeftRecords(runtime, connection, inner));
  if (records === null) return { sight: "unknown", records: [] };
  return { sight: records.length > 0 ? "here" : "gone", records };
}

const inUse: Seen = { sight: "in_use", records: [] };

interface Storing {
  readonly row: DueLeftBehind;
  readonly connection: Connection;
  readonly seen: Seen;
}

async function store(runtime: Runtime, tx: Tx, { row, connection, seen }: Storing) {
  await lockHostname(tx, connection.hostname);
  const now = runtime.clock.now();
  const isAgain = seen.sight !== "in_use" && (await isConnectedAgain(tx, connection));
  const step = followSight(row, isAgain ? "in_use" : seen.sight, now);
  const dueAt = nextLookupAt(now, step.nextMs, Math.random());
  if (!(await storeLeftBehind(tx, row, { watch: step.watch, dueAt }))) return false;
  await report(tx, { row, connection, seen }, step, now);
  return true;
}

/** Says when it began and ended; not why it ended, which may be somebody else's doing. */
async function report(
  tx: Tx,
  { row, connection, seen }: Storing,
  { watch, isNews }: WatchStep,
  now: Date,
): Promise<void> {
  const isDangling = watch.danglingSince !== null;
  if (isDangling !== (row.danglingSince !== null)) {
    await insertTimeline(tx, connection, {
      kind: "check",
      fromState: null,
      toState: null,
      errorCode: null,
      details: { dangling: isDangling, ...(isDangling ? { records: seen.records } : {}) },
      createdAt: now,
    });
  }
  if (!isNews) return;
  const sequence = await nextArchivedSequence(tx, connection.id);
  const data = { records: seen.records, archived_at: row.archivedAt.toISOString() };
  await insertEvent(tx, connection, { type: "domain.dangling", sequence, at: now, data });
}

const pieceSize = 1_000;
const firstId = "00000000-0000-0000-0000-000000000000";

/**
 * Begins to watch what an earlier release archived, and removes links that have ended, in pieces.
 */
export async function sweepLeftBehind(runtime: Runtime): Promise<void> {
  const now = runtime.clock.now();
  let next: ArchivePosition | null = {
    archivedAt: new Date(now.getTime() - watchedMs),
    id: firstId,
  };
  while (next !== null) {
    const after: ArchivePosition = next;
    next = await runtime.system((tx) => fillLeftBehind(tx, after, now, pieceSize));
  }
  const sweep = () => runtime.system((tx) => sweepRemovalLinks(tx, now, pieceSize));
  while ((await sweep()) === pieceSize);
}
