import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, it } from "node:test";
import { until } from "@mooring/testing/processes/until";
import { defaultLimits } from "../../config/limits.ts";
import type { Exchange } from "../exchange.ts";
import { H1Connection } from "./connection.ts";

/** A connection whose client sends these bytes and reads only when it is asked to. */
async function openConnection(
  bytes: string,
  handle: (exchange: Exchange) => void,
): Promise<{
  readonly connection: H1Connection;
  /** The edge's side. */
  readonly socket: Socket;
  readonly client: Socket;
  close(): void;
}> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.on("error", () => undefined);
  client.pause();
  const [socket] = (await once(server, "connection")) as [Socket];
  const connection = new H1Connection(socket, {
    remoteAddress: "127.0.0.1",
    limits: defaultLimits,
    handle,
    onRejected: ({ status }) => ({ status, fields: [], body: "" }),
    isCurrent: () => true,
    wire: null,
    areReadsLimited: true,
    sharedReads: null,
    onOverspent: () => undefined,
  });
  client.write(bytes);
  return {
    connection,
    socket,
    client,
    close() {
      client.destroy();
      socket.destroy();
      server.close();
    },
  };
}

const get = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";
const body = Buffer.alloc(60_000, "x");
/** A few responses above what a socket buffers before it asks for a pause. */
const mostBuffered = 262_144;
const aBitLaterMs = 1;

function respond(exchange: Exchange): void {
  exchange.respond({
    status: 200,
    reason: "OK",
    fields: [],
    length: body.length,
    hasBody: true,
  });
  exchange.write(body);
  exchange.end([]);
}

describe("a client over HTTP/1.1 that does not read", () => {
  it("has few bytes buffered however many requests it has sent", async () => {
    let served = 0;
    const { socket, client, close } = await openConnection(get.repeat(900), (exchange) => {
      served += 1;
      respond(exchange);
    });
    await until(() => socket.writableNeedDrain);
    assert.ok(socket.writableLength < mostBuffered, `${socket.writableLength} bytes`);
    assert.ok(served < 900, `${served} requests`);
    client.resume();
    await until(() => {
      assert.ok(socket.writableLength < mostBuffered, `${socket.writableLength} bytes`);
      return served === 900;
    });
    close();
  });

  it("asks for a pause of informational responses, and is closed when it stays so", async () => {
    const opened = Promise.withResolvers<Exchange>();
    const { connection, socket, close } = await openConnection(get, opened.resolve);
    const exchange = await opened.promise;
    let isClosed = false;
    exchange.listen({
      onDrain: () => undefined,
      onClosed: () => {
        isClosed = true;
      },
    });
    const link = ["link", "x".repeat(1_000)];
    let informed = 0;
    const inform = (): boolean => {
      informed += 1;
      return informed < 100_000 && exchange.inform(103, link);
    };
    // In ticks of their own, so that the system takes what it can.
    while (inform()) if (informed % 16 === 0) await new Promise(setImmediate);
    assert.ok(informed < 100_000, `${informed} were taken`);
    assert.ok(socket.writableLength < mostBuffered, `${socket.writableLength} bytes`);
    const now = performance.now();
    connection.check(now + defaultLimits.stallMs - 1_000);
    assert.equal(socket.destroyed, false);
    connection.check(now + defaultLimits.stallMs + aBitLaterMs);
    await until(() => isClosed);
    close();
  });

  it("is read on as soon as it reads", async () => {
    const opened = Promise.withResolvers<Exchange>();
    const { client, close } = await openConnection(get, opened.resolve);
    const exchange = await opened.promise;
    let drains = 0;
    exchange.listen({
      onDrain: () => {
        drains += 1;
      },
      onClosed: () => undefined,
    });
    const link = ["link", "x".repeat(15_000)];
    while (exchange.inform(103, link)) await new Promise(setImmediate);
    client.resume();
    await until(() => drains === 1);
    close();
  });

  it("is read on when the system takes at once what was written together", async () => {
    const opened = Promise.withResolvers<Exchange>();
    const { socket, close } = await openConnection(get, opened.resolve);
    const exchange = await opened.promise;
    let drains = 0;
    exchange.listen({
      onDrain: () => {
        drains += 1;
      },
      onClosed: () => undefined,
    });
    const large = Buffer.alloc(socket.writableHighWaterMark, "x");
    exchange.respond({
      status: 200,
      reason: "OK",
      fields: [],
      length: 2 * large.length,
      hasBody: true,
    });
    exchange.cork();
    assert.equal(exchange.write(large), false);
    exchange.uncork();
    assert.equal(socket.writableLength, 0);
    await until(() => drains === 1);
    close();
  });
});
