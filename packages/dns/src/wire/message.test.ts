import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import { type Answer, decode, encode } from "dns-packet";
import fc from "fast-check";
import type { AnswerRecord } from "./message.ts";
import { type Decoded, decodeResponse, encodeQuery, mixCase, type Query } from "./message.ts";

const sampleQuery: Query & { readonly type: "TXT" } = {
  id: 4711,
  name: "sHop.eXample",
  type: "TXT",
  recursionDesired: false,
  checkingDisabled: false,
  edns: true,
};

function respond(answers: Answer[], change: { id?: number; name?: string } = {}): Buffer {
  return encode({
    type: "response",
    id: change.id ?? sampleQuery.id,
    flags: 1 << 10,
    questions: [{ name: change.name ?? sampleQuery.name, type: sampleQuery.type }],
    answers,
  });
}

function read(packet: Buffer): Decoded {
  return decodeResponse(encodeQuery(sampleQuery), packet);
}

function answersIn(packet: Buffer): readonly AnswerRecord[] {
  const decoded = read(packet);
  assert.ok(decoded.kind === "answer", decoded.kind);
  return decoded.message.answers;
}

describe("encodeQuery", () => {
  test("writes what an independent decoder reads", () => {
    const packet = decode(
      encodeQuery({ ...sampleQuery, recursionDesired: true, checkingDisabled: true }),
    );
    assert.equal(packet.id, 4711);
    assert.equal(packet.type, "query");
    assert.equal(packet.flags, (1 << 8) | (1 << 4));
    assert.deepEqual(packet.questions, [{ name: "sHop.eXample", type: "TXT", class: "IN" }]);
    const [option] = packet.additionals ?? [];
    assert.ok(option?.type === "OPT" && option.udpPayloadSize === 1_232);
    assert.deepEqual(decode(encodeQuery({ ...sampleQuery, edns: false })).additionals, []);
  });

  test("writes every name that fits as the independent encoder does, and refuses the others", () => {
    const label = fc.stringMatching(/^[A-Za-z0-9_*-]{0,66}$/);
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 7 }), fc.boolean(), (labels, edns) => {
        const name = labels.join(".");
        fc.pre(name !== ".");
        const write = () => encodeQuery({ ...sampleQuery, name, edns });
        const fits = labels.every(({ length }) => length >= 1 && length <= 63) && name.length < 254;
        if (!fits) return assert.throws(write, RangeError);
        const option: Answer = {
          type: "OPT",
          name: ".",
          udpPayloadSize: 1_232,
          extendedRcode: 0,
          ednsVersion: 0,
          flags: 0,
          flag_do: false,
          options: [],
        };
        const expected = encode({
          type: "query",
          id: sampleQuery.id,
          flags: 0,
          questions: [{ name, type: "TXT", class: "IN" }],
          additionals: edns ? [option] : [],
        });
        return assert.deepEqual(write(), expected);
      }),
      { numRuns: propertyRuns(20_000) },
    );
    assert.equal(decode(encodeQuery({ ...sampleQuery, name: "." })).questions?.[0]?.name, ".");
  });
});

describe("mixCase", () => {
  test("changes the case of letters, as the bits say, and nothing else", () => {
    const name = "_a-z.b2*.example";
    const query = encodeQuery({ ...sampleQuery, name });
    const mixed = Buffer.from(query);
    mixCase(mixed, new Uint8Array(name.length).fill(0xfe));
    assert.deepEqual(mixed, query);
    mixCase(
      mixed,
      Uint8Array.from({ length: name.length }, (_, index) => (index === 1 ? 0 : 1)),
    );
    assert.deepEqual(mixed, encodeQuery({ ...sampleQuery, name: "_a-Z.B2*.EXAMPLE" }));
    const long = `${"a".repeat(63)}.${"z".repeat(63)}`;
    const whole = encodeQuery({ ...sampleQuery, name: long });
    mixCase(whole, new Uint8Array(long.length).fill(1));
    assert.deepEqual(whole, encodeQuery({ ...sampleQuery, name: long.toUpperCase() }));
  });
});

