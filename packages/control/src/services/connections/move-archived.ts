import { setTimeout as delay } from "node:timers/promises";
import { moveArchived as movePiece } from "../../db/queries/connections/archived-connections.ts";
import type { Runtime } from "../runtime.ts";

/** Connections of one transaction: few, because their hostnames are locked meanwhile. */
const pieceSize = 100;

/**
 * Moves connections out of the table of those that are checked when they have been archived for as
 * long as the operator says, in pieces. They are shown as before. Every worker may try, and one at
 * a time does; a piece that was cut off is moved the next time. After each piece the database rests
 * for as long as that took: with a year of archived connections to move, checks continue as before.
 */
export async function moveArchived({ config, clock, transaction }: Runtime): Promise<void> {
  const { archivedConnectionsAfterMs: afterMs } = config;
  if (afterMs === 0) return;
  const before = new Date(clock.now().getTime() - afterMs);
  for (;;) {
    const startedAt = performance.now();
    const moved = await transaction((tx) => movePiece(tx, before, pieceSize));
    if (moved === 0) return;
    await delay(performance.now() - startedAt);
  }
}
