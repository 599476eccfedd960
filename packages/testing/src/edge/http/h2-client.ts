import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from "node:http2";
import { connectTo } from "../client.ts";
import type { TestEdge } from "../test-edge.ts";

export async function openH2(edge: TestEdge, servername: string): Promise<ClientHttp2Session> {
  const socket = await connectTo(edge, servername, { ALPNProtocols: ["h2"] });
  const session = connect(`https://${servername}`, { createConnection: () => socket });
  session.on("error", () => undefined);
  return session;
}

export interface H2Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: string;
}

/** The answer to the request; rejects when its stream is reset. */
export async function askH2(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string,
): Promise<H2Answer> {
  const stream = session.request({ ":path": "/", ...headers }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  return await readAnswer(stream);
}

export async function readAnswer(stream: ClientHttp2Stream): Promise<H2Answer> {
  let trailers: IncomingHttpHeaders = {};
  stream.on("trailers", (received) => {
    trailers = received;
  });
  const chunks: Buffer[] = [];
  const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  if (!stream.closed) await once(stream, "close");
  const body = Buffer.concat(chunks).toString("latin1");
  return { status: Number(headers[":status"]), headers, trailers, body };
}

/** The code with which the stream of a GET is closed. */
export function readResetCode(session: ClientHttp2Session): Promise<number | undefined> {
  const stream = session.request({ ":path": "/" });
  stream.on("error", () => undefined);
  stream.resume();
  return new Promise((resolve) => {
    stream.once("close", () => resolve(stream.rstCode));
  });
}
