import assert from "node:assert/strict";
import { once } from "node:events";
import { constants } from "node:http2";
import { after, before, describe, it } from "node:test";
import { parseStatus, request, roundTrip } from "@mooring/testing/edge/client";
import { askH2, openH2, readAnswer } from "@mooring/testing/edge/http/h2-client";
import {
  type H2Listener,
  type H2Origin,
  startH2Origin,
} from "@mooring/testing/edge/http/h2-origin";
import { startOrigin } from "@mooring/testing/edge/origin";
import { leafFor, startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

/** Answers with what it received. */
const echo: H2Listener = (stream, headers) => {
  const chunks: Buffer[] = [];
  let trailers = {};
  stream.on("trailers", (received) => {
    trailers = received;
  });
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.on("end", () => {
    const body = Buffer.concat(chunks).toString();
    stream.respond({ ":status": 200, "x-origin": "h2" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "x-sum": "42" }));
    stream.end(JSON.stringify({ headers, body, trailers }));
  });
};

describe("an origin that speaks HTTP/2", () => {
  let edge: TestEdge;
  let origin: H2Origin;
  before(async () => {
    edge = await startTestEdge();
    origin = await startH2Origin(echo);
    edge.hosts.set("shop.example", { originUrl: `${origin.url}/base` });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });

  it("gets the same fields as one that speaks HTTP/1.1", async () => {
    const plain = await startOrigin();
    edge.hosts.set("plain.example", { originUrl: `${plain.url}/base` });
    const lines = [
      "Cookie: a=1",
      "X-A: 1",
      "X-Forwarded-For: 6.6.6.6",
      "Via: 1.1 other",
      "TE: trailers",
      "X_Real_IP: 6.6.6.6",
      "Keep-Alive: 5",
      "X-Hop: 1",
      "Connection: X-Hop",
    ];
    await roundTrip(edge, "plain.example", request("plain.example", "GET /p?q HTTP/1.1", lines));
    const answer = await roundTrip(
      edge,
      "shop.example",
      request("shop.example", "GET /p?q HTTP/1.1", lines),
    );
    const body = answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1);
    const { headers } = JSON.parse(body) as { headers: Record<string, string> };
    const { ":method": method, ":path": path, ":authority": host, ":scheme": scheme } = headers;
    assert.deepEqual([method, path, host, scheme], ["GET", "/base/p?q", "shop.example", "http"]);
    const [received] = plain.received;
    assert.ok(received);
    const named = (fields: object) =>
      Object.entries(fields)
        .filter(([name]) => !name.startsWith(":") && !["host", "connection"].includes(name))
        .map(([name, value]) => `${name}: ${value}`.replaceAll(/plain(?=[.-]example)/g, "shop"))
        .sort();
    assert.deepEqual(named(headers), named(received.headers));
    assert.equal(received.url, path);
    await plain.close();
  });

  it("serves clients of HTTP/1.1: bodies, lengths, trailers, HEAD", async () => {
    const ask = (start: string, lines: readonly string[], body: string) =>
      roundTrip(edge, "shop.example", request("shop.example", start, lines) + body);
    const length = await ask("POST / HTTP/1.1", ["Content-Length: 5"], "hello");
    assert.match(length, /"content-length":"5".*"body":"hello"/s);
    const chunks = "5\r\nhello\r\n0\r\nX-Sent: 7\r\n\r\n";
    const chunked = await ask("POST / HTTP/1.1", ["Transfer-Encoding: chunked"], chunks);
    assert.match(chunked, /"body":"hello".*"x-sent":"7"/s);
    assert.match(chunked, /\r\n0\r\nx-sum: 42\r\n\r\n$/);
    const head = await ask("HEAD / HTTP/1.1", [], "");
    assert.match(head, /^HTTP\/1\.1 200 OK\r\n.*x-origin: h2\r\n.*\r\n\r\n$/s);
  });

  it("ends an answer that is only a head, for clients of both versions", async () => {
    const bare = await startH2Origin((stream) =>
      stream.respond({ ":status": 200, "grpc-status": "5" }, { endStream: true }),
    );
    edge.hosts.set("bare.example", { originUrl: bare.url });
    const answer = await roundTrip(edge, "bare.example", request("bare.example"));
    assert.match(answer, /\r\ncontent-length: 0\r\nconnection: close\r\n\r\n$/);
    const session = await openH2(edge, "bare.example");
    const stream = session.request({ ":path": "/" });
    const [headers, flags] = await once(stream, "response");
    assert.equal(headers["grpc-status"], "5");
    assert.equal(headers["content-length"], undefined);
    assert.equal(flags & constants.NGHTTP2_FLAG_END_STREAM, 1);
    session.destroy();
    await bare.close();
  });

  it("is found by ALPN behind TLS, and one without it gets HTTP/1.1", async () => {
    const tls = await leafFor(edge.authority, { addresses: ["127.0.0.1"] });
    const secure = await startH2Origin(echo, { tls });
    edge.hosts.set("secure.example", { originUrl: secure.url });
    const session = await openH2(edge, "secure.example");
    const both = await Promise.all([1, 2, 3].map(() => askH2(session, {}, "hello")));
    for (const { status, body, trailers } of both) {
      assert.equal(status, 200);
      assert.match(body, /":scheme":"https".*"body":"hello"/);
      assert.equal(trailers["x-sum"], "42");
    }
    assert.equal(secure.connections(), 1);
    const { createServer } = await import("node:https");
    const versions: string[] = [];
    const old = createServer(tls, (received, response) => {
      versions.push(received.httpVersion);
      response.end("old");
    });
    await new Promise<void>((resolve) => old.listen(0, "127.0.0.1", resolve));
    const address = old.address();
    assert.ok(address !== null && typeof address === "object");
    edge.hosts.set("old.example", { originUrl: `https://127.0.0.1:${address.port}` });
    const older = await openH2(edge, "old.example");
    const answers = await Promise.all([1, 2, 3].map(() => askH2(older, {})));
    assert.deepEqual(
      answers.map(({ body }) => body),
      ["old", "old", "old"],
    );
    assert.deepEqual(versions, ["1.1", "1.1", "1.1"]);
    session.destroy();
    older.destroy();
    old.closeAllConnections();
    old.close();
    await secure.close();
  });

  it("carries many requests on one connection, and no more than it allows", async () => {
    const waiting: (() => void)[] = [];
    const perSession = new Map<unknown, number>();
    const few = await startH2Origin(
      (stream) => {
        perSession.set(stream.session, (perSession.get(stream.session) ?? 0) + 1);
        waiting.push(() => stream.respond({ ":status": 204 }, { endStream: true }));
      },
      { settings: { maxConcurrentStreams: 20 } },
    );
    edge.hosts.set("few.example", { originUrl: few.url });
    const session = await openH2(edge, "few.example");
    const answers = Array.from({ length: 60 }, () => askH2(session, {}));
    await until(() => waiting.length === 60);
    assert.deepEqual([...perSession.values()], [20, 20, 20]);
    for (const answer of waiting) answer();
    assert.ok((await Promise.all(answers)).every(({ status }) => status === 204));
    session.destroy();
    await few.close();
  });

  it("gets a reset when the client cancels, before and after its answer has begun", async () => {
    const codes: number[] = [];
    let begun = 0;
    const waiting = await startH2Origin((stream, headers) => {
      begun += 1;
      stream.on("close", () => codes.push(stream.rstCode));
      if (headers[":path"] === "/answer") stream.respond({ ":status": 200 });
    });
    edge.hosts.set("waiting.example", { originUrl: waiting.url });
    const session = await openH2(edge, "waiting.example");
    for (const [index, path] of ["/silent", "/answer"].entries()) {
      const cancelled = session.request({ ":path": path, ":method": "POST" });
      cancelled.on("error", () => undefined);
      const answered = path === "/answer" ? once(cancelled, "response") : null;
      cancelled.write("begun");
      await until(() => begun === index + 1);
      await answered;
      cancelled.close(constants.NGHTTP2_CANCEL);
      await until(() => codes.length === index + 1);
    }
    assert.deepEqual(codes, [constants.NGHTTP2_CANCEL, constants.NGHTTP2_CANCEL]);
    session.destroy();
    await waiting.close();
  });

  it("gets a body only after 100 Continue, its own or the edge's", async () => {
    const informing = await startH2Origin((stream) => {
      stream.additionalHeaders({ ":status": 103, link: "</a.css>" });
      stream.additionalHeaders({ ":status": 100 });
      stream.on("end", () => stream.respond({ ":status": 204 }, { endStream: true }));
      stream.resume();
    });
    edge.hosts.set("continue.example", { originUrl: informing.url });
    const session = await openH2(edge, "continue.example");
    const stream = session.request({ ":path": "/", ":method": "POST", expect: "100-continue" });
    const seen: number[] = [];
    stream.on("headers", (headers) => seen.push(Number(headers[":status"])));
    stream.on("continue", () => stream.end("hello"));
    assert.equal((await readAnswer(stream)).status, 204);
    assert.deepEqual(seen, [103, 100]);
    session.destroy();
    await informing.close();
  });

  it("gets no more requests at once than EDGE_ORIGIN_STREAMS", async () => {
    const small = await startTestEdge({ limits: { originStreams: 5 } });
    const release: (() => void)[] = [];
    const slow = await startH2Origin((stream) => {
      release.push(() => stream.respond({ ":status": 204 }, { endStream: true }));
    });
    small.hosts.set("slow.example", { originUrl: slow.url });
    const session = await openH2(small, "slow.example");
    const answers = Array.from({ length: 8 }, () => askH2(session, {}));
    await until(() => release.length === 5);
    const refused = await Promise.all(answers.slice(5));
    assert.deepEqual(
      refused.map(({ status }) => status),
      [503, 503, 503],
    );
    for (const one of release) one();
    await Promise.all(answers);
    const next = askH2(session, {});
    await until(() => release.length === 6);
    release[5]?.();
    assert.equal((await next).status, 204);
    session.destroy();
    await small.close();
    await slow.close();
  });

  it("is not known by a URL of another scheme", async () => {
    for (const originUrl of ["h2://127.0.0.1", "ftp://127.0.0.1", "h2c:127.0.0.1"]) {
      edge.hosts.set("wrong.example", { originUrl });
      assert.equal(
        parseStatus(await roundTrip(edge, "wrong.example", request("wrong.example"))),
        502,
      );
    }
    assert.match(JSON.stringify(edge.warnings.at(-1)), /http:\/\/, https:\/\/ or h2c:\/\//);
  });
});
