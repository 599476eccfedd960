import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { ServiceContext } from "../../services/context.ts";
import { StreamEvents, type StreamItem, streamEvents } from "../../services/events/event-stream.ts";
import { bucketOwner } from "../http/rate-limit.ts";
import { defineRoute } from "../http/route.ts";

/** Opened by `Streams.send`, not by `run`: the answer continues until somebody ends it. */
export const streamEventsRoute = defineRoute({
  method: "GET",
  path: "/v1/events:stream",
  tag: "Webhooks",
  summary: "Events as they happen, as server-sent events",
  description:
    "Each has the event's id, its kind as the event's name and the body that webhook receivers get as its data. A stream that breaks is resumed by `Last-Event-ID`, or by `after`, without a gap. It ends when the credential does. At most ten at once for a key or session.",
  scopes: ["connections:read", "webhooks:write"],
  role: "viewer",
  stream: true,
  query: StreamEvents,
  output: null,
  statuses: [200],
  run: async (_ctx, { query }) => query,
  reply: () => null,
});

const maxStreamsPerOwner = 10;

export interface Streams {
  /** Answers with the stream of an admitted request. */
  send(
    ctx: ServiceContext,
    query: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    isAllowed: () => Promise<boolean>,
  ): FastifyReply;
  /** Ends all of them, so that the process can end. */
  close(): void;
}

export function createStreams(): Streams {
  const closing = new AbortController();
  const open = new Map<string, number>();
  const count = (owner: string, by: number): void => {
    const now = (open.get(owner) ?? 0) + by;
    if (now > 0) open.set(owner, now);
    else open.delete(owner);
  };
  return {
    close: () => closing.abort(),
    send(ctx, query, request, reply, isAllowed) {
      const owner = bucketOwner(ctx.actor);
      if ((open.get(owner) ?? 0) >= maxStreamsPerOwner) {
        throw new AppError("rate_limited", "too many streams are open", { retryAfterSeconds: 10 });
      }
      const gone = new AbortController();
      const signal = AbortSignal.any([closing.signal, gone.signal]);
      const items = streamEvents(ctx, readPosition(query, request), { signal, isAllowed });
      count(owner, 1);
      const stream = Readable.from(frames(items), { objectMode: false });
      stream.once("close", () => {
        gone.abort();
        count(owner, -1);
      });
      return reply
        .headers({ "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" })
        .send(stream);
    },
  };
}

function readPosition(query: unknown, { headers }: FastifyRequest): StreamEvents {
  const lastId = headers["last-event-id"];
  const resumed = typeof lastId === "string" && lastId !== "" ? { after: lastId } : {};
  const parsed = StreamEvents.safeParse({ ...(query as StreamEvents), ...resumed });
  if (parsed.success) return parsed.data;
  throw new AppError("invalid", "Last-Event-ID: expected the id of an event");
}

/** The text of a stream (HTML, section 9.2). A body is JSON on one line. */
async function* frames(items: AsyncIterable<StreamItem>): AsyncGenerator<string> {
  yield "retry: 2000\n\n";
  for await (const item of items) {
    yield item === null
      ? ": nothing new\n\n"
      : `id: ${item.id}\nevent: ${item.type}\ndata: ${item.body}\n\n`;
  }
}
