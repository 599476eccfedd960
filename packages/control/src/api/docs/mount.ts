import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../domain/errors.ts";
import { isCurrent, makeEtag } from "../pages/assets.ts";
import { untilBuilt } from "../pages/build-state.ts";
import { endpointList, type ListedDocument } from "./endpoint-list.ts";

const directory = new URL("../../../assets/docs/", import.meta.url);
const javascript = "text/javascript; charset=utf-8";

/** Path, file and type. The list is fixed, so no request can name another file. */
const files = [
  ["/favicon.ico", "favicon.ico", "image/x-icon"],
  ["/docs/reference.css", "reference.css", "text/css; charset=utf-8"],
  ["/docs/reference.js", "reference.js", javascript],
  ["/docs/reference-document.js", "reference-document.js", javascript],
  ["/docs/strict-styles.js", "strict-styles.js", javascript],
] as const;

/** Scalar, as `npm run build` writes it. */
const builtDirectory = fileURLToPath(new URL("dist", directory));

const fileHeaders = { "cache-control": "no-cache", "x-content-type-options": "nosniff" } as const;

/**
 * The OpenAPI document at /v1/openapi.json and the API reference at /docs, without authentication.
 * The page is a list of the operations, which Scalar replaces in the browser; it loads nothing from
 * another host. Without a build it says so and links to the document.
 */
export function mountDocs(app: FastifyInstance, makeDocument: () => ListedDocument): void {
  const document = atFirstUse(makeDocument);
  const json = "application/json; charset=utf-8";
  // No answer under /v1 is cached, but a client may ask for the document by its ETag.
  serve(
    app,
    "/v1/openapi.json",
    { read: () => JSON.stringify(document()), type: json },
    "no-store",
  );
  servePage(app, () => {
    const page = readFileSync(new URL("index.html", directory), "utf8");
    return page.replace("{{operations}}", () => endpointList(document()).markup);
  });
  for (const [path, name, type] of files) {
    serve(app, path, { read: () => readFileSync(new URL(name, directory)), type });
  }
  serveScalar(app);
  // The page names its files relative to /docs, so that a path in front of the API works.
  app.get("/docs/", (_request, reply) => reply.redirect("../docs", 308));
}

/** Every answer has its own nonce (CSP Level 3, section 2.3.1), so the page is never stored. */
function servePage(app: FastifyInstance, makePage: () => string): void {
  const page = atFirstUse(makePage);
  app.get("/docs", (_request, reply) => {
    const nonce = randomBytes(18).toString("base64");
    reply.headers({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; ` +
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    return reply.send(page().replace("{{nonce}}", nonce));
  });
}

function serve(
  app: FastifyInstance,
  path: string,
  { read, type }: { readonly read: () => string | Buffer; readonly type: string },
  cacheControl = "no-cache",
): void {
  const content = atFirstUse(() => {
    const body = read();
    return { body, etag: makeEtag(body) };
  });
  app.get(path, (request, reply) => {
    const { body, etag } = content();
    reply.headers({ ...fileHeaders, "cache-control": cacheControl, "content-type": type, etag });
    if (isCurrent(request.headers["if-none-match"], etag)) return reply.code(304).send();
    return reply.send(body);
  });
}

/** Made when somebody asks for it: a server starts without, and most never show it. */
function atFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Compressed when it was built: compressing 4.4 MB at the first request would delay it. */
function serveScalar(app: FastifyInstance): void {
  let read: Promise<Buffer> | null = null;
  app.get("/docs/scalar.js", async (request, reply) => {
    read ??= readScalar();
    const compressed = await read.catch((error: unknown) => {
      // Built later, perhaps.
      read = null;
      throw error;
    });
    const isGzip = acceptsGzip(request.headers["accept-encoding"]);
    const etag = makeEtag(compressed, isGzip ? "gzip" : null);
    reply.headers({ ...fileHeaders, "content-type": javascript, vary: "Accept-Encoding", etag });
    if (isCurrent(request.headers["if-none-match"], etag)) return reply.code(304).send();
    if (!isGzip) return reply.send(gunzipSync(compressed));
    return reply.header("content-encoding", "gzip").send(compressed);
  });
}

async function readScalar(): Promise<Buffer> {
  const problem = await untilBuilt(builtDirectory);
  if (problem !== null) throw new AppError("unavailable", problem, { retryAfterSeconds: 5 });
  try {
    return await readFile(`${builtDirectory}/scalar.js.gz`);
  } catch (error) {
    throw new AppError("not_found", "the API reference is not built: run `npm run build`", {
      cause: error,
    });
  }
}

function acceptsGzip(accepted = ""): boolean {
  return /\bgzip\b/i.test(accepted) && !/\bgzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)/i.test(accepted);
}
