import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, it } from "node:test";
import { GatheredWrites } from "./copied-writes.ts";

interface Slow {
  readonly stream: Writable;
  readonly writes: Buffer[];
  /** Ends the write in flight. */
  take(): void;
}

/** A stream that keeps a copy of each write, and ends one only on `take`. */
function slowStream(): Slow {
  const writes: Buffer[] = [];
  let done: (() => void) | null = null;
  const stream = new Writable({
    highWaterMark: 65_536,
    write(chunk: Buffer, _encoding, callback) {
      writes.push(Buffer.from(chunk));
      done = callback;
    },
  });
  const take = (): void => {
    const callback = done;
    done = null;
    callback?.();
  };
  return { stream, writes, take };
}

/** Everything that was scheduled before has run. */
function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("gathered writes", () => {
  it("writes the pieces of one tick together, as they were when they were lent", async () => {
    const { stream, writes } = slowStream();
    const gathered = new GatheredWrites(stream);
    const lent = Buffer.from("one");
    assert.equal(gathered.write([lent, "\r\n"]), true);
    lent.write("two");
    assert.equal(gathered.write([lent]), true);
    lent.fill("x");
    assert.equal(writes.length, 0);
    await tick();
    assert.deepEqual(writes.map(String), ["one\r\ntwo"]);
  });

  it("writes at once when asked, and nothing again at the end of the tick", async () => {
    const { stream, writes, take } = slowStream();
    const gathered = new GatheredWrites(stream);
    gathered.write(["last"]);
    gathered.flush();
    assert.deepEqual(writes.map(String), ["last"]);
    take();
    await tick();
    assert.equal(writes.length, 1);
  });

  it("divides what is more than one block, and asks for a pause until the stream has drained", async () => {
    const { stream, writes, take } = slowStream();
    const gathered = new GatheredWrites(stream);
    const body = Buffer.alloc(600_000, "0123456789abcde");
    let drains = 0;
    stream.on("drain", () => {
      drains += 1;
    });
    assert.equal(gathered.write([body]), false);
    assert.equal(gathered.write(["end"]), false);
    await tick();
    for (let write = 0; write < 4; write += 1) {
      take();
      await tick();
    }
    assert.equal(drains, 1);
    assert.equal(String(Buffer.concat(writes)), `${body}end`);
    assert.equal(gathered.write(["next"]), true);
  });

  it("writes nothing to a stream that was destroyed meanwhile", async () => {
    const { stream, writes } = slowStream();
    const gathered = new GatheredWrites(stream);
    gathered.write(["lost"]);
    stream.destroy();
    await tick();
    assert.equal(writes.length, 0);
  });
});
