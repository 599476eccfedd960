import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { singleBytes } from "@mooring/testing/edge/sealed-records";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { HeadScan, JoinedReads } from "./head-scan.ts";
import { findHead } from "./request-head.ts";

const headBytes = 16_384;

/** The bytes, and how often one of them was read. */
function counted(bytes: Buffer): { readonly bytes: Buffer; reads(): number } {
  let reads = 0;
  const proxy = new Proxy(bytes, {
    get(target, key) {
      if (typeof key === "string" && /^[0-9]+$/.test(key)) reads += 1;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { bytes: proxy, reads: () => reads };
}

describe("the head of a request in one-byte pieces", () => {
  /** How many bytes were read until `length` bytes of `a\r\n` had arrived one by one. */
  function readsOf(length: number): number {
    const bytes = Buffer.from("a\r\n".repeat(Math.ceil(length / 3))).subarray(0, length);
    const scan = new HeadScan();
    let reads = 0;
    for (let end = 1; end <= length; end += 1) {
      const part = counted(bytes.subarray(0, end));
      assert.equal(findHead(part.bytes, headBytes, scan), "incomplete");
      reads += part.reads();
    }
    return reads;
  }

  it("is read once, not again with each piece", () => {
    const [half, whole] = [readsOf(1_000), readsOf(2_000)];
    assert.ok(whole < 10 * 2_000, `${whole} reads of 2,000 bytes`);
    assert.ok(whole / half < 2.1, `${half}, then ${whole}`);
  });

  it("is found to be shattered, and one of a careless client is not", () => {
    const scan = new HeadScan();
    const fields = Array.from({ length: 250 }, (_, at) => [`x-${at}`, ": ", "1", "\r\n"]).flat();
    let text = "GET / HTTP/1.1\r\n";
    for (const piece of fields) {
      text += piece;
      assert.equal(findHead(Buffer.from(text), headBytes, scan), "incomplete");
    }
    assert.equal(scan.isShattered, false);
    for (let more = 0; more < 100; more += 1) {
      text += "a";
      findHead(Buffer.from(text), headBytes, scan);
    }
    assert.equal(scan.isShattered, true);
    scan.reset();
    assert.equal(scan.isShattered, false);
  });
});

describe("a head in any pieces", () => {
  /** What is found when it arrives in pieces that end at these offsets. */
  function findInPieces(bytes: Buffer, ends: readonly number[]): ReturnType<typeof findHead> {
    const scan = new HeadScan();
    const joined = new JoinedReads();
    let pending: Buffer | null = null;
    let from = 0;
    for (const end of ends.toSorted((a, b) => a - b)) {
      const piece = Buffer.from(bytes.subarray(from, end));
      if (piece.length === 0) continue;
      from += piece.length;
      pending = joined.join(pending, piece);
      assert.deepEqual(pending, bytes.subarray(0, from));
      const found = findHead(pending, headBytes, scan);
      if (found !== "incomplete") return found;
    }
    return "incomplete";
  }

  it("is the same as in one", () => {
    const text = fc.array(fc.constantFrom("\r", "\n", "\r\n", "\r\n\r\n", "a", "b: c"), {
      maxLength: 12,
    });
    const cuts = fc.array(fc.nat(40), { maxLength: 6 });
    fc.assert(
      fc.property(text, cuts, (parts, ends) => {
        const bytes = Buffer.from(parts.join(""));
        const whole = findHead(bytes, headBytes, new HeadScan());
        const found = findInPieces(bytes, [...ends, bytes.length]);
        // A stray line end is refused as soon as it is there, before the head is complete.
        if (isRejection(found) && !isRejection(whole)) {
          assert.match(bytes.toString(), /(^|[^\r])\n/);
        } else assert.deepEqual(found, whole);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });
});

function isRejection(found: ReturnType<typeof findHead>): boolean {
  return typeof found === "object" && "status" in found;
}

describe("reads that are joined", () => {
  /** How many bytes were allocated to join `length` pieces of one byte. */
  function allocatedFor(length: number, allocated: () => number): number {
    const before = allocated();
    const joined = new JoinedReads();
    const bytes = Buffer.alloc(length, "abc");
    let pending: Buffer | null = null;
    for (const piece of singleBytes(bytes)) pending = joined.join(pending, piece);
    assert.deepEqual(pending, bytes);
    return allocated() - before;
  }

  it("are copied a bounded number of times, however many they are", (t) => {
    const allocate = t.mock.method(Buffer, "allocUnsafeSlow");
    const concat = t.mock.method(Buffer, "concat");
    const allocated = (): number =>
      allocate.mock.calls.reduce((sum, { result }) => sum + (result?.length ?? 0), 0);
    const [half, whole] = [allocatedFor(32_768, allocated), allocatedFor(65_536, allocated)];
    assert.ok(whole <= 4 * 65_536, `${whole} bytes`);
    assert.ok(whole / half < 2.5, `${half}, then ${whole}`);
    assert.equal(concat.mock.callCount(), 0);
  });

  it("are not copied when there is one", () => {
    const joined = new JoinedReads();
    const chunk = Buffer.from("GET / HTTP/1.1\r\n\r\n");
    assert.equal(joined.join(null, chunk), chunk);
  });

  it("lose at the front what is taken, and nothing else", () => {
    const joined = new JoinedReads();
    let pending = joined.join(Buffer.from("one"), Buffer.from("two"));
    const taken = pending.subarray(0, 4);
    pending = joined.join(pending.subarray(4), Buffer.from("three"));
    assert.equal(pending.toString(), "wothree");
    assert.equal(taken.toString(), "onet");
    pending = joined.join(pending, Buffer.alloc(5_000, "x"));
    assert.equal(pending.toString("latin1", 0, 9), "wothreexx");
    assert.equal(pending.length, 5_007);
  });
});
