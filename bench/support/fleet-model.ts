import {
  defaultIssuanceLimits,
  deriveRates,
} from "../../packages/edge/src/certificates/budget/limits.ts";
import { renewAt } from "../../packages/edge/src/certificates/issue/renewal.ts";

/** An installation over a year, in steps of ten minutes. Certificates are counts, not rows. */
export interface FleetSettings {
  readonly certificates: number;
  readonly lifetimeHours: number;
  /** The CA takes no order for so long, from the day on. */
  readonly outage: { readonly day: number; readonly hours: number };
  /** The CA revokes this part of all certificates at once; their renewal information says so. */
  readonly revocation: { readonly day: number; readonly part: number };
  /**
   * What the issuing processes can do together; by default as much as the pace of renewals allows.
   */
  readonly ordersPerSecond?: number;
}

export interface FleetYear {
  readonly orders: number;
  /** Over a day, without the two incidents; and the most in ten minutes. */
  readonly usualPerSecond: number;
  readonly peakPerSecond: number;
  readonly expired: number;
  /** The least time that a served certificate had left when it was replaced. */
  readonly leastLeftHours: number;
  /** From the end of the outage until nothing waits any more. */
  readonly outageRecoveredHours: number;
  /** From the revocation until the last one is replaced. */
  readonly revocationRecoveredHours: number;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const stepMs = 10 * minute;
const stepsPerDay = day / stepMs;
const steps = 365 * stepsPerDay;
/** Renewal times are random: so many equal parts of what is issued in one step. */
const parts = 20;
/** How often the CA is asked for renewal information. */
const askSteps = (6 * hour) / stepMs;

interface Batch {
  /** The step at whose end they expire. */
  readonly expiry: number;
  count: number;
}

/**
 * Follows the product's own rules: when to renew, at which pace, and the soonest to expire first.
 */
export function simulateFleet(settings: FleetSettings): FleetYear {
  const fleet = createFleet(settings);
  const outageFrom = settings.outage.day * stepsPerDay;
  const outageTo = outageFrom + (settings.outage.hours * hour) / stepMs;
  const revokedAt = settings.revocation.day * stepsPerDay;
  const ordered = new Float64Array(steps);
  const incidents = { outageEndedAt: outageTo, replacedAt: revokedAt };
  for (let at = 0; at < steps; at += 1) {
    if (at === revokedAt) fleet.revoke(at, settings.revocation.part);
    const isAway = at >= outageFrom && at < outageTo;
    ordered[at] = fleet.step(at, isAway);
    if (at >= outageTo && at < revokedAt && fleet.isBehind()) incidents.outageEndedAt = at + 1;
    if (at >= revokedAt && fleet.hasRevoked()) incidents.replacedAt = at + 1;
  }
  const sum = (counts: Float64Array) => counts.reduce((total, count) => total + count, 0);
  return {
    orders: Math.round(sum(ordered)),
    usualPerSecond: perSecond(sum(ordered.subarray(0, outageFrom)) / outageFrom),
    peakPerSecond: perSecond(Math.max(...ordered)),
    expired: Math.round(fleet.expired()),
    leastLeftHours: inHours(fleet.leastLeft()),
    outageRecoveredHours: inHours(incidents.outageEndedAt - outageTo),
    revocationRecoveredHours: inHours(incidents.replacedAt - revokedAt),
  };
}

const perSecond = (perStep: number): number => (perStep / stepMs) * 1_000;
const inHours = (count: number): number => (count * stepMs) / hour;

function createFleet(settings: FleetSettings) {
  const lifeMs = settings.lifetimeHours * hour;
  const lifeSteps = Math.round(lifeMs / stepMs);
  const delays = renewalDelays(lifeMs);
  const due = Array.from({ length: steps + lifeSteps }, (): Batch[] => []);
  const waiting = createWaiting(due.length);
  const revoked = createWaiting(due.length);
  const capacity = computeCapacity(settings);
  let expired = 0;
  let leastLeft = lifeSteps;
  const issue = (at: number, count: number): void => {
    const expiry = at + lifeSteps;
    for (const delay of delays)
      due[Math.max(0, at + delay)]?.push({ expiry, count: count / parts });
  };
  const period = Math.round(delays.reduce((sum, delay) => sum + delay, 0) / parts);
  for (let at = -period; at < 0; at += 1) issue(at, settings.certificates / period);

  /** Of both queues, those that were revoked first; returns how many. */
  const order = (at: number): number => {
    let left = capacity;
    for (const queue of [revoked, waiting]) {
      for (const taken of queue.take(left, at)) {
        left -= taken.count;
        leastLeft = Math.min(leastLeft, taken.expiry - at);
      }
    }
    return capacity - left;
  };
  return {
    revoke: (at: number, part: number) => revoke(due, at, part, revoked),
    /** Returns how many were ordered. */
    step(at: number, isAway: boolean): number {
      for (const batch of due[at] ?? []) waiting.add(batch.expiry, batch.count);
      expired += waiting.expire(at) + revoked.expire(at);
      const count = isAway ? 0 : order(at);
      if (count > 0) issue(at, count);
      return count;
    },
    isBehind: () => waiting.size() > capacity,
    hasRevoked: () => !revoked.isEmpty(),
    expired: () => expired,
    leastLeft: () => leastLeft,
  };
}

/** Orders of one step: the pace of renewals, or what the issuing processes can do. */
function computeCapacity({ certificates, ordersPerSecond }: FleetSettings): number {
  const pace = deriveRates(defaultIssuanceLimits, certificates).renewals;
  const able = (ordersPerSecond ?? Number.POSITIVE_INFINITY) * (stepMs / 1_000);
  return Math.min((pace.count / pace.perMs) * stepMs, able);
}

/** Steps from issue to renewal, equally likely ones. */
function renewalDelays(lifeMs: number): readonly number[] {
  const validity = { notBefore: new Date(0), notAfter: new Date(lifeMs) };
  return Array.from({ length: parts }, (_, part) =>
    Math.round(renewAt(validity, null, (part + 0.5) / parts).getTime() / stepMs),
  );
}

/** Each learns of it when the CA is asked next, an equal part in every step. */
function revoke(
  due: readonly Batch[][],
  from: number,
  part: number,
  revoked: ReturnType<typeof createWaiting>,
): void {
  const inEachStep = new Float64Array(due.length);
  for (const batches of due.slice(from)) {
    for (const batch of batches) {
      const count = batch.count * part;
      batch.count -= count;
      inEachStep[batch.expiry] = (inEachStep[batch.expiry] ?? 0) + count / askSteps;
    }
  }
  revoked.addInSteps(inEachStep, askSteps);
}

/** What rounding leaves of a sum of parts. */
const rest = 1e-3;

/** Certificates that wait for their renewal, the soonest to expire first. */
function createWaiting(length: number) {
  const byExpiry = new Float64Array(length);
  let inEachStep = new Float64Array(0);
  let stepsLeft = 0;
  let size = 0;
  let first = 0;
  const add = (expiry: number, count: number): void => {
    byExpiry[expiry] = (byExpiry[expiry] ?? 0) + count;
    size += count;
    first = Math.min(first, expiry);
  };
  return {
    add,
    /** The same again in each of the next steps. */
    addInSteps(counts: Float64Array<ArrayBuffer>, times: number) {
      inEachStep = counts;
      stepsLeft = times;
    },
    /** Those that expired before they were renewed; returns how many. */
    expire(at: number): number {
      if (stepsLeft > 0) {
        stepsLeft -= 1;
        for (const [expiry, count] of inEachStep.entries()) if (count > 0) add(expiry, count);
      }
      let lost = 0;
      for (; first < at; first += 1) {
        lost += byExpiry[first] ?? 0;
        byExpiry[first] = 0;
      }
      size -= lost;
      return lost;
    },
    *take(atMost: number, at: number): Generator<Batch> {
      let left = atMost;
      for (
        first = Math.max(first, at);
        first < byExpiry.length && left > 0 && size > rest;
        first += 1
      ) {
        const count = Math.min(left, byExpiry[first] ?? 0);
        if (count === 0) continue;
        byExpiry[first] = (byExpiry[first] ?? 0) - count;
        size -= count;
        left -= count;
        yield { expiry: first, count };
        if (left <= 0) return;
      }
    },
    /** Whether more than one, besides rounding, waits or is still to come. */
    isEmpty: () => size <= 1 && stepsLeft === 0,
    size: () => size,
  };
}
