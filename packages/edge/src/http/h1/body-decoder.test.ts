import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { BodyDecoder, type BodyFraming } from "./body-decoder.ts";

const runs = propertyRuns(20_000);

function decode(
  framing: BodyFraming,
  speaker: "client" | "origin",
  pieces: readonly Buffer[],
): { readonly data: string; readonly rest: string; readonly decoder: BodyDecoder } | null {
  const decoder = new BodyDecoder(framing, speaker);
  const data: Buffer[] = [];
  const rest: Buffer[] = [];
  for (const piece of pieces) {
    const taken = decoder.isDone
      ? 0
      : decoder.feed(piece, (chunk) => data.push(Buffer.from(chunk)));
    if (taken === -1) return null;
    rest.push(piece.subarray(taken));
  }
  return { data: text(data), rest: text(rest), decoder };
}

function text(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString("latin1");
}

function chunked(pieces: readonly Uint8Array[], trailers: string): Buffer {
  const parts = pieces.flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    Buffer.from(piece),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailers}\r\n`)]);
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

/** The processor time of the cheapest of some runs. */
function cheapest(run: () => void): number {
  const times = Array.from({ length: 20 }, () => {
    const before = process.cpuUsage();
    for (let round = 0; round < 10; round += 1) run();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.max(1, Math.min(...times));
}

describe("BodyDecoder", () => {
  it("gives the same content however the bytes are cut, and leaves what follows", () => {
    const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 6 });
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(), { maxLength: 20 }), (content, cuts) => {
        const wire = Buffer.concat([chunked(content, "x-sum: 1\r\n"), Buffer.from("GET /next")]);
        const result = decode("chunked", "client", cutAt(wire, cuts));
        assert.equal(result?.data, text(content.map((piece) => Buffer.from(piece))));
        assert.equal(result?.rest, "GET /next");
        assert.deepEqual(result?.decoder.trailers, ["x-sum", "1"]);
      }),
      { numRuns: runs },
    );
  });

  it("takes exactly the length that was announced", () => {
    const result = decode(5, "client", [Buffer.from("hel"), Buffer.from("lo, next")]);
    assert.deepEqual(
      [result?.data, result?.rest, result?.decoder.isDone],
      ["hello", ", next", true],
    );
  });

  it("refuses every chunk line that is not a size and well-formed extensions", () => {
    const lines = [
      "",
      "g",
      " 5",
      "5 ",
      "+5",
      "-5",
      "0x5",
      "5;",
      "5;a=",
      "5;=b",
      "5;a b",
      '5;a="b',
      '5;a="b"c',
      '5;a="\\',
      "5\t",
      "123456789",
      "5\r",
      "５",
    ];
    for (const line of lines) {
      const wire = Buffer.from(`${line}\r\nhello\r\n0\r\n\r\n`);
      assert.equal(decode("chunked", "client", [wire]), null, JSON.stringify(line));
    }
  });

  it("refuses bare line feeds, missing line ends and malformed trailers", () => {
    const wires = [
      "5\nhello\r\n0\r\n\r\n",
      "5\r\nhello\n0\r\n\r\n",
      "5\r\nhello0\r\n\r\n",
      "5\r\nhelloXX0\r\n\r\n",
      "0\r\nno colon\r\n\r\n",
      "0\r\na : 1\r\n\r\n",
      "0\r\n folded\r\n\r\n",
      "0\r\n\n",
      `0\r\n${"a: b\r\n".repeat(257)}\r\n`,
      `0\r\na: ${"b".repeat(20_000)}`,
    ];
    for (const wire of wires) {
      assert.equal(decode("chunked", "client", [Buffer.from(wire)]), null, JSON.stringify(wire));
    }
  });

  it("drops well-formed chunk extensions, as long as they are few", () => {
    const wire = (extension: string) =>
      Buffer.from(`5${extension}\r\nhello\r\n0${extension}\r\n\r\n`);
    for (const extension of [";a", ";a=b", ' ; a = "b;\\"c" ;d', ';a=""']) {
      assert.equal(decode("chunked", "client", [wire(extension)])?.data, "hello", extension);
    }
    const many = Buffer.from(`1;${"a".repeat(1_000)}\r\nx\r\n`.repeat(17));
    assert.equal(decode("chunked", "client", [many]), null);
  });

  it("costs little more for chunks of one byte than reading each byte", () => {
    const wire = Buffer.from("1\r\nx\r\n".repeat(10_000));
    let sum = 0;
    const read = () => {
      for (let at = 0; at < wire.length; at += 1) sum += wire[at] ?? 0;
    };
    const decoder = new BodyDecoder("chunked", "origin");
    const feed = () => {
      decoder.feed(Buffer.from(wire), (data) => {
        sum += data.length;
      });
    };
    const ratio = cheapest(feed) / cheapest(read);
    // A string, a pattern and a slice for each chunk made it more than 60.
    assert.ok(ratio < 30, `${ratio} times, ${sum}`);
  });

  it("drops chunk extensions of an origin", () => {
    const wire = Buffer.from('5;name="x"\r\nhello\r\n0 ;last\r\n\r\n');
    assert.equal(decode("chunked", "origin", [wire])?.data, "hello");
  });
});
