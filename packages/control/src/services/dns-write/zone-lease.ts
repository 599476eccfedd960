import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  extendZone,
  leaseZone,
  releaseZone,
  selectLeaseEnd,
  type ZoneLease,
} from "../../db/queries/dns-writes/zones.ts";
import type { Runtime } from "../runtime.ts";
import type { WritableZone } from "./writable-zone.ts";

/** A killed writer has the zone for this long. */
export const zoneLeaseMs = 30_000;
/**
 * Calls may be sent in this part of a lease only, so that they end before it does: a call lasts at
 * most 15 s.
 */
const safeShare = 1 / 2;
const beatsPerLease = 4;
const pollMs = 200;

export interface ZoneWait {
  /** How long to wait for another writer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** How long the lease lasts unless it is extended; `zoneLeaseMs` by default. */
  readonly leaseMs?: number;
}

/**
 * Runs `work` as the zone's only writer; null when another writer holds the lease until the
 * timeout. The lease is extended while the work runs. A writer that was suspended past its lease,
 * or lost it, cannot send anything more: its provider line checks the lease before each call.
 */
export async function withZone<T>(
  runtime: Runtime,
  target: Pick<WritableZone, "realm" | "zone" | "line">,
  wait: ZoneWait,
  work: () => Promise<T>,
): Promise<T | null> {
  const lease = { ...leaseKey(target), owner: randomUUID() };
  const leaseMs = wait.leaseMs ?? zoneLeaseMs;
  const taken = await take(runtime, lease, leaseMs, wait);
  if (taken === null) return null;
  let heldSince = taken;
  let isLost = false;
  target.line.holdTo(() => !isLost && elapsed(heldSince) < leaseMs * safeShare);
  const beat = setInterval(() => {
    const asked = instant();
    extend(runtime, lease, leaseMs).then(
      (isOurs) => {
        if (isOurs) heldSince = asked;
        else isLost = true;
      },
      // The lease may still be ours; the line blocks by itself when the lease has expired.
      (error: unknown) => runtime.log.warn({ err: error }, "zone lease not extended"),
    );
  }, leaseMs / beatsPerLease);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await runtime.system((tx) => releaseZone(tx, lease));
  }
}

/** Zones of the same name in different accounts or servers have separate leases. */
export function leaseKey({
  realm,
  zone: { id, name },
}: Pick<WritableZone, "realm" | "zone">): Pick<ZoneLease, "provider" | "zone"> {
  return { provider: realm, zone: id === name ? name : `${name} ${id}` };
}

/** Until when another writer has the zone at most, unless it extends its lease; null for nobody. */
export function zoneBusyUntil(
  runtime: Runtime,
  target: Pick<WritableZone, "realm" | "zone">,
): Promise<Date | null> {
  return runtime.system((tx) => selectLeaseEnd(tx, leaseKey(target)));
}

async function take(
  runtime: Runtime,
  lease: ZoneLease,
  leaseMs: number,
  { timeoutMs, signal }: ZoneWait,
): Promise<Instant | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const asked = instant();
    const now = runtime.clock.now();
    const isOurs = await runtime.system((tx) =>
      leaseZone(tx, lease, now, new Date(now.getTime() + leaseMs)),
    );
    if (isOurs) return asked;
    if (performance.now() >= deadline) return null;
    await delay(pollMs, undefined, { signal });
  }
}

function extend(runtime: Runtime, lease: ZoneLease, leaseMs: number): Promise<boolean> {
  const until = new Date(runtime.clock.now().getTime() + leaseMs);
  return runtime.system((tx) => extendZone(tx, lease, until));
}

/** Two clocks: the monotonic one stops while the machine sleeps, the wall clock can be set back. */
interface Instant {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

function instant(): Instant {
  return { monotonicMs: performance.now(), wallMs: Date.now() };
}

function elapsed(since: Instant): number {
  return Math.max(performance.now() - since.monotonicMs, Date.now() - since.wallMs);
}
