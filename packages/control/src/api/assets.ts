import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../domain/errors.ts";

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
    if (found === null) throw await missingFile(reply, store);
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
async function missingFile(reply: FastifyReply, store: FileStore | null): Promise<AppError> {
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

/** `/demo` leads to the demo site where one runs beside the API. */
export function mountDemo(app: FastifyInstance, demoUrl: string | null): void {
  if (demoUrl === null) return;
  for (const path of ["/demo", "/demo/"]) {
    app.get(path, (_request, reply) =>
      reply.header("cache-control", "no-store").redirect(demoUrl, 302),
    );
  }
}

export interface StoredFile {
  readonly type: string;
  /** In the wished encoding, or as it is when that would not be smaller. */
  encoded(wish: Encoding | null): Promise<EncodedFile>;
}

export interface EncodedFile {
  readonly body: Buffer;
  readonly encoding: Encoding | null;
  readonly etag: string;
}

export interface FileStore {
  /** The file at a relative path; null when there is none, or none that may be served. */
  find(relative: string): Promise<StoredFile | null>;
  /** Whether the directory is there. */
  isBuilt(): Promise<boolean>;
}

/** Below this a header costs more than compression saves. */
const smallestCompressed = 512;

const compress = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
} as const;

/**
 * The files of a directory, each read and compressed once and again when it has changed on disk. Only
 * regular files with plain names are found: no dot names, no links, nothing outside.
 */
export function createFileStore(directory: string): FileStore {
  const kept = new Map<string, { readonly stamp: string; readonly file: StoredFile }>();
  return {
    async find(relative) {
      const type = contentTypeOf(relative);
      if (type === null || !isPlainPath(relative)) return null;
      const stamp = await stampOf(directory, relative);
      if (stamp === null) {
        kept.delete(relative);
        return null;
      }
      const known = kept.get(relative);
      if (known?.stamp === stamp) return known.file;
      const body = await readFile(path.join(directory, relative));
      const file = storedFile(body, type, isCompressible(relative));
      kept.set(relative, { stamp, file });
      return file;
    },
    isBuilt: async () => (await lstat(directory).catch(absent))?.isDirectory() === true,
  };
}

const plainName = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

/** Every part is an ordinary name, so that none can lead up, to the root or to another drive. */
export function isPlainPath(relative: string): boolean {
  const parts = relative.split("/");
  return parts.length <= 8 && parts.every((part) => part.length <= 128 && plainName.test(part));
}

/** What tells one content from another without reading it; null unless every part is what it seems. */
async function stampOf(directory: string, relative: string): Promise<string | null> {
  let at = directory;
  const parts = relative.split("/");
  for (const [index, part] of parts.entries()) {
    at = path.join(at, part);
    const found = await lstat(at).catch(absent);
    const isLast = index === parts.length - 1;
    if (found === null || !(isLast ? found.isFile() : found.isDirectory())) return null;
    if (isLast) return `${found.mtimeMs}:${found.size}:${found.ino}`;
  }
  return null;
}

function absent(error: unknown): null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}

function storedFile(body: Buffer, type: string, isWorthIt: boolean): StoredFile {
  const plain: EncodedFile = { body, encoding: null, etag: etagOf(body) };
  const made = new Map<Encoding, Promise<EncodedFile>>();
  const make = async (encoding: Encoding): Promise<EncodedFile> => {
    const smaller = await compress[encoding](body);
    if (smaller.length >= body.length) return plain;
    return { body: smaller, encoding, etag: etagOf(body, encoding) };
  };
  return {
    type,
    encoded(wish) {
      if (wish === null || !isWorthIt || body.length < smallestCompressed) {
        return Promise.resolve(plain);
      }
      const one = made.get(wish) ?? make(wish);
      made.set(wish, one);
      return one;
    },
  };
}

const types: Readonly<Record<string, string>> = {
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
  png: "image/png",
  svg: "image/svg+xml",
  ts: "text/plain; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "application/xml; charset=utf-8",
};

/** Null for a kind of file that is not served at all. */
export function contentTypeOf(file: string): string | null {
  return types[extensionOf(file)] ?? null;
}

/** Pictures and fonts are compressed in themselves. */
export function isCompressible(file: string): boolean {
  return !["gif", "ico", "jpg", "png", "webp", "woff2"].includes(extensionOf(file));
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf(".") + 1).toLowerCase();
}

export const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The encoding of ours that an Accept-Encoding header likes best, the smaller one among equals; null
 * for the bytes as they are (RFC 9110 section 12.5.3).
 */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  const weights = new Map((accepted ?? "").split(",").map(parse));
  const weightOf = (name: string): number => weights.get(name) ?? weights.get("*") ?? 0;
  // What nobody has spoken of is acceptable as it is, but asked for before.
  const plain = weights.get("identity") ?? 0;
  const [best] = encodings
    .map((name) => ({ name, weight: weightOf(name) }))
    .filter(({ weight }) => weight > 0 && weight >= plain)
    .sort((a, b) => b.weight - a.weight);
  return best?.name ?? null;
}

function parse(part: string): [name: string, weight: number] {
  const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
  const given = parameters.find((text) => text.startsWith("q="));
  const weight = given === undefined ? 1 : Number(given.slice(2));
  return [name, Number.isFinite(weight) ? weight : 0];
}

/** A strong tag of the content; each encoding of it is another representation. */
export function etagOf(body: string | Buffer, encoding: string | null = null): string {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 27);
  return encoding === null ? `"${hash}"` : `"${hash}-${encoding}"`;
}

/** RFC 9110 section 13.1.2: weak comparison with any of a list, or with `*`. */
export function isCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes("*") || known.includes(etag);
}
