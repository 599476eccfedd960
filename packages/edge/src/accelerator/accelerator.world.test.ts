import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { isResumed, openVisit, openVisitH2, takeSession, visit } from "@mooring/testing/clients/visit";
import {
  type AcceleratedEdge,
  startAcceleratedEdge,
} from "@mooring/testing/edge/accelerated-edge";
import { connectTo, readAll, readUntil, roundTrip } from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { until } from "@mooring/testing/processes/until";

const own = (name: string) => ({ connectionId: `0198c0de-0000-7000-8000-${name.padStart(12, "0")}` });

describe("the accelerator", () => {
  let edge: AcceleratedEdge;
  let origin: TestOrigin;
  before(async () => {
    origin = await startOrigin();
    edge = await startAcceleratedEdge();
  });
  after(async () => {
    await edge?.close();
    await origin.close();
  });
  const ca = (): string => edge.authority.certificatePem;

  it("passes a name that is not promoted to the Node edge, with the visitor's address", async () => {
    edge.hosts.set("quiet.example", { originUrl: origin.url, ...own("1") });
    const page = await visit(edge.httpsPort, "quiet.example", ca(), "127.0.0.77");
    assert.deepEqual(page, { status: 200, body: "origin" });
    assert.equal(origin.received.at(-1)?.headers["x-real-ip"], "127.0.0.77");
    await assert.rejects(visit(edge.httpsPort, "unknown.example", ca()));
  });

  it("gives the origin the same request, promoted or not", async () => {
    edge.hosts.set("same.example", { originUrl: origin.url, ...own("2") });
    const lines = [
      "Accept: text/html",
      "Accept-Language: de, en;q=0.5",
      "Cookie: a=1; b=2",
      "X-Forwarded-For: 192.0.2.1",
      "X-Real-IP: 192.0.2.1",
      "X-Svc-Assertion: forged",
      "X-Svc-Anything: forged",
      "CF-Connecting-IP: 192.0.2.1",
      "Forwarded: for=192.0.2.1",
      "Proxy: http://192.0.2.1",
      "Keep-Alive: timeout=5",
      "X-Custom: kept",
      "Authorization: Bearer abc",
    ].join("\r\n");
    const ask = async (): Promise<Record<string, unknown>> => {
      const socket = await connectTo(edge, "same.example", { localAddress: "127.0.0.78" });
      const answer = readUntil(socket, (text) => text.endsWith("origin"));
      socket.write(`GET /a/%2e%2e/b?c=d&e HTTP/1.1\r\nHost: same.example\r\n${lines}\r\n\r\n`);
      assert.match(await answer, /^HTTP\/1\.1 200 OK\r\n/);
      socket.destroy();
      const { rawHeaders, ...received } = origin.received.at(-1) ?? { rawHeaders: [] };
      return { ...received };
    };
    const slow = await ask();
    await edge.promote("same.example");
    const before = edge.accessLines.length;
    const fast = await ask();
    assert.deepEqual(normal(fast), normal(slow));
    await until(() => edge.accessLines.length > before, "the line of the fast request");
    const line = edge.accessLines.at(-1);
    assert.deepEqual(
      { ...line, reference: "", elapsedMs: 0 },
      {
        reference: "",
        host: "same.example",
        connectionId: own("2").connectionId,
        remoteAddress: "127.0.0.78",
        method: "GET",
        path: "/a/%2e%2e/b",
        status: 200,
        bytes: 6,
        elapsedMs: 0,
        isComplete: true,
      },
    );
    assert.equal(edge.counted.at(-1)?.hostname, "same.example");
    assert.equal(edge.counted.at(-1)?.exchange.bytesOut, 6);
  });
});

/** `connection` says how the edge uses its own connection to the origin. */
function normal(received: Record<string, unknown>): unknown {
  const { connection, ...headers } = received["headers"] as Record<string, string>;
  return { ...received, headers };
}
