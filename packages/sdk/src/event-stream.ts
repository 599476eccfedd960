import { ApiError, ConnectionError, parseApiError } from "./errors.ts";
import type { Wire } from "./request.ts";
import type { EventEnvelope } from "./schema.gen.ts";

/** Opens the stream after an event, or from now on. */
export type OpenStream = (
  lastEventId: string | null,
  signal: AbortSignal | null,
) => Promise<Response>;

export interface StreamOptions {
  /** Begin after this event. */
  readonly after?: string;
  /** Ends the stream. */
  readonly signal?: AbortSignal;
}

const firstWaitMs = 1_000;
const maxWaitMs = 30_000;

/**
 * Events as they happen. A stream that breaks is opened again after the last event, without a gap;
 * an error that opening again cannot fix, such as an ended session, is thrown. Ends with the
 * signal.
 */
export async function* eventStream(
  open: OpenStream,
  wire: Pick<Wire, "sleep">,
  { after, signal }: StreamOptions = {},
): AsyncGenerator<EventEnvelope> {
  let lastId = after ?? null;
  let waitMs = firstWaitMs;
  const isEnded = () => signal?.aborted === true;
  while (!isEnded()) {
    try {
      for await (const event of readEvents(await opened(open, lastId, signal ?? null))) {
        lastId = event.id;
        waitMs = firstWaitMs;
        yield event.value;
      }
    } catch (error) {
      if (!isEnded() && isFinal(error)) throw error;
    }
    if (isEnded()) return;
    await wire.sleep(waitMs, signal ?? null).catch(() => undefined); // ended by the signal
    waitMs = Math.min(waitMs * 2, maxWaitMs);
  }
}

/** Whether opening again would give the same. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}

async function opened(open: OpenStream, lastId: string | null, signal: AbortSignal | null) {
  const response = await open(lastId, signal);
  if (!response.ok) throw parseApiError(response.status, response.headers, await response.text());
  if (response.body === null) throw new ConnectionError("the stream has no body");
  return response.body;
}

/** The events of a stream's text (HTML, section 9.2.6); a block without data is no event. */
async function* readEvents(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event !== null) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined); // closed already
  }
}

function parseBlock(block: string) {
  const fields = new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")] as const;
    }),
  );
  const id = fields.get("id");
  const data = fields.get("data");
  // The server wrote it from the schema that the type is generated from.
  return id === undefined || data === undefined
    ? null
    : { id, value: JSON.parse(data) as EventEnvelope };
}
