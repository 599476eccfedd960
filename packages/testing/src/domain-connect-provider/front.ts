import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { TestTls } from "./certificates.ts";

export interface Front {
  /** Sets the URL that requests for the product are forwarded to. */
  leadTo(url: string): void;
  stop(): Promise<void>;
}

/**
 * A reverse proxy with TLS in front of the API, as in production; other names are a tenant's site.
 */
export async function startFront(
  { tls }: TestTls,
  options: { readonly port: number; readonly productHost: string; readonly sitePage: string },
): Promise<Front> {
  let target = "";
  const server = createServer(tls, (incoming, outgoing) => {
    const host = incoming.headers.host?.replace(/:\d+$/, "");
    if (host === options.productHost) {
      pass(target, incoming, outgoing);
      return;
    }
    outgoing.writeHead(200, { "content-type": "text/html" }).end(options.sitePage);
  });
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  return {
    leadTo: (url) => {
      target = url;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers, url } = incoming;
  const inner = request(`${target}${url}`, { method, headers, agent: false }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  inner.on("error", () => outgoing.destroy());
  incoming.pipe(inner);
}
