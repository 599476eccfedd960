import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import {
  type EventPosition,
  type StoredEvent,
  selectEventsAfter,
} from "../../db/queries/webhooks/events.ts";
import { invalid } from "../../domain/errors.ts";
import { timeOfId } from "../../domain/id.ts";
import type { ServiceContext } from "../context.ts";

export const StreamEvents = z.strictObject({
  application_id: z.uuid().optional(),
  connection_id: z.uuid().optional().describe("Only events about this connection"),
  after: z
    .uuid()
    .optional()
    .describe("Begin after this event; a browser says the same in `Last-Event-ID`"),
});
export type StreamEvents = z.infer<typeof StreamEvents>;

/** An event, or null for a moment without one, at which the stream shows that it is alive. */
export type StreamItem = StoredEvent | null;

const pollMs = 500;
const aliveEveryMs = 15_000;
const batch = 200;
/**
 * An event is shown this long after its time: one of the same moment may be committed a little
 * later.
 */
const settleMs = 250;
/**
 * Events of this time before the position are read again, for one whose commit took longer still.
 */
const overlapMs = 10_000;

/**
 * Events in their order, from a position on, until the signal or until the caller may no longer
 * read them, which is asked before each read.
 */
export async function* streamEvents(
  ctx: ServiceContext,
  query: StreamEvents,
  watch: { readonly signal: AbortSignal; readonly isAllowed: () => Promise<boolean> },
): AsyncGenerator<StreamItem> {
  const start = query.after === undefined ? null : parsePosition(query.after);
  const seen = createSeen(start ?? { createdAt: ctx.now(), id: maxId });
  let aliveAt = performance.now();
  while (!watch.signal.aborted && (await watch.isAllowed())) {
    const until = new Date(ctx.now().getTime() - settleMs);
    const found = await ctx.read((tx) =>
      selectEventsAfter(tx, ctx.actor, {
        applicationId: query.application_id ?? null,
        connectionId: query.connection_id ?? null,
        after: seen.from(),
        without: seen.ids(),
        until,
        limit: batch,
      }),
    );
    yield* found;
    if (found.length > 0) aliveAt = performance.now();
    seen.add(found);
    if (performance.now() - aliveAt >= aliveEveryMs) {
      aliveAt = performance.now();
      yield null;
    }
    if (found.length < batch) await pause(watch.signal);
  }
}

/** Ends early with the signal, without an error. */
async function pause(signal: AbortSignal): Promise<void> {
  await delay(pollMs, undefined, { signal }).catch(() => undefined);
}

const maxId = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const minId = "00000000-0000-0000-0000-000000000000";

/**
 * An event's id carries its time, so that a stream is resumed after an event that is stored no
 * more.
 */
function parsePosition(id: string): EventPosition {
  const createdAt = timeOfId(id);
  if (createdAt === null) throw invalid([{ path: "after", message: "is not the id of an event" }]);
  return { createdAt, id };
}

/** What the stream has shown of the time that is read again each time. */
function createSeen(start: EventPosition) {
  const shown = new Map<string, number>();
  let newestMs = start.createdAt.getTime();
  return {
    /** Never before the start: what an earlier stream has shown is not known here. */
    from(): EventPosition {
      const again = new Date(newestMs - overlapMs);
      return again <= start.createdAt ? start : { createdAt: again, id: minId };
    },
    ids: (): readonly string[] => [...shown.keys()],
    add(events: readonly StoredEvent[]): void {
      for (const { id, createdAt } of events) {
        shown.set(id, createdAt.getTime());
        newestMs = Math.max(newestMs, createdAt.getTime());
      }
      for (const [id, at] of shown) if (at < newestMs - overlapMs) shown.delete(id);
    },
  };
}
