import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { parseStatus, roundTrip } from "@mooring/testing/edge/client";
import { mayDiffer } from "@mooring/testing/edge/http/rewritten-requests";
import { type SmugglingCase, smugglingCorpus } from "@mooring/testing/edge/http/smuggling-corpus";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";

const concurrency = 16;

describe("requests that servers read differently", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge({ limits: { headMs: 1_000, keepAliveMs: 1_000, stallMs: 1_000 } });
    origin = await startOrigin();
    edge.hosts.set("shop.example", { originUrl: origin.url });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  let forwarded = 0;

  async function problemOf(one: SmugglingCase, index: number): Promise<string | null> {
    const answer = await roundTrip(edge, "shop.example", one.bytes);
    const received = origin.received.filter(({ url }) =>
      new RegExp(`-${index}(?![0-9])`).test(url),
    );
    const status = parseStatus(answer);
    const isForwarded = status === 200 && received.length === 1;
    const isRefused = status >= 400 && status < 510 && received.length === 0;
    if (isForwarded) forwarded += 1;
    const isWanted = one.reaches === "one" ? isForwarded : isRefused;
    const isRight = isWanted || (mayDiffer(edge, one.name) && (isForwarded || isRefused));
    return isRight ? null : `${one.name}: ${status}, ${JSON.stringify(received)}`;
  }

  it("reach the origin as one well-formed request or not at all", async () => {
    const corpus = smugglingCorpus();
    assert.ok(corpus.length >= 200, `${corpus.length} cases`);
    const wrong: string[] = [];
    const queue = corpus.entries();
    const worker = async () => {
      for (const [index, one] of queue) {
        const problem = await problemOf(one, index);
        if (problem !== null) wrong.push(problem);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    assert.deepEqual(wrong, []);
    assert.deepEqual(
      origin.received.filter(({ url }) => url.includes("smuggled")),
      [],
    );
    assert.equal(origin.malformed(), 0);
    assert.equal(origin.received.length, forwarded);
    for (const { rawHeaders } of origin.received) {
      const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
      const framings = names.filter((n) => n === "content-length" || n === "transfer-encoding");
      assert.ok(framings.length <= 1);
      assert.equal(names.filter((n) => n === "host").length, 1);
      assert.deepEqual(
        names.filter((name) => !/^[a-z0-9-]+$/.test(name)),
        [],
      );
      assert.ok(!names.includes("upgrade"));
    }
  });
});
