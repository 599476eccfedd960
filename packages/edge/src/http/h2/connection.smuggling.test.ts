import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { connectTo, parseStatus, request, roundTrip } from "@mooring/testing/edge/client";
import { h2SmugglingCorpus } from "@mooring/testing/edge/http/h2-smuggling-corpus";
import { sendRawH2 } from "@mooring/testing/edge/http/raw-h2";
import { mayDiffer } from "@mooring/testing/edge/http/rewritten-requests";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";

const concurrency = 8;
/** The fields of the request that the origin receives. */
const expectedFields =
  /^(host|via|cdn-loop|te|x-forwarded-(for|host|proto)|x-real-ip|x-svc-(assertion|connection)|content-length|transfer-encoding|connection)$/;

describe("HTTP/2 requests that become others as HTTP/1.1", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge();
    origin = await startOrigin();
    edge.hosts.set("shop.example", { originUrl: origin.url });
    edge.hosts.set("evil.example", { originUrl: origin.url });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  it("reach the origin as one well-formed request or not at all", async () => {
    const corpus = h2SmugglingCorpus();
    const queue = corpus.entries();
    const wrong: string[] = [];
    const worker = async (): Promise<void> => {
      for (const [index, one] of queue) {
        const socket = await connectTo(edge, "shop.example", { ALPNProtocols: ["h2"] });
        await sendRawH2(socket, one.fields, one.body);
        const path = new RegExp(`/case-${index}(?![0-9])`);
        const received = origin.received.filter(({ url }) => path.test(url));
        const reaches = mayDiffer(edge, one.name) ? "either" : one.reaches;
        const expected = { none: [0], one: [1], either: [0, 1] }[reaches];
        if (!expected.includes(received.length))
          wrong.push(`${one.name}: ${JSON.stringify(received)}`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
    assert.deepEqual(wrong, []);
    assert.equal(origin.malformed(), 0);
    for (const { rawHeaders, headers, url } of origin.received) {
      assert.match(url, /^\/case-\d+(%0d%0aX:%20y)?$/);
      const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
      const framings = names.filter((n) => n === "content-length" || n === "transfer-encoding");
      assert.ok(framings.length <= 1);
      assert.equal(headers.host, "shop.example");
      assert.deepEqual(
        names.filter((name) => !expectedFields.test(name)),
        [],
      );
      assert.equal(names.filter((n) => n === "host").length, 1);
    }
    assert.equal(parseStatus(await roundTrip(edge, "shop.example", request("shop.example"))), 200);
  });
});
