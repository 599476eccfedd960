import { createHmac, timingSafeEqual } from "node:crypto";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** One request, with the raw bytes of its body. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Behaviour = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export function answer(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): Behaviour {
  return (response) => response.writeHead(status, headers).end(body);
}

export const reset: Behaviour = (response) => void response.socket?.resetAndDestroy();
/** Accepts the request and never replies. */
export const hang: Behaviour = () => undefined;

/**
 * A real HTTP server that records its requests, unless `records` is false; replies 200 by default.
 */
export async function startReceiver({ records = true } = {}): Promise<Receiver> {
  const received: Received[] = [];
  let behaviour: Behaviour = answer(200);
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      if (body === null) return;
      const one = { path: request.url ?? "", headers: request.headers, body };
      if (records) received.push(one);
      behaviour(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    behave(next) {
      behaviour = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Null when the sender disconnected before the end, as a killed one does. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  const stream: AsyncIterable<Buffer> = request;
  try {
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    return null;
  }
}

/**
 * The receiver's side of the signature, written from the API documentation alone: HMAC-SHA256 over
 * `<timestamp>.<raw_body>` with the signing secret, refused outside of 300 seconds around now,
 * compared in constant time.
 */
export function isGenuine(
  { headers, body }: Received,
  secret: string,
  nowMs: number,
  header = "x-svc-signature",
): boolean {
  const timestamp = headers["x-svc-timestamp"];
  const signature = headers[header];
  if (typeof timestamp !== "string" || typeof signature !== "string") return false;
  if (Math.abs(Math.floor(nowMs / 1_000) - Number(timestamp)) > 300) return false;
  const mac = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex");
  const expected = Buffer.from(`sha256=${mac}`);
  const received = Buffer.from(signature);
  return expected.length === received.length && timingSafeEqual(expected, received);
}

/** As the Standard Webhooks libraries verify it: one valid signature of the list suffices. */
export function isStandard({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const mac = createHmac("sha256", key)
    .update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`)
    .update(body)
    .digest("base64");
  return String(headers["webhook-signature"]).split(" ").includes(`v1,${mac}`);
}

/** The event in a request. */
export function eventIn({ body }: Received): { readonly id: string; readonly type: string } {
  return JSON.parse(body.toString("utf8")) as { id: string; type: string };
}
