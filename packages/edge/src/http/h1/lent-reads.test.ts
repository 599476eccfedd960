import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { after, before, describe, it } from "node:test";
import { connect as connectTls, TLSSocket } from "node:tls";
import { leafFor, validity } from "@mooring/testing/edge/test-edge";
import { until } from "@mooring/testing/processes/until";
import { createAuthority } from "../../x509/authority.ts";
import { createLentReads, ReadSpeed } from "./lent-reads.ts";

/** A client and the server's side of its connection, plain or with TLS over the accepted socket. */
interface Pair {
  readonly client: Socket;
  readonly served: Socket;
}

describe("lent reads", () => {
  let server: Server;
  before(async () => {
    server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => server.close());

  async function plain(): Promise<Pair> {
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const accepted = once(server, "connection");
    const client = connect(address.port, "127.0.0.1");
    const [served] = (await accepted) as [Socket];
    return { client, served };
  }

  async function secure(): Promise<Pair> {
    const { client: socket, served: accepted } = await plain();
    const authority = await createAuthority({ commonName: "Test", ...validity() });
    const pair = await leafFor(authority, { hostnames: ["lent.example"] });
    const served = new TLSSocket(accepted, { isServer: true, ...pair });
    const client = connectTls({ socket, rejectUnauthorized: false });
    await Promise.all([once(client, "secureConnect"), once(served, "secure")]);
    return { client, served };
  }

  for (const [name, open] of [
    ["a plain socket", plain],
    ["TLS over an accepted socket", secure],
  ] as const) {
    it(`reads ${name} into one buffer, and copies what is retained`, async () => {
      const reads = createLentReads();
      const { client, served } = await open();
      const seen: Buffer[] = [];
      const stored: Buffer[] = [];
      reads.start(served, (bytes) => {
        seen.push(bytes);
        stored.push(reads.keep(bytes) ?? Buffer.alloc(0));
      });
      client.write("first");
      await until(() => stored.length === 1);
      client.write("other");
      await until(() => stored.length === 2);
      assert.equal(seen[0]?.buffer, seen[1]?.buffer, "Node allocates memory for each read");
      assert.equal(String(seen[0]), "other");
      assert.deepEqual(stored.map(String), ["first", "other"]);
      client.destroy();
      served.destroy();
    });

    it(`pauses ${name}, and gives it back to an owner of its own`, async () => {
      const reads = createLentReads();
      const { client, served } = await open();
      let text = "";
      const reader = (bytes: Buffer): void => {
        text += bytes.toString();
        served.pause();
      };
      reads.start(served, reader);
      client.write("one");
      await until(() => text === "one");
      client.write(" two");
      served.resume();
      await until(() => text === "one two");
      reads.stop(served, reader);
      served.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      served.resume();
      client.end(" three");
      await once(served, "end");
      assert.equal(text, "one two three");
    });
  }

  it("reads a large body whole, whatever the size of its reads", async () => {
    const reads = createLentReads();
    const { client, served } = await plain();
    const body = Buffer.alloc(16_777_216, "0123456789abcde");
    const received: Buffer[] = [];
    reads.start(served, (bytes) => received.push(Buffer.from(bytes)));
    client.end(body);
    await once(served, "close");
    assert.ok(Buffer.concat(received).equals(body), "the bytes of the body have changed");
  });

  it("takes a socket for fast after full reads without a pause, and for slow after one", () => {
    const speed = new ReadSpeed();
    const count = (reads: number, size: number, stepMs: number, from: number): number => {
      for (let read = 0; read < reads; read += 1) speed.count(size, from + read * stepMs);
      return from + reads * stepMs;
    };
    let now = count(15, 65_536, 1, 1_000);
    assert.equal(speed.isFast, false);
    now = count(1, 65_536, 1, now);
    assert.equal(speed.isFast, true);
    now = count(1, 200_000, 1, now);
    assert.equal(speed.isFast, true);
    now = count(1, 262_144, 1, now + 60);
    assert.equal(speed.isFast, false, "its reader was waited for");
    now = count(16, 65_536, 1, now);
    assert.equal(speed.isFast, true);
    count(1, 1_000, 1, now);
    assert.equal(speed.isFast, false, "there was no more to read");
  });

  it("takes the data events of a socket that cannot lend", async () => {
    const reads = createLentReads();
    const stream = new PassThrough();
    const chunks: string[] = [];
    const reader = (bytes: Buffer): void => void chunks.push(String(bytes));
    // Only the methods of a stream are used.
    reads.start(stream as unknown as Socket, reader);
    stream.write("one");
    await until(() => chunks.length === 1);
    reads.stop(stream as unknown as Socket, reader);
    assert.equal(stream.listenerCount("data"), 0);
  });
});
