import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A registry's server on loopback, which counts what it is asked. */
export async function startRegistry() {
  const asked: string[] = [];
  let answer: Answering = (_request, response) => void response.writeHead(404).end();
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    url: `http://127.0.0.1:${port}/`,
    behave: (next: Answering) => {
      answer = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type Registry = Awaited<ReturnType<typeof startRegistry>>;

/** What a registry says of the domain that it is asked about. */
export function domainAnswer(expiresAt: Date | null, more: object = {}): Answering {
  return ({ url = "" }, response) => {
    const events = expiresAt && [{ eventAction: "expiration", eventDate: expiresAt.toISOString() }];
    response.writeHead(200, { "content-type": "text/plain" });
    response.end(
      JSON.stringify({
        objectClassName: "domain",
        ldhName: url.split("/").at(-1)?.toUpperCase(),
        events: events ?? [],
        ...more,
      }),
    );
  };
}
