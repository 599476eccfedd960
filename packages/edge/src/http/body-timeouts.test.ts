import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientHttp2Session, connect as connectH2 } from "node:http2";
import { describe, it, type TestContext } from "node:test";
import { connectTo, parseStatus, readAll, readUntil } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { shiftClock } from "@mooring/testing/edge/shifted-clock";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

interface World {
  readonly edge: TestEdge;
  readonly origin: TestOrigin;
  readonly advance: (ms: number) => Promise<void>;
}

async function start(context: TestContext): Promise<World> {
  const edge = await startTestEdge();
  const origin = await startOrigin();
  edge.hosts.set("a.example", { originUrl: origin.url });
  const { advance } = shiftClock(context, edge);
  context.after(async () => {
    await edge.close();
    await origin.close();
  });
  return { edge, origin, advance };
}

async function openH2(edge: TestEdge): Promise<ClientHttp2Session> {
  const socket = await connectTo(edge, "a.example", { ALPNProtocols: ["h2"] });
  const session = connectH2("https://a.example", { createConnection: () => socket });
  session.on("error", () => undefined);
  return session;
}

async function answerOf(stream: ReturnType<ClientHttp2Session["request"]>) {
  const [headers] = await once(stream, "response");
  let body = "";
  for await (const chunk of stream) body += String(chunk);
  return { status: Number(headers[":status"]), headers, body };
}

const upload =
  "POST /up HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\nContent-Length: 10\r\n";

describe("the body of a request", () => {
  it("is not measured by the age of its HTTP/2 connection, nor by other streams", async (context) => {
    const { edge, origin, advance } = await start(context);
    const session = await openH2(edge);
    const first = session.request({ ":path": "/" });
    assert.equal((await answerOf(first)).status, 200);
    await advance(50_000);
    const slow = session.request({ ":method": "POST", ":path": "/slow" });
    slow.write("a");
    await until(() => origin.begun() === 2, "the second request at the origin");
    await advance(9_000);
    const other = session.request({ ":method": "POST", ":path": "/other" });
    other.write("b");
    await until(() => origin.begun() === 3, "the third request at the origin");
    await advance(9_000);
    for (const stream of [slow, other]) {
      stream.end("c");
      assert.equal((await answerOf(stream)).status, 200);
    }
    assert.deepEqual(
      origin.received.map(({ body }) => body),
      ["", "ac", "bc"],
    );
    session.destroy();
  });

  it("may stall for less than a minute, over both protocols", async (context) => {
    const { edge, origin, advance } = await start(context);
    const socket = await connectTo(edge, "a.example");
    const answer = readAll(socket);
    socket.write(`${upload}\r\n12345`);
    const session = await openH2(edge);
    const stream = session.request({ ":method": "POST", ":path": "/h2" });
    stream.write("12345");
    await until(() => origin.begun() === 2, "both requests at the origin");
    await advance(20_000);
    await advance(35_000);
    socket.write("67890");
    stream.end("67890");
    assert.equal(parseStatus(await answer), 200);
    assert.equal((await answerOf(stream)).status, 200);
    assert.deepEqual(
      origin.received.map(({ body }) => body),
      ["1234567890", "1234567890"],
    );
    session.destroy();
  });

  it("that stalls for longer gets 408 with a reference that is in the log", async (context) => {
    const { edge, origin, advance } = await start(context);
    const socket = await connectTo(edge, "a.example");
    const text = readAll(socket);
    socket.write(`${upload}\r\n12345`);
    const session = await openH2(edge);
    const stream = session.request({ ":method": "POST", ":path": "/h2" });
    stream.write("12345");
    const answer = answerOf(stream);
    await until(() => origin.begun() === 2, "both requests at the origin");
    // Each counts from when it is first read.
    while (edge.refusals.length < 2) await advance(31_000);
    const references = [
      /x-svc-reference: ([0-9a-f]+)\r\n/.exec(await text)?.[1],
      (await answer).headers["x-svc-reference"],
    ];
    assert.equal(parseStatus(await text), 408);
    assert.equal((await answer).status, 408);
    assert.match((await answer).body, new RegExp(`reference ${references[1]}`));
    for (const reference of references) {
      assert.ok(edge.refusals.some((line) => "reference" in line && line.reference === reference));
    }
    session.destroy();
  });

  it("waits for 100 (Continue) without a limit, and gets it from the edge if not from the origin", async (context) => {
    const edge = await startTestEdge({ limits: { continueAfterMs: 20 } });
    const { advance } = shiftClock(context, edge);
    // Ignores the expectation and waits for the body.
    let text = "";
    const origin = await startRawOrigin((socket) => {
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        if (text.endsWith("hello")) socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      });
    });
    edge.hosts.set("a.example", { originUrl: origin.url });
    const expect = `${upload.replace("10", "5")}Expect: 100-continue\r\n\r\n`;
    const socket = await connectTo(edge, "a.example");
    const go = readUntil(socket, (text) => text.includes("\r\n\r\n"));
    socket.write(expect);
    assert.match(await go, /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    await until(() => text.includes("\r\n\r\n"), "the request at the origin");
    await advance(50_000);
    const answer = readAll(socket);
    socket.write("hello");
    assert.equal(parseStatus(await answer), 200);
    await edge.close();
    await origin.close();
  });

  it("is not lost while a slow origin decides about an expectation", async (context) => {
    const edge = await startTestEdge({ limits: { continueAfterMs: 600_000 } });
    const { advance } = shiftClock(context, edge);
    const decide = Promise.withResolvers<() => void>();
    const origin = await startOrigin();
    const slow = await startRawOrigin((socket) => {
      socket.once("data", () =>
        decide.resolve(() => socket.write("HTTP/1.1 100 Continue\r\n\r\n")),
      );
      socket.on("data", (chunk: Buffer) => {
        if (chunk.toString().endsWith("hello"))
          socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      });
    });
    edge.hosts.set("a.example", { originUrl: slow.url });
    const socket = await connectTo(edge, "a.example");
    const go = readUntil(socket, (text) => text.includes("\r\n\r\n"));
    socket.write(`${upload.replace("10", "5")}Expect: 100-continue\r\n\r\n`);
    const proceed = await decide.promise;
    await advance(100_000);
    proceed();
    assert.match(await go, /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    const answer = readAll(socket);
    socket.write("hello");
    assert.equal(parseStatus(await answer), 200);
    await edge.close();
    await origin.close();
    await slow.close();
  });
});

