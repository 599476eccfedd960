import type { Host } from "../hosts/host.ts";
import { field, SlotTable } from "./slots.ts";

/** What the parts that serve call for each request and handshake: a few additions. */
export interface TrafficCounts {
  /** An exchange has ended; `isRefused` where the edge answered it instead of the origin. */
  ended(host: Host, exchange: EndedExchange): void;
  /** Bytes of a WebSocket that has closed. */
  transferred(host: Host, bytesIn: number, bytesOut: number): void;
  /** From the start of forwarding to the head of the origin's response. */
  answered(host: Host, ms: number): void;
  secured(host: Host): void;
  /** A handshake for the name was refused. */
  refused(host: Host): void;
}

export interface EndedExchange {
  /** Null when the client disconnected before the response. */
  readonly status: number | null;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly isRefused: boolean;
}

export const noTraffic: TrafficCounts = {
  ended: () => undefined,
  transferred: () => undefined,
  answered: () => undefined,
  secured: () => undefined,
  refused: () => undefined,
};

/** Names with numbers of their own in a minute, and applications for the names beyond. */
export const maxNames = 10_000;
export const maxApplications = 1_000;

/** The numbers of one minute. */
export interface MinuteCounts {
  readonly names: SlotTable;
  /** Of the names that had no slot. */
  readonly applications: SlotTable;
  /** Requests of applications that had none either. */
  others: number;
}

function createMinute(limits: CountLimits): MinuteCounts {
  return {
    names: new SlotTable(limits.names),
    applications: new SlotTable(limits.applications),
    others: 0,
  };
}

interface CountLimits {
  readonly names: number;
  readonly applications: number;
}

/**
 * Counts into one minute while the one before is read. Memory is fixed: the first names of a minute
 * get slots, the rest is counted for its application, and what is left for all together.
 */
export class MinuteCounter implements TrafficCounts {
  #current: MinuteCounts;
  #other: MinuteCounts;

  constructor(limits: CountLimits = { names: maxNames, applications: maxApplications }) {
    this.#current = createMinute(limits);
    this.#other = createMinute(limits);
  }

  /** Begins another minute. The caller reads the last one, and clears it before the next call. */
  next(): MinuteCounts {
    const ended = this.#current;
    this.#current = this.#other;
    this.#other = ended;
    return ended;
  }

  ended(host: Host, { status, bytesIn, bytesOut, isRefused }: EndedExchange): void {
    const { names } = this.#current;
    const slot = names.take(host.connectionId, host);
    const table = slot < 0 ? this.#current.applications : names;
    const at = slot < 0 ? this.#takeApplication(host) : slot;
    if (at < 0) {
      this.#current.others += 1;
      return;
    }
    table.add(at, classField(status), 1);
    if (bytesIn > 0) table.add(at, field.bytesIn, bytesIn);
    if (bytesOut > 0) table.add(at, field.bytesOut, bytesOut);
    if (isRefused) table.add(at, field.refused, 1);
    if (slot < 0) table.add(at, field.unattributed, 1);
  }

  transferred(host: Host, bytesIn: number, bytesOut: number): void {
    this.#add(host, field.bytesIn, bytesIn);
    this.#add(host, field.bytesOut, bytesOut);
  }

  answered(host: Host, ms: number): void {
    const { names, applications } = this.#current;
    const slot = names.take(host.connectionId, host);
    const at = slot < 0 ? this.#takeApplication(host) : slot;
    if (at >= 0) (slot < 0 ? applications : names).addTime(at, ms);
  }

  secured(host: Host): void {
    this.#add(host, field.handshakes, 1);
  }

  refused(host: Host): void {
    this.#add(host, field.refused, 1);
  }

  #add(host: Host, at: number, amount: number): void {
    const { names, applications } = this.#current;
    const slot = names.take(host.connectionId, host);
    const index = slot < 0 ? this.#takeApplication(host) : slot;
    if (index >= 0) (slot < 0 ? applications : names).add(index, at, amount);
  }

  #takeApplication(host: Host): number {
    return this.#current.applications.take(host.applicationId, host);
  }
}

/** RFC 9110 §15: a status outside the classes counts as 5xx. */
function classField(status: number | null): number {
  if (status === null) return field.aborted;
  const digit = Math.floor(status / 100);
  return digit >= 1 && digit <= 5 ? digit : field.status5xx;
}

export function clearMinute(minute: MinuteCounts): void {
  minute.names.clear();
  minute.applications.clear();
  minute.others = 0;
}
