import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describe, it } from "node:test";
import { rec, suiteZone } from "../../../conformance/cases/case-context.ts";
import { typeCodes } from "../../wire/rdata.ts";
import { createReader, type Reader } from "../../wire/reader.ts";
import { encodeRecord, encodeUpdate } from "./message.ts";
import { readTsig, signMessage } from "./tsig.ts";

const secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const key = {
  name: "update-key",
  algorithm: "hmac-sha256",
  secret: Buffer.from(secret, "base64"),
};

const deleted = rec("app", "A", "192.0.2.20");
const added = [
  rec("app", "A", "192.0.2.21"),
  rec("app", "AAAA", "2001:db8::21"),
  rec("shop", "CNAME", "edge.example.net"),
  rec("_service-challenge.shop", "TXT", "v=1; words and=signs"),
  rec("lists", "MX", "mx.example.net", { priority: 20 }),
  rec("@", "CAA", '0 issue "ca.example.net"'),
];
const commands = [
  `update delete app.${suiteZone}. A 192.0.2.20`,
  `update add app.${suiteZone}. 3600 A 192.0.2.21`,
  `update add app.${suiteZone}. 3600 AAAA 2001:db8::21`,
  `update add shop.${suiteZone}. 3600 CNAME edge.example.net.`,
  `update add _service-challenge.shop.${suiteZone}. 3600 TXT "v=1; words and=signs"`,
  `update add lists.${suiteZone}. 3600 MX 20 mx.example.net.`,
  `update add ${suiteZone}. 3600 CAA 0 issue "ca.example.net"`,
];

/** The message that nsupdate sends over TCP; it gets no answer. */
async function messageOfNsupdate(): Promise<Buffer> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const client = spawn("nsupdate", ["-v", "-y", `${key.algorithm}:${key.name}:${secret}`], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = once(client, "exit");
  try {
    const lines = [`server 127.0.0.1 ${address.port}`, `zone ${suiteZone}.`, ...commands, "send"];
    client.stdin.end(`${lines.join("\n")}\n`);
    const [socket]: Socket[] = await once(server, "connection");
    assert.ok(socket !== undefined);
    return await firstMessage(socket);
  } finally {
    client.kill();
    server.close();
    await ended;
  }
}

/** RFC 1035 §4.2.2: over TCP a message follows its length. */
async function firstMessage(socket: Socket): Promise<Buffer> {
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    const end = received.length < 2 ? Number.POSITIVE_INFINITY : 2 + received.readUInt16BE(0);
    if (received.length >= end) return received.subarray(2, end);
  }
  throw new Error("nsupdate closed the connection before its message was complete");
}

/**
 * The flags, the zone and the changes of an update; names are decoded, so compression does not
 * count.
 */
function read(message: Buffer) {
  const reader = createReader(message, 12, message.length);
  const [zones, prerequisites, updates] = [4, 6, 8].map((at) => message.readUInt16BE(at));
  const zone = { name: reader.name(), type: reader.u16(), class: reader.u16() };
  const changes = Array.from({ length: updates ?? 0 }, () => {
    const name = reader.name();
    const [type, recordClass, ttl] = [reader.u16(), reader.u16(), reader.u32()];
    return { name, type, class: recordClass, ttl, data: readData(reader, type) };
  });
  return { flags: message.readUInt16BE(2), zones, prerequisites, zone, changes };
}

function readData(reader: Reader, type: number): readonly unknown[] {
  const length = reader.u16();
  if (type === typeCodes.CNAME) return [reader.name()];
  if (type === typeCodes.MX) return [reader.u16(), reader.name()];
  return [reader.bytes(length).toString("hex")];
}

describe("an update of nsupdate", () => {
  it("has the sections and the signature that ours has", async () => {
    const theirs = await messageOfNsupdate();
    const ours = encodeUpdate(
      theirs.readUInt16BE(0),
      suiteZone,
      [encodeRecord(deleted, 0)],
      added.map((record) => encodeRecord(record, 3_600)),
    );
    assert.deepEqual(read(ours), read(theirs));

    const tsig = readTsig(theirs);
    assert.ok(tsig !== null);
    const unsigned = Buffer.from(theirs.subarray(0, tsig.start));
    unsigned.writeUInt16BE(unsigned.readUInt16BE(10) - 1, 10);
    const signed = signMessage(unsigned, key, new Date(tsig.signedAt * 1_000)).message;
    assert.equal(signed.toString("hex"), theirs.toString("hex"));
  });
});
