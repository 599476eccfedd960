import type { EdgeLimits } from "../config/limits.ts";
import type { EdgeStats } from "../metrics/metrics.ts";
import { FairQueue } from "./fair-queue.ts";
import { ApplicationSlots, type Requester, type Waiting } from "./slots.ts";

/** A request to be served. */
export interface Job {
  readonly requester: Requester;
  /** Called when the request may be served; `leave` must follow when it has ended. */
  readonly start: () => void;
  /** Called instead when it may not. */
  readonly refuse: (reason: string) => void;
}

/** A request between its arrival and its end. */
export interface Ticket {
  /** The request has ended, or its client has disconnected; called any number of times. */
  leave(): void;
}

/**
 * Decides which request is served next. A few start at once in each tick of the event loop, so that
 * it stays responsive; the rest queue, and tenants, their hosts and the hosts' clients take turns.
 * Then a request needs one of its application's slots. A host with many requests waits for itself.
 */
export interface Scheduler {
  enter(job: Job): Ticket;
  /** Whether the host has more than its share of the requests of the last seconds. */
  isBusiest(hostname: string): boolean;
  /** Refuses requests that have waited too long at `now`. */
  check(now: number): void;
}

/** Some milliseconds of work. */
const startsPerTick = 32;
/** Requests of this and the last period are recent. */
const periodMs = 1_000;
/** With fewer recent requests a host is not busy, whatever the others do. */
const leastBusy = 20;

type SchedulerLimits = Pick<EdgeLimits, "originOpen" | "queueLength" | "queueMs">;

export function createScheduler(
  limits: SchedulerLimits,
  stats: Pick<EdgeStats, "waiting">,
): Scheduler {
  const arrivals = new FairQueue<Entry>();
  const applications = new Map<string, ApplicationSlots>();
  const recent = createRecentCounts();
  let starts = 0;
  let isTickScheduled = false;

  function provideSlots(applicationId: string): ApplicationSlots {
    const known = applications.get(applicationId);
    if (known !== undefined) return known;
    const slots = new ApplicationSlots(limits.originOpen, limits.queueLength);
    applications.set(applicationId, slots);
    return slots;
  }

  function admit(entry: Entry): void {
    if (entry.isEnded) return;
    starts += 1;
    provideSlots(entry.requester.applicationId).enter(entry);
  }

  /** After the callbacks of this tick, so that what arrived meanwhile takes part. */
  function scheduleTick(): void {
    if (isTickScheduled) return;
    isTickScheduled = true;
    setImmediate(() => {
      isTickScheduled = false;
      starts = 0;
      while (starts < startsPerTick) {
        const next = arrivals.shift();
        if (next === null) return;
        admit(next);
      }
      scheduleTick();
    });
  }

  function leave(entry: Entry): void {
    if (entry.isEnded) return;
    entry.isEnded = true;
    const { applicationId } = entry.requester;
    const slots = applications.get(applicationId);
    if (slots === undefined) return;
    if (entry.hasStarted) slots.leave(entry.requester);
  }

  return {
    enter(job) {
      const entry = new Entry(job, performance.now() + limits.queueMs);
      const { tenantId, hostname, client } = job.requester;
      recent.add(hostname);
      scheduleTick();
      if (arrivals.size === 0 && starts < startsPerTick) admit(entry);
      else {
        arrivals.push([tenantId, hostname, client], entry);
        if (arrivals.size > limits.queueLength) arrivals.popLargest()?.refuse("too many arrive");
      }
      return { leave: () => leave(entry) };
    },
    isBusiest: recent.isBusiest,
    check(now) {
      recent.rotate(now);
      stats.waiting = arrivals.size;
      for (const [applicationId, slots] of applications) {
        slots.expire(now);
        stats.waiting += slots.waiting;
        if (slots.isIdle) applications.delete(applicationId);
      }
    },
  };
}

/** A job with what has become of it. */
class Entry implements Waiting {
  readonly deadline: number;
  hasStarted = false;
  isEnded = false;
  readonly #job: Job;

  constructor(job: Job, deadline: number) {
    this.#job = job;
    this.deadline = deadline;
  }

  get requester(): Requester {
    return this.#job.requester;
  }

  start(): void {
    this.hasStarted = true;
    this.#job.start();
  }

  refuse(reason: string): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.#job.refuse(reason);
  }
}

interface RecentCounts {
  add(hostname: string): void;
  isBusiest(hostname: string): boolean;
  /** Begins another period when the last one has ended; that one still counts. */
  rotate(now: number): void;
}

function createRecentCounts(): RecentCounts {
  let current = new Map<string, number>();
  let before = new Map<string, number>();
  let totals = { current: 0, before: 0 };
  let turnedAt = 0;
  return {
    add(hostname) {
      current.set(hostname, (current.get(hostname) ?? 0) + 1);
      totals.current += 1;
    },
    isBusiest(hostname) {
      const own = (current.get(hostname) ?? 0) + (before.get(hostname) ?? 0);
      const hosts = Math.max(current.size, before.size);
      return own > Math.max(leastBusy, (totals.current + totals.before) / (hosts + 1));
    },
    rotate(now) {
      if (now - turnedAt < periodMs) return;
      turnedAt = now;
      before = current;
      current = new Map();
      totals = { current: 0, before: totals.current };
    },
  };
}
