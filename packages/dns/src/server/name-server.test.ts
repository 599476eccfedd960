import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { hostilePackets } from "@mooring/testing/dns/hostile-packets";
import { collectGarbage } from "@mooring/testing/processes/collect-garbage";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import { decode, encode, type Packet, type Question } from "dns-packet";
import { decodeRequest } from "../wire/request.ts";
import { networkPrefix } from "./answer-rates.ts";
import { type RunningNameServer, startNameServer } from "./name-server.ts";
import { createAnswerer, validationZoneProblem } from "./validation-zone.ts";

const zone = "v.mooring.example";
/** Missing in the types of the library. */
const any = "ANY" as Question["type"];
const hostileCount = proofSize(10_000, 1_000_000);

describe("the name server of the validation zone", () => {
  const names = new Map<string, readonly string[]>([
    ["waiting", []],
    ["order", ["one", "two"]],
    ["large", Array.from({ length: 40 }, (_, index) => `value-${index}-`.padEnd(100, "x"))],
  ]);
  const answer = createAnswerer(
    { zone, nameServers: ["ns1.mooring.example", "ns2.mooring.example"] },
    { findValues: (label) => names.get(label) ?? null, serial: () => 7 },
  );
  let server: RunningNameServer;
  let limited: RunningNameServer;
  before(async () => {
    const shared = { hosts: ["127.0.0.1"], port: 0, answer, onError: assert.ifError };
    server = await startNameServer({ ...shared, ratePerNetwork: 0 });
    limited = await startNameServer({ ...shared, ratePerNetwork: 10 });
  });
  after(() => Promise.all([server.close(), limited.close()]));

  async function sendUdp(packet: Buffer, port = server.port): Promise<Buffer> {
    const socket = createSocket("udp4");
    try {
      socket.send(packet, port, "127.0.0.1");
      const signal = AbortSignal.timeout(10_000);
      const [reply] = (await once(socket, "message", { signal })) as [Buffer];
      return reply;
    } finally {
      socket.close();
    }
  }

  async function sendTcp(...packets: readonly Buffer[]): Promise<Buffer> {
    const socket = connect(server.port, "127.0.0.1");
    for (const packet of packets) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(packet.length);
      socket.write(Buffer.concat([length, packet]));
    }
    let read = Buffer.alloc(0);
    const wanted = packets.length;
    for await (const chunk of socket) {
      read = Buffer.concat([read, chunk as Buffer]);
      if (messagesIn(read).length === wanted) break;
    }
    socket.destroy();
    return messagesIn(read).at(-1) ?? Buffer.alloc(0);
  }

  function messagesIn(bytes: Buffer): Buffer[] {
    const found: Buffer[] = [];
    for (let at = 0; at + 2 <= bytes.length; ) {
      const end = at + 2 + bytes.readUInt16BE(at);
      if (end > bytes.length) break;
      found.push(bytes.subarray(at + 2, end));
      at = end;
    }
    return found;
  }

  function query(question: Question, more: Partial<Packet> = {}): Buffer {
    return encode({ type: "query", id: 4_711, flags: 0, questions: [question], ...more });
  }

  const edns = (size: number): Partial<Packet> => ({
    additionals: [
      {
        type: "OPT",
        name: ".",
        udpPayloadSize: size,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  });

  const read = (packet: Buffer) => ({ ...decode(packet), rcode: packet.readUInt8(3) & 0xf });
  const ask = async (name: string, type: Question["type"], more: Partial<Packet> = {}) =>
    read(await sendUdp(query({ name, type, class: "IN" }, more)));

  it("gives the values of an order, nothing for a waiting name, and NXDOMAIN else, each with authority", async () => {
    const found = await ask(`order.${zone}`, "TXT");
    assert.deepEqual(
      found.answers?.map((one) => one.type === "TXT" && String(one.data)),
      ["one", "two"],
    );
    assert.equal(found.flag_aa, true);
    assert.equal(found.flag_ra, false);
    for (const [name, type, rcode] of [
      [`waiting.${zone}`, "TXT", 0],
      [`order.${zone}`, "A", 0],
      [zone, "DS", 0],
      [`nobody.${zone}`, "TXT", 3],
      [`below.order.${zone}`, "TXT", 3],
    ] as const) {
      const absent = await ask(name, type);
      assert.deepEqual(
        [absent.rcode, absent.answers?.length, absent.flag_aa],
        [rcode, 0, true],
        name,
      );
      const [soa] = absent.authorities ?? [];
      assert.ok(soa?.type === "SOA" && soa.name === zone && soa.ttl === 5, name);
      assert.deepEqual(
        [soa.data.minimum, soa.data.serial, soa.data.mname],
        [5, 7, "ns1.mooring.example"],
      );
    }
  });

  it("has the zone's own records, refuses other zones, transfers and other classes", async () => {
    assert.equal((await ask(zone, "SOA")).answers?.length, 1);
    const servers = (await ask(zone, "NS")).answers ?? [];
    assert.deepEqual(
      servers.map((one) => one.type === "NS" && one.data),
      ["ns1.mooring.example", "ns2.mooring.example"],
    );
    for (const [name, type] of [
      ["example.com", "A"],
      ["mooring.example", "NS"],
      [`x${zone}`, "TXT"],
      [zone, "AXFR"],
      [zone, "IXFR"],
      [".", "NS"],
    ] as const) {
      assert.equal((await ask(name, type)).rcode, 5, name);
    }
    const chaos = read(await sendUdp(query({ name: zone, type: "TXT", class: "CH" })));
    assert.equal(chaos.rcode, 5);
    const minimal = await ask(`order.${zone}`, any);
    assert.deepEqual(
      minimal.answers?.map(({ type }) => type),
      ["HINFO"],
      "minimal, as RFC 8482 has it",
    );
  });

  it("repeats the letter case of the question, and owns its records by a pointer to it", async () => {
    const packet = query({ name: `OrDeR.v.MOORING.example`, type: "TXT", class: "IN" });
    const reply = await sendUdp(packet);
    assert.deepEqual(reply.subarray(12, packet.length), packet.subarray(12));
    assert.equal(decode(reply).answers?.length, 2);
  });

  it("sets TC where a datagram is too small, and answers the rest over TCP", async () => {
    for (const [more, size] of [
      [{}, 512],
      [edns(1_232), 1_232],
      [edns(65_535), 1_232],
    ] as const) {
      const packet = query({ name: `large.${zone}`, type: "TXT", class: "IN" }, more);
      const reply = await sendUdp(packet);
      assert.ok(reply.length <= size);
      assert.deepEqual([decode(reply).flag_tc, decode(reply).answers?.length], [true, 0]);
      const whole = decode(await sendTcp(packet, packet));
      assert.deepEqual([whole.flag_tc, whole.answers?.length], [false, 40]);
    }
  });

  it("answers what it cannot read with an error code, and no response with nothing", async () => {
    const header = (text: string, ...rest: readonly number[]) =>
      Buffer.concat([Buffer.from(text, "hex"), Buffer.from(rest)]);
    const askRcode = async (packet: Buffer) => (await sendUdp(packet)).readUInt8(3) & 0xf;
    assert.equal(
      await askRcode(header("000100000001000000000000", 0xc0, 0x0c, 0, 16, 0, 1)),
      1,
      "a pointer to itself",
    );
    assert.equal(
      await askRcode(header("000100000001000000000000", 63, 1, 2)),
      1,
      "a label past the end",
    );
    assert.equal(
      await askRcode(header("000100000002000000000000", 0, 0, 16, 0, 1)),
      1,
      "two questions",
    );
    assert.equal(
      await askRcode(header("000128000001000000000000", 0, 0, 16, 0, 1)),
      4,
      "an update",
    );
    const bad = edns(1_232).additionals?.map((one) => ({ ...one, ednsVersion: 1 }));
    const versioned = await ask(zone, "SOA", { additionals: bad ?? [] });
    const [opt] = versioned.additionals ?? [];
    assert.ok(opt?.type === "OPT" && opt.extendedRcode === 1, "BADVERS is 16");
    const before = server.stats.dropped;
    const socket = createSocket("udp4");
    const response = header("000180000001000000000000", 0, 0, 16, 0, 1);
    for (const packet of [response, Buffer.alloc(11)])
      socket.send(packet, server.port, "127.0.0.1");
    await until(() => server.stats.dropped === before + 2);
    socket.close();
  });

  it("limits the answers to one network, and sends honest clients on to TCP", async () => {
    const packet = query({ name: `order.${zone}`, type: "TXT", class: "IN" });
    const socket = createSocket("udp4");
    const truncated: boolean[] = [];
    socket.on("message", (reply) => truncated.push(decode(reply).flag_tc === true));
    const { dropped } = limited.stats;
    for (let count = 0; count < 200; count += 1) socket.send(packet, limited.port, "127.0.0.1");
    const seen = () => truncated.length + limited.stats.dropped - dropped;
    await until(() => seen() >= 200, "every question counted");
    socket.close();
    const whole = truncated.filter((isCut) => !isCut).length;
    assert.ok(whole >= 10 && whole < 100, `${whole} whole answers`);
    assert.ok(truncated.length - whole > 20, "every second one beyond the limit is sent to TCP");
    assert.equal(networkPrefix("192.0.2.77"), networkPrefix("::ffff:192.0.2.1"));
    assert.equal(networkPrefix("2001:db8:0:ab01::1"), networkPrefix("2001:db8:0:ab77:1::"));
    assert.notEqual(networkPrefix("2001:db8:0:ab01::1"), networkPrefix("2001:db8:0:ac01::1"));
  });

  it(`survives ${hostileCount} hostile packets, and answers in between`, async (t) => {
    const next = hostilePackets(zone);
    const heapBefore = heapAfterCollection();
    const counts = new Map<string, number>();
    const startedAt = performance.now();
    for (let count = 0; count < hostileCount; count += 1) {
      const packet = next();
      const decoded = decodeRequest(packet);
      counts.set(decoded.kind, (counts.get(decoded.kind) ?? 0) + 1);
      if (decoded.kind === "query") answer(decoded.request);
      if (count % 20 === 0) await throwAt(server.port, packet);
    }
    const elapsedMs = performance.now() - startedAt;
    // A datagram may be lost behind the others: it is asked again, as a resolver does.
    const isAnswered = async (): Promise<boolean> => {
      const reply = await ask(`order.${zone}`, "TXT").catch(() => null);
      return reply?.answers?.length === 2;
    };
    await until(isAnswered, "an answer");
    const grown = heapAfterCollection() - heapBefore;
    t.diagnostic(
      `${JSON.stringify([...counts])} in ${Math.round(elapsedMs)} ms, heap ${Math.round(grown / 1024)} KiB`,
    );
    assert.ok(grown < 20 * 1_048_576, `${grown} bytes`);
  });

  const thrower = createSocket("udp4");
  after(() => thrower.close());
  function throwAt(port: number, packet: Buffer): Promise<void> {
    return new Promise((resolve) => thrower.send(packet, port, "127.0.0.1", () => resolve()));
  }

  it("refuses name servers that it would have to resolve itself", () => {
    assert.match(
      String(validationZoneProblem({ zone, nameServers: [`ns1.${zone}`] })),
      /inside the zone/,
    );
    assert.equal(validationZoneProblem({ zone, nameServers: ["ns1.mooring.example"] }), null);
  });
});

function heapAfterCollection(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
