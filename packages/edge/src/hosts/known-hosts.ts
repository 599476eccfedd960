import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Clock, Log } from "../config/settings.ts";
import { allHosts, hostChanges, hostnamesOf, hostsNamed, lastHostChange } from "../db/hosts.ts";
import type { Host, HostTable } from "./host.ts";
import { type HostSet, hostsGoodForMs, type KeptHosts } from "./host-snapshot.ts";

/**
 * The known-host set: every held hostname in memory, loaded once and kept up by notifications, with
 * a poll of the change log below them. While the database is away the last good set stands for a day;
 * after that nobody is known until it is back.
 */
export interface KnownHosts extends HostTable {
  /** The set as the database confirmed it last; null before it ever did. */
  current(): HostSet | null;
  /** Grows with every change. */
  revision(): number;
  load(): Promise<void>;
  /** Takes a set that was kept on disk, for a start without a database. */
  restore(kept: HostSet): void;
  /** A notification's payload: a hostname, or `application:<id>`. */
  changed(payload: string): void;
  /** Reads what notifications may have missed. */
  catchUp(): Promise<void>;
  /** Called with a name that is no longer held, or is held anew by another claim. */
  onGone(listener: (hostname: string) => void): void;
}

/** Ids of the change log are given before they commit; this many are read again each time. */
const overlap = 1_000;
const gatherMs = 10;

export function createKnownHosts(pool: pg.Pool, log: Log, clock: Clock): KnownHosts {
  const table = createTable();
  const age = createAge(clock);
  let isRestored = false;
  let lastId = 0;
  let seenIds = new Set<number>();
  let waiting = new Set<string>();
  let isGathering = false;
  const inTurn = createTurns();

  const resolve = async (payloads: Iterable<string>): Promise<void> => {
    const names = await namesIn(pool, payloads);
    if (names.length === 0) return;
    const found = new Map((await hostsNamed(pool, names)).map((host) => [host.hostname, host]));
    for (const name of names) table.put(name, found.get(name) ?? null);
  };

  const flush = (): void => {
    isGathering = false;
    const batch = waiting;
    waiting = new Set();
    inTurn(() => resolve(batch)).catch((error: unknown) => {
      // The poll reads the change log and will find them again.
      log.warn({ err: error }, "hosts not refreshed");
    });
  };

  const load = async (): Promise<void> => {
    // Read before the hosts: a change in between is then seen twice rather than not at all.
    lastId = await lastHostChange(pool);
    const present = new Set<string>();
    for await (const page of allHosts(pool)) {
      for (const host of page) {
        table.put(host.hostname, host);
        present.add(host.hostname);
      }
    }
    for (const name of [...table.hosts.keys()]) if (!present.has(name)) table.put(name, null);
    isRestored = false;
  };

  const catchUp = async (): Promise<void> => {
    const changes = await hostChanges(pool, Math.max(0, lastId - overlap));
    // The log is swept: where it does not reach back to what was seen, it does not tell all.
    const isGap = lastId > 0 && (changes[0]?.id ?? 0) > lastId;
    if (isRestored || age.isTooOld() || isGap) return await load();
    const fresh = changes.filter((change) => !seenIds.has(change.id));
    await resolve(fresh.map((change) => change.hostname ?? `application:${change.applicationId}`));
    lastId = Math.max(lastId, changes.at(-1)?.id ?? 0);
    seenIds = new Set(changes.map((change) => change.id));
  };

  return {
    get: (hostname) => (age.isTooOld() ? null : (table.hosts.get(hostname) ?? null)),
    get size() {
      return table.hosts.size;
    },
    current() {
      const asOf = age.asOf();
      return asOf === null ? null : { asOf, hosts: table.hosts.values() };
    },
    revision: table.revision,
    load: () => inTurn(() => age.confirmedBy(load)),
    restore(kept) {
      for (const host of kept.hosts) table.put(host.hostname, host);
      age.restore(kept.asOf);
      isRestored = true;
    },
    changed(payload) {
      waiting.add(payload);
      if (isGathering) return;
      isGathering = true;
      setTimeout(flush, gatherMs);
    },
    catchUp: () => inTurn(() => age.confirmedBy(catchUp)),
    onGone: table.onGone,
  };
}

