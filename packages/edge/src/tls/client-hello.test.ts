import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, it } from "node:test";
import { type ConnectionOptions, connect } from "node:tls";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { readClientHello } from "./client-hello.ts";

const runs = { numRuns: propertyRuns(50_000) };

/** The first bytes of a real client. */
async function capture(options: ConnectionOptions): Promise<Buffer> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect({ host: "127.0.0.1", port, ...options });
  client.on("error", () => undefined);
  const [socket] = await once(server, "connection");
  const [bytes] = await once(socket, "data");
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

/** The same handshake message in records of `size` bytes. */
function resplit(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const part = message.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(records);
}

const versions: readonly ConnectionOptions[] = [
  { maxVersion: "TLSv1.2" },
  { minVersion: "TLSv1.3" },
  {},
];

describe("readClientHello", () => {
  it("reads name and protocols of real clients, whatever version they speak", async () => {
    for (const version of versions) {
      const hello = await capture({
        ...version,
        servername: "Shop.Example",
        ALPNProtocols: ["h2", "http/1.1"],
      });
      assert.deepEqual(readClientHello(hello), {
        kind: "hello",
        serverName: "shop.example",
        protocols: ["h2", "http/1.1"],
      });
    }
  });

  it("says that no name was sent", async () => {
    const hello = await capture({ servername: "" });
    assert.deepEqual(readClientHello(hello), { kind: "hello", serverName: null, protocols: [] });
  });

  it("asks for more at every byte before the last, and never for more than there is", async () => {
    const hello = await capture({ servername: "a.example" });
    for (let length = 0; length < hello.length; length += 1) {
      const reading = readClientHello(hello.subarray(0, length));
      assert.equal(reading.kind, "incomplete");
      if (reading.kind !== "incomplete") return;
      assert.ok(reading.atLeast > length && reading.atLeast <= hello.length);
    }
  });

  it("puts a message together from several records, but not from a flood of tiny ones", async () => {
    const hello = await capture({ servername: "a.example" });
    for (const size of [150, 300, 1_000]) {
      const reading = readClientHello(resplit(hello, size));
      assert.equal(reading.kind === "hello" && reading.serverName, "a.example");
    }
    assert.equal(readClientHello(resplit(hello, 1)).kind, "malformed");
  });

  it("refuses what is not TLS at the first byte", () => {
    for (const text of ["GET / HTTP/1.1\r\n", "\x80\x2e\x01", "\0\0\0\0\0\0", "\x15\x03\x01"]) {
      assert.equal(readClientHello(Buffer.from(text, "latin1")).kind, "malformed");
    }
  });

  it("refuses names that cannot be hostnames", async () => {
    const hello = await capture({ servername: "aaaa.example" });
    for (const name of ["aa\0a.example", "aa a.example", "aaaa/example", "aaaaaexample"]) {
      const changed = Buffer.from(hello.toString("latin1").replace("aaaa.example", name), "latin1");
      assert.equal(changed.length, hello.length);
      assert.equal(readClientHello(changed).kind, "malformed", JSON.stringify(name));
    }
  });

  it("never throws on any bytes, nor on any change of a real hello", async () => {
    const hello = await capture({ servername: "a.example", ALPNProtocols: ["h2"] });
    const flip = fc.tuple(fc.nat(hello.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(flip, { minLength: 1, maxLength: 8 }), fc.nat(600), (flips, cut) => {
        const bytes = Buffer.from(hello);
        for (const [at, value] of flips) bytes[at] = value;
        readClientHello(bytes);
        readClientHello(bytes.subarray(0, cut));
      }),
      runs,
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => {
        readClientHello(Buffer.from(noise));
        readClientHello(Buffer.concat([Buffer.from([22, 3, 1, 0, noise.length & 255, 1]), noise]));
      }),
      runs,
    );
  });
});
