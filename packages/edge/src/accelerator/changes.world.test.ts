import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect as connectH2 } from "node:http2";
import { createServer } from "node:net";
import { after, before, describe, it } from "node:test";
import { connect as connectTls } from "node:tls";
import { openVisit, openVisitH2, visit } from "@mooring/testing/clients/visit";
import {
  type AcceleratedEdge,
  startAcceleratedEdge,
} from "@mooring/testing/edge/accelerator/accelerated-edge";
import { connectTo, readUntil } from "@mooring/testing/edge/client";
import { startOrigin, startRawOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { until } from "@mooring/testing/processes/until";

const own = (name: string) => ({
  connectionId: `0198c0de-0000-7000-8000-${name.padStart(12, "0")}`,
});

describe("a promoted name", () => {
  let edge: AcceleratedEdge;
  let origin: TestOrigin;
  let minute = 1;
  let address = "127.0.0.1";
  before(async () => {
    origin = await startOrigin();
    edge = await startAcceleratedEdge({
      times: { resolveMs: 50, retireMs: 50 },
      assertion: (hostname) => `${hostname}-${minute}`,
      lookup: async () => [address],
    });
  });
  after(async () => {
    await edge?.close();
    await origin.close();
  });
  const ca = (): string => edge.authority.certificatePem;

  it("is cut when it is released: answers, HTTP/2 and WebSockets", async () => {
    const slow = await startRawOrigin((socket) => {
      socket.once("data", (head: Buffer) => {
        const key = /sec-websocket-key: (\S+)/i.exec(head.toString("latin1"))?.[1];
        const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
        const upgrade = `101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accept.digest("base64")}`;
        socket.write(
          key === undefined
            ? "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\nbegun"
            : `HTTP/1.1 ${upgrade}\r\n\r\n`,
        );
      });
    });
    edge.hosts.set("leaving.example", { originUrl: slow.url, ...own("6") });
    await edge.promote("leaving.example");
    const before = await edge.served();
    const head = "HTTP/1.1\r\nHost: leaving.example\r\n";
    const h1 = await connectTo(edge, "leaving.example");
    const begun = readUntil(h1, (text) => text.endsWith("begun"));
    h1.write(`GET /long ${head}\r\n`);
    await begun;
    const tunnel = await connectTo(edge, "leaving.example");
    const opened = readUntil(tunnel, (text) => text.includes("\r\n\r\n"));
    const key = "dGhlIHNhbXBsZSBub25jZQ==";
    tunnel.write(
      `GET /ws ${head}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    assert.match(await opened, /^HTTP\/1\.1 101 /);
    const session = connectH2(`https://127.0.0.1:${edge.httpsPort}`, {
      servername: "leaving.example",
      ca: ca(),
    });
    session.on("error", () => undefined);
    const stream = session.request({ ":path": "/long", ":authority": "leaving.example" });
    stream.on("error", () => undefined);
    await once(stream, "data");
    assert.equal(await edge.served(), before + 2);
    const idle = await openVisit(edge.httpsPort, "leaving.example", ca());

    let left = 3;
    for (const one of [h1, tunnel, stream]) {
      one.on("close", () => {
        left -= 1;
      });
    }
    edge.hosts.delete("leaving.example");
    edge.promotion.removed("leaving.example");
    await until(() => left === 0, "everything of the name cut", 2_000);
    assertNotServed(await idle.get());
    await assert.rejects(visit(edge.httpsPort, "leaving.example", ca()));
    session.destroy();
    idle.close();
    await slow.close();
  });

  it("is served on open connections when it is demoted, by the Node edge and its rules", async () => {
    edge.hosts.set("ruled.example", { originUrl: origin.url, ...own("7") });
    await edge.promote("ruled.example");
    const open = [
      await openVisit(edge.httpsPort, "ruled.example", ca()),
      await openVisitH2(edge.httpsPort, "ruled.example", ca()),
    ];
    for (const one of open) assert.equal(await one.get(), 200);
    edge.hosts.set("ruled.example", {
      originUrl: origin.url,
      ...own("7"),
      edge: { allow: ["192.0.2.0/24"] },
    });
    await until(() => !edge.promotion.isPromoted("ruled.example"), "the demotion", 2_000);
    for (const one of open) assert.equal(await one.get(), 403);
    edge.hosts.set("ruled.example", { originUrl: origin.url, ...own("7"), epoch: 2 });
    for (const one of open) assertNotServed(await one.get());
    for (const one of open) one.close();
  });

  it("has its renewed certificate at once, and open connections continue", async () => {
    edge.hosts.set("renewed.example", { originUrl: origin.url, ...own("1") });
    await edge.promote("renewed.example");
    const open = await openVisit(edge.httpsPort, "renewed.example", ca());
    const serial = async (): Promise<string> => {
      const socket = await connectTo(edge, "renewed.example");
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      return serialNumber;
    };
    const first = await serial();
    edge.leaves.delete("renewed.example");
    edge.promotion.certificateChanged("renewed.example");
    await until(async () => (await serial()) !== first, "the new certificate");
    const renewed = await serial();
    // Both are never offered in turn.
    for (let times = 0; times < 5; times += 1) assert.equal(await serial(), renewed);
    const served = await edge.served();
    assert.equal(await open.get(), 200);
    assert.equal((await visit(edge.httpsPort, "renewed.example", ca())).status, 200);
    assert.equal(await edge.served(), served + 2);
    open.close();
  });

  it("has an assertion with every request, also when the minute ends", async () => {
    edge.hosts.set("minute.example", { originUrl: origin.url, ...own("2") });
    await edge.promote("minute.example");
    const open = await openVisit(edge.httpsPort, "minute.example", ca());
    const count = origin.received.length;
    const served = await edge.served();
    const sent = (): readonly unknown[] =>
      origin.received.slice(count).map(({ headers }) => headers["x-svc-assertion"]);
    assert.equal(await open.get(), 200);
    minute = 2;
    await until(async () => {
      assert.equal(await open.get(), 200);
      return sent().at(-1) === "minute.example-2";
    }, "the next assertion");
    assert.deepEqual(new Set(sent()), new Set(["minute.example-1", "minute.example-2"]));
    assert.equal(await edge.served(), served + sent().length);
    open.close();
  });

  it("follows its origin to another address, and no request is lost", async (t) => {
    const at = (host: string, port: number) =>
      createHttpServer((_, response) => void response.end(host)).listen(port, host);
    const first = at("127.0.0.1", 0);
    await once(first, "listening");
    const listening = first.address();
    assert.ok(listening !== null && typeof listening === "object");
    const second = at("127.0.0.2", listening.port);
    t.after(() => {
      for (const server of [first, second]) server.close().closeAllConnections();
    });
    await once(second, "listening");
    edge.hosts.set("moving.example", {
      originUrl: `http://origin.test:${listening.port}`,
      ...own("3"),
    });
    await edge.promote("moving.example");
    const page = () => visit(edge.httpsPort, "moving.example", ca());
    assert.deepEqual(await page(), { status: 200, body: "127.0.0.1" });
    address = "127.0.0.2";
    const served = await edge.served();
    await until(async () => {
      const { status, body } = await page();
      assert.equal(status, 200);
      return body === "127.0.0.2" && edge.promotion.isPromoted("moving.example");
    }, "the other address");
    await until(async () => {
      assert.equal((await page()).body, "127.0.0.2");
      return (await edge.served()) > served;
    }, "requests of HAProxy to the other address");
  });
});

