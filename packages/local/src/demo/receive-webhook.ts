import type { IncomingHttpHeaders } from "node:http";
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@mooring/sdk";
import type { FeedEntry } from "./feed.ts";

/** A delivery as a receiver should treat it: verified on the bytes as they came, else refused. */
export async function receiveWebhook(
  body: Buffer,
  headers: IncomingHttpHeaders,
  secret: string,
): Promise<FeedEntry> {
  const at = new Date().toISOString();
  try {
    const event = await verifyWebhook(body, { ...headers }, secret);
    return { kind: "webhook", at, title: event.type, ...aboutOf(event), body: pretty(event) };
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

function aboutOf({ data }: WebhookEvent): Pick<FeedEntry, "hostname" | "state"> {
  const connection = "connection" in data ? data.connection : null;
  return connection
    ? { hostname: connection.hostname, state: connection.state }
    : { hostname: null, state: null };
}

function pretty(event: WebhookEvent): string {
  return JSON.stringify(event, null, 2);
}
