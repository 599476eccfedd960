import type { Clock } from "@mooring/postgres";
import type { Log } from "../config/settings.ts";
import { applicationsById, hostsNamed } from "../db/hosts.ts";
import type { Queries } from "../db/queries.ts";
import { type HostLine, readApplicationId } from "./host-line.ts";
import { type HostNode, hostsMaxAgeMs } from "./store/host-node.ts";
import type { Change } from "./store/host-store.ts";

/** Brings changed hosts and applications into the store: hostnames, and `application:<id>`. */
export interface HostChanges {
  /** Never fails: what cannot be read is tried again by `retry`. */
  apply(payloads: Iterable<string>): Promise<void>;
  /** Tries again what could not be read, one by one. */
  retry(): Promise<void>;
  /** Whether something could not be read. */
  isBehind(): boolean;
  /** Everything has been read again. */
  forget(): void;
  /** Reads the applications of these hosts, except those in `read`, which grows by them. */
  readApplications(hosts: readonly HostLine[], read: Set<string>): Promise<void>;
}

const prefix = "application:";
/** Names or applications in one statement. A statement that fails holds up no other. */
const hostsPerRead = 500;
/** Settings can be large. */
const applicationsPerRead = 50;
const retriesAtOnce = 100;

export function createHostChanges(
  node: HostNode,
  parts: { readonly pool: Queries; readonly log: Log; readonly clock: Clock },
): HostChanges {
  const { pool, log, clock } = parts;
  /** What could not be read, and since when. */
  const unread = new Map<string, number>();

  async function readApplications(hosts: readonly HostLine[], read: Set<string>): Promise<void> {
    const wanted = new Set(hosts.map(({ line }) => readApplicationId(line)));
    const missing = [...wanted].filter((id) => !read.has(id));
    for (const ids of pieces(missing, applicationsPerRead)) {
      node.write(await applicationChanges(ids));
      for (const id of ids) read.add(id);
    }
  }

  async function applicationChanges(ids: readonly string[]): Promise<readonly Change[]> {
    const found = await applicationsById(pool, ids);
    return found.map((application) => ({ applicationId: application.id, application }));
  }

  async function readHosts(names: readonly string[]): Promise<void> {
    const found = await hostsNamed(pool, names);
    const used = found.map(({ line }) => readApplicationId(line));
    await readApplications(found, new Set(used.filter((id) => node.hasApplication(id))));
    const claimed = new Set(found.map(({ hostname }) => hostname));
    const released = names.filter((name) => !claimed.has(name));
    node.write([...found, ...released.map((hostname) => ({ hostname, host: null }))]);
  }

  /**
   * One that no known host belongs to is read with its first host; what was dropped is read again.
   */
  async function readChanged(ids: readonly string[]): Promise<void> {
    const used = ids.filter((id) => node.hasApplication(id) || unread.has(prefix + id));
    if (used.length > 0) node.write(await applicationChanges(used));
  }

  async function attempt(payloads: readonly string[], read: () => Promise<void>): Promise<void> {
    try {
      await read();
      for (const payload of payloads) unread.delete(payload);
    } catch (error) {
      const now = clock.now().getTime();
      for (const payload of payloads) {
        const since = unread.get(payload) ?? now;
        // Behind the others, so that each is tried.
        unread.delete(payload);
        unread.set(payload, since);
      }
      log.warn({ err: error, changes: payloads.length }, "hosts not refreshed");
    }
  }

  async function apply(payloads: Iterable<string>): Promise<void> {
    const all = [...new Set(payloads)];
    const names = all.filter((payload) => !payload.startsWith(prefix));
    const applications = all.filter((payload) => payload.startsWith(prefix));
    for (const piece of pieces(names, hostsPerRead)) {
      await attempt(piece, () => readHosts(piece));
    }
    for (const piece of pieces(applications, applicationsPerRead)) {
      const ids = piece.map((payload) => payload.slice(prefix.length));
      await attempt(piece, () => readChanged(ids));
    }
  }

  /** As the whole set without the database, what was there before is used for a day. */
  function dropOld(): void {
    const now = clock.now().getTime();
    for (const [payload, since] of unread) {
      if (now - since <= hostsMaxAgeMs) continue;
      const applicationId = payload.slice(prefix.length);
      node.write([
        payload.startsWith(prefix)
          ? { applicationId, application: null }
          : { hostname: payload, host: null },
      ]);
    }
  }

  return {
    apply,
    async retry() {
      dropOld();
      for (const payload of [...unread.keys()].slice(0, retriesAtOnce)) await apply([payload]);
    },
    isBehind: () => unread.size > 0,
    forget: () => unread.clear(),
    readApplications,
  };
}

function* pieces<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
