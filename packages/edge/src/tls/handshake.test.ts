import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { after, afterEach, before, describe, it } from "node:test";
import { type ConnectionOptions, connect, type SecureContext } from "node:tls";
import {
  connectPlain,
  connectTo,
  parseStatus,
  readAll,
  request,
  roundTrip,
} from "@mooring/testing/edge/client";
import { startOrigin, type TestOrigin } from "@mooring/testing/edge/origin";
import { startTestEdge, type TestEdge } from "@mooring/testing/edge/test-edge";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";

const unrecognizedNameAlert = "\x15\x03\x03\x00\x02\x02\x70";

describe("the TLS listener", () => {
  let edge: TestEdge;
  let origin: TestOrigin;
  before(async () => {
    edge = await startTestEdge({ limits: { parkedPerName: 3, parkedPerProcess: 4 } });
    origin = await startOrigin();
    edge.hosts.set("a.example", { originUrl: origin.url });
    edge.hosts.set("b.example", { originUrl: origin.url });
  });
  after(async () => {
    await edge.close();
    await origin.close();
  });
  afterEach(() => {
    edge.certificates.answer = (host) => edge.certificates.makeContext(host.hostname);
  });

  async function codeOf(servername: string, options: ConnectionOptions = {}): Promise<string> {
    try {
      const socket = await connectTo(edge, servername, options);
      socket.destroy();
      return "secure";
    } catch (error) {
      return error instanceof Error && "code" in error ? String(error.code) : String(error);
    }
  }

  it("refuses unknown names with an alert and without a lookup", async () => {
    const askedBefore = edge.certificates.asked.length;
    const size = proofSize(300, 20_000);
    for (let index = 0; index < size; index += 20) {
      const codes = await Promise.all(
        Array.from({ length: 20 }, (_, more) => codeOf(`n${index + more}.unknown.example`)),
      );
      assert.deepEqual(new Set(codes), new Set(["ERR_SSL_TLSV1_UNRECOGNIZED_NAME"]));
    }
    assert.equal(edge.stats.refused.unknown_name, size);
    assert.equal(edge.certificates.asked.length, askedBefore);
  });

  it("has no default certificate for a client without a server name", async () => {
    assert.equal(await codeOf(""), "ERR_SSL_TLSV1_UNRECOGNIZED_NAME");
  });

  it("finds a name in any letter case", async () => {
    const socket = await connectTo(edge, "A.Example");
    const answer = readAll(socket);
    socket.write(request("a.example"));
    assert.equal(parseStatus(await answer), 200);
  });

  it("answers what is no hello with the same alert, whatever it is", async () => {
    const inputs = [
      Buffer.from("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"),
      Buffer.from([22, 3, 1, 0, 0]),
      Buffer.from([22, 3, 1, 0xff, 0xff]),
      Buffer.concat([Buffer.from([22, 3, 1, 0x40, 0]), Buffer.alloc(16_384, 1)]),
      Buffer.alloc(20_000, 22),
    ];
    for (const input of inputs) {
      const socket = await connectPlain(edge.httpsPort);
      const answer = readAll(socket);
      socket.write(input);
      assert.equal(await answer, unrecognizedNameAlert);
    }
  });

  it("takes a hello that comes in many small pieces", async () => {
    const hello = await captureHello("a.example");
    const socket = await connectPlain(edge.httpsPort);
    socket.setNoDelay(true);
    const first = once(socket, "data");
    for (let at = 0; at < hello.length; at += 40) {
      socket.write(hello.subarray(at, at + 40));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [answer] = await first;
    assert.equal(answer[0], 22);
    socket.destroy();
  });

  it("closes connections without a hello in time, or with an unfinished handshake", async () => {
    const hasty = await startTestEdge({ limits: { helloMs: 1_000, handshakeMs: 1_000 } });
    hasty.hosts.set("a.example");
    const silent = await connectPlain(hasty.httpsPort);
    assert.equal(await readAll(silent), "");
    assert.equal(hasty.stats.refused.hello_timeout, 1);
    const hello = await captureHello("a.example");
    const halfway = await connectPlain(hasty.httpsPort);
    const answer = readAll(halfway);
    halfway.write(hello);
    assert.equal((await answer).charCodeAt(0), 22);
    assert.equal(hasty.stats.refused.handshake_timeout, 1);
    await hasty.close();
  });

  it("parks handshakes until the certificate exists, up to a number per name and in total", async () => {
    const gate = Promise.withResolvers<void>();
    edge.certificates.answer = async (host) => {
      await gate.promise;
      return await edge.certificates.makeContext(host.hostname);
    };
    const before = edge.certificates.asked.length;
    const held = Array.from({ length: 3 }, () => codeOf("a.example"));
    await until(() => edge.certificates.asked.length === before + 3);
    assert.equal(await codeOf("a.example"), "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR");
    held.push(codeOf("b.example"));
    await until(() => edge.certificates.asked.length === before + 4);
    assert.equal(await codeOf("b.example"), "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR");
    assert.equal(edge.stats.refused.parked_limit, 2);
    assert.equal(edge.stats.parked, 4);
    // The CA comes for the certificate that all of them wait for.
    edge.certificates.challenges.set("a.example", "open");
    const challenge = await connectTo(edge, "a.example", { ALPNProtocols: ["acme-tls/1"] });
    challenge.destroy();
    edge.certificates.challenges.clear();
    gate.resolve();
    assert.deepEqual(await Promise.all(held), Array(4).fill("secure"));
    assert.equal(edge.stats.parked, 0);
  });

  it("stops waiting for a certificate at the time limit, and aborts the lookup", async () => {
    const hasty = await startTestEdge({ limits: { parkedMs: 200, parkedPerName: 1 } });
    hasty.hosts.set("a.example");
    // Made before: the second handshake has no time for that.
    await hasty.certificates.makeContext("a.example");
    let signal: AbortSignal | undefined;
    hasty.certificates.answer = (_host, given) => {
      signal = given;
      return new Promise<SecureContext>(() => undefined);
    };
    await assert.rejects(connectTo(hasty, "a.example"), /ECONNRESET|disconnected/);
    assert.equal(signal?.aborted, true);
    hasty.certificates.answer = (host) => hasty.certificates.makeContext(host.hostname);
    await connectTo(hasty, "a.example").then((socket) => socket.destroy());
    await hasty.close();
  });

  it("aborts the lookup as well when the client disconnects first", async () => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    const held = Promise.withResolvers<SecureContext>();
    edge.certificates.answer = (_host, signal) => {
      resolve(signal);
      return held.promise;
    };
    const client = connect({ host: "127.0.0.1", port: edge.httpsPort, servername: "a.example" });
    client.on("error", () => undefined);
    const signal = await promise;
    client.destroy();
    await until(() => signal.aborted);
    held.resolve(await edge.certificates.makeContext("a.example"));
  });

  it("refuses a name without a certificate, and survives a source that throws", async () => {
    edge.certificates.answer = async () => "unavailable";
    assert.equal(await codeOf("a.example"), "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR");
    edge.certificates.answer = async () => {
      throw new Error("broken");
    };
    assert.equal(await codeOf("a.example"), "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR");
  });

  it("gives no certificate to a name that was released while the handshake waited", async () => {
    edge.hosts.set("lost.example", { originUrl: origin.url });
    edge.certificates.answer = async (host) => {
      edge.hosts.delete(host.hostname);
      return await edge.certificates.makeContext(host.hostname);
    };
    assert.equal(await codeOf("lost.example"), "ERR_SSL_TLSV1_UNRECOGNIZED_NAME");
  });

  it("answers a TLS-ALPN-01 challenge with its own context and nothing more", async () => {
    edge.certificates.challenges.set("a.example", "open");
    const before = edge.certificates.asked.length;
    const socket = await connectTo(edge, "a.example", { ALPNProtocols: ["acme-tls/1"] });
    assert.equal(socket.alpnProtocol, "acme-tls/1");
    const answer = readAll(socket);
    socket.write(request("a.example"));
    assert.equal(await answer, "");
    assert.equal(edge.certificates.asked.length, before);
    edge.certificates.challenges.clear();
    const code = await codeOf("a.example", { ALPNProtocols: ["acme-tls/1"] });
    assert.equal(code, "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR");
  });

  it("refuses protocols that it does not speak and versions before TLS 1.2", async () => {
    const code = await codeOf("a.example", { ALPNProtocols: ["spdy/3"] });
    assert.match(code, /NO_APPLICATION_PROTOCOL/);
    const old = {
      minVersion: "TLSv1.1",
      maxVersion: "TLSv1.1",
      ciphers: "ALL:@SECLEVEL=0",
    } as const;
    assert.notEqual(await codeOf("a.example", old), "secure");
  });

  it("still serves after all of this", async () => {
    assert.equal(parseStatus(await roundTrip(edge, "b.example", request("b.example"))), 200);
  });
});

async function captureHello(servername: string): Promise<Buffer> {
  const { createServer } = await import("node:net");
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP listener");
  const client = connect({ host: "127.0.0.1", port: address.port, servername });
  client.on("error", () => undefined);
  const [socket]: Socket[] = await once(server, "connection");
  if (socket === undefined) throw new Error("no connection");
  const [bytes] = await once(socket, "data");
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}
