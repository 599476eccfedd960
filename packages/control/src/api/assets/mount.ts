import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../domain/errors.ts";
import { chooseEncoding } from "./encoding.ts";
import { isCurrent } from "./etag.ts";
import { createFileStore, type FileStore, type StoredFile } from "./file-store.ts";

/** Where what `npm run build` makes is kept; an absent directory is one that was not built. */
export interface AssetDirectories {
  /** The widget's bundles, served under `/sdk/v1/`. */
  readonly widget?: string;
  /** The guide's pages, served under `/docs/` beside the reference. */
  readonly docs?: string;
}

const notBuilt = "this part of Mooring is not built: run `npm run build` and ask again";

const widgetHeaders = {
  // The bundle is for every page, with or without isolation of its own.
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "timing-allow-origin": "*",
  "x-content-type-options": "nosniff",
} as const;

const docsHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; " +
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

/** A name that carries the hash of its content, as the bundler writes them. */
const hashedName = /[.-](?:[A-Z0-9]{8}|[0-9a-f]{8,64})\.[a-z0-9.]+$/;

export function mountAssets(app: FastifyInstance, directories: AssetDirectories): void {
  const widget = serveFrom(directories.widget, {
    headers: widgetHeaders,
    candidates: (relative) => [relative],
    // Short, so that every page runs a new release soon; what it loads besides is named by its hash.
    cacheControl: (relative) =>
      hashedName.test(relative)
        ? "public, max-age=31536000, immutable"
        : "public, max-age=300, must-revalidate",
  });
  const docs = serveFrom(directories.docs, {
    headers: docsHeaders,
    candidates: pageCandidates,
    cacheControl: () => "no-cache",
  });
  app.get("/sdk/v1/*", widget);
  app.get("/docs/*", docs);
}

/** `guide/start` is the page `guide/start.html`, or the first one of a folder of that name. */
function pageCandidates(relative: string): readonly string[] {
  const bare = relative.replace(/\/$/, "");
  return /\.[a-z0-9]+$/.test(bare) ? [bare] : [`${bare}.html`, `${bare}/index.html`];
}

interface Serving {
  readonly headers: Readonly<Record<string, string>>;
  readonly candidates: (relative: string) => readonly string[];
  readonly cacheControl: (relative: string) => string;
}

function serveFrom(directory: string | undefined, serving: Serving) {
  const store = directory === undefined ? null : createFileStore(directory);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { "*": wanted = "" } = request.params as { readonly "*"?: string };
    const found = store === null ? null : await firstOf(store, serving.candidates(wanted));
    reply.headers(serving.headers);
    if (found === null) throw await absent(reply, store);
    return sendFile(request, reply, found, serving.cacheControl(wanted));
  };
}

async function firstOf(store: FileStore, names: readonly string[]): Promise<StoredFile | null> {
  for (const name of names) {
    const file = await store.find(name);
    if (file !== null) return file;
  }
  return null;
}

/** Whether there is anything at all decides what is said. */
async function absent(reply: FastifyReply, store: FileStore | null): Promise<AppError> {
  const isBuilt = store !== null && (await store.isBuilt());
  reply.header("cache-control", "no-store");
  return new AppError("not_found", isBuilt ? "there is no such file" : notBuilt);
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  cacheControl: string,
): Promise<FastifyReply> {
  const wish = chooseEncoding(request.headers["accept-encoding"]);
  const { body, encoding, etag } = await file.encoded(wish);
  reply.headers({ etag, "cache-control": cacheControl, vary: "Accept-Encoding" });
  if (isCurrent(request.headers["if-none-match"], etag)) return reply.code(304).send();
  if (encoding !== null) reply.header("content-encoding", encoding);
  return reply.type(file.type).send(body);
}
