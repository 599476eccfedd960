import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../domain/errors.ts";
import { untilBuilt } from "./build-state.ts";

/**
 * Files for browsers. docs/decisions/asset-server.md says why this is not @fastify/static.
 *
 * Each file is read and compressed once, and again after it has changed on disk. Its ETag is a hash
 * of the content. Only regular files with plain names are served: no dot names, no symbolic links,
 * nothing outside of the directory. While a directory is being built, requests for its files wait.
 */
export interface AssetDirectories {
  /** The widget's bundles, served under `/sdk/v1/`. Absent until `npm run build` has made it. */
  readonly widget?: string;
  /** The guide's pages, served under `/docs/` beside the reference. */
  readonly docs?: string;
  /** The console, served under `/console/`. */
  readonly console?: string;
}

const notBuilt = "this part of Mooring is not built: run `npm run build` and ask again";

const widgetHeaders = {
  // The bundle is for every page, also for one that is cross-origin isolated.
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

/** No inline script or style, nothing from elsewhere, framed by nobody. */
const consoleHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; " +
    "img-src 'self' data:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; " +
    "form-action 'self'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)",
} as const;

/** A name that carries the hash of its content, as the bundler writes them. */
const hashedName = /[.-](?:[A-Z0-9]{8}|[0-9a-f]{8,64})\.[a-z0-9.]+$/;

export function mountAssets(app: FastifyInstance, directories: AssetDirectories): void {
  const widget = serveFrom(directories.widget, {
    headers: widgetHeaders,
    candidates: (relative) => [relative],
    // Short, so that pages run a new release soon. What the bundle loads is named by its hash.
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
  if (directories.console !== undefined) mountConsole(app, directories.console);
}

/** Every view is a URL of its own, and all of them are the one page. */
function mountConsole(app: FastifyInstance, directory: string): void {
  const files = serveFrom(directory, {
    headers: consoleHeaders,
    candidates: (relative) => (/\.[a-z0-9]+$/.test(relative) ? [relative, indexFile] : [indexFile]),
    cacheControl: (relative) =>
      hashedName.test(relative) ? "public, max-age=31536000, immutable" : "no-cache",
  });
  app.get("/console/*", files);
  // Relative, so that a path in front of the API works.
  app.get("/console", (_request, reply) => reply.redirect("console/", 308));
}

const indexFile = "index.html";

/** `/demo` redirects to the demo site when one runs beside the API. */
export function mountDemo(app: FastifyInstance, demoUrl: string | null): void {
  if (demoUrl === null) return;
  for (const route of ["/demo", "/demo/"]) {
    app.get(route, (_request, reply) =>
      reply.header("cache-control", "no-store").redirect(demoUrl, 302),
    );
  }
}

/**
 * Serves a fixed list of small text files of this package under `prefix`. They are read at the
 * start; no request can name another file.
 */
export function mountFiles(
  app: FastifyInstance,
  prefix: string,
  directory: URL,
  names: readonly string[],
): void {
  for (const name of names) {
    const body = readFileSync(new URL(name, directory));
    const type = findContentType(name);
    if (type === null) throw new Error(`no content type for ${name}`);
    const etag = makeEtag(body);
    app.get(`${prefix}/${name}`, (request, reply) => {
      reply.headers({ etag, "cache-control": "no-cache", "x-content-type-options": "nosniff" });
      if (isCurrent(request.headers["if-none-match"], etag)) return reply.code(304).send();
      return reply.type(type).send(body);
    });
  }
}

/** `guide/start` is the page `guide/start.html`, or `guide/start/index.html`. */
function pageCandidates(relative: string): readonly string[] {
  const bare = relative.replace(/\/$/, "");
  return /\.[a-z0-9]+$/.test(bare) ? [bare] : [`${bare}.html`, `${bare}/index.html`];
}

interface Serving {
  readonly headers: Readonly<Record<string, string>>;
  /** The files that a path can mean; the first that exists is served. */
  readonly candidates: (relative: string) => readonly string[];
  readonly cacheControl: (relative: string) => string;
}

function serveFrom(directory: string | undefined, serving: Serving) {
  const store = directory === undefined ? null : createFileStore(directory);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { "*": relative = "" } = request.params as { readonly "*"?: string };
    const problem = directory === undefined ? null : await untilBuilt(directory);
    if (problem !== null) {
      reply.headers({ ...serving.headers, "cache-control": "no-store" });
      throw new AppError("unavailable", problem, { retryAfterSeconds: 5 });
    }
    const found = store === null ? null : await findFirst(store, serving.candidates(relative));
    reply.headers(serving.headers);
    if (found === null) {
      const isBuilt = store !== null && (await store.isBuilt());
      reply.header("cache-control", "no-store");
      throw new AppError("not_found", isBuilt ? "there is no such file" : notBuilt);
    }
    return sendFile(request, reply, found, serving.cacheControl(relative));
  };
}

async function findFirst(store: FileStore, names: readonly string[]): Promise<StoredFile | null> {
  for (const name of names) {
    const file = await store.find(name);
    if (file !== null) return file;
  }
  return null;
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  cacheControl: string,
): Promise<FastifyReply> {
  const accepted = chooseEncoding(request.headers["accept-encoding"]);
  const { body, encoding, etag } = await file.encoded(accepted);
  reply.headers({ etag, "cache-control": cacheControl, vary: "Accept-Encoding" });
  if (isCurrent(request.headers["if-none-match"], etag)) return reply.code(304).send();
  if (encoding !== null) reply.header("content-encoding", encoding);
  return reply.type(file.type).send(body);
}

interface FileStore {
  /** The file at a relative path; null when there is none, or none that may be served. */
  find(relative: string): Promise<StoredFile | null>;
  /** Whether the directory exists. */
  isBuilt(): Promise<boolean>;
}

interface StoredFile {
  readonly type: string;
  /** The content in this encoding, or uncompressed when that would not be smaller. */
  encoded(encoding: Encoding | null): Promise<EncodedFile>;
}

interface EncodedFile {
  readonly body: Buffer;
  readonly encoding: Encoding | null;
  readonly etag: string;
}

function createFileStore(directory: string): FileStore {
  const cache = new Map<string, { readonly version: string; readonly file: StoredFile }>();
  return {
    async find(relative) {
      const type = findContentType(relative);
      if (type === null || !isPlainPath(relative)) return null;
      const version = await readVersion(directory, relative);
      if (version === null) {
        cache.delete(relative);
        return null;
      }
      const cached = cache.get(relative);
      if (cached?.version === version) return cached.file;
      const body = await readFile(path.join(directory, relative));
      const file = storedFile(body, type, isCompressible(relative));
      cache.set(relative, { version, file });
      return file;
    },
    isBuilt: async () => (await lstat(directory).catch(nullIfAbsent))?.isDirectory() === true,
  };
}

const plainName = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/** Every part is an ordinary name, so that none goes up, to the root or to another drive. */
function isPlainPath(relative: string): boolean {
  const parts = relative.split("/");
  return parts.length <= 8 && parts.every((part) => part.length <= 128 && plainName.test(part));
}

/** Changes with the file's content; null unless the path is a file below real directories. */
async function readVersion(directory: string, relative: string): Promise<string | null> {
  let at = directory;
  const parts = relative.split("/");
  for (const [index, part] of parts.entries()) {
    at = path.join(at, part);
    const found = await lstat(at).catch(nullIfAbsent);
    const isLast = index === parts.length - 1;
    if (found === null || !(isLast ? found.isFile() : found.isDirectory())) return null;
    if (isLast) return `${found.mtimeMs}:${found.size}:${found.ino}`;
  }
  return null;
}

function nullIfAbsent(error: unknown): null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}

