import { FairQueue } from "./fair-queue.ts";

/** Whose request it is. */
export interface Requester {
  readonly tenantId: string;
  readonly applicationId: string;
  readonly hostname: string;
  /** The client's network. */
  readonly client: string;
}

/** A request that waits; `start` and `refuse` are called at most once, and only one of them. */
export interface Waiting {
  readonly requester: Requester;
  readonly deadline: number;
  /** Nobody waits for it any more. */
  readonly isEnded: boolean;
  start(): void;
  refuse(reason: string): void;
}

interface HostUse {
  total: number;
  readonly clients: Map<string, number>;
}

/** Of all slots, one in this many is for clients below their share. */
const clientReserve = 8;
/** Of all slots, one in this many is for clients and hosts below their shares. */
const hostReserve = 16;

/**
 * The requests in flight of one application. While many slots are free everybody may have them; the
 * last ones are reserved for those who use less than their share. So a host or a client that came
 * first and holds the rest keeps nobody out, however long its requests take. A share counts one
 * more than those present: there is room for a newcomer.
 */
export class ApplicationSlots {
  readonly #count: number;
  readonly #queueLength: number;
  readonly #hosts = new Map<string, HostUse>();
  readonly #queue = new FairQueue<Waiting>();
  #used = 0;
  #isStarting = false;

  constructor(count: number, queueLength: number) {
    this.#count = count;
    this.#queueLength = queueLength;
  }

  get isIdle(): boolean {
    return this.#used === 0 && this.#queue.size === 0;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Starts the request, or has it wait. When too many wait, one of the largest group is refused.
   */
  enter(request: Waiting): void {
    if (this.#mayStart(request.requester)) {
      this.#start(request);
      return;
    }
    const { hostname, client } = request.requester;
    this.#queue.push([hostname, client], request);
    if (this.#queue.size > this.#queueLength) {
      this.#queue.popLargest()?.refuse("too many requests of the host wait");
    }
  }

  /** A request has ended: its slot goes to the next one. */
  leave({ hostname, client }: Requester): void {
    const host = this.#hosts.get(hostname);
    if (host === undefined) return;
    this.#used -= 1;
    host.total -= 1;
    const own = (host.clients.get(client) ?? 0) - 1;
    if (own > 0) host.clients.set(client, own);
    else host.clients.delete(client);
    if (host.total === 0) this.#hosts.delete(hostname);
    this.#startWaiting();
  }

  /** Refuses requests that have waited too long, and forgets those that nobody waits for. */
  expire(now: number): void {
    this.#queue.removeAll(({ isEnded }) => isEnded);
    for (const late of this.#queue.removeAll(({ deadline }) => now >= deadline)) {
      late.refuse("the request has waited too long for others of its host");
    }
  }

  /** A request may end as soon as it starts, which gets here again: this loops instead. */
  #startWaiting(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    for (let next = this.#next(); next !== null; next = this.#next()) {
      if (!next.isEnded) this.#start(next);
    }
    this.#isStarting = false;
  }

  #next(): Waiting | null {
    return this.#queue.shift(
      ({ requester }) => this.#mayStart(requester),
      (hostname) => this.#mayEnter(hostname),
    );
  }

  #start(request: Waiting): void {
    const { hostname, client } = request.requester;
    const host = this.#hosts.get(hostname) ?? { total: 0, clients: new Map<string, number>() };
    this.#hosts.set(hostname, host);
    this.#used += 1;
    host.total += 1;
    host.clients.set(client, (host.clients.get(client) ?? 0) + 1);
    request.start();
  }

  #mayStart({ hostname, client }: Requester): boolean {
    if (!this.#mayEnter(hostname)) return false;
    const host = this.#hosts.get(hostname);
    if (host === undefined || this.#free > this.#count / clientReserve) return true;
    const own = host.clients.get(client) ?? 0;
    const ofHost = Math.max(host.total, this.#hostShare(hostname));
    return own < share(ofHost, host.clients.size, own > 0);
  }

  #mayEnter(hostname: string): boolean {
    if (this.#free <= 0) return false;
    const host = this.#hosts.get(hostname);
    if (host === undefined || this.#free > this.#count / hostReserve) return true;
    return host.total < this.#hostShare(hostname);
  }

  get #free(): number {
    return this.#count - this.#used;
  }

  #hostShare(hostname: string): number {
    return share(this.#count, this.#hosts.size, this.#hosts.has(hostname));
  }
}

/** At least one. `isPresent`: the one who asks is among those present. */
function share(count: number, present: number, isPresent: boolean): number {
  return Math.max(1, count / (isPresent ? present + 1 : present + 2));
}
