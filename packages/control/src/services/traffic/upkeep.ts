import {
  lockRanking,
  rankDay,
  rankHour,
  selectUnranked,
  sweepTops,
} from "../../db/queries/traffic/traffic-tops.ts";
import {
  addPartitions,
  dropPartitions,
  lockDay,
  noteRolled,
  type OpenDay,
  type RollPosition,
  rollPiece,
  selectOpenDays,
  sweepReports,
} from "../../db/queries/traffic/traffic-upkeep.ts";
import type { Runtime } from "../runtime.ts";
import { dayDays, dayMs, hourDays } from "./span.ts";

/** Partitions are there before the first row of their day. */
const daysAhead = 2;
/** Batches older than this are refused, so that a repeated one is always recognised. */
const batchDays = 2;
/** What the last minute of a day needs to arrive; later batches have the day added up again. */
const settleMs = 10 * 60_000;
/** Subjects that are added up in one transaction. */
const pieceSize = 2_000;

/** Makes the partitions to come, and drops those that are too old. */
export async function keepTrafficPartitions(runtime: Runtime): Promise<void> {
  const now = runtime.clock.now().getTime();
  const ahead = Array.from({ length: daysAhead + 1 }, (_, day) => new Date(now + day * dayMs));
  await runtime.system((tx) => addPartitions(tx, ahead));
  const before = (days: number): Date => new Date(now - days * dayMs);
  const days = before(dayDays);
  await runtime.system((tx) => dropPartitions(tx, { hours: before(hourDays), days }));
  await runtime.system((tx) => sweepReports(tx, { batches: before(batchDays), days }));
  await runtime.system((tx) => sweepTops(tx, { hours: before(hourDays), days }));
}

/** Adds up the hours of days that have ended. Every worker may do so at once. */
export async function rollTrafficDays(runtime: Runtime): Promise<void> {
  const before = new Date(runtime.clock.now().getTime() - settleMs);
  for (const day of await runtime.system((tx) => selectOpenDays(tx, before))) {
    await rollDay(runtime, day);
  }
}

async function rollDay(runtime: Runtime, day: OpenDay): Promise<void> {
  let position: RollPosition | null = null;
  do {
    const after: RollPosition | null = position;
    const piece = await runtime.system(async (tx) => {
      if (!(await lockDay(tx, day))) return "locked";
      const last = await rollPiece(tx, day, after, pieceSize);
      if (last === null) {
        await rankDay(tx, day.day);
        await noteRolled(tx, day);
      }
      return last;
    });
    if (piece === "locked") return;
    position = piece;
  } while (position !== null);
}

/** The hour that is under way is ranked this often, and for the last time when it has settled. */
const rankAgainMs = 10 * 60_000;
const rankSettledMs = 70 * 60_000;
/** Hours that no worker was there for. */
const rankBackMs = 48 * 3_600_000;

/**
 * Ranks the names of tenants and applications with many names, for lists of those with the most.
 * Every worker may try, and one at a time does.
 */
export async function rankTraffic(runtime: Runtime, many?: number): Promise<void> {
  const now = runtime.clock.now();
  const times = { backMs: rankBackMs, againMs: rankAgainMs, settledMs: rankSettledMs };
  for (const hour of await runtime.system((tx) => selectUnranked(tx, now, times))) {
    const isDone = await runtime.system(async (tx) => {
      if (!(await lockRanking(tx))) return false;
      await rankHour(tx, hour, now, many);
      return true;
    });
    if (!isDone) return;
  }
}
