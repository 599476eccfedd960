import { type Application, type StoredApplication, toApplication } from "./application.ts";
import type { Host } from "./host.ts";
import { createSiteApplications } from "./site-application.ts";

/**
 * Host → application id, and application id → settings: two maps, so that a change of an application is
 * one entry, however many hosts it has. An application stays as long as a host refers to it.
 */
export interface HostMap {
  readonly hosts: ReadonlyMap<string, Host>;
  application(id: string): Application | null;
  /** With what the host's connection sets itself. */
  applicationOf(host: Host): Application | null;
  applications(): Iterable<StoredApplication>;
  /** Whether a host refers to the application. */
  isUsed(id: string): boolean;
  /** The application of the host is put before it. */
  put(hostname: string, host: Host | null): void;
  putApplication(stored: StoredApplication): void;
  /** Its hosts stay, without settings. */
  removeApplication(id: string): void;
  /** Grows with every change. */
  revision(): number;
  /** Calls the listener with every name that is released or claimed again. */
  onRemoved(listener: (hostname: string) => void): void;
}

interface Entry {
  stored: StoredApplication | null;
  application: Application | null;
  hosts: number;
}

export function createHostMap(): HostMap {
  const hosts = new Map<string, Host>();
  const entries = new Map<string, Entry>();
  const intern = createInterner();
  const siteApplication = createSiteApplications();
  const listeners: ((hostname: string) => void)[] = [];
  let revision = 0;

  function entryOf(id: string): Entry {
    const known = entries.get(id);
    if (known !== undefined) return known;
    const entry: Entry = { stored: null, application: null, hosts: 0 };
    entries.set(id, entry);
    return entry;
  }

  function release(id: string): void {
    const entry = entryOf(id);
    entry.hosts -= 1;
    if (entry.hosts === 0) entries.delete(id);
  }

  return {
    hosts,
    application: (id) => entries.get(id)?.application ?? null,
    applicationOf: (host) =>
      siteApplication(entries.get(host.applicationId)?.application ?? null, host),
    *applications() {
      for (const { stored } of entries.values()) if (stored !== null) yield stored;
    },
    isUsed: (id) => entries.has(id),
    put(hostname, host) {
      const before = hosts.get(hostname);
      revision += 1;
      if (host) {
        hosts.set(hostname, interned(host, intern));
        entryOf(host.applicationId).hosts += 1;
      } else hosts.delete(hostname);
      if (before === undefined) return;
      release(before.applicationId);
      if (before.epoch !== host?.epoch) for (const listener of listeners) listener(hostname);
    },
    putApplication(stored) {
      revision += 1;
      const entry = entryOf(stored.id);
      entry.stored = stored;
      entry.application = toApplication(stored);
    },
    removeApplication(id) {
      const entry = entries.get(id);
      if (entry === undefined || entry.stored === null) return;
      revision += 1;
      entry.stored = null;
      entry.application = null;
    },
    revision: () => revision,
    onRemoved: (listener) => void listeners.push(listener),
  };
}

/** Many hosts share a tenant and an application: their strings are stored once. */
function interned(host: Host, intern: (text: string) => string): Host {
  return {
    ...host,
    environment: host.environment === "live" ? "live" : "test",
    applicationId: intern(host.applicationId),
    tenantId: intern(host.tenantId),
    registrableDomain: intern(host.registrableDomain),
    // A snapshot of an earlier release has none.
    own: host.own ?? null,
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
