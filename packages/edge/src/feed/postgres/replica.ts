import { setTimeout as delay } from "node:timers/promises";
import { repeatEvery } from "@mooring/postgres";
import type pg from "pg";
import type { Log } from "../../config/settings.ts";
import { primaryPosition, type ReplicaPosition, replicaPosition } from "../../db/positions.ts";
import type { Queries } from "../../db/queries.ts";

/** Where hosts, applications and certificates are read from: the primary, or a replica of it. */
export interface Reading {
  /**
   * Reads that must never see an older state after a newer one. A read that fails at the replica is
   * made at the primary, and the replica is left.
   */
  readonly inOrder: Queries;
  /** The replica while it is used; null while the primary is. */
  replica(): pg.Pool | null;
  /** Resolves when the server that is read has all that was committed before the call. */
  whenReplayed(): Promise<void>;
  state(): ReplicaState;
  close(): Promise<void>;
}

export interface ReplicaState {
  readonly isUsed: boolean;
  /** How far the replica is behind the primary; null while that is not known. */
  readonly lagMs: number | null;
}

export interface ReplicaParts {
  readonly primary: pg.Pool;
  readonly replica: pg.Pool;
  /** A replica that is further behind is not read. */
  readonly maxLagMs: number;
  readonly log: Log;
}

const probeMs = 1_000;
/** How long reads wait for the replica to reach what was read of the primary. */
const returnWithinMs = 1_000;
const pollMs = 50;
/** Positions of the primary that are remembered; older ones do not tell more. */
const maxSamples = 600;

interface Sample {
  readonly atMs: number;
  readonly position: bigint;
}

interface State {
  readonly samples: Sample[];
  isUsed: boolean;
  lagMs: number | null;
  /** Reads in order that are under way at the primary, and all that there were. */
  primaryReads: number;
  allPrimaryReads: number;
  /** Reads in order begin after it. */
  gate: Promise<void>;
}

/**
 * Reads from a replica while it follows its primary closely. It is left when it cannot be read, is
 * no standby any more, or is too far behind, and used again when it has all that was read of the
 * primary.
 */
export async function openReading(parts: ReplicaParts): Promise<Reading> {
  const { primary, replica, maxLagMs, log } = parts;
  const state: State = {
    samples: [],
    isUsed: false,
    lagMs: null,
    primaryReads: 0,
    allPrimaryReads: 0,
    gate: Promise.resolve(),
  };
  // A first use has read nothing of the primary: without it, too, a replica is better than no
  // database.
  const seen = await probe(parts, state);
  const isClose = state.lagMs !== null && state.lagMs <= maxLagMs;
  if (seen?.isStandby && (isClose || state.samples.length === 0)) use(parts, state);
  else log.warn({ lagMs: state.lagMs, isReachable: seen !== null }, notRead);
  const watching = repeatEvery(probeMs, () => watch(parts, state), {
    onError: (error) => log.debug({ err: error }, "replica not checked"),
  });
  return {
    inOrder: queriesBy((run) => readInOrder(parts, state, run)),
    replica: () => (state.isUsed ? replica : null),
    whenReplayed: shareRuns(async () => {
      if (!state.isUsed) return;
      const position = await primaryPosition(primary).catch(() => null);
      if (position !== null) await reaches(replica, position, () => state.isUsed);
    }),
    state: () => ({ isUsed: state.isUsed, lagMs: state.lagMs }),
    async close() {
      state.isUsed = false;
      await watching.stop();
      await replica.end();
    },
  };
}

const notRead = "replica not read, the primary is";

function use({ log }: ReplicaParts, state: State): void {
  state.isUsed = true;
  log.info({ lagMs: state.lagMs }, "hosts and certificates are read from the replica");
}

function leave({ log }: ReplicaParts, state: State, reason: string, error?: unknown): void {
  if (!state.isUsed) return;
  state.isUsed = false;
  log.warn({ reason, lagMs: state.lagMs, err: error }, notRead);
}

