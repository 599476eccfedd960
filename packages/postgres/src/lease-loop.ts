import type { Clock } from "./clock.ts";
import { createRunRecord, maxFailures, type RunRecord, retryMs } from "./retry.ts";
import { createSlots, type Slot, type SlotLimits } from "./slots.ts";

/**
 * Work to be done is a time on the thing itself. A worker leases rows that are due; a write names
 * the version that came with the lease and is refused once another worker has leased the row.
 */
export interface DueRows<T> {
  /** The table's name, as it is announced when one of its rows becomes due. */
  readonly table: string;
  idOf(row: T): string;
  versionOf(row: T): number;
  /**
   * Leases due rows. Rows that others lease or are claiming are left out. `running` are the rows
   * that this loop is working on, so that a claim can share the slots between those whose rows they
   * are.
   */
  claim(
    now: Date,
    leasedUntil: Date,
    limit: number,
    running: readonly RunningRow<T>[],
  ): Promise<readonly T[]>;
  /** Extends the leases of rows still being worked on, by id and version. */
  extend(leased: ReadonlyMap<string, number>, leasedUntil: Date): Promise<void>;
  /**
   * Gives a lease back without a result; the row is due again at `dueAt`. Stores `failures` where
   * rows have them.
   */
  release(row: T, dueAt: Date, failures: number): Promise<void>;
  /** Where rows can be parked; without it a row is retried for ever. */
  readonly parking?: Parking<T>;
}

/** How a row that fails for good is taken out of work. */
export interface Parking<T> {
  /** Runs in a row that failed because of the row itself. */
  failuresOf(row: T): number;
  /**
   * Whether a run failed because of the row, and not because of the database, the network or the
   * process.
   */
  isRowFault(error: unknown): boolean;
  /** Gives the lease back; the row is not due again until somebody wakes it. */
  park(row: T, parked: { readonly failures: number; readonly error: unknown }): Promise<void>;
}

/** A row in a slot. */
export interface RunningRow<T> {
  readonly row: T;
  /** It has run for longer than a second and another row has its slot. */
  readonly isSlow: boolean;
}

/** One verb run over rows that are due. */
export interface LeaseLoopSpec<T> extends SlotLimits {
  readonly name: string;
  readonly rows: DueRows<T>;
  /** Writes its own result. When it throws, the row is released to be retried. */
  readonly run: (row: T, signal: AbortSignal) => Promise<void>;
  /** The longest one run may take before it is aborted. */
  readonly timeoutMs: number;
}

export interface LeaseLoop {
  readonly name: string;
  /** Rows being worked on. */
  running(): number;
  /** When the loop last claimed, or had no free slot to claim for; on the monotonic clock. */
  lastClaimAt(): number;
  /** A row of the table may be due: claim now instead of at the next poll. */
  wake(table: string): void;
  /** Claims no more, lets running rows finish for the grace period, then aborts them. */
  stop(): Promise<void>;
}

export interface LeaseLoopOptions {
  readonly clock: Clock;
  readonly log: { warn(fields: object, message: string): void };
  /** How long a claimed row stays leased without a heartbeat; 30 seconds unless set. */
  readonly leaseMs?: number | undefined;
  /** How long running rows may continue after `stop`; 6 seconds unless set. */
  readonly graceMs?: number;
  /** From 0 to 1, for the spread of retries. */
  readonly random?: () => number;
}

interface Running<T> {
  readonly row: T;
  readonly slot: Slot;
  readonly done: Promise<void>;
}

type RunningRows<T> = ReadonlyMap<string, Running<T>>;

function inSlots<T>(running: RunningRows<T>): readonly RunningRow<T>[] {
  return [...running.values()].map(({ row, slot }) => ({ row, isSlow: slot.isSlow() }));
}

function versionsIn<T>(running: RunningRows<T>, rows: DueRows<T>): ReadonlyMap<string, number> {
  return new Map([...running].map(([id, { row }]) => [id, rows.versionOf(row)]));
}

const claimLimit = 32;
const defaultLeaseMs = 30_000;
const defaultGraceMs = 6_000;
const pollMs = 1_000;

/**
 * Claims due rows, runs the verb over each, and extends their leases by heartbeats. Claims when
 * woken by `wake`, and at least once a second. Every worker uses this loop, and so does the edge's
 * issuance.
 */
