import type { ServerResponse } from "node:http";

/** What was received, for the pages that are open and those that open later. */
export interface Feed {
  publish(entry: FeedEntry): void;
  /** Sends what was kept and everything to come, until the page closes (Server-Sent Events). */
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

const kept = 50;
const maxFollowers = 50;
const keepAliveMs = 20_000;

export function createFeed(): Feed {
  const entries: { readonly id: number; readonly entry: FeedEntry }[] = [];
  const followers = new Set<ServerResponse>();
  let lastId = 0;
  const timer = setInterval(() => {
    for (const response of followers) response.write(": still here\n\n");
  }, keepAliveMs);
  timer.unref();
  return {
    publish(entry) {
      lastId += 1;
      entries.push({ id: lastId, entry });
      if (entries.length > kept) entries.shift();
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
