import { setTimeout as delay } from "node:timers/promises";
import { type DnsRecord, editsOf, type Plan, ProviderError, recordKey } from "@mooring/dns";
import {
  finishDnsWrite,
  insertDnsWrite,
  settleDnsWrites,
  type WriteEnd,
} from "../../db/queries/dns-writes.ts";
import { insertTimeline } from "../../db/queries/events.ts";
import type { Connection } from "../../domain/connection.ts";
import type { WritePurpose } from "../../domain/dns-write.ts";
import { newId } from "../../domain/id.ts";
import type { Runtime } from "../runtime.ts";
import { noteUse } from "./open-provider.ts";
import type { WritableZone } from "./writable-zone.ts";

/** Some interfaces show a change only a moment after they took it. */
const readBackAfterMs = [0, 1_000, 3_000];

/**
 * Carries out a plan, for the zone's only writer. The plan is on record before the provider hears of
 * it and its end after, when the zone was read again: a failure after the fact is no failure, and a
 * success that does not show is none.
 */
export async function applyPlan(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  plan: Plan,
  signal: AbortSignal,
  purpose: WritePurpose = "connection",
): Promise<void> {
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
  const { error, end } = await carryOut(target, plan, signal);
  await finish(runtime, connection, target, { id, plan, end });
  if (target.credentialId !== null && (error === null || error instanceof ProviderError)) {
    await noteUse(runtime, target.credentialId, error);
  }
  if (error !== null) throw error;
}

/** The same for a plan that only keeps: what was cut off before came to its end after all. */
export async function settlePlan(
  runtime: Runtime,
  connection: Connection,
  { manifest, zone }: WritableZone,
): Promise<void> {
  const place = { provider: manifest.slug, zone: zone.name };
  await runtime.system((tx) => settleDnsWrites(tx, connection.id, place, runtime.clock.now()));
}

interface Ending {
  readonly error: unknown;
  readonly end: WriteEnd;
}

async function carryOut(target: WritableZone, plan: Plan, signal: AbortSignal): Promise<Ending> {
  const error = await target.provider.apply(target.zone, plan, signal).then(
    () => null,
    (reason: unknown) => reason ?? new Error("rejected without a reason"),
  );
  if (error !== null && !(error instanceof ProviderError)) {
    return { error, end: { outcome: "failed", error: "interrupted", unchanged: false } };
  }
  const seen = await readBack(target, plan, error === null ? readBackAfterMs : [0], signal);
  if (seen === null) {
    const note = "The zone could not be read afterwards.";
    return error === null
      ? { error, end: { outcome: "applied", error: note, unchanged: false } }
      : failed(error, false);
  }
  if (seen.left.length === 0 && (error === null || error.kind === "unavailable")) {
    return { error: null, end: { outcome: "applied", error: null, unchanged: false } };
  }
  return failed(error ?? notShown(seen.left), seen.isUnchanged);
}

function failed(error: ProviderError, unchanged: boolean): Ending {
  return { error, end: { outcome: "failed", error: error.message, unchanged } };
}

function notShown(left: readonly DnsRecord[]): ProviderError {
  const names = left.map(({ name, type }) => `${name} ${type}`).join(", ");
  return new ProviderError(
    "unavailable",
    `The provider took the change and does not show it: ${names}.`,
  );
}

interface Seen {
  /** What is not yet as planned. */
  readonly left: readonly DnsRecord[];
  /** Nothing is as planned. */
  readonly isUnchanged: boolean;
}

/** Null when the zone cannot be read. */
async function readBack(
  target: WritableZone,
  plan: Plan,
  pausesMs: readonly number[],
  signal: AbortSignal,
): Promise<Seen | null> {
  let seen: Seen | null = null;
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    seen = await readOnce(target, plan, signal);
    if (seen === null || seen.left.length === 0) return seen;
  }
  return seen;
}

async function readOnce(
  { provider, zone }: WritableZone,
  plan: Plan,
  signal: AbortSignal,
): Promise<Seen | null> {
  const { add, remove } = editsOf(plan);
  try {
    const { records } = await provider.listRecords(zone, signal);
    const present = new Set(records.map(recordKey));
    const missing = add.filter((record) => !present.has(recordKey(record)));
    const staying = remove.filter((record) => present.has(recordKey(record)));
    const left = [...missing, ...staying];
    return { left, isUnchanged: left.length === add.length + remove.length };
  } catch (error) {
    if (error instanceof ProviderError || signal.aborted) return null;
    throw error;
  }
}

async function finish(
  runtime: Runtime,
  connection: Connection,
  { manifest }: WritableZone,
  write: { readonly id: string; readonly plan: Plan; readonly end: WriteEnd },
): Promise<void> {
  const { plan, end } = write;
  const now = runtime.clock.now();
  await runtime.system(async (tx) => {
    await finishDnsWrite(tx, write.id, end, now);
    await insertTimeline(tx, connection, {
      kind: "write",
      fromState: null,
      toState: null,
      errorCode: null,
      details: {
        provider: manifest.slug,
        zone: plan.zone,
        outcome: end.outcome,
        changes: plan.changes.length,
        ...(end.error === null ? {} : { error: end.error }),
      },
      createdAt: now,
    });
  });
}