describe("decodeResponse", () => {
  test("reads every type into its canonical value", () => {
    const name = "Shop.Example";
    const answers: Answer[] = [
      { name, type: "A", ttl: 1, data: "192.0.2.1" },
      { name, type: "AAAA", ttl: 2, data: "2001:db8:0:0:0:0:0:1" },
      { name, type: "CNAME", ttl: 3, data: "Edge.Example" },
      { name, type: "NS", ttl: 4, data: "NS1.Example" },
      { name, type: "TXT", ttl: 5, data: ["v=spf1 ", Buffer.from("ü -all")] },
      { name, type: "MX", ttl: 6, data: { preference: 10, exchange: "Mail.Example" } },
      { name, type: "CAA", ttl: 7, data: { flags: 128, tag: "issue", value: 'a"b' } },
      { name, type: "SRV", ttl: 8, data: { priority: 1, weight: 2, port: 3, target: "." } },
      {
        name,
        type: "DS",
        ttl: 9,
        data: { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.from("ab", "hex") },
      },
      {
        name,
        type: "DNSKEY",
        ttl: 10,
        data: { flags: 257, algorithm: 13, key: Buffer.from("key") },
      },
      { name, type: "HINFO", ttl: 11, data: { cpu: "x", os: "y" } },
    ];
    assert.deepEqual(
      answersIn(respond(answers)).map(({ type, value, priority }) => [type, value, priority]),
      [
        ["A", "192.0.2.1", null],
        ["AAAA", "2001:db8::1", null],
        ["CNAME", "edge.example", null],
        ["NS", "ns1.example", null],
        ["TXT", "v=spf1 ü -all", null],
        ["MX", "mail.example", 10],
        ["CAA", '128 issue "a\\"b"', null],
        ["SRV", "2 3 .", 1],
        ["DS", "1 13 2 ab", null],
        ["DNSKEY", "257 3 13 a2V5", null],
      ],
    );
    assert.ok(answersIn(respond(answers)).every((record) => record.name === "shop.example"));
  });

  test("takes nothing for an answer whose id, name, type or direction differs", () => {
    const good = respond([]);
    const question = respond([], { name: "sHop.eXampla" });
    const asQuery = Buffer.from(good);
    asQuery.writeUInt8(good.readUInt8(2) & 0x7f, 2);
    const otherType = Buffer.from(good);
    otherType.writeUInt16BE(1, good.length - 4);
    const otherClass = Buffer.from(good);
    otherClass.writeUInt16BE(3, good.length - 2);
    const otherOpcode = Buffer.from(good);
    otherOpcode.writeUInt8(good.readUInt8(2) | 0x20, 2);
    const forged = [
      respond([], { id: 4712 }),
      question,
      asQuery,
      otherType,
      otherClass,
      otherOpcode,
    ];
    for (const packet of [...forged, Buffer.alloc(0), Buffer.alloc(11)]) {
      assert.equal(read(packet).kind, "unrelated");
    }
    assert.equal(read(good).kind, "answer");
    assert.equal(read(respond([], { name: "shop.example" })).kind, "case_differs");
  });

  test("never takes a dot inside a label for two labels", () => {
    const packet = respond([{ name: "shop~example", type: "A", data: "192.0.2.1" }]);
    packet.write("shop.example", packet.indexOf("shop~example"), "latin1");
    assert.deepEqual(
      answersIn(packet).map((record) => record.name),
      ["shop\\046example"],
    );
  });

  test("calls a pointer loop and data of a wrong length malformed", () => {
    const loop = respond([{ name: "a", type: "CNAME", data: "b" }]);
    const nameAt = loop.length - 16;
    loop.writeUInt16BE(0xc000 | nameAt, nameAt);
    assert.equal(read(loop).kind, "malformed");
    const long = respond([{ name: "a", type: "A", data: "192.0.2.1" }]);
    long.writeUInt16BE(3, long.length - 6);
    assert.equal(read(long).kind, "malformed");
  });

  test("survives any bytes after a fitting header", () => {
    const head = respond([]);
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }), (tail, counts) => {
        const packet = Buffer.concat([head, tail]);
        counts.forEach((count, index) => {
          packet.writeUInt16BE(count, 6 + 2 * index);
        });
        assert.ok(["answer", "malformed"].includes(read(packet).kind));
      }),
      { numRuns: propertyRuns(20_000) },
    );
  });

  test("survives a valid message with any octet changed", () => {
    const good = respond([
      { name: "shop.example", type: "TXT", data: ["token"] },
      { name: "shop.example", type: "MX", data: { preference: 1, exchange: "m.example" } },
      { name: "shop.example", type: "CAA", data: { flags: 0, tag: "issue", value: "x" } },
    ]);
    for (let at = 0; at < good.length; at += 1) {
      for (const value of [0, 1, 0x3f, 0x40, 0xc0, 0xff]) {
        const packet = Buffer.from(good);
        packet.writeUInt8(value, at);
        assert.ok(read(packet).kind.length > 0);
      }
    }
  });
});
