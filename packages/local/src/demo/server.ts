import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type BackendParts, callBackend } from "./backend.ts";
import { parseHostname, serveCustomerSite } from "./customer-site.ts";
import type { DemoSettings } from "./state.ts";

export interface DemoServer {
  readonly port: number;
  /** Serves the demo from now on; before, every request gets a notice. */
  open(parts: BackendParts): void;
  /** Replaces the notice by the reason why there is no demo. */
  explain(problem: string): void;
  close(): Promise<void>;
}

/**
 * One listener for two things, as in many products: the product under its own name, and the sites
 * of its customers under theirs. The backend answers only under the product's name.
 */
export async function startServer(settings: DemoSettings): Promise<DemoServer> {
  const pages = createPages(settings);
  const css = siteCss();
  let parts: BackendParts | null = null;
  let notice = "The demo is starting; load this page again in a few seconds.";
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (parts === null) {
      response.writeHead(503, { "content-type": "text/plain; charset=utf-8", "retry-after": "1" });
      response.end(`${notice}\n`);
    } else if (isOwnName(settings, parseHostname(request))) {
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

/** The names of the demo itself; every other name is a customer's. */
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

const directory = new URL("../../assets/demo/", import.meta.url);

const types = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
} as const;

/** A fixed list, so that no request can name a file. */
const files = [
  ["/", "index.html", "html"],
  ["/dns", "dns.html", "html"],
  ["/see", "see.html", "html"],
  ["/appearance.js", "appearance.js", "js"],
  ["/demo.css", "demo.css", "css"],
  ["/parts.css", "parts.css", "css"],
  ["/demo.js", "demo.js", "js"],
  ["/dns.js", "dns.js", "js"],
  ["/live.js", "live.js", "js"],
  ["/log.js", "log.js", "js"],
  ["/names.js", "names.js", "js"],
  ["/see.js", "see.js", "js"],
  ["/site.css", "site.css", "css"],
] as const;

type Pages = (request: IncomingMessage, response: ServerResponse) => boolean;

function siteCss(): string {
  return readFileSync(new URL("site.css", directory), "utf8");
}

/** Serves the pages of the demo; returns false when there is no such page. */
function createPages(settings: DemoSettings): Pages {
  const api = new URL(settings.publicUrl);
  const headers = {
    // The widget needs its script, its languages and its API, all from one origin.
    "content-security-policy":
      `default-src 'none'; script-src 'self' ${api.origin}; connect-src 'self' ${api.origin}; ` +
      "style-src 'self'; img-src 'self' data: https:; frame-src 'self'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'",
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
  const pages = new Map(
    files.map(([path, name, type]) => {
      const text = readFileSync(new URL(name, directory), "utf8");
      return [
        path as string,
        { type: types[type], body: text.replaceAll("{{api}}", api.href.replace(/\/$/, "")) },
      ];
    }),
  );
  return (request, response) => {
    const page = pages.get(new URL(request.url ?? "/", "http://demo").pathname);
    if (!page || (request.method !== "GET" && request.method !== "HEAD")) return false;
    response.writeHead(200, { ...headers, "content-type": page.type });
    response.end(request.method === "HEAD" ? undefined : page.body);
    return true;
  };
}
