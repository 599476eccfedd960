import { setTimeout as delay } from "node:timers/promises";
import { createSerialQueue } from "@mooring/concurrency";
import type { Clock } from "@mooring/postgres";
import type { Log } from "../../config/settings.ts";
import { isApart, overlap } from "../../db/change-log.ts";
import { allHosts, type HostChange, hostChanges, lastHostChange } from "../../db/hosts.ts";
import type { Queries } from "../../db/queries.ts";
import type { ServedHosts } from "../host.ts";
import { createHostChanges, type HostChanges } from "../host-changes.ts";
import { HostNode } from "../store/host-node.ts";

/**
 * Every claimed hostname with the settings of its application, from a store of the machine. Without
 * the feed the hosts are served as they were for a day; after that no host is known until the feed
 * is back.
 */
export interface KnownHosts extends ServedHosts {
  /** Whether the disk cannot be written, and this process has the hosts in memory. */
  isInMemory(): boolean;
  /** How often this process has gone on writing the store for one that stood still. */
  takeovers(): number;
  /** Calls the listener with every name that is released or claimed again. */
  onRemoved(listener: (hostname: string) => void): void;
}

/**
 * Known hosts of the database: loaded once, then updated by notifications and by a poll of the
 * change log.
 */
export interface DatabaseHosts extends KnownHosts {
  /**
   * From the store of the machine in the directory; in memory only where there is none. `disk`
   * where the database is unreachable and hosts are served as they were.
   */
  start(directory: string | null): Promise<"source" | "disk">;
  /** A notification's payload: a hostname, or `application:<id>`. */
  changed(payload: string): void;
  /** Reads what notifications may have missed, if this process is the one that writes. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

const batchMs = 10;
const maxAttempts = 5;
const retryMs = 1_000;
const pollMs = 20;

export interface DatabaseHostsParts {
  readonly pool: Queries;
  readonly log: Log;
  readonly clock: Clock;
}

export function createKnownHosts(parts: DatabaseHostsParts): DatabaseHosts {
  const { pool, log, clock } = parts;
  let isStarted = false;
  let isClosed = false;
  const onWriting = (): void => {
    reading.startAgain();
    if (isStarted) catchUp().catch((err: unknown) => log.warn({ err }, "hosts not loaded"));
  };
  const node = new HostNode({ ...parts, onWriting, endsByAge: false });
  const changes = createHostChanges(node, parts);
  /** One read at a time: a late, older result would bring back removed hosts. */
  const serially = createSerialQueue();
  const reading = createReading({ pool, node, changes });
  let pending = new Set<string>();
  let isScheduled = false;

  const flush = (): void => {
    isScheduled = false;
    const batch = pending;
    pending = new Set();
    if (!isClosed) void serially(() => changes.apply(batch));
  };

  const confirmed = async (): Promise<void> => {
    if (!node.isWriter()) return;
    const startedAt = clock.now();
    try {
      const state = node.state();
      const position = state?.isExpired === true ? null : readPosition(state?.place ?? null);
      const last = await reading.from(position);
      // What could not be read is read again, also by a process that starts.
      await node.confirm(startedAt, JSON.stringify(changes.isBehind() ? position : last));
    } catch (error) {
      node.expire();
      throw error;
    }
  };
  const catchUp = (): Promise<void> => serially(confirmed);
  return {
    ...served(node),
    get size() {
      return node.view.size;
    },
    async start(directory) {
      node.open(directory);
      const reach = () => lastHostChange(pool);
      const from = await firstHosts({ node, catchUp, log, reach });
      isStarted = true;
      return from;
    },
    changed(payload) {
      if (!node.isWriter()) return node.expectChange();
      pending.add(payload);
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(flush, batchMs);
    },
    catchUp,
    async close() {
      isStarted = false;
      isClosed = true;
      await serially(async () => node.close());
    },
  };
}

