import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent } from "node:https";
import { connect } from "node:net";

export type Send = (
  method: string,
  url: string,
  headers: Headers,
  body: string | null,
) => Promise<Response>;

/** Set by the connection itself, and not by the caller. */
const connectionHeaders = [
  "connection",
  "content-length",
  "host",
  "keep-alive",
  "transfer-encoding",
];

/**
 * Every HTTPS request of this process goes to `send` while `work` runs, by whatever library it is
 * made: connections end at a loopback port without TLS, and the address is put together from the
 * `Host` header. Requests by HTTP are not touched.
 */
export async function withoutTls<T>(send: Send, work: () => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    relay(send, request, response).catch((error: unknown) => response.destroy(asError(error)));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was bound");
  const { createConnection } = Agent.prototype;
  const own = globalThis.fetch;
  Agent.prototype.createConnection = () => connect(address.port, "127.0.0.1");
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith("https:")) return own(input, init);
    const body = await request.text();
    return send(request.method, request.url, request.headers, body === "" ? null : body);
  };
  try {
    return await work();
  } finally {
    Agent.prototype.createConnection = createConnection;
    globalThis.fetch = own;
    server.closeAllConnections();
    server.close();
  }
}

async function relay(
  send: Send,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const given = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    connectionHeaders.includes(name) ? [] : values.map((value): [string, string] => [name, value]),
  );
  const url = `https://${request.headers.host}${request.url}`;
  const body = Buffer.concat(chunks).toString("utf8");
  const answer = await send(
    request.method ?? "",
    url,
    new Headers(given),
    body === "" ? null : body,
  );
  const bytes = Buffer.from(await answer.arrayBuffer());
  const headers = [...answer.headers].filter(([name]) => !connectionHeaders.includes(name));
  response.writeHead(answer.status, Object.fromEntries(headers)).end(bytes);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
