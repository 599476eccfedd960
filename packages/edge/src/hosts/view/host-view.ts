import type { NameFilter } from "@mooring/dns/lookup";
import { type Application, type StoredApplication, toApplication } from "../application.ts";
import type { Host, ServedHosts } from "../host.ts";
import { createSiteApplications } from "../site-application.ts";
import type { HostStore, LoggedChange, StoreState } from "../store/host-store.ts";
import { createLookups } from "./covered-hosts.ts";
import { createRecent } from "./recent.ts";

/**
 * The hosts of a store as one process serves them. An unknown name costs no read: a filter in
 * memory denies it. A name that was visited lately costs none either. All others cost one read of
 * the store, which alone decides.
 */
export interface HostView extends ServedHosts {
  /** From now on this store; what was known of another one is forgotten. */
  use(store: HostStore): void;
  /** Takes in what has been written since the last time. */
  refresh(): void;
  /** Whether hosts are served now. */
  isServing(): boolean;
  /** What is in memory of the names; null before it was stored. */
  filter(): NameFilter | null;
  onRemoved(listener: (hostname: string) => void): void;
}

/** About 10 MB. */
const recentHosts = 20_000;
const recentApplications = 10_000;

interface HostViewParts {
  /** What could not be read is not served. */
  readonly onFailure: (error: unknown) => void;
  /** Whether hosts that were confirmed at that time, in milliseconds, are served no longer. */
  readonly isTooOld: (asOf: number) => boolean;
}

export function createHostView(parts: HostViewParts): HostView {
  const hosts = createRecent<Host>(recentHosts);
  const applications = createApplications((id) => tried((from) => from.application(id)));
  const siteApplication = createSiteApplications();
  const listeners: ((hostname: string) => void)[] = [];
  let store: HostStore | null = null;
  let state: StoreState | null = null;
  /** The last change that was taken in; it may be newer than the state. */
  let seen = 0;
  let asOf = 0;
  let filter: NameFilter | null = null;

  const tried = <T>(read: (from: HostStore) => T | null): T | null =>
    attempt(() => store && read(store), parts.onFailure);

  const isServing = (): boolean =>
    state?.isWhole === true && !state.isExpired && !parts.isTooOld(asOf);

  function get(hostname: string): Host | null {
    if (!isServing()) return null;
    const recent = hosts.get(hostname);
    if (recent !== undefined) return recent;
    if (filter?.mayHave(hostname) === false) return null;
    const host = tried((from) => from.host(hostname));
    if (host !== null) hosts.set(hostname, host);
    return host;
  }

  function apply({ kind, name }: LoggedChange): void {
    if (kind === "application") applications.delete(name);
    else hosts.delete(name);
    if (kind === "added") filter?.add(name);
    if (kind === "released") for (const listener of listeners) listener(name);
  }

  /** Compares what is in memory with the store, where the log does not say what has changed. */
  function readAll(from: HostStore): void {
    const before = [...hosts.entries()];
    hosts.clear();
    applications.clear();
    filter = storedFilter(from);
    for (const [hostname, { epoch }] of before) {
      if (from.host(hostname)?.epoch === epoch) continue;
      for (const listener of listeners) listener(hostname);
    }
  }

  function refresh(): void {
    tried((from) => {
      const [before, now] = [state, from.state()];
      if (before === now) return null;
      const changes = before && from.changesAfter(seen);
      if (changes === null) readAll(from);
      else changes.forEach(apply);
      if (before !== null && before.filter !== now.filter) filter = storedFilter(from);
      seen = Math.max(now.sequence, changes?.at(-1)?.sequence ?? 0);
      state = now;
      asOf = Date.parse(now.asOf ?? "");
      return null;
    });
  }

  return {
    ...createLookups(get),
    applicationOf: (host) => siteApplication(applications.get(host.applicationId), host),
    get size() {
      return state?.hosts ?? 0;
    },
    use(other) {
      store = other;
      state = null;
      refresh();
    },
    refresh,
    isServing,
    filter: () => filter,
    onRemoved: (listener) => void listeners.push(listener),
  };
}

function attempt<T>(read: () => T | null, onFailure: (error: unknown) => void): T | null {
  try {
    return read();
  } catch (error) {
    onFailure(error);
    return null;
  }
}

interface Applications {
  get(id: string): Application | null;
  delete(id: string): void;
  clear(): void;
}

/** The same object for the same application until it is changed. */
function createApplications(read: (id: string) => StoredApplication | null): Applications {
  const recent = createRecent<Application>(recentApplications);
  return {
    get(id) {
      const known = recent.get(id);
      if (known !== undefined) return known;
      const stored = read(id);
      if (stored === null) return null;
      const made = toApplication(stored);
      recent.set(id, made);
      return made;
    },
    delete: recent.delete,
    clear: recent.clear,
  };
}

/**
 * The stored filter is of an earlier change; the log has the names since then. Null where it does
 * not.
 */
function storedFilter(store: HostStore): NameFilter | null {
  const read = store.filter();
  const since = read && store.changesAfter(read.sequence);
  for (const { kind, name } of since ?? []) if (kind === "added") read?.filter.add(name);
  return since === null ? null : (read?.filter ?? null);
}
