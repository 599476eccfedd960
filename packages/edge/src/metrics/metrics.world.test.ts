import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect as connectH2 } from "node:http2";
import { after, before, describe, it } from "node:test";
import { connectTo, readUntil, request, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import { createClusterMetrics, metricsMessage } from "./cluster-metrics.ts";
import { createCertificateStats, createEdgeRegistry } from "./metrics.ts";

describe("the metrics of real traffic", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge({ metricApplications: 2 });
    origin = await startOrigin();
    edge.hosts.set("shop.example", { originUrl: origin.url, applicationId: "shop" });
    edge.hosts.set("blog.example", { originUrl: origin.url, applicationId: "blog" });
    edge.hosts.set("third.example", { originUrl: origin.url, applicationId: "third" });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  /** As the process that starts the workers reports it. */
  async function metricsText(): Promise<string> {
    const cluster = createClusterMetrics(1);
    const { stats } = edge;
    const certificates = createCertificateStats();
    const hosts = { size: edge.hosts.size, isInMemory: () => false, takeovers: () => 0 };
    const registry = createEdgeRegistry({ stats, certificates, hosts });
    cluster.receive("worker", await metricsMessage(registry));
    return await cluster.metricsText();
  }

  async function value(name: string): Promise<number> {
    const line = (await metricsText()).split("\n").find((one) => one.startsWith(`${name} `));
    return Number(line?.split(" ").at(-1) ?? Number.NaN);
  }

  it("tell applications apart by status class, bytes and time, over both protocols", async () => {
    const body = ["Content-Length: 5"];
    const post = request("shop.example", "POST / HTTP/1.1", body);
    await roundTrip(edge, "shop.example", `${post}12345`);
    await roundTrip(edge, "shop.example", request("shop.example", "GET / HTTP/1.1", ["X A: b"]));
    await roundTrip(edge, "shop.example", request("other.example"));
    const session = connectH2(`https://127.0.0.1:${edge.httpsPort}`, {
      servername: "blog.example",
      ca: edge.authority.certificatePem,
    });
    const stream = session.request({ ":authority": "blog.example", ":path": "/" });
    stream.resume();
    await once(stream, "end");
    session.close();
    await roundTrip(edge, "third.example", request("third.example"));
    const requests = "mooring_edge_application_requests_total";
    assert.equal(await value(`${requests}{application="shop",status="2xx"}`), 1);
    // One could not be read, the other asked for another host.
    assert.equal(await value(`${requests}{application="shop",status="4xx"}`), 2);
    assert.equal(await value(`${requests}{application="blog",status="2xx"}`), 1);
    assert.equal(await value(`${requests}{application="other",status="2xx"}`), 1);
    const bytes = "mooring_edge_application_body_bytes_total";
    assert.equal(await value(`${bytes}{application="shop",direction="received"}`), 5);
    assert.equal(await value(`${bytes}{application="blog",direction="sent"}`), "origin".length);
    const times = "mooring_edge_application_request_seconds";
    assert.equal(await value(`${times}_count{application="shop"}`), 2);
    assert.equal(await value(`${times}_bucket{le="+Inf",application="blog"}`), 1);
    assert.ok((await value(`${times}_sum{application="blog"}`)) > 0);
    const origins = "mooring_edge_application_origin_seconds";
    assert.equal(await value(`${origins}_count{application="shop"}`), 1);
  });

  it("count the bytes of a WebSocket in both directions when it has closed", async () => {
    const echo = await startRawOrigin((socket) => {
      socket.once("data", () => {
        socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n");
        socket.write("connection: upgrade\r\nsec-websocket-accept: x\r\n\r\n");
        socket.on("data", (chunk: Buffer) => socket.write(Buffer.concat([chunk, chunk])));
      });
    });
    edge.hosts.set("ws.example", { originUrl: echo.url, applicationId: "shop" });
    const before = await value(
      'mooring_edge_application_body_bytes_total{application="shop",direction="received"}',
    );
    const socket = await connectTo(edge, "ws.example");
    socket.write(
      "GET / HTTP/1.1\r\nHost: ws.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    await readUntil(socket, (text) => text.includes("\r\n\r\n"));
    socket.write("x".repeat(1_000));
    await readUntil(socket, (text) => text.length >= 2_000);
    socket.destroy();
    const received = (): number => edge.stats.applications.of("shop").receivedBytes;
    await until(() => received() >= before + 1_000);
    assert.ok(received() < before + 1_100, String(received()));
    assert.equal(edge.stats.applications.of("shop").requests["1xx"], 1);
    await echo.close();
  });

  it("count handshakes by result", async () => {
    await assert.rejects(connectTo(edge, "unknown.example"));
    const results = "mooring_edge_handshake_seconds_count";
    assert.equal(await value(`${results}{result="unknown_name",resumed="false"}`), 1);
    assert.ok((await value(`${results}{result="completed",resumed="false"}`)) >= 5);
    assert.equal(await value(`${results}{result="completed",resumed="true"}`), 0);
  });

  it("are what Prometheus' own tool reads without a complaint", async () => {
    const input = await metricsText();
    const { status, stdout, stderr } = spawnSync("/usr/bin/promtool", ["check", "metrics"], {
      input,
      encoding: "utf8",
    });
    assert.equal(status, 0, stdout + stderr);
  });
});
