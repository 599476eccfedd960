import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@mooring/postgres";
import type pg from "pg";
import type { Log } from "../config/settings.ts";
import { allHosts, hostChanges, hostnamesOf, hostsNamed, lastHostChange } from "../db/hosts.ts";
import type { Host, HostTable } from "./host.ts";
import { type HostSet, type HostSnapshot, snapshotMaxAgeMs } from "./host-snapshot.ts";

/**
 * Every claimed hostname in memory: loaded once, then updated by notifications and by a poll of the
 * change log. Without the database the last set is used for a day; after that no host is known until
 * the database is back.
 */
export interface KnownHosts extends HostTable {
  /** The set as last confirmed by the database; null before the first time. */
  current(): HostSet | null;
  /** Grows with every change. */
  revision(): number;
  load(): Promise<void>;
  /** Uses a set from the snapshot, for a start without the database. */
  restore(snapshot: HostSet): void;
  /** A notification's payload: a hostname, or `application:<id>`. */
  changed(payload: string): void;
  /** Reads what notifications may have missed. */
  catchUp(): Promise<void>;
  /** Calls the listener with every name that is released or claimed again. */
  onRemoved(listener: (hostname: string) => void): void;
}

/** Ids of the change log are assigned before commit; this many are read again each time. */
const overlap = 1_000;
const batchMs = 10;

export function createKnownHosts(pool: pg.Pool, log: Log, clock: Clock): KnownHosts {
  const table = createTable();
  const age = createAge(clock);
  let isRestored = false;
  let lastId = 0;
  let processedIds = new Set<number>();
  let pending = new Set<string>();
  let isScheduled = false;
  const serially = createSerialQueue();

  const resolve = async (payloads: Iterable<string>): Promise<void> => {
    const names = await namesIn(pool, payloads);
    if (names.length === 0) return;
    const found = new Map((await hostsNamed(pool, names)).map((host) => [host.hostname, host]));
    for (const name of names) table.put(name, found.get(name) ?? null);
  };

  const flush = (): void => {
    isScheduled = false;
    const batch = pending;
    pending = new Set();
    serially(() => resolve(batch)).catch((error: unknown) => {
      // The poll of the change log reads them again.
      log.warn({ err: error }, "hosts not refreshed");
    });
  };

  const load = async (): Promise<void> => {
    // Read before the hosts: a change in between is then processed twice rather than not at all.
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
    // Old entries are deleted: if the log does not reach back to the last one read, load everything.
    const isGap = lastId > 0 && (changes[0]?.id ?? 0) > lastId;
    if (isRestored || age.isTooOld() || isGap) return await load();
    const fresh = changes.filter((change) => !processedIds.has(change.id));
    await resolve(fresh.map((change) => change.hostname ?? `application:${change.applicationId}`));
    lastId = Math.max(lastId, changes.at(-1)?.id ?? 0);
    processedIds = new Set(changes.map((change) => change.id));
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
    load: () => serially(() => age.confirmedBy(load)),
    restore(snapshot) {
      for (const host of snapshot.hosts) table.put(host.hostname, host);
      age.restore(snapshot.asOf);
      isRestored = true;
    },
    changed(payload) {
      pending.add(payload);
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(flush, batchMs);
    },
    catchUp: () => serially(() => age.confirmedBy(catchUp)),
    onRemoved: table.onRemoved,
  };
}

interface Table {
  readonly hosts: ReadonlyMap<string, Host>;
  put(hostname: string, host: Host | null): void;
  revision(): number;
  onRemoved(listener: (hostname: string) => void): void;
}

function createTable(): Table {
  const hosts = new Map<string, Host>();
  const intern = createInterner();
  const listeners: ((hostname: string) => void)[] = [];
  let revision = 0;
  return {
    hosts,
    put(hostname, host) {
      const before = hosts.get(hostname);
      revision += 1;
      if (host) hosts.set(hostname, interned(host, intern));
      else hosts.delete(hostname);
      if (before && before.epoch !== host?.epoch)
        for (const listener of listeners) listener(hostname);
    },
    revision: () => revision,
    onRemoved: (listener) => void listeners.push(listener),
  };
}

/** Many hosts share a tenant, an application and an origin: their strings are stored once. */
function interned(host: Host, intern: (text: string) => string): Host {
  return {
    ...host,
    environment: host.environment === "live" ? "live" : "test",
    applicationId: intern(host.applicationId),
    tenantId: intern(host.tenantId),
    registrableDomain: intern(host.registrableDomain),
    originUrl: host.originUrl === null ? null : intern(host.originUrl),
    originHostHeader: host.originHostHeader === "origin" ? "origin" : "preserve",
  };
}

const maxInterned = 100_000;

function createInterner(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    // Strings of removed hosts stay behind; clearing only costs duplicates.
    if (known.size >= maxInterned) known.clear();
    known.set(text, text);
    return text;
  };
}

interface Age {
  asOf(): Date | null;
  isTooOld(): boolean;
  restore(asOf: Date): void;
  /** A successful read confirms the whole set; a failed one checks its age. */
  confirmedBy(read: () => Promise<void>): Promise<void>;
}

function createAge(clock: Clock): Age {
  let asOf: Date | null = null;
  let isTooOld = false;
  return {
    asOf: () => asOf,
    isTooOld: () => isTooOld,
    restore(confirmedAt) {
      asOf = confirmedAt;
    },
    async confirmedBy(read) {
      const startedAt = clock.now();
      try {
        await read();
        asOf = startedAt;
        isTooOld = false;
      } catch (error) {
        isTooOld = asOf !== null && clock.now().getTime() - asOf.getTime() > snapshotMaxAgeMs;
        throw error;
      }
    },
  };
}

/** Runs reads one at a time: a late, older result would bring back removed hosts. */
function createSerialQueue(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined); // the caller handles it
    return mine;
  };
}

/** The hostnames of payloads: the payload itself, or all hostnames of an application. */
async function namesIn(pool: pg.Pool, payloads: Iterable<string>): Promise<string[]> {
  const names = new Set<string>();
  for (const payload of payloads) {
    const application = /^application:(.+)$/.exec(payload)?.[1];
    if (application === undefined) names.add(payload);
    else for (const name of await hostnamesOf(pool, application)) names.add(name);
  }
  return [...names];
}

const maxAttempts = 5;
const retryMs = 1_000;

/** Loads the hosts from the database, or from the snapshot if the database is unreachable. */
export async function loadHosts(
  hosts: KnownHosts,
  parts: { readonly snapshot: HostSnapshot; readonly clock: Clock; readonly log: Log },
): Promise<"database" | "disk"> {
  const { snapshot, clock, log } = parts;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await hosts.load();
      return "database";
    } catch (error) {
      const set = snapshot.load(clock.now());
      if (set) {
        hosts.restore(set);
        log.warn(
          { err: error, hosts: hosts.size },
          "database unreachable, serving the host snapshot",
        );
        return "disk";
      }
      if (attempt >= maxAttempts) throw error;
      await delay(retryMs);
    }
  }
}