interface Reading {
  /**
   * Brings the store from a change to the newest one, which is returned: by the log, or by reading
   * everything.
   */
  from(position: HostChange | null): Promise<HostChange>;
  /**
   * Another process may have written the store: what was read before says nothing of what it has.
   */
  startAgain(): void;
}

function createReading(parts: {
  readonly pool: Queries;
  readonly node: HostNode;
  readonly changes: HostChanges;
}): Reading {
  const { pool, node, changes } = parts;
  let processedIds = new Set<number>();
  let hasLoaded = false;

  const load = async (): Promise<HostChange> => {
    // Read before the hosts: a change in between is then processed twice rather than not at all.
    const last = await lastHostChange(pool);
    node.beginRound();
    const read = new Set<string>();
    for await (const page of allHosts(pool)) {
      await changes.readApplications(page, read);
      node.write(page);
    }
    await node.endRound();
    changes.forget();
    hasLoaded = true;
    return last;
  };

  const follow = async (position: HostChange): Promise<HostChange> => {
    const logged = await hostChanges(pool, Math.max(0, position.id - overlap));
    const isSameLog =
      position.id === 0 ? hasLoaded && isFromStart(logged) : isAmong(logged, position);
    if (isApart(logged, position.id) || !isSameLog) return await load();
    const fresh = logged.filter((change) => !processedIds.has(change.id));
    await changes.retry();
    await changes.apply(
      fresh.map((change) => change.hostname ?? `application:${change.applicationId}`),
    );
    processedIds = new Set(logged.map((change) => change.id));
    return logged.at(-1) ?? position;
  };

  return {
    from: (position) => (position === null ? load() : follow(position)),
    startAgain() {
      processedIds = new Set();
      hasLoaded = false;
      // The other one had it to read, or it is still in the log.
      changes.forget();
    },
  };
}

/** The lookups of a process. */
export function served(node: HostNode): KnownHosts {
  const { view } = node;
  return {
    get: view.get,
    find: view.find,
    applicationOf: view.applicationOf,
    get size() {
      return view.size;
    },
    isInMemory: () => node.isInMemory(),
    takeovers: () => node.takeovers(),
    onRemoved: view.onRemoved,
  };
}

/** The last change in the store; null also for the position of another kind of feed. */
function readPosition(text: string | null): HostChange | null {
  return text?.startsWith("{") === true ? (JSON.parse(text) as HostChange) : null;
}

/** In a database that was restored, the number may be that of another change. */
function isAmong(
  logged: readonly HostChange[],
  { id, hostname, applicationId }: HostChange,
): boolean {
  return logged.some(
    (change) =>
      change.id === id && change.hostname === hostname && change.applicationId === applicationId,
  );
}

/** Whether an empty log has been followed since without a gap. */
function isFromStart(logged: readonly HostChange[]): boolean {
  return logged[0] === undefined || logged[0].id === 1;
}

interface Starting {
  readonly node: HostNode;
  readonly catchUp: () => Promise<void>;
  /** Fails when the database is unreachable; for a process that does not write. */
  readonly reach: () => Promise<unknown>;
  readonly log: Log;
}

/** From the database, or from the store as it is where that is unreachable. */
async function firstHosts({ node, catchUp, reach, log }: Starting): Promise<"source" | "disk"> {
  for (let attempt = 1; ; ) {
    try {
      if (node.isWriter()) {
        await catchUp();
        return "source";
      }
      await reach();
      if (await areServed(node)) return "source";
    } catch (error) {
      if (node.view.isServing()) {
        log.warn(
          { err: error, hosts: node.view.size },
          "database unreachable, serving stored hosts",
        );
        return "disk";
      }
      if (attempt >= maxAttempts) throw error;
      attempt += 1;
      await delay(retryMs);
    }
  }
}

/** Whether the process that writes has the hosts within a moment. */
async function areServed(node: HostNode): Promise<boolean> {
  const deadline = performance.now() + retryMs;
  while (!node.view.isServing() && !node.isWriter() && performance.now() < deadline) {
    await delay(pollMs);
  }
  return node.view.isServing() && !node.isWriter();
}
