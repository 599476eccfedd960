import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { crc32c } from "./crc32c.ts";
import { readProxyHeader } from "./proxy-protocol.ts";

const signature = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
const v4 = Buffer.from([192, 0, 2, 1, 198, 51, 100, 1, 0xc0, 0, 1, 187]);
const v6 = Buffer.from(`20010db8${"0".repeat(23)}1${"0".repeat(32)}c00001bb`, "hex");

function binary(command: number, family: number, rest: Buffer): Buffer {
  const fixed = Buffer.from([command, family, rest.length >> 8, rest.length & 255]);
  return Buffer.concat([signature, fixed, rest]);
}

function tlv(type: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, value.length >> 8, value.length & 255]), value]);
}

describe("the PROXY protocol", () => {
  const good: readonly (readonly [string, Buffer, string | null])[] = [
    ["TCP4", Buffer.from("PROXY TCP4 192.0.2.1 198.51.100.1 49152 443\r\n"), "192.0.2.1"],
    ["TCP6", Buffer.from("PROXY TCP6 2001:db8::1 ::1 0 65535\r\n"), "2001:db8::1"],
    ["UNKNOWN", Buffer.from("PROXY UNKNOWN\r\n"), null],
    ["UNKNOWN with a rest", Buffer.from("PROXY UNKNOWN ffff:: x 1\r\n"), null],
    ["version 2, TCP over IPv4", binary(0x21, 0x11, v4), "192.0.2.1"],
    ["version 2, TCP over IPv6", binary(0x21, 0x21, v6), "2001:db8::1"],
    ["version 2, local", binary(0x20, 0x00, Buffer.alloc(0)), null],
    ["version 2, unspecified", binary(0x21, 0x00, Buffer.from("anything")), null],
    [
      "version 2 with TLVs",
      binary(0x21, 0x11, Buffer.concat([v4, tlv(0xea, Buffer.from("vpce")), tlv(4, v6)])),
      "192.0.2.1",
    ],
    ["version 2 with a checksum", withChecksum(), "192.0.2.1"],
  ];

  it("is read with whatever follows it, however it is cut", () => {
    for (const [name, header, source] of good) {
      const bytes = Buffer.concat([header, Buffer.from("GET / HTTP/1.1\r\n")]);
      assert.deepEqual(
        readProxyHeader(bytes),
        { kind: "header", length: header.length, source },
        name,
      );
      for (let length = 0; length < header.length; length += 1) {
        const { kind } = readProxyHeader(bytes.subarray(0, length));
        assert.equal(kind, "incomplete", `${name}, ${length} bytes`);
      }
    }
  });

  it("is refused in any other form", () => {
    const wrongSum = withChecksum();
    wrongSum.writeUInt8(wrongSum.readUInt8(16) ^ 1, 16);
    const bad: readonly (string | Buffer)[] = [
      "PROXY TCP4 192.0.2.1 198.51.100.1 49152\r\n",
      "PROXY TCP4  192.0.2.1 198.51.100.1 49152 443\r\n",
      "PROXY TCP4 192.0.2.1 198.51.100.1 49152 443 \r\n",
      "PROXY TCP4 192.0.2.256 198.51.100.1 1 2\r\n",
      "PROXY TCP4 192.0.2.01 198.51.100.1 1 2\r\n",
      "PROXY TCP4 2001:db8::1 ::1 1 2\r\n",
      "PROXY TCP6 192.0.2.1 192.0.2.2 1 2\r\n",
      "PROXY TCP6 fe80::1%eth0 ::1 1 2\r\n",
      "PROXY TCP4 192.0.2.1 198.51.100.1 65536 1\r\n",
      "PROXY TCP4 192.0.2.1 198.51.100.1 01 1\r\n",
      "PROXY tcp4 192.0.2.1 198.51.100.1 1 1\r\n",
      "PROXY UDP4 192.0.2.1 198.51.100.1 1 1\r\n",
      "PROXY UNKNOWNX\r\n",
      `PROXY UNKNOWN ${"x".repeat(100)}\r\n`,
      binary(0x11, 0x11, v4),
      binary(0x22, 0x11, v4),
      binary(0x21, 0x12, v4),
      binary(0x21, 0x31, Buffer.alloc(216)),
      binary(0x21, 0x11, v4.subarray(0, 11)),
      binary(0x21, 0x21, v6.subarray(0, 35)),
      binary(0x21, 0x11, Buffer.concat([v4, Buffer.from([4, 0])])),
      binary(0x21, 0x11, Buffer.concat([v4, Buffer.from([4, 0, 9, 1])])),
      binary(0x21, 0x11, Buffer.concat([v4, Buffer.alloc(5_000)])),
      binary(0x21, 0x11, Buffer.concat([v4, tlv(3, Buffer.alloc(3))])),
      wrongSum,
    ];
    for (const one of bad) {
      const bytes = Buffer.concat([Buffer.from(one), Buffer.alloc(64)]);
      assert.equal(readProxyHeader(bytes).kind, "malformed", JSON.stringify(String(one)));
    }
    for (const other of ["GET / HTTP/1.1\r\n", "\x16\x03\x01", "PROXX", "\r\n\r\nX"]) {
      assert.equal(readProxyHeader(Buffer.from(other)).kind, "absent", other);
    }
  });

  it("never throws, and claims no byte that it did not get, for any bytes", () => {
    const beginnings = fc.constantFrom(
      "PROXY ",
      "PROXY TCP4 ",
      "PROXY UNKNOWN",
      "",
      String(signature),
    );
    const bytes = fc
      .tuple(beginnings, fc.uint8Array({ maxLength: 300 }))
      .map(([text, rest]) => Buffer.concat([Buffer.from(text, "latin1"), rest]));
    // One byte of a good header replaced, which reaches deeper than random bytes do.
    const changed = fc
      .tuple(fc.nat(good.length - 1), fc.nat(200), fc.nat(255))
      .map(([index, at, value]) => {
        const copy = Buffer.concat([good[index]?.[1] ?? signature, Buffer.from("rest")]);
        copy.writeUInt8(value, at % copy.length);
        return copy;
      });
    fc.assert(
      fc.property(fc.oneof(bytes, changed), (input) => {
        const read = readProxyHeader(input);
        if (read.kind === "header") assert.ok(read.length > 0 && read.length <= input.length);
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });
});

function withChecksum(): Buffer {
  const header = binary(0x21, 0x11, Buffer.concat([v4, tlv(3, Buffer.alloc(4)), tlv(4, v4)]));
  header.writeUInt32BE(crc32c(header), 16 + 12 + 3);
  return header;
}

describe("crc32c", () => {
  it("gives the values of RFC 3720", () => {
    assert.equal(crc32c(Buffer.alloc(32)), 0x8a9136aa);
    assert.equal(crc32c(Buffer.alloc(32, 0xff)), 0x62a8ab43);
    assert.equal(crc32c(Buffer.from("123456789")), 0xe3069283);
  });
});
