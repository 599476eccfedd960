import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { exchange, statusOf } from "./test/client.ts";
import { startOrigin, type TestOrigin } from "./test/origin.ts";
import { smugglingCorpus } from "./test/smuggling-corpus.ts";
import { startTestEdge, type TestEdge } from "./test/test-edge.ts";

const AT_ONCE = 16;

describe("requests that servers read differently", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge();
    origin = await startOrigin();
    edge.hosts.set("shop.example", { originUrl: origin.url });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  it("reach the origin as one well-formed request or not at all", async () => {
    const corpus = smugglingCorpus();
    assert.ok(corpus.length >= 200, `${corpus.length} cases`);
    const wrong: string[] = [];
    const queue = corpus.map((one, index) => ({ ...one, index })).values();
    const worker = async () => {
      for (const { name, bytes, reaches, index } of queue) {
        const answer = await exchange(edge, "shop.example", bytes);
        const seen = origin.seen.filter(({ url }) => new RegExp(`-${index}(?![0-9])`).test(url));
        const status = statusOf(answer);
        const isRight = reaches === "none" ? status >= 400 && status < 510 : status === 200;
        if (!isRight || seen.length !== (reaches === "one" ? 1 : 0)) {
          wrong.push(`${name}: ${status}, ${JSON.stringify(seen.map(({ url }) => url))}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    assert.deepEqual(wrong, []);
    assert.deepEqual(
      origin.seen.filter(({ url }) => url.includes("smuggled")),
      [],
    );
    assert.equal(origin.malformed(), 0);
    for (const { rawHeaders } of origin.seen) {
      const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
      const framings = names.filter((n) => n === "content-length" || n === "transfer-encoding");
      assert.ok(framings.length <= 1);
      assert.equal(names.filter((n) => n === "host").length, 1);
      assert.ok(!names.includes("upgrade"));
    }
  });
});
