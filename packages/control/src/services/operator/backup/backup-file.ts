import { pipeline, Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { generateStreamKey, openStream, sealStream, type Vault, VaultError } from "@mooring/vault";
import { z } from "zod";
import type { BackupEntry } from "../../../db/backup/entries.ts";
import { decodeEntries, encodeEntries } from "./frames.ts";

/**
 * The file of a backup: two lines of text, and then the entries, compressed and sealed in chunks
 * under a key of this file alone, which is in the second line, sealed under the root key.
 *
 *     mooring-backup 1
 *     {"created_at":…,"release":…,"schema":73,"postgres":"18.4","key":"v1.k0a1b2c3d.…"}
 *
 * Both lines are authenticated with every chunk.
 */
export interface BackupHeader {
  readonly created_at: string;
  readonly release: string;
  /** The last migration. */
  readonly schema: number;
  /** The version of the server. */
  readonly postgres: string;
}

/** The file cannot be restored; the message says why and what to do. */
export class BackupFileError extends Error {}

const firstLine = "mooring-backup 1\n";
const headerSchema = z.object({
  created_at: z.iso.datetime(),
  release: z.string(),
  schema: z.int().positive(),
  postgres: z.string(),
  key: z.string(),
});
/** Where the key of a file is stored, for the vault. */
const keyContext = { tenant: null, table: "backup", row: "file", column: "key" } as const;
/** Fast, and three quarters of what the best level saves. */
const compression = { level: 3, chunkSize: 64 * 1024 };

/** The bytes of a file with these entries. */
export async function* writeBackup(
  vault: Vault,
  facts: BackupHeader,
  entries: AsyncIterable<BackupEntry>,
): AsyncGenerator<Buffer> {
  const key = generateStreamKey();
  const line = JSON.stringify({ ...facts, key: vault.seal("backup", keyContext, key) });
  const header = Buffer.from(`${firstLine}${line}\n`);
  yield header;
  yield* sealStream(key, header, through(createGzip(compression), encodeEntries(entries)));
}

export interface OpenedBackup {
  readonly header: BackupHeader;
  /** Throws a `BackupFileError` where the file was changed or ends too early. */
  entries(): AsyncGenerator<BackupEntry>;
}

/** Reads the header, and the rest when its entries are read. */
export async function openBackup(
  vault: Vault,
  source: AsyncIterable<Uint8Array>,
): Promise<OpenedBackup> {
  const bytes = source[Symbol.asyncIterator]();
  try {
    return await openFrom(vault, bytes);
  } catch (error) {
    await bytes.return?.();
    throw error;
  }
}

async function openFrom(vault: Vault, bytes: AsyncIterator<Uint8Array>): Promise<OpenedBackup> {
  const { header, rest } = await readHeader(bytes);
  const parsed = parseHeader(header);
  const key = openKey(vault, parsed.key);
  const { key: _, ...facts } = parsed;
  return {
    header: facts,
    async *entries() {
      try {
        const sealed = joined(rest, bytes);
        const opened = through(
          createGunzip({ chunkSize: 256 * 1024 }),
          openStream(key, header, sealed),
        );
        yield* decodeEntries(opened);
      } catch (error) {
        throw explained(error);
      }
    },
  };
}

const headerLimit = 16 * 1024;

async function readHeader(bytes: AsyncIterator<Uint8Array>) {
  let read = Buffer.alloc(0);
  for (;;) {
    const end = read.indexOf("\n", firstLine.length);
    if (read.length >= firstLine.length && !read.toString("latin1").startsWith(firstLine)) break;
    if (end >= 0) return { header: read.subarray(0, end + 1), rest: read.subarray(end + 1) };
    const { done, value } = await bytes.next();
    if (done || read.length > headerLimit) break;
    read = Buffer.concat([read, value]);
  }
  const isOther = /^mooring-backup \d+\n/.test(read.toString("latin1"));
  throw new BackupFileError(
    isOther
      ? "the file was written by a newer release: restore it with that one"
      : "the file is not one that `mooring backup` has written",
  );
}

function parseHeader(header: Buffer): z.infer<typeof headerSchema> {
  try {
    return headerSchema.parse(JSON.parse(header.toString("utf8").slice(firstLine.length)));
  } catch (cause) {
    throw new BackupFileError("the header of the file is damaged", { cause });
  }
}

function openKey(vault: Vault, sealed: string): Buffer {
  try {
    return vault.open("backup", keyContext, sealed);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    if (error.kind === "unknown_key") {
      const needed = vault.keyIdOf(sealed);
      throw new BackupFileError(
        `the file is sealed under the root key ${needed}, which is not in SECRET_KEY: add it, after a comma`,
        { cause: error },
      );
    }
    throw new BackupFileError(
      "the header of the file is damaged, or SECRET_KEY has another key under the same id",
      { cause: error },
    );
  }
}

async function* joined(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (;;) {
      const { done, value } = await rest.next();
      if (done) return;
      yield value;
    }
  } finally {
    await rest.return?.();
  }
}

/** Through a compressor; an error of the source is thrown to the reader. */
function through(
  transform: ReturnType<typeof createGzip> | ReturnType<typeof createGunzip>,
  source: AsyncIterable<Uint8Array>,
): AsyncIterable<Buffer> {
  // The error reaches the reader of the last stream.
  return pipeline(Readable.from(source), transform, () => undefined);
}

function explained(error: unknown): unknown {
  const isDamaged =
    error instanceof VaultError ||
    (error instanceof Error && "code" in error && /^Z_/.test(String(error.code)));
  if (!isDamaged) return error;
  return new BackupFileError("the file is damaged: it was cut off or changed", { cause: error });
}
