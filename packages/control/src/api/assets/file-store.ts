import { lstat, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { contentTypeOf, isCompressible } from "./content-type.ts";
import type { Encoding } from "./encoding.ts";
import { etagOf } from "./etag.ts";

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
