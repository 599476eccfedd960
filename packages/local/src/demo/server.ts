import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type BackendParts, callBackend } from "./backend.ts";
import { hostnameOf, serveCustomerSite } from "./customer-site.ts";
import { createPages, type Pages, siteCss } from "./pages.ts";
import type { DemoSettings } from "./settings.ts";

export interface DemoServer {
  readonly port: number;
  /** From now on it answers with more than a notice. */
  open(parts: BackendParts): void;
  /** Why it cannot, for whoever looks. */
  explain(problem: string): void;
  close(): Promise<void>;
}

/**
 * One listener for two things, as with many products: the product itself under its own name, and its
 * customers' sites under theirs. The product's backend answers under its own name alone.
 */
export async function startServer(settings: DemoSettings): Promise<DemoServer> {
  const pages = createPages(settings);
  const css = siteCss();
  let parts: BackendParts | null = null;
  let notice = "The demo is starting; load this page again in a moment.";
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (parts === null) {
      response.writeHead(503, { "content-type": "text/plain; charset=utf-8", "retry-after": "1" });
      response.end(`${notice}\n`);
    } else if (isOwnName(settings, hostnameOf(request))) {
      await answerDemo(parts, pages, request, response);
    } else {
      const { applicationId } = parts.state;
      await serveCustomerSite(request, response, { settings, applicationId, css });
    }
  }

  server.listen({ host: settings.host, port: settings.port });
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    open: (ready) => {
      parts = ready;
    },
    explain: (problem) => {
      notice = problem;
    },
    close: () => closeServer(server, parts),
  };
}

async function answerDemo(
  parts: BackendParts,
  pages: Pages,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (pages(request, response) || (await callBackend(parts, request, response))) return;
  response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("Not found.\n");
}

/** The names by which a person on this machine reaches the demo; every other is a customer's. */
function isOwnName(settings: DemoSettings, hostname: string): boolean {
  const own = ["localhost", "127.0.0.1", "[::1]", new URL(settings.publicUrl).hostname];
  return own.includes(hostname);
}

async function closeServer(server: Server, parts: BackendParts | null): Promise<void> {
  parts?.feed.close();
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
