import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { after, before, describe, it, type TestContext } from "node:test";
import { parseStatus, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import type { Host } from "../../hosts/host.ts";

describe("several origins of an application", () => {
  let edge: TestEdge;
  const outcomes: string[] = [];
  before(async () => {
    const note = (result: string) => (host: Host) =>
      void outcomes.push(`${host.hostname} ${result}`);
    edge = await startTestEdge({ outcomes: { succeeded: note("ok"), failed: note("failed") } });
  });
  after(() => edge.close());

  async function live(context: TestContext, answer?: RequestListener): Promise<TestOrigin> {
    const origin = await startOrigin(answer);
    context.after(() => origin.close());
    return origin;
  }

  /** An origin that nobody listens at. */
  async function dead(): Promise<string> {
    const origin = await startRawOrigin(() => undefined);
    await origin.close();
    return origin.url;
  }

  /** One that accepts a request and closes. */
  async function closing(context: TestContext): Promise<{ url: string; requests: () => number }> {
    let requests = 0;
    const origin = await startRawOrigin((socket) => {
      socket.once("data", () => {
        requests += 1;
        socket.end();
      });
    });
    context.after(() => origin.close());
    return { url: origin.url, requests: () => requests };
  }

  function serve(hostname: string, ...urls: readonly (string | readonly [string, number])[]): void {
    const origins = urls.map((one) =>
      typeof one === "string" ? { url: one, weight: 1 } : { url: one[0], weight: one[1] },
    );
    edge.hosts.set(hostname, { originUrl: origins[0]?.url ?? null, origins });
  }

  async function ask(hostname: string, count = 1, text = request(hostname)): Promise<number[]> {
    const statuses: number[] = [];
    for (let index = 0; index < count; index += 1) {
      statuses.push(parseStatus(await roundTrip(edge, hostname, text)));
    }
    return statuses;
  }

  it("get requests by their weights, and a weight of 0 gets none while others take them", async (context) => {
    const [heavy, light, standby] = [await live(context), await live(context), await live(context)];
    serve("shares.example", [heavy.url, 3], [light.url, 1], [standby.url, 0]);
    await ask("shares.example", 12);
    assert.deepEqual(
      [heavy, light, standby].map(({ received }) => received.length),
      [9, 3, 0],
    );
    await heavy.close();
    await light.close();
    const statuses = await ask("shares.example", 6);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200]);
    assert.equal(standby.received.length, 6);
  });

  it("hide one that is down: no request fails, whatever its method", async (context) => {
    const other = await live(context);
    serve("down.example", await dead(), other.url);
    const upload = ["Content-Length: 4"];
    for (const method of ["GET", "POST", "PUT"]) {
      const lines = method === "GET" ? [] : upload;
      const body = method === "GET" ? "" : "body";
      const text = request("down.example", `${method} / HTTP/1.1`, lines) + body;
      assert.deepEqual(await ask("down.example", 4, text), [200, 200, 200, 200], method);
    }
    assert.equal(other.received.length, 12);
    assert.equal(other.received.filter(({ body }) => body === "body").length, 8);
    // Its failures are not those of the origins as a whole.
    assert.ok(!outcomes.includes("down.example failed"));
  });

  it("get an idempotent request again with its body, when one has closed on it", async (context) => {
    const [bad, other] = [await closing(context), await live(context)];
    serve("closing.example", bad.url, other.url);
    const text = `${request("closing.example", "PUT / HTTP/1.1", ["Transfer-Encoding: chunked"])}4\r\nbody\r\n0\r\n\r\n`;
    assert.deepEqual(await ask("closing.example", 2, text), [200, 200]);
    assert.equal(bad.requests(), 1);
    assert.deepEqual(
      other.received.map(({ method, body }) => [method, body]),
      [
        ["PUT", "body"],
        ["PUT", "body"],
      ],
    );
  });

  it("never get a request twice that an origin may have processed", async (context) => {
    const [bad, other] = [await closing(context), await live(context)];
    serve("unsafe.example", bad.url, other.url);
    const text = `${request("unsafe.example", "POST / HTTP/1.1", ["Content-Length: 4"])}body`;
    assert.deepEqual(await ask("unsafe.example", 1, text), [502]);
    assert.deepEqual([bad.requests(), other.received.length], [1, 0]);
    // A body that is too large to keep is sent once as well.
    const large = "x".repeat(200_000);
    const put = request("unsafe.example", "PUT / HTTP/1.1", ["Content-Length: 200000"]) + large;
    serve("large.example", bad.url, other.url);
    assert.deepEqual(await ask("large.example", 1, put.replace("unsafe", "large")), [502]);
    assert.deepEqual([bad.requests(), other.received.length], [2, 0]);
  });

  it("take over from one that answers 502, 503 or 504", async (context) => {
    let asked = 0;
    const sick = await live(context, (_request, response) => {
      asked += 1;
      response.writeHead(503).end("sick");
    });
    const other = await live(context);
    serve("sick.example", sick.url, other.url);
    // Stopped, so that its time out is not over before the last request.
    const at = performance.now();
    const stopped = context.mock.method(performance, "now", () => at);
    assert.deepEqual(
      await ask("sick.example", 10),
      Array.from({ length: 10 }, () => 200),
    );
    // Three in a row, then it is out.
    assert.equal(asked, 3);
    stopped.mock.restore();
    // What cannot be repeated is answered as it is.
    serve("sick-post.example", sick.url, other.url);
    edge.hosts.set("sick-post.example", {
      tenantId: "another",
      originUrl: sick.url,
      origins: [sick.url, other.url].map((url) => ({ url, weight: 1 })),
    });
    const text = request("sick-post.example", "POST / HTTP/1.1", ["Content-Length: 0"]);
    assert.deepEqual(await ask("sick-post.example", 1, text), [503]);
  });

  it("are unreachable only when none is left, and are tried all the same", async (context) => {
    const urls = [await dead(), await dead()];
    serve("none.example", ...urls);
    outcomes.length = 0;
    assert.deepEqual(
      await ask("none.example", 8),
      Array.from({ length: 8 }, () => 502),
    );
    assert.deepEqual(
      outcomes,
      Array.from({ length: 8 }, () => "none.example failed"),
    );
    const back = await startRawOrigin((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    });
    context.after(() => back.close());
    serve("none.example", back.url, urls[1] ?? "");
    assert.deepEqual(await ask("none.example", 2), [200, 200]);
    assert.equal(outcomes.at(-1), "none.example ok");
  });

  it("come back by one trial at a time", async (context) => {
    const port = new URL(await dead()).port;
    const other = await live(context);
    serve("back.example", `http://127.0.0.1:${port}`, other.url);
    await ask("back.example", 6);
    assert.equal(other.received.length, 6);
    let returned = 0;
    const server = createServer((_request, response) => {
      returned += 1;
      response.end("back");
    });
    await new Promise<void>((resolve) => server.listen(Number(port), "127.0.0.1", resolve));
    context.after(() => {
      server.closeAllConnections();
      server.close();
    });
    await until(async () => {
      await ask("back.example", 1);
      return returned > 0;
    });
    const before = returned;
    await ask("back.example", 10);
    assert.equal(returned - before, 5);
  });

  it("leave out one that must not be dialled", async (context) => {
    const other = await live(context);
    serve("refused.example", "http://127.0.0.1:22", other.url);
    assert.deepEqual(await ask("refused.example", 4), [200, 200, 200, 200]);
    const said = edge.warnings.filter((one) => "url" in one && one.url === "http://127.0.0.1:22");
    assert.equal(said.length, 1);
  });
});
