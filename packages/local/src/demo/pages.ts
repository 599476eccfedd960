import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { DemoSettings } from "./settings.ts";

const directory = new URL("../../assets/demo/", import.meta.url);

const types = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
} as const;

/** The list is fixed, so that no request can name a file. */
const files = [
  ["/", "index.html", "html"],
  ["/dns", "dns.html", "html"],
  ["/demo.css", "demo.css", "css"],
  ["/parts.css", "parts.css", "css"],
  ["/demo.js", "demo.js", "js"],
  ["/dns.js", "dns.js", "js"],
  ["/live.js", "live.js", "js"],
  ["/log.js", "log.js", "js"],
  ["/look.js", "look.js", "js"],
  ["/names.js", "names.js", "js"],
  ["/site.css", "site.css", "css"],
] as const;

export type Pages = (request: IncomingMessage, response: ServerResponse) => boolean;

export function siteCss(): string {
  return readFileSync(new URL("site.css", directory), "utf8");
}

/** The demo's own pages; false when there is no such page. */
export function createPages(settings: DemoSettings): Pages {
  const api = new URL(settings.publicUrl);
  const headers = {
    // The widget needs its script, its languages and its API, all from one origin, and nothing else.
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
