import type { Clock } from "../domain/clock.ts";
import type { Logger } from "../process/log.ts";
import type { DueRows } from "../services/work/due-rows.ts";
import { createPlaces, type Room } from "./places.ts";

/** One verb run over rows that are due. */
export interface WorkerSpec<T> extends Room {
  readonly name: string;
  readonly rows: DueRows<T>;
  /** Writes its own outcome; throwing gives the row back to be tried again. */
  readonly run: (row: T, signal: AbortSignal) => Promise<void>;
  /** The longest one run may take before it is aborted. */
  readonly timeoutMs: number;
}

export interface RunningWorker {
  readonly name: string;
  /** Rows being worked on. */
  running(): number;
  /** When it last looked for work with success, or had no room to, on the monotonic clock. */
  lastLook(): number;
  /** Something may be due: look now instead of at the next poll. */
  wake(table: string): void;
  /** Takes no more, lets what runs finish for a while, then aborts it. */
  stop(): Promise<void>;
}

export interface LoopParts {
  readonly clock: Clock;
  readonly log: Logger;
  /** How long a claimed row stays ours without a sign of life; 30 seconds unless said otherwise. */
  readonly leaseMs?: number | undefined;
}

const batch = 32;
const defaultLeaseMs = 30_000;
const pollMs = 1_000;
const retryMs = 15_000;
const graceMs = 6_000;

/** The one loop of all workers: claim, run, release; woken by notifications, with a poll as floor. */
export function startWorker<T>(
  spec: WorkerSpec<T>,
  { clock, log, leaseMs = defaultLeaseMs }: LoopParts,
): RunningWorker {
  const { rows } = spec;
  const running = new Map<string, { readonly row: T; readonly done: Promise<void> }>();
  const stopping = new AbortController();
  let isStopped = false;
  let claiming: Promise<void> | null = null;
  let isWakePending = false;
  let lastLook = performance.now();

  const later = (ms: number): Date => new Date(clock.now().getTime() + ms);

  const places = createPlaces(spec, () => look());

  const runOne = async (row: T): Promise<void> => {
    const leave = places.take();
    try {
      await runOrGiveBack(spec, row, { log, stopping: stopping.signal, retryAt: later });
    } finally {
      leave();
      running.delete(rows.idOf(row));
      if (!isStopped) look();
    }
  };

  const claim = async (): Promise<void> => {
    const free = Math.min(batch, places.free());
    const claimed = free > 0 ? await rows.claim(clock.now(), later(leaseMs), free) : [];
    lastLook = performance.now();
    for (const row of claimed) running.set(rows.idOf(row), { row, done: runOne(row) });
    if (free > 0 && claimed.length === free) isWakePending = true;
  };

  const look = (): void => {
    if (isStopped || claiming !== null) {
      isWakePending = true;
      return;
    }
    isWakePending = false;
    claiming = claim()
      .catch((error: unknown) =>
        log.warn({ err: error, worker: spec.name }, "could not look for work"),
      )
      .finally(() => {
        claiming = null;
        if (isWakePending && places.free() > 0) look();
      });
  };

  const heartbeat = async (): Promise<void> => {
    if (running.size === 0) return;
    const held = new Map([...running].map(([id, { row }]) => [id, rows.versionOf(row)]));
    await rows.prolong(held, later(leaseMs));
  };

  const poll = setInterval(look, pollMs);
  const beat = setInterval(() => {
    heartbeat().catch((error: unknown) =>
      log.warn({ err: error, worker: spec.name }, "heartbeat failed"),
    );
  }, leaseMs / 3);
  look();

  return {
    name: spec.name,
    running: () => running.size,
    lastLook: () => lastLook,
    wake(table) {
      if (table === rows.table) look();
    },
    async stop() {
      isStopped = true;
      clearInterval(poll);
      clearInterval(beat);
      await claiming;
      const abort = setTimeout(() => stopping.abort(), graceMs);
      await Promise.all([...running.values()].map(({ done }) => done));
      clearTimeout(abort);
    },
  };
}

/** A row whose work failed is tried again a little later, by whoever is free then. */
async function runOrGiveBack<T>(
  { name, rows, run, timeoutMs }: WorkerSpec<T>,
  row: T,
  parts: {
    readonly log: Logger;
    readonly stopping: AbortSignal;
    readonly retryAt: (ms: number) => Date;
  },
): Promise<void> {
  const { log } = parts;
  try {
    await run(row, AbortSignal.any([parts.stopping, AbortSignal.timeout(timeoutMs)]));
  } catch (error) {
    log.warn({ err: error, worker: name, id: rows.idOf(row) }, "work failed, to be tried again");
    await rows.release(row, parts.retryAt(retryMs)).catch((cause: unknown) => {
      // The lease runs out by itself; the row is not lost.
      log.warn({ err: cause, worker: name }, "lease not given back");
    });
  }
}