export function runLeaseLoop<T>(spec: LeaseLoopSpec<T>, options: LeaseLoopOptions): LeaseLoop {
  const { clock, log, random, leaseMs = defaultLeaseMs, graceMs = defaultGraceMs } = options;
  const { rows } = spec;
  const running = new Map<string, Running<T>>();
  const stopping = new AbortController();
  let isStopped = false;
  let claiming: Promise<void> | null = null;
  let isWakePending = false;
  let lastClaimAt = performance.now();

  const after = (ms: number): Date => new Date(clock.now().getTime() + ms);
  const slots = createSlots(spec, () => claimSoon());
  const record = createRunRecord();

  const runOne = async (row: T, slot: Slot): Promise<void> => {
    try {
      await runOrRelease(spec, row, { log, record, random, stopping: stopping.signal, after });
    } finally {
      slot.release();
      running.delete(rows.idOf(row));
      if (!isStopped) claimSoon();
    }
  };

  const claim = async (): Promise<void> => {
    const limit = Math.min(claimLimit, slots.free());
    const claimed =
      limit > 0 ? await rows.claim(clock.now(), after(leaseMs), limit, inSlots(running)) : [];
    lastClaimAt = performance.now();
    for (const row of claimed) {
      const slot = slots.take();
      running.set(rows.idOf(row), { row, slot, done: runOne(row, slot) });
    }
    if (limit > 0 && claimed.length === limit) isWakePending = true;
  };

  const claimSoon = (): void => {
    if (isStopped || claiming !== null) {
      isWakePending = true;
      return;
    }
    isWakePending = false;
    claiming = claim()
      .catch((error: unknown) =>
        log.warn({ err: error, worker: spec.name }, "claim of due rows failed"),
      )
      .finally(() => {
        claiming = null;
        if (isWakePending && slots.free() > 0) claimSoon();
      });
  };

  const heartbeat = async (): Promise<void> => {
    if (running.size > 0) await rows.extend(versionsIn(running, rows), after(leaseMs));
  };

  const pollTimer = setInterval(claimSoon, pollMs);
  const heartbeatTimer = setInterval(() => {
    heartbeat().catch((error: unknown) =>
      log.warn({ err: error, worker: spec.name }, "heartbeat failed"),
    );
  }, leaseMs / 3);
  claimSoon();

  return {
    name: spec.name,
    running: () => running.size,
    lastClaimAt: () => lastClaimAt,
    wake(table) {
      if (table === rows.table) claimSoon();
    },
    async stop() {
      isStopped = true;
      clearInterval(pollTimer);
      await claiming;
      const abort = setTimeout(() => stopping.abort(), graceMs);
      await Promise.all([...running.values()].map(({ done }) => done));
      clearTimeout(abort);
      clearInterval(heartbeatTimer);
    },
  };
}

interface RunningLoop {
  readonly log: LeaseLoopOptions["log"];
  readonly record: RunRecord;
  readonly random: LeaseLoopOptions["random"];
  readonly stopping: AbortSignal;
  readonly after: (ms: number) => Date;
}

async function runOrRelease<T>(spec: LeaseLoopSpec<T>, row: T, loop: RunningLoop): Promise<void> {
  const { name, rows, run, timeoutMs } = spec;
  const id = rows.idOf(row);
  try {
    await run(row, AbortSignal.any([loop.stopping, AbortSignal.timeout(timeoutMs)]));
    loop.record.note(id, false);
  } catch (error) {
    loop.record.note(id, true);
    await afterFailure(spec, row, error, loop).catch((cause: unknown) => {
      // The lease expires without our help; the row is not lost.
      loop.log.warn({ err: cause, worker: name, id }, "lease not released");
    });
  }
}

/**
 * A row whose run failed is due again later, each time later when the fault is the row's, and is
 * parked in the end. At once when the run was aborted by a stop, so that another process continues
 * with it.
 */
async function afterFailure<T>(
  { name, rows }: LeaseLoopSpec<T>,
  row: T,
  error: unknown,
  { log, record, random, stopping, after }: RunningLoop,
): Promise<void> {
  const { parking } = rows;
  const id = rows.idOf(row);
  const before = parking?.failuresOf(row) ?? 0;
  const isRows = !stopping.aborted && parking?.isRowFault(error) === true;
  const failures = isRows ? before + 1 : before;
  if (isRows && failures >= maxFailures && !record.isWidespread()) {
    log.warn({ err: error, worker: name, id, failures }, "run failed for good, row is parked");
    await parking.park(row, { failures, error });
    return;
  }
  log.warn({ err: error, worker: name, id, failures }, "run failed, row is retried");
  const waitMs = stopping.aborted ? 0 : retryMs(isRows ? failures : 0, random);
  await rows.release(row, after(waitMs), failures);
}
