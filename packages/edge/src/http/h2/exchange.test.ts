import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Session, connect as connectH2 } from "node:http2";
import { after, before, describe, it } from "node:test";
import { connectTo } from "@mooring/testing/edge/client";
import { askH2 } from "@mooring/testing/edge/http/h2-client";
import { type RawField, type RawFrame, requestFrames } from "@mooring/testing/edge/http/raw-h2";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";

const noError = 0;

function pseudoFields(hostname: string, method: string): readonly RawField[] {
  return [
    [":method", method],
    [":scheme", "https"],
    [":authority", hostname],
    [":path", "/"],
  ];
}

describe("a response over HTTP/2", () => {
  let edge: TestEdge;
  let echo: TestOrigin;
  before(async () => {
    edge = await startTestEdge();
    echo = await startOrigin();
    edge.hosts.set("a.example", { originUrl: echo.url });
  });
  after(async () => {
    await edge.close();
    await echo.close();
  });

  /** The frames of the answer to a request; the origin answers with these bytes, then closes. */
  async function framesFor(answer: string, upload: string | null): Promise<readonly RawFrame[]> {
    const origin = await startRawOrigin((socket) => socket.once("data", () => socket.end(answer)));
    const hostname = `port-${origin.port}.example`;
    edge.hosts.set(hostname, { originUrl: origin.url });
    const socket = await connectTo(edge, hostname, { ALPNProtocols: ["h2"] });
    const fields = pseudoFields(hostname, upload === null ? "GET" : "POST");
    const frames = await requestFrames(socket, fields, upload);
    await origin.close();
    return frames;
  }

  async function open(hostname: string): Promise<ClientHttp2Session> {
    const socket = await connectTo(edge, hostname, { ALPNProtocols: ["h2"] });
    const session = connectH2(`https://${hostname}`, { createConnection: () => socket });
    session.on("error", () => undefined);
    return session;
  }

  const ok = "HTTP/1.1 200 OK\r\n";
  const answers = {
    chunked: `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`,
    "chunked and empty": `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    "ended by the close": `${ok}\r\nhi`,
    "of HTTP/1.0": "HTTP/1.0 200 OK\r\n\r\nhi",
    "of a known length": `${ok}Content-Length: 2\r\n\r\nhi`,
    "without a body": "HTTP/1.1 204 No Content\r\n\r\n",
    "with trailers": `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nx-sum: 1\r\n\r\n`,
  };

  for (const [name, answer] of Object.entries(answers)) {
    it(`ends with END_STREAM and no reset: ${name}`, async () => {
      const frames = await framesFor(answer, null);
      assert.equal(frames.at(-1)?.isEnd, true, JSON.stringify(frames));
      assert.equal(
        frames.at(-1)?.type,
        name === "with trailers" || name === "without a body" ? "headers" : "data",
      );
    });
  }

  it("has the status of the origin, also one that nobody registered", async () => {
    for (const status of [299, 599, 600, 999]) {
      const origin = await startRawOrigin((socket) => {
        const head = `HTTP/1.1 ${status} \r\ncontent-length: 2\r\nx-own: 1\r\n\r\n`;
        socket.on("data", () => void socket.write(`${head}hi`));
      });
      edge.hosts.set("status.example", { originUrl: origin.url });
      const session = await open("status.example");
      const answer = await askH2(session, {});
      assert.deepEqual([answer.status, answer.headers["x-own"], answer.body], [status, "1", "hi"]);
      const head = await askH2(session, { ":method": "HEAD" });
      assert.deepEqual([head.status, head.body], [status, ""]);
      session.destroy();
      await origin.close();
    }
  });

  it("ends before the client is asked to send no more", async () => {
    await Promise.all(
      Object.entries(answers).map(async ([name, answer]) => {
        const frames = await framesFor(answer, "an upload that never ends");
        const [end, reset] = frames.slice(-2);
        assert.equal(end?.isEnd, true, `${name}: ${JSON.stringify(frames)}`);
        assert.deepEqual(reset, { type: "reset", isEnd: false, code: noError });
        if (name === "with trailers") assert.equal(end?.type, "headers");
      }),
    );
  });

  it("can come early to a client that sends its whole request all the same", async () => {
    const origin = await startRawOrigin((socket) => {
      socket.once("data", () => socket.write(answers["with trailers"]));
    });
    edge.hosts.set("early.example", { originUrl: origin.url });
    const session = await open("early.example");
    const stream = session.request({ ":method": "POST", ":path": "/" });
    stream.write("some");
    await once(stream, "response");
    const trailers = once(stream, "trailers");
    const closed = once(stream, "close");
    // More than the window of a stream.
    for (let index = 0; index < 32; index += 1) stream.write(Buffer.alloc(65_536));
    stream.end();
    let body = "";
    for await (const chunk of stream) body += String(chunk);
    await closed;
    assert.deepEqual([body, (await trailers)[0]["x-sum"], stream.rstCode], ["hi", "1", noError]);
    session.destroy();
    await origin.close();
  });

  it("keeps repeated fields apart", async () => {
    const origin = await startRawOrigin((socket) => {
      socket.once("data", () => {
        socket.end(
          "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nStrict-Transport-Security: max-age=1\r\n" +
            "Strict-Transport-Security: max-age=2\r\nETag: a\r\nETag: b\r\n\r\nok",
        );
      });
    });
    edge.hosts.set("twice.example", { originUrl: origin.url });
    const session = await open("twice.example");
    const stream = session.request({ ":path": "/" });
    const [, , raw] = await once(stream.resume(), "response");
    const values = (name: string) =>
      (raw as string[]).filter((_, at) => at % 2 === 1 && raw[at - 1] === name);
    assert.deepEqual(values("strict-transport-security"), ["max-age=1", "max-age=2"]);
    assert.deepEqual(values("etag"), ["a", "b"]);
    assert.equal(values("date").length, 1);
    session.destroy();
    await origin.close();
  });

  it("is 431 for a head that is too large once decoded, also before the limit is acknowledged", async () => {
    const received = echo.received.length;
    const large = [
      { "x-a": "b".repeat(17_000) },
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x-${index}`, "1"])),
      { cookie: Array.from({ length: 400 }, (_, index) => `name-${index}=${"v".repeat(40)}`) },
    ];
    for (const headers of large) {
      const session = await open("a.example");
      for (const when of ["at once", "acknowledged"]) {
        const stream = session.request({ ":path": "/", ...headers });
        const [response] = await once(stream.resume(), "response");
        assert.equal(response[":status"], 431, when);
        assert.match(response["x-svc-reference"], /^[0-9a-f]{12}$/);
        await once(stream, "end");
      }
      session.destroy();
    }
    // The same entry of the dynamic table, a byte each on the wire: 3 KB become 600.
    const socket = await connectTo(edge, "a.example", { ALPNProtocols: ["h2"] });
    const field = ["x-a", "b".repeat(3_000)] as const;
    const frames = await requestFrames(socket, pseudoFields("a.example", "GET"), null, {
      field,
      times: 200,
    });
    assert.deepEqual([frames[0]?.type, frames.at(-1)?.isEnd], ["headers", true]);
    assert.equal(echo.received.length, received);
    assert.deepEqual(
      edge.refusals.map((line) => "status" in line && line.status),
      Array.from({ length: large.length * 2 + 1 }, () => 431),
    );
  });

  it("comes for 250 fields and 300 crumbs of a cookie, which are one field", async () => {
    const session = await open("a.example");
    const crumbs = Array.from({ length: 300 }, (_, index) => `c${index}=1`);
    const fields = Array.from({ length: 250 }, (_, index) => [`x-${index}`, "1"]);
    const stream = session.request({
      ":path": "/crumbs",
      cookie: crumbs,
      ...Object.fromEntries(fields),
    });
    const [response] = await once(stream.resume(), "response");
    assert.equal(response[":status"], 200);
    assert.equal(echo.received.at(-1)?.headers.cookie, crumbs.join("; "));
    session.destroy();
  });

  it("does not come for trailers that are too large", async () => {
    const session = await open("a.example");
    const received = echo.received.length;
    const stream = session.request({ ":method": "POST", ":path": "/" }, { waitForTrailers: true });
    stream.on("error", () => undefined);
    stream.on("wantTrailers", () => stream.sendTrailers({ "x-a": "b".repeat(17_000) }));
    const closed = new Promise<void>((resolve) => stream.on("close", () => resolve()));
    stream.end("hi");
    await closed;
    assert.notEqual(stream.rstCode, noError);
    assert.equal(echo.received.length, received);
    session.destroy();
  });
});
