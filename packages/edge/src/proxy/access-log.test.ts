import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectH2 } from "node:http2";
import { after, before, beforeEach, describe, it } from "node:test";
import { connectTo, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import type { AccessLine } from "./access-log.ts";

describe("the access log", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  const lines: AccessLine[] = [];
  before(async () => {
    edge = await startTestEdge({ accessLog: (line) => void lines.push(line) });
    origin = await startOrigin();
    edge.hosts.set("shop.example", { originUrl: origin.url });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });
  beforeEach(() => {
    lines.length = 0;
  });

  async function lineOf(): Promise<AccessLine> {
    await until(() => lines.length > 0);
    assert.equal(lines.length, 1);
    const [line] = lines;
    assert.ok(line);
    return line;
  }

  it("has one line for a request, without query, cookies or keys", async () => {
    const secrets = ["Cookie: canary", "Authorization: Bearer canary", "Referer: /canary"];
    await roundTrip(
      edge,
      "shop.example",
      request("shop.example", "GET /a/b?token=canary HTTP/1.1", secrets),
    );
    const { reference, elapsedMs, bytes, ...line } = await lineOf();
    assert.deepEqual(line, {
      host: "shop.example",
      connectionId: "connection-of-shop-example",
      remoteAddress: "127.0.0.1",
      method: "GET",
      path: "/a/b",
      status: 200,
      isComplete: true,
    });
    assert.match(reference, /^[0-9a-f]{12}$/);
    assert.ok(elapsedMs >= 0 && bytes >= 0);
    assert.doesNotMatch(JSON.stringify(lines), /canary/);
  });

  it("names the reference that an error page shows", async () => {
    edge.hosts.set("dead.example", { originUrl: "http://127.0.0.1:1" });
    const page = await roundTrip(edge, "dead.example", request("dead.example"));
    const line = await lineOf();
    assert.equal(line.status, 502);
    assert.ok(page.includes(`reference ${line.reference}`));
    const warning = edge.warnings.at(-1);
    assert.ok(warning && "reference" in warning && warning.reference === line.reference);
  });

  it("has a line for a stream of HTTP/2, a refused host and the plain port", async () => {
    const session = connectH2(`https://127.0.0.1:${edge.httpsPort}`, {
      servername: "shop.example",
      ca: edge.authority.certificatePem,
    });
    const stream = session.request({ ":authority": "shop.example", ":path": "/h2?x=1" });
    stream.resume();
    await once(stream, "end");
    session.close();
    assert.equal((await lineOf()).path, "/h2");
    lines.length = 0;
    await roundTrip(edge, "shop.example", request("other.example"));
    assert.deepEqual([(await lineOf()).status, lines[0]?.host], [421, "shop.example"]);
  });

  it("has the status and the reference of a body that the connection itself refuses", async () => {
    const chunked = ["Transfer-Encoding: chunked"];
    const head = request("shop.example", "POST / HTTP/1.1", chunked);
    const page = await roundTrip(edge, "shop.example", `${head}not a chunk\r\n`);
    const line = await lineOf();
    assert.equal(line.status, 400);
    assert.ok(page.includes(`reference ${line.reference}`));
  });

  it("reports that a client disconnected before the response was complete", async () => {
    const stalling = await startRawOrigin((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
    });
    edge.hosts.set("slow.example", { originUrl: stalling.url });
    const socket = await connectTo(edge, "slow.example");
    socket.write("GET / HTTP/1.1\r\nhost: slow.example\r\n\r\n");
    await once(socket, "data");
    socket.destroy();
    const line = await lineOf();
    assert.deepEqual([line.status, line.isComplete], [200, false]);
    await stalling.close();
  });
});
