import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@mooring/sdk";

/** The received webhooks, for the pages that are open and those that open later. */
export interface Feed {
  publish(entry: FeedEntry): void;
  /** Sends the stored entries and all later ones until the page closes (Server-Sent Events). */
  follow(response: ServerResponse): void;
  close(): void;
}

export interface FeedEntry {
  readonly kind: "webhook" | "refused";
  readonly at: string;
  readonly title: string;
  readonly hostname: string | null;
  readonly state: string | null;
  readonly body: string;
}

const maxEntries = 50;
const maxFollowers = 50;
const keepAliveMs = 20_000;

export function createFeed(): Feed {
  const entries: { readonly id: number; readonly entry: FeedEntry }[] = [];
  const followers = new Set<ServerResponse>();
  let lastId = 0;
  const timer = setInterval(() => {
    for (const response of followers) response.write(": keep-alive\n\n");
  }, keepAliveMs);
  timer.unref();
  return {
    publish(entry) {
      lastId += 1;
      entries.push({ id: lastId, entry });
      if (entries.length > maxEntries) entries.shift();
      for (const response of followers) response.write(frame(lastId, entry));
    },
    follow(response) {
      if (followers.size >= maxFollowers) {
        response.writeHead(503).end();
        return;
      }
      response.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      response.write("retry: 2000\n\n");
      for (const { id, entry } of entries) response.write(frame(id, entry));
      followers.add(response);
      response.on("close", () => followers.delete(response));
    },
    close() {
      clearInterval(timer);
      for (const response of followers) response.end();
    },
  };
}

function frame(id: number, entry: FeedEntry): string {
  return `id: ${id}\ndata: ${JSON.stringify(entry)}\n\n`;
}

/** Handles a delivery as a receiver should: verifies the received bytes, and refuses the rest. */
export async function receiveWebhook(
  body: Buffer,
  headers: IncomingHttpHeaders,
  secret: string,
): Promise<FeedEntry> {
  const at = new Date().toISOString();
  try {
    const event = await verifyWebhook(body, { ...headers }, secret);
    return { kind: "webhook", at, title: event.type, ...eventSubject(event), body: pretty(event) };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return {
      kind: "refused",
      at,
      title: `refused: ${error.message}`,
      hostname: null,
      state: null,
      body: "",
    };
  }
}

function eventSubject({ data }: WebhookEvent): Pick<FeedEntry, "hostname" | "state"> {
  const connection = "connection" in data ? data.connection : null;
  return connection
    ? { hostname: connection.hostname, state: connection.state }
    : { hostname: null, state: null };
}

function pretty(event: WebhookEvent): string {
  return JSON.stringify(event, null, 2);
}