describe("the response of an origin", () => {
  it("may begin two minutes after the request, and no later", async (context) => {
    const edge = await startTestEdge();
    const { advance } = shiftClock(context, edge);
    const asked: (() => void)[] = [];
    const origin = await startOrigin((_request, response) => {
      asked.push(() => response.end("at last"));
    });
    edge.hosts.set("a.example", { originUrl: origin.url });
    const poll = async () => {
      const socket = await connectTo(edge, "a.example");
      const answer = readAll(socket);
      socket.write("GET / HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n");
      return answer;
    };
    const first = poll();
    await until(() => asked.length === 1);
    await advance(115_000);
    asked[0]?.();
    assert.match(await first, /at last/);
    const second = poll();
    await until(() => asked.length === 2);
    await advance(121_000);
    assert.equal(parseStatus(await second), 504);
    await edge.close();
    await origin.close();
  });

  it("with server-sent events may be silent for ten minutes", async (context) => {
    const edge = await startTestEdge();
    const { advance } = shiftClock(context, edge);
    const step = { next: () => undefined as undefined };
    const origin = await startOrigin((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
      step.next = () => void response.write("data: 2\n\n") as undefined;
    });
    edge.hosts.set("a.example", { originUrl: origin.url });
    const socket = await connectTo(edge, "a.example");
    const first = readUntil(socket, (text) => text.includes("data: 1"));
    socket.write("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n");
    await first;
    await advance(590_000);
    const second = readUntil(socket, (text) => text.includes("data: 2"));
    step.next();
    await second;
    const closed = readAll(socket);
    await advance(601_000);
    await closed;
    await edge.close();
    await origin.close();
  });
});
