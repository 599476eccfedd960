import type pg from "pg";
import { allHosts, hostChanges, hostnamesOf, hostsNamed, lastHostChange } from "../db/hosts.ts";
import type { Host, HostTable } from "../host.ts";
import type { Log } from "../log.ts";

/**
 * The known-host set: every held hostname in memory, loaded once and kept up by notifications, with
 * a poll of the change log below them. While the database is away the last good set stands.
 */
export interface KnownHosts extends HostTable {
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
  let isRestored = false;
  let lastId = 0;
  let seenIds = new Set<number>();
  let waiting = new Set<string>();
  let isGathering = false;
  const inTurn = createTurns();

  const put = (hostname: string, host: Host | null): void => {
    const before = hosts.get(hostname);
    if (host) hosts.set(hostname, host);
    else hosts.delete(hostname);
    if (before && before.epoch !== host?.epoch) for (const tell of listeners) tell(hostname);
  };

  const resolve = async (payloads: Iterable<string>): Promise<void> => {
    const names = await namesIn(pool, payloads);
    if (names.length === 0) return;
    const found = new Map((await hostsNamed(pool, names)).map((host) => [host.hostname, host]));
    for (const name of names) put(name, found.get(name) ?? null);
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
        put(host.hostname, host);
        present.add(host.hostname);
      }
    }
    for (const name of [...hosts.keys()]) if (!present.has(name)) put(name, null);
    isRestored = false;
  };

  const catchUp = async (): Promise<void> => {
    const changes = await hostChanges(pool, Math.max(0, lastId - overlap));
    const fresh = changes.filter((change) => !seenIds.has(change.id));
    await resolve(fresh.map((change) => change.hostname ?? `application:${change.applicationId}`));
    lastId = Math.max(lastId, changes.at(-1)?.id ?? 0);
    seenIds = new Set(changes.map((change) => change.id));
  };

  return {
    get: (hostname) => hosts.get(hostname) ?? null,
    get size() {
      return hosts.size;
    },
    all: () => hosts.values(),
    load: () => inTurn(load),
    restore(kept) {
      for (const host of kept) hosts.set(host.hostname, host);
      isRestored = true;
    },
    changed(payload) {
      waiting.add(payload);
      if (isGathering) return;
      isGathering = true;
      setTimeout(flush, gatherMs);
    },
    // A set from disk may be a day old: it is read anew as a whole, not change by change.
    catchUp: () => inTurn(isRestored ? load : catchUp),
    onGone: (listener) => void listeners.push(listener),
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
