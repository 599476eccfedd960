import assert from "node:assert/strict";
import { once } from "node:events";
import { constants } from "node:http2";
import type { Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { connectTo, readAll, readUntil, request, roundTrip } from "@mooring/testing/edge/client";
import { askH2, openH2, readAnswer, readResetCode } from "@mooring/testing/edge/http/h2-client";
import { frames, startRawH2Origin } from "@mooring/testing/edge/http/raw-h2-origin";
import { startOrigin, startRawOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

const mebibyte = 1_048_576;

interface WastefulOrigin {
  readonly url: string;
  /** Bytes that the edge has taken, or that wait for it in the system. */
  readonly sent: () => number;
  close(): Promise<void>;
}

/** Sends the bytes again and again, as fast as they are read; `head` before them. */
async function startFlood(
  protocol: "http/1.1" | "h2",
  bytes: (stream: number) => Buffer,
  head: (stream: number) => Buffer = () => Buffer.alloc(0),
): Promise<WastefulOrigin> {
  let sent = 0;
  const flood = (socket: Socket, stream: number): void => {
    const again = bytes(stream);
    // Over HTTP/2 less than the window of a stream in one-byte frames: no flow control helps.
    const most = protocol === "h2" ? 2 * mebibyte : 256 * mebibyte;
    let own = 0;
    const fill = (): void => {
      while (!socket.destroyed && own < most) {
        own += again.length;
        sent += again.length;
        if (!socket.write(again)) return;
      }
    };
    socket.on("drain", fill);
    socket.write(head(stream));
    fill();
  };
  const origin =
    protocol === "h2"
      ? await startRawH2Origin(({ socket, stream }) => flood(socket, stream))
      : await startRawOrigin((socket) => void socket.once("data", () => flood(socket, 0)));
  return { ...origin, sent: () => sent };
}

const hints = {
  "http/1.1": () => Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n".repeat(100)),
  h2: (stream: number) =>
    Buffer.concat(
      Array.from({ length: 100 }, () =>
        frames.headers(stream, [
          [":status", "103"],
          ["link", "</a.css>"],
        ]),
      ),
    ),
} as const;

const crumbs = {
  "http/1.1": () => Buffer.from("1\r\nx\r\n".repeat(1_000)),
  h2: (stream: number) => Buffer.concat(Array(1_000).fill(frames.data(stream, "x"))),
} as const;

const heads = {
  "http/1.1": () => Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"),
  h2: (stream: number) => frames.headers(stream, [[":status", "200"]]),
} as const;

const protocols = ["http/1.1", "h2"] as const;

for (const protocol of protocols) {
  describe(`an origin over ${protocol} that informs for ever`, () => {
    let edge: TestEdge;
    let origin: WastefulOrigin;
    before(async () => {
      edge = await startTestEdge();
      origin = await startFlood(protocol, hints[protocol]);
      edge.hosts.set("hints.example", { originUrl: origin.url });
    });
    after(async () => {
      await edge.close();
      await origin.close();
    });

    it("gets its visitors 502, over both protocols, and is counted", async () => {
      const answer = await roundTrip(edge, "hints.example", request("hints.example"));
      assert.equal(answer.match(/^HTTP\/1\.1 103 /gm)?.length, 32);
      assert.match(answer, /\r\n\r\nHTTP\/1\.1 502 /);
      const session = await openH2(edge, "hints.example");
      const stream = session.request({ ":path": "/" });
      let informed = 0;
      stream.on("headers", () => {
        informed += 1;
      });
      assert.equal((await readAnswer(stream)).status, 502);
      assert.equal(informed, 32);
      session.destroy();
      assert.equal(edge.stats.wasteful.informational, 2);
    });

    it("is stopped for a visitor who does not read", async () => {
      const before = origin.sent();
      const socket = await connectTo(edge, "hints.example");
      socket.pause();
      socket.write(request("hints.example"));
      await until(() => origin.sent() > before);
      await settled(origin.sent);
      assert.ok(origin.sent() - before < 32 * mebibyte, `${origin.sent()} bytes`);
      assert.equal(edge.stats.wasteful.informational, 3);
      socket.destroy();
    });
  });

  describe(`an origin over ${protocol} that sends its content in crumbs`, () => {
    let edge: TestEdge;
    before(async () => {
      edge = await startTestEdge();
    });
    after(() => edge.close());

    it("is cut when it never ends, for visitors over both protocols", async () => {
      const origin = await startFlood(protocol, crumbs[protocol], heads[protocol]);
      edge.hosts.set("endless.example", { originUrl: origin.url });
      const answer = await roundTrip(edge, "endless.example", request("endless.example"));
      assert.match(answer, /^HTTP\/1\.1 200 /);
      assert.doesNotMatch(answer, /\r\n0\r\n\r\n$/);
      const session = await openH2(edge, "endless.example");
      assert.notEqual(await readResetCode(session), 0);
      session.destroy();
      assert.equal(edge.stats.wasteful.framing, 2);
      assert.ok(origin.sent() < 64 * mebibyte, `${origin.sent()} bytes`);
      await origin.close();
    });

    it("waits for a visitor who does not read", async () => {
      // As many bytes of content as of framing: no budget ends it.
      const fair = {
        "http/1.1": () => Buffer.from("5\r\nhello\r\n".repeat(1_000)),
        h2: (stream: number) => Buffer.concat(Array(1_000).fill(frames.data(stream, "crumbling"))),
      } as const;
      const origin = await startFlood(protocol, fair[protocol], heads[protocol]);
      edge.hosts.set("unread.example", { originUrl: origin.url });
      const sockets = await Promise.all(
        Array.from({ length: 4 }, () => connectTo(edge, "unread.example")),
      );
      for (const socket of sockets) {
        socket.pause();
        socket.write(request("unread.example"));
      }
      await settled(origin.sent);
      assert.ok(origin.sent() < 200 * mebibyte, `${origin.sent()} bytes`);
      for (const socket of sockets) socket.destroy();
      await origin.close();
    });

    it("has the crumbs of one read joined", async () => {
      const text = "crumbs".repeat(200);
      const pieces = {
        "http/1.1": () =>
          Buffer.from(`${[...text].map((one) => `1\r\n${one}\r\n`).join("")}0\r\n\r\n`),
        h2: (stream: number) =>
          Buffer.concat([
            ...[...text].map((one) => frames.data(stream, one)),
            frames.data(stream, "", true),
          ]),
      } as const;
      const send = (socket: Socket, stream: number): void => {
        socket.write(Buffer.concat([heads[protocol](stream), pieces[protocol](stream)]));
      };
      const origin =
        protocol === "h2"
          ? await startRawH2Origin(({ socket, stream }) => send(socket, stream))
          : await startRawOrigin((socket) => void socket.on("data", () => send(socket, 0)));
      edge.hosts.set("joined.example", { originUrl: origin.url });
      const answer = await roundTrip(edge, "joined.example", request("joined.example"));
      const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
      const chunks = body.split("\r\n").filter((line) => /^[0-9a-f]+$/.test(line));
      assert.ok(chunks.length <= 12, `${chunks.length} chunks`);
      const session = await openH2(edge, "joined.example");
      assert.equal((await askH2(session, {})).body, text);
      session.destroy();
      await origin.close();
    });
  });
}

describe("an origin with good reasons", () => {
  let edge: TestEdge;
  before(async () => {
    edge = await startTestEdge();
  });
  after(() => edge.close());

  it("may inform some times, and send a page of one-byte chunks and small events", async () => {
    const event = "data: 1\n\n";
    const events = event.repeat(3_000);
    const page = "p".repeat(200_000);
    const origin = await startOrigin((incoming, response) => {
      for (let number = 0; number < 20; number += 1) response.writeProcessing();
      const pieces = incoming.url === "/events" ? Array(3_000).fill(event) : page.split("");
      for (const piece of pieces) response.write(piece);
      response.end();
    });
    edge.hosts.set("small.example", { originUrl: origin.url });
    const session = await openH2(edge, "small.example");
    assert.equal((await askH2(session, { ":path": "/events" })).body, events);
    assert.equal((await askH2(session, { ":path": "/" })).body, page);
    assert.deepEqual(edge.stats.wasteful, { informational: 0, framing: 0 });
    session.destroy();
    await origin.close();
  });
});

describe("a visitor who expects 100 (Continue)", () => {
  it("gets it while no origin is connected yet, and then the origin gets the body", async (context) => {
    const edge = await startTestEdge({ limits: { continueAfterMs: 20, originConnectMs: 60_000 } });
    // Over HTTP/2 an origin is connected when it has sent its settings.
    const begin = Promise.withResolvers<void>();
    const bodies: string[] = [];
    const origin = await startRawOrigin((socket) => {
      void begin.promise.then(() => socket.write(frames.settings()));
      let text = "";
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1");
        for (let at = text.indexOf("hello"); at !== -1; at = text.indexOf("hello")) {
          text = text.slice(at + 5);
          bodies.push("hello");
          socket.write(frames.headers(bodies.length * 2 - 1, [[":status", "200"]], true));
        }
      });
    });
    context.after(async () => {
      await edge.close();
      await origin.close();
    });
    edge.hosts.set("slow.example", { originUrl: `h2c://127.0.0.1:${origin.port}` });
    const lines = ["Expect: 100-continue", "Content-Length: 5"];
    const socket = await connectTo(edge, "slow.example");
    const go = readUntil(socket, (text) => text.includes("\r\n\r\n"));
    socket.write(request("slow.example", "POST / HTTP/1.1", lines));
    assert.match(await go, /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    const session = await openH2(edge, "slow.example");
    const stream = session.request({ ":method": "POST", ":path": "/", expect: "100-continue" });
    await once(stream, "continue");
    const answers = [readAll(socket), readAnswer(stream)] as const;
    socket.write("hello");
    stream.end("hello");
    begin.resolve();
    assert.match(await answers[0], /^HTTP\/1\.1 200 /);
    assert.equal((await answers[1]).status, 200);
    assert.deepEqual(bodies, ["hello", "hello"]);
    session.destroy();
  });
});

/** Waits until a number has stopped to grow. */
async function settled(value: () => number): Promise<void> {
  let last = -1;
  let since = performance.now();
  await until(() => {
    if (value() !== last) {
      last = value();
      since = performance.now();
    }
    return performance.now() - since > 400;
  });
}

describe("an origin over h2 that sends empty DATA frames for ever", () => {
  it("is cut by the runtime, which takes a thousand of them", async () => {
    const edge = await startTestEdge();
    const empty = (stream: number) => Buffer.concat(Array(1_000).fill(frames.data(stream, "")));
    const origin = await startFlood("h2", empty, heads.h2);
    edge.hosts.set("empty.example", { originUrl: origin.url });
    try {
      const session = await openH2(edge, "empty.example");
      assert.equal(await readResetCode(session), constants.NGHTTP2_INTERNAL_ERROR);
      session.destroy();
    } finally {
      await edge.close();
      await origin.close();
    }
  });
});