/** Below this size a Content-Encoding header costs more than compression saves. */
const minCompressedBytes = 512;

function storedFile(body: Buffer, type: string, canCompress: boolean): StoredFile {
  const plain: EncodedFile = { body, encoding: null, etag: makeEtag(body) };
  const byEncoding = new Map<Encoding, Promise<EncodedFile>>();
  const encode = async (encoding: Encoding): Promise<EncodedFile> => {
    const smaller = await compress[encoding](body);
    if (smaller.length >= body.length) return plain;
    return { body: smaller, encoding, etag: makeEtag(body, encoding) };
  };
  return {
    type,
    encoded(encoding) {
      if (encoding === null || !canCompress || body.length < minCompressedBytes) {
        return Promise.resolve(plain);
      }
      const encoded = byEncoding.get(encoding) ?? encode(encoding);
      byEncoding.set(encoding, encoded);
      return encoded;
    },
  };
}

const compress = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
} as const;

const encodings = ["br", "gzip"] as const;
type Encoding = (typeof encodings)[number];

/**
 * The encoding of ours with the highest weight in an Accept-Encoding header, the smaller one among
 * equals; null for the uncompressed bytes (RFC 9110 section 12.5.3).
 */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  const weights = new Map((accepted ?? "").split(",").map(parseWeight));
  const findWeight = (name: string): number => weights.get(name) ?? weights.get("*") ?? 0;
  // An identity that is not named is acceptable, but any named encoding is preferred to it.
  const plain = weights.get("identity") ?? 0;
  const [best] = encodings
    .map((name) => ({ name, weight: findWeight(name) }))
    .filter(({ weight }) => weight > 0 && weight >= plain)
    .sort((a, b) => b.weight - a.weight);
  return best?.name ?? null;
}

function parseWeight(part: string): [name: string, weight: number] {
  const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
  const quality = parameters.find((text) => text.startsWith("q="));
  const weight = quality === undefined ? 1 : Number(quality.slice(2));
  return [name, Number.isFinite(weight) ? weight : 0];
}

/** A strong tag of the content; each encoding is another representation with another tag. */
export function makeEtag(body: string | Buffer, encoding: string | null = null): string {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 27);
  return encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
}

/** Whether If-None-Match names the tag: weak comparison, or `*` (RFC 9110 section 13.1.2). */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etag);
}

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  gif: "image/gif",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  map: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  mts: "text/plain; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  ts: "text/plain; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "application/xml; charset=utf-8",
};

/** Null for a kind of file that is not served at all. */
function findContentType(file: string): string | null {
  return contentTypes[parseExtension(file)] ?? null;
}

/** Pictures and fonts are compressed already. */
function isCompressible(file: string): boolean {
  return !["gif", "ico", "jpg", "png", "webp", "woff2"].includes(parseExtension(file));
}

function parseExtension(file: string): string {
  return file.slice(file.lastIndexOf(".") + 1).toLowerCase();
}
