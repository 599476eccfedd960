import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@mooring/postgres";
import type { Log } from "../config/settings.ts";
import { isApart, overlap } from "../db/change-log.ts";
import { allHosts, hostChanges, lastHostChange } from "../db/hosts.ts";
import type { Queries } from "../db/queries.ts";
import { createLookups } from "./covered-hosts.ts";
import type { ServedHosts } from "./host.ts";
import { createHostChanges } from "./host-changes.ts";
import { createHostMap } from "./host-map.ts";
import { type HostSet, type HostSnapshot, snapshotMaxAgeMs } from "./host-snapshot.ts";

/**
 * Every claimed hostname in memory, with the settings of its application. Without the feed the last set is used
 * for a day; after that no host is known until the feed is back.
 */
export interface KnownHosts extends ServedHosts {
  /** The set as last confirmed by the feed; null before the first time. */
  current(): HostSet | null;
  /** Grows with every change. */
  revision(): number;
  /** Calls the listener with every name that is released or claimed again. */
  onRemoved(listener: (hostname: string) => void): void;
}

/** Known hosts of the database: loaded once, then updated by notifications and by a poll of the change log. */
export interface DatabaseHosts extends KnownHosts {
  load(): Promise<void>;
  /** Uses a set from the snapshot, for a start without the database. */
  restore(snapshot: HostSet): void;
  /** A notification's payload: a hostname, or `application:<id>`. */
  changed(payload: string): void;
  /** Reads what notifications may have missed. */
  catchUp(): Promise<void>;
}

const batchMs = 10;

export function createKnownHosts(pool: Queries, log: Log, clock: Clock): DatabaseHosts {
  const map = createHostMap();
  const changes = createHostChanges(map, { pool, log, clock });
  const age = createAge(clock);
  let isRestored = false;
  let lastId = 0;
  let processedIds = new Set<number>();
  let pending = new Set<string>();
  let isScheduled = false;
  const serially = createSerialQueue();

  const flush = (): void => {
    isScheduled = false;
    const batch = pending;
    pending = new Set();
    void serially(() => changes.apply(batch));
  };

  const load = async (): Promise<void> => {
    // Read before the hosts: a change in between is then processed twice rather than not at all.
    lastId = await lastHostChange(pool);
    const present = new Set<string>();
    const read = new Set<string>();
    for await (const page of allHosts(pool)) {
      await changes.readApplications(page, read);
      for (const host of page) {
        map.put(host.hostname, host);
        present.add(host.hostname);
      }
    }
    for (const name of [...map.hosts.keys()]) if (!present.has(name)) map.put(name, null);
    isRestored = false;
    changes.forget();
  };

  const catchUp = async (): Promise<void> => {
    const logged = await hostChanges(pool, Math.max(0, lastId - overlap));
    if (isRestored || age.isTooOld() || isApart(logged, lastId)) return await load();
    const fresh = logged.filter((change) => !processedIds.has(change.id));
    await changes.retry();
    await changes.apply(
      fresh.map((change) => change.hostname ?? `application:${change.applicationId}`),
    );
    lastId = Math.max(lastId, logged.at(-1)?.id ?? 0);
    processedIds = new Set(logged.map((change) => change.id));
  };

  return {
    ...createLookups((hostname) => (age.isTooOld() ? null : (map.hosts.get(hostname) ?? null))),
    applicationOf: map.applicationOf,
    get size() {
      return map.hosts.size;
    },
    current() {
      const asOf = age.asOf();
      if (asOf === null) return null;
      return { asOf, applications: map.applications(), hosts: map.hosts.values() };
    },
    revision: map.revision,
    load: () => serially(() => age.confirmedBy(load)),
    restore(snapshot) {
      for (const application of snapshot.applications) map.putApplication(application);
      for (const host of snapshot.hosts) map.put(host.hostname, host);
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
    onRemoved: map.onRemoved,
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

const maxAttempts = 5;
const retryMs = 1_000;

/** Loads the hosts from the database, or from the snapshot if the database is unreachable. */
export async function loadHosts(
  hosts: DatabaseHosts,
  parts: { readonly snapshot: HostSnapshot; readonly clock: Clock; readonly log: Log },
): Promise<"source" | "disk"> {
  const { snapshot, clock, log } = parts;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await hosts.load();
      return "source";
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
