import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { VaultError } from "./root-key.ts";
import { generateStreamKey, openStream, sealStream } from "./sealed-stream.ts";

const header = Buffer.from("header");
const chunk = 64 * 1024;
const sealedChunk = chunk + 16;

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of source) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("a sealed stream", () => {
  const key = generateStreamKey();
  const seal = (bytes: Buffer, size = 10_000) =>
    collect(sealStream(key, header, pieces(bytes, size)));
  const open = (bytes: Buffer, size = 50_000) =>
    collect(openStream(key, header, pieces(bytes, size)));
  const isTampered = (error: unknown) => error instanceof VaultError && error.kind === "tampered";

  it("opens to what was sealed, at any length and cut into any pieces", async () => {
    for (const length of [0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 17]) {
      const plain = randomBytes(length);
      for (const size of [997, chunk, 200_000]) {
        assert.deepEqual(await open(await seal(plain, size), size), plain, `${length} by ${size}`);
      }
    }
  });

  it("is refused when it was cut off, also between two chunks", async () => {
    const sealed = await seal(randomBytes(3 * chunk));
    for (const end of [0, 1, 16, sealedChunk, 2 * sealedChunk, sealed.length - 1]) {
      await assert.rejects(open(sealed.subarray(0, end)), isTampered, `after ${end}`);
    }
    await assert.rejects(open(Buffer.concat([sealed, Buffer.from("x")])), isTampered);
  });

  it("is refused when a bit was changed, or chunks were moved", async () => {
    const sealed = await seal(randomBytes(2 * chunk + 5));
    for (const at of [0, sealedChunk + 3, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await assert.rejects(open(changed), isTampered, `at ${at}`);
    }
    const [first, second] = [sealed.subarray(0, sealedChunk), sealed.subarray(sealedChunk)];
    const moved = Buffer.concat([second.subarray(0, sealedChunk), first]);
    await assert.rejects(open(moved), isTampered);
  });

  it("is refused with another header, and with another key", async () => {
    const sealed = await seal(randomBytes(100));
    const other = openStream(key, Buffer.from("other"), pieces(sealed, 50));
    await assert.rejects(collect(other), isTampered);
    const stranger = openStream(generateStreamKey(), header, pieces(sealed, 50));
    await assert.rejects(collect(stranger), isTampered);
  });
});
