import { ProviderError } from "@mooring/dns";
import type { Connection, ConnectionError } from "../../domain/connection.ts";
import { recordsToWrite } from "../../domain/dns-write.ts";
import type { WriteResult } from "../../domain/observation.ts";
import type { Runtime } from "../runtime.ts";
import { applyPlan, settlePlan } from "./apply-plan.ts";
import { planRecords, readZone } from "./plan-records.ts";
import { findWritableZone, type WritableZone } from "./writable-zone.ts";
import { withZone } from "./zone-lease.ts";

const actor = "worker";
/** A place in the line of workers is not for waiting in. */
const patienceMs = 1_000;
/** 1, 5, 25 s, then every 5 minutes. */
const retryMs = [1_000, 5_000, 25_000, 300_000];

/** Whether a stored credential may be used for the connection and sees its zone. */
export async function canWrite(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await findWritableZone(runtime, connection, actor, signal)).outcome === "found";
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
): Promise<WriteResult> {
  try {
    const search = await findWritableZone(runtime, connection, actor, signal);
    if (search.outcome === "none") {
      const error = search.isRefused ? "provider_auth" : "provider_unsupported";
      return { outcome: "refused", error };
    }
    const { target } = search;
    const seen = await withZone(runtime, target, { patienceMs, signal }, () =>
      writeTo(runtime, connection, target, what, signal),
    );
    return seen ?? later(connection, "provider_rate_limited");
  } catch (error) {
    if (!(error instanceof ProviderError || hasRunOut(signal))) throw error;
    runtime.log.warn({ err: error, connectionId: connection.id }, "records not written");
    return error instanceof ProviderError
      ? seenFrom(connection, error)
      : later(connection, "provider_unavailable");
  }
}

async function writeTo(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  what: "ownership" | "records",
  signal: AbortSignal,
): Promise<WriteResult> {
  const listing = await readZone(runtime, connection, target, signal);
  const records = recordsToWrite(connection, what);
  const wanted = { records, replace: [] };
  const plan = await planRecords(runtime, connection, target, listing, wanted);
  const stuck = plan.changes.filter(({ action }) => action === "conflict");
  if (stuck.length > 0) {
    const isForeign = stuck.some(({ replaceable, existing }) => replaceable || existing.length > 0);
    return { outcome: "refused", error: isForeign ? "record_conflict" : "provider_unsupported" };
  }
  if (plan.changes.some(({ action }) => action !== "keep")) {
    await applyPlan(runtime, connection, target, plan, signal);
  } else {
    await settlePlan(runtime, connection, target);
  }
  return { outcome: "written" };
}

export function seenFrom(connection: Connection, error: ProviderError): WriteResult {
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

/** Tried again after a while that grows. */
export function later(
  connection: Connection,
  error: ConnectionError,
  afterSeconds: number | null = null,
): WriteResult {
  const step = retryMs[Math.min(connection.checks, retryMs.length - 1)] ?? 300_000;
  return { outcome: "later", error, retryAfterMs: Math.max(step, (afterSeconds ?? 0) * 1_000) };
}

/** The time for the work is over, as opposed to the process being stopped. */
export function hasRunOut({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === "TimeoutError";
}
