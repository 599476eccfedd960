import { lockConnection } from "../../db/queries/connections/connections.ts";
import { insertTimeline } from "../../db/queries/connections/timeline.ts";
import { nextSequence } from "../../db/queries/sending/sending-domains.ts";
import {
  type DueForeign,
  selectDueForeign,
  settleForeign,
  sweepForeign,
} from "../../db/queries/transparency/foreign-certificates.ts";
import { isOwnKey, sweepKeys } from "../../db/queries/transparency/own-keys.ts";
import { insertEvent } from "../../db/queries/webhooks/events.ts";
import { holdsClaim } from "../../domain/connections/connection.ts";
import { foreignCertificateData } from "../../domain/transparency/foreign-certificate.ts";
import type { Runtime } from "../runtime.ts";

const batch = 100;
const dayMs = 86_400_000;
/** Longer than a certificate of ours is valid after its order. */
const keysRetentionMs = 200 * dayMs;
const foreignRetentionMs = 30 * dayMs;
const sweepBatch = 1_000;

/**
 * Compares the keys of certificates that were seen some minutes ago with ours, and reports those
 * that are of somebody else. Every worker may run it: each certificate is settled once.
 */
export async function reportForeign(runtime: Runtime): Promise<void> {
  const now = runtime.clock.now();
  const due = await runtime.system((tx) => selectDueForeign(tx, now, batch));
  for (const one of due) await settle(runtime, one, now);
}

async function settle(runtime: Runtime, due: DueForeign, now: Date): Promise<void> {
  await runtime.system(async (tx) => {
    // The connection first: every writer takes the locks in this order.
    const locked = await lockConnection(tx, due.connectionId);
    const isOwn = await isOwnKey(tx, due.publicKey, [due.connectionId]);
    const isReported = locked !== null && holdsClaim(locked.state) && !isOwn;
    const foreign = await settleForeign(tx, due, isReported ? now : null);
    if (!isReported || foreign === null) return;
    await nextSequence(tx, locked.id, now);
    const connection = await lockConnection(tx, locked.id);
    if (connection === null) return;
    const data = foreignCertificateData(foreign);
    await insertTimeline(tx, connection, {
      kind: "certificate",
      fromState: null,
      toState: null,
      errorCode: null,
      details: { outcome: "foreign", ...data },
      createdAt: now,
    });
    await insertEvent(tx, connection, {
      type: "certificate.foreign",
      sequence: connection.sequence,
      at: now,
      data,
    });
  });
}

/** Deletes what no log shows any more. */
export async function sweepTransparency(runtime: Runtime): Promise<void> {
  const now = runtime.clock.now().getTime();
  const [keys, ended] = [new Date(now - keysRetentionMs), new Date(now - foreignRetentionMs)];
  while ((await runtime.system((tx) => sweepKeys(tx, keys, sweepBatch))) === sweepBatch);
  while ((await runtime.system((tx) => sweepForeign(tx, ended, sweepBatch))) === sweepBatch);
}
