import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectH2 } from "node:http2";
import { describe, it } from "node:test";
import {
  connectPlain,
  connectTo,
  parseStatus,
  readAll,
  request,
  roundTrip,
} from "@mooring/testing/edge/client";
import { startTestEdge } from "@mooring/testing/edge/test-edge";

/** Requests that the edge answers itself, over HTTP/1.1. */
const refused: readonly (readonly [status: number, reason: string, bytes: string])[] = [
  [400, "field", request("a.example", "GET / HTTP/1.1", ["X A: b"])],
  [400, "host", request("a_b", "GET / HTTP/1.1")],
  [404, "the host has no origin", request("a.example")],
  [405, "method", request("a.example", "TRACE / HTTP/1.1")],
  [417, "expect", request("a.example", "GET / HTTP/1.1", ["Expect: cookies"])],
  [421, "another host than in the handshake", request("b.example")],
  [431, "head size", request("a.example", "GET / HTTP/1.1", [`X-A: ${"b".repeat(17_000)}`])],
  [505, "version", request("a.example", "GET / HTTP/1.2")],
];

describe("a request that the edge answers itself", () => {
  it("has one reference: on the page, in the header and in the log", async (context) => {
    const edge = await startTestEdge({ limits: { headMs: 300 } });
    context.after(() => edge.close());
    edge.hosts.set("a.example");
    for (const [status, reason, bytes] of refused) {
      const answer = await roundTrip(edge, "a.example", bytes);
      assert.equal(parseStatus(answer), status);
      assert.match(answer, /\r\ndate: [^\r]+ GMT\r\n/);
      const reference = /\r\nx-svc-reference: ([0-9a-f]{12})\r\n/.exec(answer)?.[1];
      assert.match(answer, new RegExp(`${status} · reference ${reference}`.replace("·", ".{1,2}")));
      const line = edge.refusals.pop();
      const host = reason === "host" ? "a_b" : status === 421 ? "b.example" : "a.example";
      assert.deepEqual(line, { status, reason, host, remoteAddress: "127.0.0.1", reference });
      assert.equal(edge.stats.answered.get(status), status === 400 && reason === "host" ? 2 : 1);
    }
    const slow = await connectTo(edge, "a.example");
    const answer = readAll(slow);
    slow.write("GET / HTTP/1.1\r\nHost: a.ex");
    assert.match(await answer, /^HTTP\/1\.1 408 Request Timeout\r\n[\s\S]*x-svc-reference: /);
    assert.equal(edge.refusals.length, 1);
  });

  it("has one for a challenge that nobody asked for, and on the port without TLS", async (context) => {
    const edge = await startTestEdge();
    context.after(() => edge.close());
    edge.hosts.set("a.example");
    const challenge = "GET /.well-known/acme-challenge/nothing HTTP/1.1";
    const secured = await roundTrip(edge, "a.example", request("a.example", challenge));
    const plain = async (bytes: string): Promise<string> => {
      const socket = await connectPlain(edge.httpPort);
      const answer = readAll(socket);
      socket.write(bytes);
      return await answer;
    };
    const answers = [
      [secured, 404, "no such challenge"],
      [await plain(request("a.example", challenge)), 404, "no such challenge"],
      [await plain(request("b.example")), 421, "unknown host"],
      [await plain(request("a_b")), 400, "host"],
      [await plain(request("a.example", "GET / HTTP/9.9")), 505, "version"],
    ] as const;
    assert.equal(edge.refusals.length, answers.length);
    for (const [index, [answer, status, reason]] of answers.entries()) {
      const line: { reference?: string; reason?: string } = edge.refusals[index] ?? {};
      assert.deepEqual([parseStatus(answer), line.reason], [status, reason]);
      assert.match(answer, new RegExp(`x-svc-reference: ${line.reference}`));
      assert.match(answer, new RegExp(`reference ${line.reference}<`));
    }
  });

  it("has one over HTTP/2 as well", async (context) => {
    const edge = await startTestEdge();
    context.after(() => edge.close());
    edge.hosts.set("a.example");
    const socket = await connectTo(edge, "a.example", { ALPNProtocols: ["h2"] });
    const session = connectH2("https://a.example", { createConnection: () => socket });
    for (const [headers, status] of [
      [{ ":path": "/", expect: "cookies" }, 417],
      [{ ":path": "/", ":authority": "a.example", host: "b.example" }, 400],
      [{ ":path": "/", "x-a": "b".repeat(17_000) }, 431],
      [{ ":method": "HEAD", ":path": "/", "x-a": "b".repeat(17_000) }, 431],
    ] as const) {
      const stream = session.request(headers);
      const [response] = await once(stream, "response");
      let page = "";
      for await (const chunk of stream) page += String(chunk);
      assert.equal(response[":status"], status);
      const line = edge.refusals.pop() ?? {};
      assert.equal("reference" in line && line.reference, response["x-svc-reference"]);
      assert.equal(
        page.includes(`reference ${response["x-svc-reference"]}`),
        !(":method" in headers),
      );
    }
    session.destroy();
  });
});
