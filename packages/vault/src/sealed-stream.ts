import { randomBytes } from "node:crypto";
import { VaultError } from "./root-key.ts";
import { dataKeyBytes, decrypt, encrypt, ivBytes, tagBytes } from "./sealed.ts";

/** What is encrypted at once, as in age and STREAM (https://eprint.iacr.org/2015/189). */
const chunkBytes = 64 * 1024;

/** A key for one stream. It must not be used for a second one: the IVs are counted from zero. */
export function generateStreamKey(): Buffer {
  return randomBytes(dataKeyBytes);
}

/**
 * Encrypts bytes of any length in chunks, each authenticated with its number, whether it is the
 * last one, and `header`: chunks that are missing, moved or of another stream do not open.
 */
export async function* sealStream(
  key: Buffer,
  header: Buffer,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const { chunk, isLast } of inChunks(source, chunkBytes)) {
    yield encrypt(key, chunkIv(number, isLast), chunk, header);
    number += 1;
  }
}

/**
 * The bytes that were sealed. Throws a `VaultError` at the first chunk that was changed, and at the
 * end of a stream that was cut off; what it has yielded before is genuine.
 */
export async function* openStream(
  key: Buffer,
  header: Buffer,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let number = 0;
  for await (const { chunk, isLast } of inChunks(source, chunkBytes + tagBytes)) {
    if (chunk.length < tagBytes) throw new VaultError("tampered", "the sealed stream is cut off");
    yield decrypt(key, chunkIv(number, isLast), chunk, header);
    number += 1;
  }
}

function chunkIv(number: number, isLast: boolean): Buffer {
  const iv = Buffer.alloc(ivBytes);
  iv.writeUIntBE(number, ivBytes - 7, 6);
  iv[ivBytes - 1] = isLast ? 1 : 0;
  return iv;
}

/** Full chunks, and a last one that may be shorter; an empty source is one empty chunk. */
async function* inChunks(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ readonly chunk: Buffer; readonly isLast: boolean }> {
  let rest = Buffer.alloc(0);
  for await (const piece of source) {
    rest = Buffer.concat([rest, piece]);
    // More must follow a chunk that is not the last.
    let start = 0;
    for (; rest.length - start > size; start += size) {
      yield { chunk: rest.subarray(start, start + size), isLast: false };
    }
    rest = rest.subarray(start);
  }
  yield { chunk: rest, isLast: true };
}
