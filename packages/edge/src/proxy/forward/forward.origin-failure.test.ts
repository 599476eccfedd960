import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { createGuard } from "@mooring/egress";
import {
  connectTo,
  parseStatus,
  readAll,
  readUntil,
  request,
  roundTrip,
} from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin } from "@mooring/testing/edge/origin";
import { leafFor, startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";

const okResponse = "HTTP/1.1 200 okResponse\r\nContent-Length: 2\r\n\r\nok";

describe("an origin that fails", () => {
  let edge: TestEdge;
  /** Short timeouts for origins. */
  let hasty: TestEdge;
  before(async () => {
    edge = await startTestEdge({ limits: { originOpen: 4, queueMs: 200 } });
    hasty = await startTestEdge({ limits: { originFirstByteMs: 1_500, stallMs: 300 } });
  });
  after(async () => {
    await edge.close();
    await hasty.close();
  });

  async function ask(hostname: string, text = request(hostname)): Promise<string> {
    return await roundTrip(edge, hostname, text);
  }

  it("is 404 in plain words while there is none", async () => {
    edge.hosts.set("new.example");
    const answer = await ask("new.example");
    assert.equal(parseStatus(answer), 404);
    assert.match(answer, /Not set up yet/);
  });

  it("is 502 with a logged reference when it is down", async () => {
    const origin = await startRawOrigin(() => undefined);
    await origin.close();
    edge.hosts.set("down.example", { originUrl: origin.url });
    const answer = await ask("down.example");
    assert.equal(parseStatus(answer), 502);
    const reference = /reference ([0-9a-f]{12})/.exec(answer)?.[1];
    assert.ok(edge.warnings.some((fields) => JSON.stringify(fields).includes(String(reference))));
    assert.doesNotMatch(answer, /127\.0\.0\.1|ECONNREFUSED/);
  });

  it("is 504 when it sends nothing", async () => {
    const origin = await startRawOrigin((socket) => socket.resume());
    hasty.hosts.set("mute.example", { originUrl: origin.url });
    const answer = await roundTrip(hasty, "mute.example", request("mute.example"));
    assert.equal(parseStatus(answer), 504);
    await origin.close();
  });

  it("is 502 when it resets, closes or sends something else", async () => {
    const answers: readonly ((socket: Socket) => void)[] = [
      (socket) => socket.resetAndDestroy(),
      (socket) => socket.end(),
      (socket) => socket.end("HTTP/1.1 200 okResponse\r\nContent-Le"),
      (socket) => socket.write("SSH-2.0-OpenSSH\r\n\r\n"),
      (socket) => socket.write("HTTP/1.1 200 okResponse\nContent-Length: 2\n\nok\r\n\r\n"),
      (socket) =>
        socket.write(
          "HTTP/1.1 200 okResponse\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ),
      (socket) =>
        socket.write("HTTP/1.1 200 okResponse\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok"),
      (socket) =>
        socket.write(
          "HTTP/1.1 200 okResponse\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        ),
      (socket) => socket.write("HTTP/1.1 200 okResponse\r\nX: a\r\n b\r\n\r\n"),
      (socket) => socket.write(`HTTP/1.1 200 okResponse\r\nX: ${"a".repeat(70_000)}\r\n\r\n`),
      (socket) => socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nGET"),
    ];
    for (const [index, answer] of answers.entries()) {
      const origin = await startRawOrigin((socket) => socket.once("data", () => answer(socket)));
      edge.hosts.set("odd.example", { originUrl: origin.url });
      assert.equal(parseStatus(await ask("odd.example")), 502, `answer ${index}`);
      await origin.close();
    }
  });

  it("never appears complete when it stops in the middle", async () => {
    const bodies = [
      "HTTP/1.1 200 okResponse\r\nContent-Length: 10\r\n\r\nhalf",
      "HTTP/1.1 200 okResponse\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
      "HTTP/1.1 200 okResponse\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nXX\r\n",
    ];
    for (const body of bodies) {
      for (const isCut of [true, false]) {
        const origin = await startRawOrigin((socket) =>
          socket.once("data", () => (isCut ? socket.end(body) : socket.write(body))),
        );
        hasty.hosts.set("half.example", { originUrl: origin.url });
        const answer = await roundTrip(hasty, "half.example", request("half.example"));
        assert.doesNotMatch(answer, /\r\n0\r\n\r\n$|half\w/);
        assert.equal(parseStatus(answer), body.includes("XX") ? 0 : 200);
        await origin.close();
      }
    }
  });

  it("may end a body of no stated length by closing", async () => {
    const origin = await startRawOrigin((socket) =>
      socket.once("data", () => socket.end("HTTP/1.0 200 okResponse\r\n\r\nall of it")),
    );
    edge.hosts.set("close.example", { originUrl: origin.url });
    assert.match(await ask("close.example"), /\r\n9\r\nall of it\r\n0\r\n\r\n$/);
    await origin.close();
  });

  it("gets an idempotent request again on a new connection when an idle one was closed", async () => {
    let requests = 0;
    const origin = await startRawOrigin((socket) => {
      let isFirst = true;
      socket.on("data", () => {
        requests += 1;
        // Answers once, then closes at the next request.
        if (isFirst) socket.write(okResponse);
        else socket.destroy();
        isFirst = false;
      });
    });
    edge.hosts.set("stale.example", { originUrl: origin.url });
    assert.equal(parseStatus(await ask("stale.example")), 200);
    assert.equal(parseStatus(await ask("stale.example")), 200);
    assert.equal(requests, 3);
    const post = request("stale.example", "POST / HTTP/1.1", ["Content-Length: 0"]);
    assert.equal(parseStatus(await ask("stale.example", post)), 502);
    assert.equal(requests, 4);
    await origin.close();
  });

  it("cannot answer a request that was not sent", async () => {
    let count = 0;
    const origin = await startRawOrigin((socket) =>
      socket.on("data", () => {
        count += 1;
        const body = `answer ${count}`;
        const answer = `HTTP/1.1 200 okResponse\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
        socket.write(`${answer}HTTP/1.1 200 okResponse\r\nContent-Length: 4\r\n\r\nevil`);
      }),
    );
    edge.hosts.set("hostile.example", { originUrl: origin.url });
    for (let index = 1; index <= 50; index += 1) {
      assert.ok((await ask("hostile.example")).endsWith(`answer ${index}`));
    }
    await origin.close();
  });

  it("loses an idle connection on which it sends bytes", async () => {
    let socketOfOrigin: Socket | undefined;
    let closed = 0;
    const origin = await startRawOrigin((socket) => {
      socketOfOrigin = socket;
      socket.on("data", () => socket.write(okResponse));
      socket.on("close", () => {
        closed += 1;
      });
    });
    edge.hosts.set("chatty.example", { originUrl: origin.url });
    assert.equal(parseStatus(await ask("chatty.example")), 200);
    socketOfOrigin?.write("HTTP/1.1 200 okResponse\r\nContent-Length: 4\r\n\r\nevil");
    await until(() => closed === 1);
    assert.match(await ask("chatty.example"), /ok$/);
    assert.equal(origin.connections(), 2);
    await origin.close();
  });

  it("is reached over one connection by requests that follow each other", async () => {
    const origin = await startOrigin();
    edge.hosts.set("pool.example", { originUrl: origin.url });
    for (let index = 0; index < 10; index += 1)
      assert.equal(parseStatus(await ask("pool.example")), 200);
    assert.equal(origin.connections(), 1);
    edge.hosts.set("other.example", { originUrl: origin.url, tenantId: "another tenant" });
    await ask("other.example");
    assert.equal(origin.connections(), 2);
    await origin.close();
  });

  it("has a bounded number of requests in flight; others wait, then get 503", async () => {
    const origin = await startOrigin((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
    });
    edge.hosts.set("full.example", { originUrl: origin.url });
    const open: Socket[] = [];
    for (let index = 0; index < 4; index += 1) {
      const socket = await connectTo(edge, "full.example");
      const event = readUntil(socket, (text) => text.includes("data: 1"));
      socket.write(request("full.example"));
      await event;
      open.push(socket);
    }
    const answer = await ask("full.example");
    assert.equal(parseStatus(answer), 503);
    assert.match(answer, /retry-after: 1/);
    for (const socket of open) socket.destroy();
    await origin.close();
  });

  it("that is the edge itself answers 508, once", async () => {
    const loop = await startTestEdge({
      originGuard: createGuard({ allowPrivate: true, lookup: async () => ["127.0.0.1"] }),
    });
    loop.hosts.set("loop.example", { originUrl: `https://loop.example:${loop.httpsPort}` });
    const socket = await connectTo(loop, "loop.example", { ca: loop.authority.certificatePem });
    const answer = readAll(socket);
    socket.write(request("loop.example"));
    assert.equal(parseStatus(await answer), 508, JSON.stringify(loop.warnings));
    assert.equal(loop.stats.requests, 2);
    await loop.close();
  });

  it("that is behind another installation is reached through both", async (t) => {
    const origin = await startOrigin();
    const originGuard = createGuard({ allowPrivate: true, lookup: async () => ["127.0.0.1"] });
    const inner = await startTestEdge({ originGuard, loopId: "edge.inner.example" });
    inner.hosts.set("inner.example", { originUrl: origin.url });
    const outer = await startTestEdge({
      originGuard,
      loopId: "edge.outer.example",
      originTls: { ca: inner.authority.certificatePem },
    });
    t.after(() => Promise.all([outer.close(), inner.close(), origin.close()]));
    const originUrl = `https://inner.example:${inner.httpsPort}`;
    outer.hosts.set("outer.example", { originUrl, originHostHeader: "origin" });
    const answer = await roundTrip(outer, "outer.example", request("outer.example"));
    assert.equal(parseStatus(answer), 200, JSON.stringify(outer.warnings));
    const trace = origin.received[0]?.headers["cdn-loop"];
    assert.equal(trace, "edge.outer.example, edge.inner.example");
  });

  it("is not blamed for a token of ours that a visitor forges, whose request alone is refused", async (t) => {
    const origin = await startOrigin();
    const own = await startTestEdge({ loopId: "edge.example" });
    t.after(() => Promise.all([own.close(), origin.close()]));
    own.hosts.set("shop.example", { originUrl: origin.url });
    const forged = request("shop.example", "GET / HTTP/1.1", ["CDN-Loop: x, EDGE.example; v=1"]);
    const answer = await roundTrip(own, "shop.example", forged);
    assert.equal(parseStatus(answer), 508);
    assert.match(answer, /\r\ncache-control: no-store\r\n/);
    assert.equal(own.stats.answered.get(508), 1);
    assert.equal(own.stats.originErrors, 0);
    const another = request("shop.example", "GET / HTTP/1.1", ["CDN-Loop: not-edge.example"]);
    assert.equal(parseStatus(await roundTrip(own, "shop.example", another)), 200);
  });

  it("is verified by certificate and name when it is https", async () => {
    const leaf = await leafFor(edge.authority, { addresses: ["127.0.0.1"] });
    const wrong = await leafFor(edge.authority, { hostnames: ["wrong.example"] });
    for (const [pair, status] of [
      [leaf, 200],
      [wrong, 502],
    ] as const) {
      const server = createServer(pair, (_request, response) => response.end("secure"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      edge.hosts.set("tls.example", { originUrl: `https://127.0.0.1:${port}` });
      assert.equal(parseStatus(await ask("tls.example")), status);
      server.closeAllConnections();
      server.close();
    }
  });

  it("is 502 when its head comes in very many pieces, and not in some", async () => {
    const pair = await leafFor(edge.authority, { addresses: ["127.0.0.1"] });
    let bytes = "";
    const origin = createTlsServer(pair, (socket) => {
      socket.on("error", () => socket.destroy());
      socket.once("data", async () => {
        for (const byte of bytes) await new Promise((resolve) => socket.write(byte, resolve));
      });
    });
    await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
    const { port } = origin.address() as AddressInfo;
    edge.hosts.set("pieces.example", { originUrl: `https://127.0.0.1:${port}` });
    bytes = okResponse.replace("\r\n", `\r\nConnection: close\r\nX-Long: ${"v".repeat(800)}\r\n`);
    assert.equal(parseStatus(await ask("pieces.example")), 200);
    bytes = okResponse.replace("\r\n", `\r\nX-Long: ${"v".repeat(3_000)}\r\n`);
    assert.equal(parseStatus(await ask("pieces.example")), 502);
    await new Promise((resolve) => origin.close(resolve));
  });

  it("is never dialled at an address that the guard refuses", async () => {
    const origin = await startOrigin();
    const strict = await startTestEdge({
      originGuard: createGuard({ lookup: async () => ["127.0.0.1"] }),
    });
    const urls = [
      origin.url,
      `http://name.example:${origin.port}`,
      "http://169.254.169.254/latest",
      "http://[::1]:9999",
      "http://2130706433:8080",
      "ftp://a.example",
      "not a url",
      "http://user@a.example",
    ];
    for (const originUrl of urls) {
      strict.hosts.set("ssrf.example", { originUrl });
      const socket = await connectTo(strict, "ssrf.example", {
        ca: strict.authority.certificatePem,
      });
      const answer = readAll(socket);
      socket.write(request("ssrf.example"));
      assert.equal(parseStatus(await answer), 502, originUrl);
    }
    assert.equal(origin.connections(), 0);
    await strict.close();
    await origin.close();
  });
});