interface Table {
  readonly hosts: ReadonlyMap<string, Host>;
  put(hostname: string, host: Host | null): void;
  revision(): number;
  onGone(listener: (hostname: string) => void): void;
}

function createTable(): Table {
  const hosts = new Map<string, Host>();
  const one = createOnce();
  const listeners: ((hostname: string) => void)[] = [];
  let revision = 0;
  return {
    hosts,
    put(hostname, host) {
      const before = hosts.get(hostname);
      revision += 1;
      if (host) hosts.set(hostname, lean(host, one));
      else hosts.delete(hostname);
      if (before && before.epoch !== host?.epoch) for (const tell of listeners) tell(hostname);
    },
    revision: () => revision,
    onGone: (listener) => void listeners.push(listener),
  };
}

/** Many hosts have one tenant, application and origin: their texts are kept once, not once each. */
function lean(host: Host, one: (text: string) => string): Host {
  return {
    ...host,
    environment: host.environment === "live" ? "live" : "test",
    applicationId: one(host.applicationId),
    tenantId: one(host.tenantId),
    registrableDomain: one(host.registrableDomain),
    originUrl: host.originUrl === null ? null : one(host.originUrl),
    originHostHeader: host.originHostHeader === "origin" ? "origin" : "preserve",
  };
}

const mostTexts = 100_000;

function createOnce(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    // Of names that are gone texts stay behind; begun anew, they are kept once again.
    if (known.size >= mostTexts) known.clear();
    known.set(text, text);
    return text;
  };
}

interface Age {
  asOf(): Date | null;
  isTooOld(): boolean;
  restore(asOf: Date): void;
  /** A reading that works confirms the whole set; one that fails shows how old it has become. */
  confirmedBy(read: () => Promise<void>): Promise<void>;
}

function createAge(clock: Clock): Age {
  let asOf: Date | null = null;
  let isTooOld = false;
  return {
    asOf: () => asOf,
    isTooOld: () => isTooOld,
    restore(kept) {
      asOf = kept;
    },
    async confirmedBy(read) {
      const beganAt = clock.now();
      try {
        await read();
        asOf = beganAt;
        isTooOld = false;
      } catch (error) {
        isTooOld = asOf !== null && clock.now().getTime() - asOf.getTime() > hostsGoodForMs;
        throw error;
      }
    },
  };
}

/** One reading at a time: an older answer that comes late would bring back what is gone. */
function createTurns(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined); // told to whoever asked for it
    return mine;
  };
}

/** The hostnames that payloads stand for: themselves, or all of an application's. */
async function namesIn(pool: pg.Pool, payloads: Iterable<string>): Promise<string[]> {
  const names = new Set<string>();
  for (const payload of payloads) {
    const application = /^application:(.+)$/.exec(payload)?.[1];
    if (application === undefined) names.add(payload);
    else for (const name of await hostnamesOf(pool, application)) names.add(name);
  }
  return [...names];
}

const tries = 5;
const betweenMs = 1_000;

/** Loads the hosts, and where the database stays away takes the set of the last day from disk. */
export async function loadFirst(
  hosts: KnownHosts,
  parts: { readonly kept: KeptHosts; readonly clock: Clock; readonly log: Log },
): Promise<"database" | "disk"> {
  const { kept, clock, log } = parts;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await hosts.load();
      return "database";
    } catch (error) {
      const set = kept.load(clock.now());
      if (set) {
        hosts.restore(set);
        log.warn({ err: error, hosts: hosts.size }, "database away, serving what was known");
        return "disk";
      }
      if (attempt >= tries) throw error;
      await delay(betweenMs);
    }
  }
}
