import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { etagOf, isCurrent } from "../assets.ts";

/**
 * The reference for people: one page with its own script and style, from these files and no other
 * host. The list is fixed, so no request can name a file.
 */
const files = [
  ["/docs", "index.html", "text/html; charset=utf-8"],
  ["/docs/docs.css", "docs.css", "text/css; charset=utf-8"],
  ["/docs/layout.css", "layout.css", "text/css; charset=utf-8"],
  ["/docs/reference.css", "reference.css", "text/css; charset=utf-8"],
  ["/docs/docs.js", "docs.js", "text/javascript; charset=utf-8"],
  ["/docs/dom.js", "dom.js", "text/javascript; charset=utf-8"],
  ["/docs/event.js", "event.js", "text/javascript; charset=utf-8"],
  ["/docs/operation.js", "operation.js", "text/javascript; charset=utf-8"],
  ["/docs/schema.js", "schema.js", "text/javascript; charset=utf-8"],
] as const;

const directory = new URL("../../../assets/docs/", import.meta.url);

const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
} as const;

interface Asset {
  readonly body: string;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The OpenAPI document and its page, for everybody; both are made once and told by their ETag. */
export function mountDocs(app: FastifyInstance, document: object): void {
  serve(
    app,
    "/v1/openapi.json",
    asset(JSON.stringify(document), "application/json; charset=utf-8"),
  );
  for (const [path, name, type] of files) {
    const body = readFileSync(new URL(name, directory), "utf8");
    serve(app, path, asset(body, type, pageHeaders));
  }
  // The page names its parts relative to /docs, so that a path in front of the API may stay.
  app.get("/docs/", (_request, reply) => reply.redirect("../docs", 308));
}

function asset(body: string, type: string, more: Readonly<Record<string, string>> = {}): Asset {
  const etag = etagOf(body);
  return {
    body,
    etag,
    headers: {
      ...more,
      "content-type": type,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      etag,
    },
  };
}

function serve(app: FastifyInstance, path: string, one: Asset): void {
  app.get(path, (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(one.headers);
    if (isCurrent(request.headers["if-none-match"], one.etag)) return reply.code(304).send();
    return reply.send(one.body);
  });
}
