import type { Tx } from "../../db/engine/transaction.ts";
import { insertSeen, selectConcerned } from "../../db/queries/transparency/foreign-certificates.ts";
import {
  holdsLog,
  type LogProgress,
  releaseLog,
  type StopReason,
  stopLog,
  storeRead,
} from "../../db/queries/transparency/logs.ts";
import type { SeenCertificate } from "../../domain/transparency/foreign-certificate.ts";
import { settleMs } from "../../domain/transparency/foreign-certificate.ts";
import type { HashedLeaf } from "../../domain/transparency/leaf.ts";
import type { TransparencyLog } from "../../domain/transparency/log-list.ts";
import { matchEntries } from "../../domain/transparency/match-entries.ts";
import {
  appendLeaves,
  type Frontier,
  frontierRoot,
  isConsistent,
  type TreeRoot,
} from "../../domain/transparency/merkle.ts";
import { isSigned, type TreeHead } from "../../domain/transparency/tree-head.ts";
import type { Runtime } from "../runtime.ts";
import type { ClaimNames } from "./claim-names.ts";
import { blockSize, type LogClient } from "./log-client.ts";
import { createLogClient } from "./open-log.ts";
import { createLogSender, LogBusy } from "./send-to-log.ts";

export type { LogProgress as LeasedLog } from "../../db/queries/transparency/logs.ts";

/** What the log showed cannot be true: it is read no further. */
class LogFault extends Error {
  override readonly name = "LogFault";
  readonly reason: StopReason;

  constructor(reason: StopReason) {
    super(reason);
    this.reason = reason;
  }
}

export interface LogReaderParts {
  readonly runtime: Runtime;
  readonly claims: ClaimNames;
}

/** A log whose entries are all read is asked again after this long. */
const pollMs = 60_000;
/** A run ends after this long, so that other logs are read too. */
const runMs = 15_000;
/** Blocks that are asked for at the same time. */
const blocksAtOnce = 2;
/** Entries between two proofs, each of which is one request and one transaction. */
const stretchEntries = 4_096;
const retryMs = 60_000;
const maxRetryMs = 3_600_000;

/**
 * Reads on in a log that a worker has leased:
 *
 * 1. its newest head, whose signature is verified;
 * 2. the proof that the head continues the one before; a log that is new begins at its head;
 * 3. entries after the position, whose hashes become the tree of what was read;
 * 4. the proof that the signed tree begins with that tree, so that every entry is one of the log;
 * 5. then, in one transaction, the certificates for claimed names and the position.
 *
 * A false signature or proof stops the log. A log that is away or busy is tried again later.
 */
export async function readLeasedLog(
  { runtime, claims }: LogReaderParts,
  log: TransparencyLog,
  leased: LogProgress,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log: logger } = runtime;
  const client = createLogClient(
    log,
    createLogSender(runtime.egress, () => clock.now()),
  );
  try {
    const started = await acceptHead(client, log, leased, signal);
    if (!(await store({ runtime, log, leased }, started.head, started.frontier, noEntries))) return;
    await readOn({ runtime, claims, log, leased, client }, started, signal);
  } catch (error) {
    if (!(error instanceof LogFault)) {
      signal.throwIfAborted();
      await putOff(runtime, leased, error);
      return;
    }
    const { reason } = error;
    logger.error({ log: log.description, logId: log.id, reason }, "transparency log stopped");
    await runtime.system((tx) => stopLog(tx, leased, reason, clock.now()));
  }
}

async function putOff(runtime: Runtime, leased: LogProgress, error: unknown): Promise<void> {
  const { clock, log } = runtime;
  const isBusy = error instanceof LogBusy;
  const failures = isBusy ? leased.failures : leased.failures + 1;
  const waitMs = isBusy
    ? error.retryAfterMs
    : Math.min(retryMs * 2 ** Math.min(failures - 1, 10), maxRetryMs);
  const dueAt = new Date(clock.now().getTime() + waitMs);
  const why = error instanceof Error ? error.message : String(error);
  log.warn({ err: error, logId: leased.id }, "transparency log not read");
  await runtime.system((tx) =>
    releaseLog(tx, { ...leased, failures }, { error: why.slice(0, 300), dueAt }),
  );
}

interface Started {
  readonly head: TreeRoot;
  readonly frontier: Frontier;
}

async function acceptHead(
  client: LogClient,
  { key }: TransparencyLog,
  leased: LogProgress,
  signal: AbortSignal,
): Promise<Started> {
  const shown = await client.head(signal);
  if (!isSigned(shown, key)) throw new LogFault("bad_signature");
  if (leased.head === null) return startAt(client, shown, signal);
  const [first, second] =
    shown.size < leased.head.size ? [shown, leased.head] : [leased.head, shown];
  const proof = await client.consistency(first.size, second.size, signal);
  if (!isConsistent(first, second, proof)) throw new LogFault("fork");
  // A server of the log that lags behind may show an older head.
  return { head: { size: second.size, root: second.root }, frontier: leased.frontier };
}

