import type { Tx } from "../../db/engine/transaction.ts";
import {
  type Log,
  type SweepPosition,
  sweepDnsWrites,
  sweepLog,
  sweepZoneReads,
} from "../../db/queries/operator/retention.ts";
import { sweepDeliveries } from "../../db/queries/webhooks/deliveries.ts";
import { sweepEndpointJobs } from "../../db/queries/webhooks/endpoint-jobs.ts";
import { sweepEvents } from "../../db/queries/webhooks/events.ts";
import type { Runtime } from "../runtime.ts";

/** Rows of one transaction. */
const pieceSize = 1_000;

/**
 * Removes what is older than the operator keeps it, in pieces. A delivery that is still to be sent
 * stays, and so does its event, and a write to a zone that may have to be reverted. Every worker
 * may do so at once.
 */
export async function sweepLogs(runtime: Runtime): Promise<void> {
  const { config, clock } = runtime;
  const before = (retentionMs: number): Date => new Date(clock.now().getTime() - retentionMs);
  const log = (name: Log, retentionMs: number) =>
    sweepAll(runtime, (tx) => sweepLog(tx, name, before(retentionMs), pieceSize));
  const webhooks = before(config.deliveriesRetentionMs);
  await sweepAll(runtime, (tx) => sweepDeliveries(tx, webhooks, pieceSize));
  await sweepAll(runtime, (tx) => sweepEndpointJobs(tx, webhooks, pieceSize));
  await sweepAll(runtime, (tx) => sweepEvents(tx, before(config.eventsRetentionMs), pieceSize));
  await log("timeline", config.timelineRetentionMs);
  await log("audit_log", config.auditRetentionMs);
  // A cause is there so that it is not counted twice.
  await log("usage_causes", config.auditRetentionMs);
  const zones = before(config.dnsWritesRetentionMs);
  await sweepWrites(runtime, zones);
  await sweepAll(runtime, (tx) => sweepZoneReads(tx, zones, pieceSize));
}

async function sweepWrites(runtime: Runtime, before: Date): Promise<void> {
  let position: SweepPosition | null = null;
  do {
    const after: SweepPosition | null = position;
    position = await runtime.transaction((tx) => sweepDnsWrites(tx, before, after, pieceSize));
  } while (position !== null);
}

async function sweepAll(runtime: Runtime, sweep: (tx: Tx) => Promise<number>): Promise<void> {
  while ((await runtime.transaction(sweep)) === pieceSize);
}