/** The address that the origin learns, for a visitor from there. */
async function addressFrom(
  edge: AcceleratedEdge,
  origin: TestOrigin,
  host: "::1" | "127.0.0.1",
): Promise<unknown> {
  const ca = edge.authority.certificatePem;
  const socket = connectTls({ host, port: edge.httpsPort, servername: "six.example", ca });
  const answer = readUntil(socket, (text) => text.endsWith("origin"));
  socket.write("GET / HTTP/1.1\r\nHost: six.example\r\n\r\n");
  await answer;
  socket.destroy();
  const headers = origin.received.at(-1)?.headers;
  return [headers?.["x-real-ip"], headers?.["x-forwarded-for"]];
}

describe("the visitor's address behind the accelerator", () => {
  let origin: TestOrigin;
  before(async () => {
    origin = await startOrigin();
  });
  after(() => origin.close());

  async function checkBothFamilies(edge: AcceleratedEdge): Promise<void> {
    edge.hosts.set("six.example", { originUrl: origin.url, ...own("4") });
    const check = async (): Promise<void> => {
      for (const host of ["::1", "127.0.0.1"] as const) {
        assert.deepEqual(await addressFrom(edge, origin, host), [host, host]);
      }
    };
    await check();
    const served = await edge.served();
    await edge.promote("six.example");
    await check();
    assert.equal(await edge.served(), served + 2);
    await until(() => edge.accessLines.length === 4, "the lines of all requests");
    assert.deepEqual(
      edge.accessLines.map(({ remoteAddress }) => remoteAddress),
      ["::1", "127.0.0.1", "::1", "127.0.0.1"],
    );
  }

  it("is that of IPv6 or of IPv4, promoted or not", async (t) => {
    const edge = await startAcceleratedEdge({ host: "::" });
    t.after(() => edge.close());
    await checkBothFamilies(edge);
  });

  it("is the same at a socket of the service manager, which is for both", async (t) => {
    const server = createServer();
    server.listen(0, "::");
    await once(server, "listening");
    const listening = server.address();
    assert.ok(listening !== null && typeof listening === "object");
    const { fd } = (server as unknown as { readonly _handle: { readonly fd: number } })._handle;
    const edge = await startAcceleratedEdge({ inherited: { fd, port: listening.port } });
    t.after(() => edge.close());
    // HAProxy has the socket by now; both would accept connections.
    server.close();
    await checkBothFamilies(edge);
  });
});

/** Of a claim that has ended: refused by the Node edge, or cut by the accelerator before. */
function assertNotServed(status: number | null): void {
  assert.ok(status === 421 || status === null, String(status));
}