/** What was logged before is not read: a large log has billions of entries. */
async function startAt(client: LogClient, head: TreeHead, signal: AbortSignal): Promise<Started> {
  const frontier = await client.frontier(head.size, signal);
  if (!frontierRoot(frontier).equals(head.root)) throw new LogFault("wrong_entries");
  return { head: { size: head.size, root: head.root }, frontier };
}

interface Reading {
  readonly runtime: Runtime;
  readonly claims: ClaimNames;
  readonly log: TransparencyLog;
  readonly leased: LogProgress;
  readonly client: LogClient;
}

async function readOn(reading: Reading, started: Started, signal: AbortSignal): Promise<void> {
  const { runtime, claims, client, leased } = reading;
  const { head } = started;
  const endsAt = performance.now() + runMs;
  let { frontier } = started;
  while (frontier.size < head.size && performance.now() < endsAt) {
    const filter = await claims.current();
    const stretch = await readStretch(
      client,
      frontier,
      head.size,
      (leaves) => {
        const entries = leaves.map(({ entry }) => entry);
        return matchEntries(entries, filter);
      },
      signal,
    );
    const read = { size: stretch.frontier.size, root: frontierRoot(stretch.frontier) };
    const proof = await client.consistency(read.size, head.size, signal);
    if (!isConsistent(read, head, proof)) throw new LogFault("wrong_entries");
    if (!(await store(reading, head, stretch.frontier, stretch))) return;
    frontier = stretch.frontier;
  }
  const { clock } = runtime;
  const isBehind = frontier.size < head.size;
  const dueAt = new Date(clock.now().getTime() + (isBehind ? 0 : pollMs));
  await runtime.system((tx) => releaseLog(tx, { ...leased, failures: 0 }, { error: null, dueAt }));
}

/** What a stretch of entries has. */
interface Found {
  readonly entries: number;
  readonly unreadable: number;
  readonly certificates: readonly SeenCertificate[];
  readonly readUntil: Date | null;
}

const noEntries: Found = { entries: 0, unreadable: 0, certificates: [], readUntil: null };

/** The next entries, up to the end of a stretch or of the tree; a block at a time is in memory. */
async function readStretch(
  client: LogClient,
  start: Frontier,
  treeSize: number,
  match: (leaves: readonly HashedLeaf[]) => ReturnType<typeof matchEntries>,
  signal: AbortSignal,
): Promise<Found & { readonly frontier: Frontier }> {
  const certificates: SeenCertificate[] = [];
  const end = Math.min(treeSize, start.size + stretchEntries);
  let frontier = start;
  let unreadable = 0;
  let readUntil: Date | null = null;
  while (frontier.size < end) {
    const ranges = nextBlocks(frontier.size, end);
    const blocks = await Promise.all(
      ranges.map((range) => client.leaves({ ...range, treeSize }, signal)),
    );
    for (const leaves of blocks) {
      frontier = appendLeaves(
        frontier,
        leaves.map(({ leafHash }) => leafHash),
      );
      const matched = match(leaves);
      certificates.push(...matched.certificates);
      unreadable += matched.unreadable;
      const timestamp = leaves.findLast(({ entry }) => entry !== null)?.entry?.timestamp;
      if (timestamp !== undefined) readUntil = new Date(timestamp);
    }
  }
  const entries = frontier.size - start.size;
  return { frontier, entries, unreadable, certificates, readUntil };
}

function nextBlocks(start: number, end: number): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (let from = start; from < end && ranges.length < blocksAtOnce; ) {
    const to = Math.min(end, (Math.floor(from / blockSize) + 1) * blockSize);
    ranges.push({ start: from, end: to });
    from = to;
  }
  return ranges;
}

/** False when the lease was lost: another worker reads the log. */
async function store(
  { runtime, log, leased }: Pick<Reading, "runtime" | "log" | "leased">,
  head: TreeRoot,
  frontier: Frontier,
  found: Found,
): Promise<boolean> {
  const now = runtime.clock.now();
  return runtime.system(async (tx) => {
    if (!(await holdsLog(tx, leased))) return false;
    await storeSeen(tx, found.certificates, log, now);
    await storeRead(tx, log.id, { head, frontier, ...found }, now);
    return true;
  });
}

async function storeSeen(
  tx: Tx,
  certificates: readonly SeenCertificate[],
  log: TransparencyLog,
  now: Date,
): Promise<void> {
  const names = new Set(certificates.flatMap(({ candidates }) => candidates));
  if (names.size === 0) return;
  const concerned = Map.groupBy(await selectConcerned(tx, [...names]), ({ name }) => name);
  const dueAt = new Date(now.getTime() + settleMs);
  for (const seen of certificates) {
    const rows = seen.candidates.flatMap((name) => concerned.get(name) ?? []);
    for (const connectionId of new Set(rows.map((row) => row.connectionId))) {
      await insertSeen(tx, connectionId, seen, { log: log.description, now, dueAt });
    }
  }
}
