import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Zone } from "@mooring/dns";
import { leaseZone, prolongZone, releaseZone, type ZoneLease } from "../../db/queries/zones.ts";
import type { Runtime } from "../runtime.ts";
import type { WritableZone } from "./writable-zone.ts";

const defaultLeaseMs = 60_000;
/** The part of a lease in which things may be sent, so that they arrive while the zone is ours. */
const safeShare = 2 / 3;
const beatsPerLease = 4;
const pollMs = 200;

export interface ZoneWait {
  /** How long to wait for another writer. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  /** How long the zone stays ours without a sign of life; a minute unless said otherwise. */
  readonly leaseMs?: number;
}

/**
 * Runs `work` as the zone's only writer; null when another keeps the zone for longer than we wait.
 * The lease is prolonged while the work goes on. A writer that was frozen past its lease, or whose
 * zone was taken, can send nothing more: its line is held to the lease.
 */
export async function withZone<T>(
  runtime: Runtime,
  target: Pick<WritableZone, "realm" | "zone" | "line">,
  wait: ZoneWait,
  work: () => Promise<T>,
): Promise<T | null> {
  const lease = {
    provider: target.realm,
    zone: zoneKey(target.zone),
    owner: randomUUID(),
  };
  const leaseMs = wait.leaseMs ?? defaultLeaseMs;
  const taken = await take(runtime, lease, leaseMs, wait);
  if (taken === null) return null;
  let heldSince = taken;
  let isLost = false;
  target.line.holdTo(() => !isLost && elapsed(heldSince) < leaseMs * safeShare);
  const beat = setInterval(() => {
    const asked = instant();
    prolong(runtime, lease, leaseMs).then(
      (isOurs) => {
        if (isOurs) heldSince = asked;
        else isLost = true;
      },
      // Not heard is not lost: the line shuts by itself when the lease has run out.
      (error: unknown) => runtime.log.warn({ err: error }, "zone lease not prolonged"),
    );
  }, leaseMs / beatsPerLease);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await runtime.system((tx) => releaseZone(tx, lease));
  }
}

/** Of several zones of one name, in other accounts or at other servers, each has its own writer. */
function zoneKey({ id, name }: Zone): string {
  return id === name ? name : `${name} ${id}`;
}

async function take(
  runtime: Runtime,
  lease: ZoneLease,
  leaseMs: number,
  { patienceMs, signal }: ZoneWait,
): Promise<Instant | null> {
  const deadline = performance.now() + patienceMs;
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

function prolong(runtime: Runtime, lease: ZoneLease, leaseMs: number): Promise<boolean> {
  const until = new Date(runtime.clock.now().getTime() + leaseMs);
  return runtime.system((tx) => prolongZone(tx, lease, until));
}

/** Two clocks: one does not count while the machine sleeps, the other can be set back. */
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