/** Null when the replica cannot be read. */
async function probe(
  { primary, replica }: ReplicaParts,
  state: State,
): Promise<ReplicaPosition | null> {
  const [position, seen] = await Promise.all([
    primaryPosition(primary).catch(() => null),
    replicaPosition(replica).catch(() => null),
  ]);
  if (position !== null) state.samples.push({ atMs: performance.now(), position });
  if (state.samples.length > maxSamples) state.samples.shift();
  state.lagMs = seen === null ? null : computeLag(state.samples, seen, performance.now());
  return seen;
}

async function watch(parts: ReplicaParts, state: State): Promise<void> {
  const seen = await probe(parts, state);
  const { lagMs } = state;
  if (seen === null) leave(parts, state, "unreachable");
  else if (!seen.isStandby) leave(parts, state, "no standby");
  else if (lagMs === null || lagMs > parts.maxLagMs) leave(parts, state, "too far behind");
  else if (!state.isUsed) {
    state.gate = comeBack(parts, state);
    await state.gate;
  }
}

/** Nothing is read of the primary meanwhile, so that the replica can catch up with what was. */
async function comeBack(parts: ReplicaParts, state: State): Promise<void> {
  const deadline = performance.now() + returnWithinMs;
  const isInTime = (): boolean => performance.now() < deadline;
  while (state.primaryReads > 0 && isInTime()) await delay(pollMs);
  if (state.primaryReads > 0) return;
  const reads = state.allPrimaryReads;
  const position = await primaryPosition(parts.primary).catch(() => null);
  const isThere = position !== null && (await reaches(parts.replica, position, isInTime));
  // A read that had passed the gate before it was closed may have seen more.
  if (isThere && state.allPrimaryReads === reads) use(parts, state);
}

/** Whether the replica gets so far while `mayWait` says so. */
async function reaches(
  replica: pg.Pool,
  position: bigint,
  mayWait: () => boolean,
): Promise<boolean> {
  do {
    const seen = await replicaPosition(replica).catch(() => null);
    if (seen === null || !seen.isStandby) return false;
    if (seen.position >= position) return true;
    await delay(pollMs);
  } while (mayWait());
  return false;
}

async function readInOrder(
  parts: ReplicaParts,
  state: State,
  run: (pool: pg.Pool) => Promise<unknown>,
): Promise<unknown> {
  await state.gate;
  if (state.isUsed) {
    try {
      return await run(parts.replica);
    } catch (error) {
      leave(parts, state, "read failed", error);
    }
  }
  state.primaryReads += 1;
  state.allPrimaryReads += 1;
  try {
    return await run(parts.primary);
  } finally {
    state.primaryReads -= 1;
  }
}

/** The same without a replica. */
export function readPrimary(primary: pg.Pool): Reading {
  return {
    inOrder: primary,
    replica: () => null,
    whenReplayed: () => Promise.resolve(),
    state: () => ({ isUsed: false, lagMs: null }),
    close: () => Promise.resolve(),
  };
}

/**
 * Behind by the age of what it has replayed; by the newest sample of the primary it is not behind
 * at all.
 */
export function computeLag(
  samples: readonly Sample[],
  seen: Pick<ReplicaPosition, "position" | "replayedMsAgo">,
  nowMs: number,
): number | null {
  const newest = samples.at(-1);
  if (newest === undefined) return null;
  if (seen.position >= newest.position) return 0;
  const reached = samples.findLast(({ position }) => position <= seen.position);
  const ages = [reached === undefined ? null : nowMs - reached.atMs, seen.replayedMsAgo];
  const known = ages.filter((age) => age !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Callers that come before a run begins share it; those that come later share the next. */
function shareRuns(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  return () => {
    if (running === null) {
      running = run().finally(() => {
        running = null;
      });
      return running;
    }
    next ??= running.then(() => {
      next = null;
      running = run().finally(() => {
        running = null;
      });
      return running;
    });
    return next;
  };
}

/** `query` of a pool that `choose` picks for each statement. */
function queriesBy(
  choose: (run: (pool: pg.Pool) => Promise<unknown>) => Promise<unknown>,
): Queries {
  const query = (...statement: Parameters<pg.Pool["query"]>): Promise<unknown> =>
    choose((pool) => Promise.resolve(pool.query(...statement)));
  // The overloads of the driver: with a promise the result is that of the pool's own `query`.
  return { query: query as unknown as pg.Pool["query"] };
}
