import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { parseRecord } from "../../record.ts";
import { encodeQuery, encodeRecord, encodeUpdate } from "./message.ts";
import { createVerifier, readTsig, signMessage } from "./tsig.ts";

const key = {
  name: "test-key",
  algorithm: "hmac-sha256",
  secret: Buffer.from("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "base64"),
};
const at = new Date(1_767_323_045_000);
const unsigned =
  "123428000001000000020000076578616d706c6503636f6d000006000103777777c00c001000ff000000000000c01d001000010000012c00060568656c6c6f";
const mac = "be0e7d7dad5bb40fdb8129b085f975b2d3c36962b73b9daf79be2a20afb56f34";
const signed =
  "123428000001000000020001076578616d706c6503636f6d000006000103777777c00c001000ff000000000000c01d001000010000012c00060568656c6c6f08746573742d6b65790000fa00ff00000000003d0b686d61632d736861323536000000695735a5012c0020be0e7d7dad5bb40fdb8129b085f975b2d3c36962b73b9daf79be2a20afb56f34123400000000";

describe("signMessage", () => {
  it("signs as the reference does", () => {
    const result = signMessage(Buffer.from(unsigned, "hex"), key, at);
    assert.equal(result.mac.toString("hex"), mac);
    assert.equal(result.message.toString("hex"), signed);
  });

  it("is found again at the end of the message", () => {
    const tsig = readTsig(Buffer.from(signed, "hex"));
    assert.equal(tsig?.mac.toString("hex"), mac);
    assert.equal(tsig?.start, unsigned.length / 2);
    assert.equal(readTsig(Buffer.from(unsigned, "hex")), null);
  });
});

describe("createVerifier", () => {
  const requestMac = Buffer.alloc(32, 9);
  const variables = Buffer.from(
    "08746573742d6b65790000ff000000000b686d61632d73686132353600",
    "hex",
  );
  const time = Buffer.from("0000695735a5012c", "hex");
  const tail = Buffer.alloc(4);

  /** Signs as a server does, put together by hand from RFC 8945 §5.3 and §5.3.1. */
  function respond(
    message: Buffer,
    previous: Buffer,
    between: readonly Buffer[],
    isFirst: boolean,
  ) {
    const length = Buffer.from([previous.length >> 8, previous.length & 255]);
    const end = isFirst ? [variables, time, tail] : [time];
    const digest = createHmac("sha256", key.secret)
      .update(Buffer.concat([length, previous, ...between, message, ...end]))
      .digest();
    const algorithm = "0b686d61632d73686132353600";
    const data = Buffer.concat([
      Buffer.from(algorithm, "hex"),
      time,
      Buffer.from([0, 32]),
      digest,
      message.subarray(0, 2),
      tail,
    ]);
    const head = Buffer.from("08746573742d6b65790000fa00ff000000000000", "hex");
    head.writeUInt16BE(data.length, head.length - 2);
    const signedMessage = Buffer.concat([message, head, data]);
    signedMessage.writeUInt16BE(message.readUInt16BE(10) + 1, 10);
    return { message: signedMessage, tsig: readTsig(signedMessage), digest };
  }

  const answer = encodeQuery(7, "example.com", 6);

  it("accepts what the key's owner signed in answer to the request", () => {
    const verifier = createVerifier(key, requestMac, () => at);
    const { message, tsig } = respond(answer, requestMac, [], true);
    assert.equal(verifier.isSettled(), false);
    assert.equal(verifier.accept(message, tsig), true);
    assert.equal(verifier.isSettled(), true);
  });

  it("accepts the further messages of a transfer, of which only the last is signed", () => {
    const verifier = createVerifier(key, requestMac, () => at);
    const first = respond(answer, requestMac, [], true);
    const last = respond(answer, first.digest, [answer], false);
    assert.equal(verifier.accept(first.message, first.tsig), true);
    assert.equal(verifier.accept(answer, null), true);
    assert.equal(verifier.isSettled(), false);
    assert.equal(verifier.accept(last.message, last.tsig), true);
    assert.equal(verifier.isSettled(), true);
  });

  it("refuses a missing, unrelated, changed or old signature", () => {
    const { message, tsig } = respond(answer, requestMac, [], true);
    const verifier = (mac: Buffer, now: Date) => createVerifier(key, mac, () => now);
    assert.equal(verifier(requestMac, at).accept(answer, null), false);
    assert.equal(verifier(Buffer.alloc(32, 8), at).accept(message, tsig), false);
    assert.equal(
      verifier(requestMac, new Date(at.getTime() + 301_000)).accept(message, tsig),
      false,
    );
    const changed = Buffer.from(message);
    changed.writeUInt8(0x77, 14);
    assert.equal(verifier(requestMac, at).accept(changed, readTsig(changed)), false);
  });
});

describe("encodeUpdate", () => {
  it("writes every type as it is on the wire", () => {
    const cases: readonly (readonly [string, string, number | null, string])[] = [
      ["A", "192.0.2.1", null, "c0000201"],
      ["AAAA", "2001:db8::1", null, "20010db8000000000000000000000001"],
      ["AAAA", "::ffff:192.0.2.1", null, "00000000000000000000ffffc0000201"],
      ["CNAME", "a.b", null, "0161016200"],
      ["MX", "m.x", 10, "000a016d017800"],
      ["SRV", "5 80 s.x", 1, "0001000500500173017800"],
      ["TXT", "hi", null, "026869"],
      ["CAA", '0 issue "ca"', null, "00056973737565" + "6361"],
    ];
    for (const [type, value, priority, hex] of cases) {
      const parsed = parseRecord({ name: "www.example.com", type, value, ttl: 300, priority });
      assert.ok(parsed.ok);
      assert.equal(encodeRecord(parsed.record, 300).data.toString("hex"), hex, type);
    }
  });

  it("deletes before it adds, by class NONE and IN", () => {
    const record = {
      name: "www.example.com",
      typeCode: 16,
      ttl: 300,
      data: Buffer.from("026869", "hex"),
    };
    const message = encodeUpdate(1, "example.com", [record], [record]).toString("hex");
    const owner = "03777777076578616d706c6503636f6d00";
    assert.ok(
      message.includes(`${owner}001000fe000000000003026869${owner}001000010000012c0003026869`),
    );
  });
});
