import { setTimeout as delay } from "node:timers/promises";
import {
  type Plan as ChangePlan,
  type DnsRecord,
  ProviderError,
  planEdits,
  planTraces,
  recordKey,
} from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  finishDnsWrite,
  insertDnsWrite,
  settleDnsWrites,
  type WriteEnd,
} from "../../db/queries/dns-writes/dns-writes.ts";
import { saveZoneRead } from "../../db/queries/dns-writes/zones.ts";
import type { AuditSource } from "../../db/queries/operator/audit.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { newId } from "../../domain/id.ts";
import type { WritePurpose } from "../../domain/records/dns-write.ts";
import { insertWriteEntry } from "../connections/timeline.ts";
import type { Runtime } from "../runtime.ts";
import { noteUse } from "./note-use.ts";
import { requireDelegated, type WritableZone } from "./writable-zone.ts";

/** Some providers show a change only some time after they have accepted it. */
const readBackAfterMs = [0, 1_000, 3_000];

export interface ApplyOptions {
  readonly purpose?: WritePurpose;
  /** Takes back what this service wrote, which it may also do where the hostname has moved away. */
  readonly isRevert?: boolean;
  /** Runs in the transaction that stores the outcome, when the plan was applied. */
  readonly onApplied?: ((tx: Tx) => Promise<void>) | undefined;
  /** Whose call it is; the service's own by default. */
  readonly by?: AuditSource | null;
}

/**
 * Applies a plan; the caller holds the zone's lease. The plan is stored before the provider is
 * called, and its outcome after the zone was read back: an error of a change that is visible is no
 * failure, and a success that is not visible is one.
 */
export async function applyPlan(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  plan: ChangePlan,
  signal: AbortSignal,
  { purpose = "connection", isRevert = false, onApplied, by = null }: ApplyOptions = {},
): Promise<void> {
  if (!isRevert) requireDelegated(target);
  const id = newId(runtime.clock.now());
  await runtime.system((tx) =>
    insertDnsWrite(tx, connection, {
      id,
      credentialId: target.credentialId,
      provider: target.manifest.slug,
      zone: plan.zone,
      changes: plan.changes,
      purpose,
      createdAt: runtime.clock.now(),
    }),
  );
  const { error, end } = await callProvider(target, plan, signal);
  await storeEnd(runtime, connection, target, { id, plan, end, onApplied, by });
  if (target.credentialId !== null && (error === null || error instanceof ProviderError)) {
    const { credentialId } = target;
    await noteUse(runtime, { credentialId, connectionId: connection.id }, error);
  }
  if (error !== null) throw error;
}

/** For a plan without changes: an earlier write that was interrupted has taken effect after all. */
export async function settlePlan(
  runtime: Runtime,
  connection: Connection,
  { manifest, zone }: WritableZone,
  onApplied?: ApplyOptions["onApplied"],
): Promise<void> {
  const written = { provider: manifest.slug, zone: zone.name };
  await runtime.system(async (tx) => {
    await settleDnsWrites(tx, connection.id, written, runtime.clock.now());
    await onApplied?.(tx);
  });
}

interface Ending {
  readonly error: unknown;
  readonly end: WriteEnd;
}

async function callProvider(
  target: WritableZone,
  plan: ChangePlan,
  signal: AbortSignal,
): Promise<Ending> {
  const error = await target.provider.apply(target.zone, plan, signal).then(
    () => null,
    (reason: unknown) => reason ?? new Error("rejected without a reason"),
  );
  if (error !== null && !(error instanceof ProviderError)) {
    return { error, end: { outcome: "failed", error: "interrupted", unchanged: false } };
  }
  const zone = await readBack(target, plan, error === null ? readBackAfterMs : [0], signal);
  if (zone === null) {
    const note = "The zone could not be read afterwards.";
    return error === null
      ? { error, end: { outcome: "applied", error: note, unchanged: false } }
      : failed(error, false);
  }
  if (zone.pending.length === 0 && (error === null || error.kind === "unavailable")) {
    return { error: null, end: { outcome: "applied", error: null, unchanged: false } };
  }
  return failed(error ?? notVisible(zone.pending), zone.isUnchanged);
}

function failed(error: ProviderError, unchanged: boolean): Ending {
  return { error, end: { outcome: "failed", error: error.message, unchanged } };
}

function notVisible(pending: readonly DnsRecord[]): ProviderError {
  const names = pending.map(({ name, type }) => `${name} ${type}`).join(", ");
  return new ProviderError(
    "unavailable",
    `The provider took the change and does not show it: ${names}.`,
  );
}

interface ReadBack {
  /** Records that are not yet as planned. */
  readonly pending: readonly DnsRecord[];
  /** No record is as planned. */
  readonly isUnchanged: boolean;
}

/** Null when the zone cannot be read. */
async function readBack(
  target: WritableZone,
  plan: ChangePlan,
  pausesMs: readonly number[],
  signal: AbortSignal,
): Promise<ReadBack | null> {
  let zone: ReadBack | null = null;
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    zone = await readOnce(target, plan, signal);
    if (zone === null || zone.pending.length === 0) return zone;
  }
  return zone;
}

async function readOnce(
  { provider, zone }: WritableZone,
  plan: ChangePlan,
  signal: AbortSignal,
): Promise<ReadBack | null> {
  const { add, remove } = planEdits(plan);
  try {
    const { records } = await provider.listRecords(zone, signal);
    const present = new Set(records.map(recordKey));
    const missing = add.filter((record) => !present.has(recordKey(record)));
    const remaining = remove.filter((record) => present.has(recordKey(record)));
    const pending = [...missing, ...remaining];
    return { pending, isUnchanged: pending.length === add.length + remove.length };
  } catch (error) {
    if (error instanceof ProviderError || signal.aborted) return null;
    throw error;
  }
}

interface EndedWrite {
  readonly id: string;
  readonly plan: ChangePlan;
  readonly end: WriteEnd;
  readonly onApplied: ApplyOptions["onApplied"];
  readonly by: AuditSource | null;
}

async function storeEnd(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  { id, plan, end, onApplied, by }: EndedWrite,
): Promise<void> {
  const { manifest } = target;
  const now = runtime.clock.now();
  const { outcome, error } = end;
  const entry = { provider: manifest.slug, zone: plan.zone, outcome, error, write_id: id };
  await runtime.system(async (tx) => {
    await finishDnsWrite(tx, id, end, now);
    await insertWriteEntry(tx, connection, { ...entry, changes: plan.changes.length }, now, by);
    if (outcome !== "applied") return;
    await expectSize(tx, connection, target, plan, now);
    await onApplied?.(tx);
  });
}

/** The next read is compared with the zone as this write left it, not with the one before it. */
async function expectSize(
  tx: Tx,
  connection: Connection,
  { credentialId, zone, isRemote }: WritableZone,
  plan: ChangePlan,
  now: Date,
): Promise<void> {
  if (!isRemote || plan.listedCount === undefined) return;
  const { put, taken } = planTraces(plan);
  const records = Math.max(0, plan.listedCount + put.length - taken.length);
  await saveZoneRead(tx, credentialId ?? connection.id, zone.name, { records, short: null }, now);
}
