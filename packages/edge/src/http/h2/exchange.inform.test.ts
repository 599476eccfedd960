import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, it } from "node:test";
import { openH2, readAnswer } from "@mooring/testing/edge/http/h2-client";
import { frame, literal } from "@mooring/testing/edge/http/raw-h2";
import { startRawOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import { defaultLimits } from "../../config/limits.ts";
import { headFromStream } from "../request-head.ts";
import { H2Exchange } from "./exchange.ts";

const preface = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frame(4, 0, 0, Buffer.alloc(0)),
]);

const get = Buffer.concat(
  [
    [":method", "GET"],
    [":scheme", "http"],
    [":authority", "a.example"],
    [":path", "/"],
  ].map(([name = "", value = ""]) => literal([name, value])),
);

/** One stream of a client that sends raw frames and reads only when it is asked to. */
async function openStream(): Promise<{
  readonly stream: ServerHttp2Stream;
  readonly exchange: H2Exchange;
  readonly client: Socket;
  close(): void;
}> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect(port, "127.0.0.1");
  client.on("error", () => undefined);
  client.pause();
  const opened = once(server, "stream");
  client.write(Buffer.concat([preface, frame(1, 5, 1, get)]));
  const [stream, , , raw] = await opened;
  stream.on("error", () => undefined);
  const head = headFromStream(raw, true, defaultLimits);
  assert.ok("method" in head);
  const exchange = new H2Exchange(head, stream, {
    remoteAddress: "127.0.0.1",
    limits: defaultLimits,
    closeAfter: () => undefined,
  });
  return {
    stream,
    exchange,
    client,
    close() {
      client.destroy();
      stream.session?.destroy();
      server.close();
    },
  };
}

describe("informational responses over HTTP/2", () => {
  it("ask for a pause when the client reads nothing, and resume when it reads", async () => {
    const { exchange, client, close } = await openStream();
    let drains = 0;
    exchange.listen({
      onDrain: () => {
        drains += 1;
      },
      onClosed: () => undefined,
    });
    const link = ["link", "x".repeat(15_000)];
    let informed = 0;
    // In ticks of their own, so that each may leave before the next.
    while (informed < 5_000 && (drains > 0 || exchange.inform(103, link))) {
      informed += 1;
      drains = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(informed < 5_000, `${informed} were taken`);
    assert.notEqual(exchange.stalledSince, null);
    exchange.checkQueue();
    assert.deepEqual([drains, exchange.stalledSince === null], [0, false]);
    client.resume();
    await until(() => {
      exchange.checkQueue();
      return drains === 1;
    });
    assert.equal(exchange.stalledSince, null);
    close();
  });

  it("are no error after the response, after a reset, or with fields that HTTP/2 forbids", async () => {
    const first = await openStream();
    first.exchange.respond({ status: 200, reason: "", fields: [], length: null, hasBody: true });
    assert.equal(first.exchange.inform(103, []), true);
    first.close();

    const second = await openStream();
    second.client.write(frame(3, 0, 1, Buffer.from([0, 0, 0, 8])));
    await once(second.stream, "close");
    assert.equal(second.exchange.inform(103, []), true);
    second.close();

    const third = await openStream();
    let isClosed = false;
    third.exchange.listen({
      onDrain: () => undefined,
      onClosed: () => {
        isClosed = true;
      },
    });
    third.exchange.inform(103, ["connection", "keep-alive"]);
    assert.equal(isClosed, true);
    third.close();
  });

  it("reach a visitor without the fields of a hop or of framing", async () => {
    const edge = await startTestEdge();
    const origin = await startRawOrigin((socket) => {
      socket.on("data", () => {
        socket.write(
          "HTTP/1.1 103 Early\r\nLink: </a.css>\r\nLink: </b.css>\r\nConnection: x-hop\r\n" +
            "X-Hop: 1\r\nKeep-Alive: timeout=5\r\nTransfer-Encoding: chunked\r\n" +
            "Content-Length: 5\r\nUpgrade: h2c\r\n\r\n" +
            "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 199 Odd\r\n\r\n" +
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        );
      });
    });
    edge.hosts.set("a.example", { originUrl: origin.url });
    const session = await openH2(edge, "a.example");
    const stream = session.request({ ":path": "/" });
    const informed: unknown[] = [];
    stream.on("headers", (headers) => informed.push(Object.fromEntries(Object.entries(headers))));
    const answer = await readAnswer(stream);
    assert.deepEqual([answer.status, answer.body], [200, "ok"]);
    assert.deepEqual(informed, [
      { ":status": 103, link: "</a.css>, </b.css>" },
      { ":status": 102 },
      { ":status": 199 },
    ]);
    session.destroy();
    await edge.close();
    await origin.close();
  });
});
