import { randomUUID } from "node:crypto";
import { type DnsRecord, type Plan, ProviderError, planChanges } from "@mooring/dns";
import {
  finishDnsWrite,
  insertDnsWrite,
  leaseZone,
  releaseZone,
  selectWrittenRecords,
} from "../../db/dns-writes.ts";
import { insertTimeline } from "../../db/events.ts";
import { inSystem } from "../../db/transaction.ts";
import { type Connection, type ConnectionError, challengeName } from "../../domain/connection.ts";
import { toDnsRecord } from "../../domain/desired-records.ts";
import { newId } from "../../domain/id.ts";
import type { WriteSeen } from "../../domain/observation.ts";
import { defaultTtlSeconds } from "../../domain/record-template.ts";
import type { Runtime } from "../runtime.ts";
import { findWritableZone, type WritableZone } from "./find-zone.ts";

const zoneLeaseMs = 60_000;
/** 1, 5, 25 s, then every 5 minutes. */
const retryMs = [1_000, 5_000, 25_000, 300_000];

/** Whether a stored credential may be used for the connection and sees its zone. */
export async function canWrite(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await findWritableZone(runtime, connection, signal)) !== null;
  } catch (error) {
    // Away for now: a credential is there, so that the write can be tried and tried again.
    if (error instanceof ProviderError || hasRunOut(signal)) return true;
    throw error;
  }
}

/**
 * One attempt to write the ownership TXT or the desired records: under the zone's lease the zone is
 * read, the plan is stored with what was there before, applied, and read back. A plan in conflict
 * or unsafe is refused as a whole and nothing is written.
 */
export async function writeRecords(
  runtime: Runtime,
  connection: Connection,
  what: "ownership" | "records",
  signal: AbortSignal,
): Promise<WriteSeen> {
  const owner = randomUUID();
  try {
    const target = await findWritableZone(runtime, connection, signal);
    if (!target) return { outcome: "refused", error: "provider_unsupported" };
    if (!(await takeZone(runtime, target, owner)))
      return later(connection, "provider_rate_limited");
    const desired =
      what === "ownership" ? [ownershipRecord(connection)] : wantedRecords(connection);
    return await writePlan(runtime, connection, target, desired, signal);
  } catch (error) {
    if (!(error instanceof ProviderError || hasRunOut(signal))) throw error;
    runtime.log.warn({ err: error, connectionId: connection.id }, "records not written");
    return error instanceof ProviderError
      ? seenFrom(connection, error)
      : later(connection, "provider_unavailable");
  } finally {
    await inSystem(runtime.database.query, (tx) => releaseZone(tx, owner));
  }
}

/** The time for the work is over, as opposed to the process being stopped. */
function hasRunOut({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === "TimeoutError";
}

function ownershipRecord(connection: Connection): DnsRecord {
  return {
    name: challengeName(connection.hostname),
    type: "TXT",
    value: connection.challenge,
    ttl: defaultTtlSeconds,
    priority: null,
  };
}

function wantedRecords(connection: Connection): DnsRecord[] {
  return connection.desiredRecords.map(toDnsRecord);
}

function takeZone(runtime: Runtime, target: WritableZone, owner: string): Promise<boolean> {
  const now = runtime.clock.now();
  const lease = { provider: target.manifest.slug, zone: target.zone.name, owner };
  const until = new Date(now.getTime() + zoneLeaseMs);
  return inSystem(runtime.database.query, (tx) => leaseZone(tx, lease, now, until));
}

async function writePlan(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  desired: readonly DnsRecord[],
  signal: AbortSignal,
): Promise<WriteSeen> {
  const { provider, zone, manifest } = target;
  const owned = await inSystem(runtime.database.query, (tx) =>
    selectWrittenRecords(tx, connection.id, zone.name),
  );
  const result = planChanges({
    zone: zone.name,
    manifest,
    listing: await provider.listRecords(zone, signal),
    desired,
    owned,
    allowedNames: [...new Set(desired.map((record) => record.name))],
  });
  if (!result.ok) return { outcome: "refused", error: "provider_unsupported" };
  if (result.plan.changes.some(({ action }) => action === "conflict")) {
    return { outcome: "refused", error: "record_conflict" };
  }
  if (result.plan.changes.every(({ action }) => action === "keep")) return { outcome: "written" };
  await applyRecorded(runtime, connection, target, result.plan, signal);
  return { outcome: "written" };
}

/** The plan is on record before the provider hears of it, and its end after. */
async function applyRecorded(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  plan: Plan,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock } = runtime;
  const id = newId(clock.now());
  const write = {
    id,
    credentialId: target.credentialId,
    provider: target.manifest.slug,
    zone: plan.zone,
    changes: plan.changes,
    createdAt: clock.now(),
  };
  await inSystem(database.query, (tx) => insertDnsWrite(tx, connection, write));
  const finish = (outcome: "applied" | "failed", error: string | null): Promise<void> =>
    inSystem(database.query, async (tx) => {
      await finishDnsWrite(tx, id, outcome, error, clock.now());
      await insertTimeline(tx, connection, {
        kind: "write",
        fromState: null,
        toState: null,
        errorCode: null,
        details: {
          provider: write.provider,
          zone: write.zone,
          outcome,
          changes: plan.changes.length,
        },
        createdAt: clock.now(),
      });
    });
  try {
    await target.provider.apply(target.zone, plan, signal);
    await finish("applied", null);
  } catch (error) {
    await finish("failed", error instanceof ProviderError ? error.message : "interrupted");
    throw error;
  }
}

function seenFrom(connection: Connection, error: ProviderError): WriteSeen {
  switch (error.kind) {
    case "auth":
      return { outcome: "refused", error: "provider_auth" };
    case "not_found":
    case "unsupported":
      return { outcome: "refused", error: "provider_unsupported" };
    case "conflict":
      return { outcome: "refused", error: "record_conflict" };
    case "rate_limited":
      return later(connection, "provider_rate_limited", error.retryAfterSeconds);
    case "unavailable":
      return later(connection, "provider_unavailable", error.retryAfterSeconds);
  }
}

function later(
  connection: Connection,
  error: ConnectionError,
  afterSeconds: number | null = null,
): WriteSeen {
  const step = retryMs[Math.min(connection.checks, retryMs.length - 1)] ?? 300_000;
  return { outcome: "later", error, retryAfterMs: Math.max(step, (afterSeconds ?? 0) * 1_000) };
}
