import type pg from "pg";
import { allHosts, hostChanges, hostnamesOf, hostsNamed, lastHostChange } from "../db/hosts.ts";
import type { Host, HostTable } from "../host.ts";
import type { Log } from "../log.ts";

/**
 * The known-host set: every held hostname in memory, loaded once and kept up by notifications, with
 * a poll of the change log below them. While the database is away the last good set stands.
 */
export interface KnownHosts extends HostTable {
  /** True once a whole set has been loaded, from the database or from disk. */
  readonly isLoaded: boolean;
  all(): Iterable<Host>;
  load(): Promise<void>;
  /** Takes a set that was kept on disk, for a start without a database. */
  restore(hosts: readonly Host[]): void;
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

export function createKnownHosts(pool: pg.Pool, log: Log): KnownHosts {
  const hosts = new Map<string, Host>();
  const listeners: ((hostname: string) => void)[] = [];
  let isLoaded = false;
  let lastId = 0;
  let seenIds = new Set<number>();
  let waiting = new Set<string>();
  let isGathering = false;

  const put = (hostname: string, host: Host | null): void => {
    const before = hosts.get(hostname);
    if (host) hosts.set(hostname, host);
    else hosts.delete(hostname);
    if (before && before.epoch !== host?.epoch) for (const tell of listeners) tell(hostname);
  };

  const refresh = async (names: readonly string[]): Promise<void> => {
    if (names.length === 0) return;
    const found = new Map((await hostsNamed(pool, names)).map((host) => [host.hostname, host]));
    for (const name of names) put(name, found.get(name) ?? null);
  };

  const resolve = async (payloads: Iterable<string>): Promise<void> =>
    refresh(await namesIn(pool, payloads));

  const flush = (): void => {
    isGathering = false;
    const batch = waiting;
    waiting = new Set();
    resolve(batch).catch((error: unknown) => {
      // The poll reads the change log and will find them again.
      log.warn({ err: error }, "hosts not refreshed");
    });
  };

  return {
    get: (hostname) => hosts.get(hostname) ?? null,
    get size() {
      return hosts.size;
    },
    get isLoaded() {
      return isLoaded;
    },
    all: () => hosts.values(),
    async load() {
      // Read before the hosts: a change in between is then seen twice rather than not at all.
      lastId = await lastHostChange(pool);
      const present = new Set<string>();
      for await (const page of allHosts(pool)) {
        for (const host of page) {
          put(host.hostname, host);
          present.add(host.hostname);
        }
      }
      for (const name of [...hosts.keys()]) if (!present.has(name)) put(name, null);
      isLoaded = true;
    },
    restore(kept) {
      for (const host of kept) hosts.set(host.hostname, host);
      isLoaded = true;
    },
    changed(payload) {
      waiting.add(payload);
      if (isGathering) return;
      isGathering = true;
      setTimeout(flush, gatherMs);
    },
    async catchUp() {
      const changes = await hostChanges(pool, Math.max(0, lastId - overlap));
      const fresh = changes.filter(
        (change) => change.id > lastId - overlap && !seenIds.has(change.id),
      );
      await resolve(
        fresh.map((change) => change.hostname ?? `application:${change.applicationId}`),
      );
      lastId = Math.max(lastId, changes.at(-1)?.id ?? 0);
      seenIds = new Set(changes.map((change) => change.id));
    },
    onGone: (listener) => void listeners.push(listener),
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
