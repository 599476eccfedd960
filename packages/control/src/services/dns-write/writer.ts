import { ProviderError } from "@mooring/dns";
import type { Connection, ConnectionError } from "../../domain/connections/connection.ts";
import type { CredentialAvailability, WriteResult } from "../../domain/connections/observation.ts";
import { type RecordsToWrite, recordsToWrite } from "../../domain/records/dns-write.ts";
import { neededFor } from "../connections/needed.ts";
import type { Runtime } from "../runtime.ts";
import { applyPlan, settlePlan } from "./apply-plan.ts";
import { withLowerTtl } from "./lower-ttl.ts";
import { planRecords, readZone } from "./plan-records.ts";
import { findWritableZone, type WritableZone } from "./writable-zone.ts";
import { withZone, zoneBusyUntil } from "./zone-lease.ts";

const actor = "worker";
/** Short, because a waiting worker occupies a slot. */
const zoneTimeoutMs = 1_000;
/** Refused credentials that one attempt to write may go through. */
const maxCredentials = 10;
const shortestRetryMs = 1_000;
/** 1, 5 and 25 s, then every 5 minutes. */
const retryMs = [shortestRetryMs, 5_000, 25_000, 300_000];

/**
 * Whether a stored credential sees the connection's zone, or all that are meant for it are refused.
 */
export async function canWrite(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<CredentialAvailability> {
  try {
    const search = await findWritableZone(runtime, connection, actor, signal);
    if (search.outcome === "found") return "usable";
    if (search.isRefused) return "refused";
    return search.isElsewhere ? "elsewhere" : "none";
  } catch (error) {
    // The provider is unavailable; there is a credential, so the write can be retried.
    if (error instanceof ProviderError || hasTimedOut(signal)) return "usable";
    throw error;
  }
}

/**
 * One attempt to write the ownership record or the desired records. Under the zone's lease it reads
 * the zone, stores the plan with what was there before, applies it, and reads it back. A plan with
 * a conflict is refused as a whole and nothing is written.
 */
export async function writeRecords(
  runtime: Runtime,
  connection: Connection,
  what: RecordsToWrite,
  signal: AbortSignal,
): Promise<WriteResult> {
  try {
    return await writeWithAny(runtime, connection, what, signal);
  } catch (error) {
    if (!(error instanceof ProviderError || hasTimedOut(signal))) throw error;
    runtime.log.warn({ err: error, connectionId: connection.id }, "records not written");
    return error instanceof ProviderError
      ? failedResult(connection, error)
      : retryLater(connection, "provider_unavailable");
  }
}

/**
 * Tries the stored credentials until one is not refused; a refused one is noted and not found
 * again.
 */
async function writeWithAny(
  runtime: Runtime,
  connection: Connection,
  what: RecordsToWrite,
  signal: AbortSignal,
): Promise<WriteResult> {
  let [isRefused, isElsewhere] = [false, false];
  for (let attempt = 0; attempt < maxCredentials; attempt += 1) {
    const search = await findWritableZone(runtime, connection, actor, signal);
    if (search.outcome === "none") {
      isRefused ||= search.isRefused;
      isElsewhere = search.isElsewhere;
      break;
    }
    const result = await writeWith(runtime, connection, search.target, what, signal);
    if (result !== "refused") return result;
    isRefused = true;
  }
  if (isRefused) return { outcome: "refused", error: "provider_auth" };
  return {
    outcome: "refused",
    error: isElsewhere ? "provider_not_delegated" : "provider_unsupported",
  };
}

/** `refused`: the provider refused this credential, which is noted; another one may do. */
async function writeWith(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  what: RecordsToWrite,
  signal: AbortSignal,
): Promise<WriteResult | "refused"> {
  try {
    const result = await withZone(runtime, target, { timeoutMs: zoneTimeoutMs, signal }, () =>
      writeTo(runtime, connection, target, what, signal),
    );
    return result ?? (await whenZoneIsFree(runtime, connection, target));
  } catch (error) {
    if (!(error instanceof ProviderError && error.kind === "auth")) throw error;
    runtime.log.warn({ err: error, connectionId: connection.id }, "credential refused");
    return "refused";
  }
}

/**
 * Another writer of ours has the zone, which is no error of the provider. A writer that was killed
 * has it until its lease ends: the write is retried then at the latest.
 */
async function whenZoneIsFree(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
): Promise<WriteResult> {
  const busyUntil = await zoneBusyUntil(runtime, target);
  const leftMs = (busyUntil?.getTime() ?? 0) - runtime.clock.now().getTime();
  const retryAfterMs = Math.min(retryStep(connection), Math.max(leftMs, shortestRetryMs));
  return { outcome: "later", error: null, retryAfterMs };
}

async function writeTo(
  runtime: Runtime,
  connection: Connection,
  target: WritableZone,
  what: RecordsToWrite,
  signal: AbortSignal,
): Promise<WriteResult> {
  const listing = await readZone(runtime, connection, target, signal);
  const records = recordsToWrite(connection, what, await neededFor(runtime, connection));
  const requested = { records, replace: [] };
  const needed = await planRecords(runtime, connection, target, listing, requested);
  const plan = what === "validation" ? withLowerTtl(connection, target, listing, needed) : needed;
  const stuck = plan.changes.filter(({ action }) => action === "conflict");
  if (stuck.length > 0) {
    const isConflict = stuck.some(
      ({ replaceable, existing }) => replaceable || existing.length > 0,
    );
    return { outcome: "refused", error: isConflict ? "record_conflict" : "provider_unsupported" };
  }
  if (plan.changes.some(({ action }) => action !== "keep")) {
    await applyPlan(runtime, connection, target, plan, signal);
  } else {
    await settlePlan(runtime, connection, target);
  }
  return { outcome: "written" };
}

export function failedResult(connection: Connection, error: ProviderError): WriteResult {
  switch (error.kind) {
    case "auth":
      return { outcome: "refused", error: "provider_auth" };
    case "not_found":
    case "unsupported":
      return { outcome: "refused", error: "provider_unsupported" };
    case "conflict":
      return { outcome: "refused", error: "record_conflict" };
    case "rate_limited":
      return retryLater(connection, "provider_rate_limited", error.retryAfterSeconds);
    case "unavailable":
      return retryLater(connection, "provider_unavailable", error.retryAfterSeconds);
  }
}

/** The write is retried after a growing delay, at least as long as the provider asks for. */
export function retryLater(
  connection: Connection,
  error: ConnectionError,
  afterSeconds: number | null = null,
): WriteResult {
  const step = retryStep(connection);
  return { outcome: "later", error, retryAfterMs: Math.max(step, (afterSeconds ?? 0) * 1_000) };
}

function retryStep({ checks }: Connection): number {
  return retryMs[Math.min(checks, retryMs.length - 1)] ?? 300_000;
}

/** The work has timed out, as opposed to the process being stopped. */
export function hasTimedOut({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof DOMException && reason.name === "TimeoutError";
}
