import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { after, before, describe, it } from "node:test";
import { parseStatus, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { createOriginGuard } from "./guard.ts";

const settings = {
  EDGE_HOST: "127.0.0.1",
  EDGE_HTTP_PORT: 8081,
  EDGE_HTTPS_PORT: 8443,
  EDGE_INTERNAL_PORT: 9090,
  EDGE_IPV4: ["127.0.0.1"],
  EDGE_IPV6: [] as readonly string[],
  EGRESS_ALLOW: [] as readonly string[],
  EGRESS_RESOLVERS: [] as readonly string[],
  ORIGIN_ALLOW_PRIVATE: true,
};

/** Whether the guard itself refuses; a port without a listener fails in another way. */
async function isRefused(
  changes: Partial<typeof settings>,
  host: string,
  port: number,
): Promise<boolean> {
  const guard = createOriginGuard({ ...settings, ...changes });
  const failed = await guard.dial({ host, port, connectTimeoutMs: 1_000 }).then(
    ({ socket }) => socket.destroy() && null,
    (error: unknown) => error,
  );
  return failed instanceof Error && failed.message.includes("a listener of this edge");
}

describe("where an origin may not be", () => {
  it("is at each of the edge's ports, and nowhere else on the same machine", async () => {
    for (const port of [8081, 8443, 9090]) {
      assert.equal(await isRefused({}, "127.0.0.1", port), true, `${port}`);
      assert.equal(await isRefused({}, "localhost", port), true, `localhost ${port}`);
    }
    for (const port of [80, 443, 8082]) {
      assert.equal(await isRefused({}, "127.0.0.1", port), false, `${port}`);
    }
    assert.equal(await isRefused({}, "127.0.0.2", 8443), false);
  });

  it("is at every local address when the edge listens at all of them", async () => {
    const everywhere = { EDGE_HOST: "0.0.0.0" };
    assert.equal(await isRefused(everywhere, "127.0.0.3", 8443), true);
    const local = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ family, internal }) => family === "IPv4" && internal);
    for (const { address } of local) {
      assert.equal(await isRefused({ EDGE_HOST: "::" }, address, 8081), true, address);
    }
  });

  it("is at the public ports of the addresses that customers point at", async () => {
    const nowhere = {
      EDGE_IPV4: ["203.0.113.7"],
      EGRESS_ALLOW: ["203.0.113.0/24", "::ffff:0:0/96"],
    };
    for (const port of [80, 443, 8443]) {
      assert.equal(await isRefused(nowhere, "203.0.113.7", port), true, `${port}`);
      assert.equal(await isRefused(nowhere, "::ffff:203.0.113.7", port), true, `mapped ${port}`);
    }
  });

  it("is at a port that was only known once the edge listened", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address !== "string");
    let listening: readonly number[] = [];
    const guard = createOriginGuard(settings, () => listening);
    const dialled = await guard.dial({ host: "127.0.0.1", port: address.port });
    dialled.socket.destroy();
    listening = [address.port];
    await assert.rejects(guard.dial({ host: "127.0.0.1", port: address.port }), {
      kind: "refused_address",
    });
    server.close();
  });
});

describe("an origin that is the edge itself", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  let listening: readonly number[] = [];
  before(async () => {
    edge = await startTestEdge({ originGuard: createOriginGuard(settings, () => listening) });
    origin = await startOrigin();
    edge.hosts.set("good.example", { originUrl: origin.url });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  const ask = (host: string): Promise<string> => roundTrip(edge, host, request(host));

  it("is refused before a connection is made, and others are served", async () => {
    listening = [edge.httpPort, edge.httpsPort];
    for (const port of listening) {
      edge.hosts.set("loop.example", { originUrl: `http://127.0.0.1:${port}` });
      const before = edge.stats.requests;
      const answer = await ask("loop.example");
      assert.equal(parseStatus(answer), 502);
      assert.equal(edge.stats.requests, before + 1, "the request came by once");
    }
    assert.equal(parseStatus(await ask("good.example")), 200);
  });

  it("gets pages without HSTS, unless the origin sends it", async () => {
    edge.hosts.set("dead.example", { originUrl: "http://127.0.0.1:1" });
    const page = await ask("dead.example");
    assert.equal(parseStatus(page), 502);
    assert.doesNotMatch(page, /strict-transport-security/i);
    assert.match(page, /\r\nx-svc-reference: ([0-9a-f]{12})\r\n[\s\S]*reference \1/);
    assert.doesNotMatch(await ask("good.example"), /strict-transport-security/i);
  });
});
