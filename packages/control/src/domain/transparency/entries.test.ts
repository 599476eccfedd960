import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  certificateKey,
  issuerText,
  publicKeyHash,
  readCertificateFields,
  readValidity,
  serialText,
  visitNames,
} from "./certificate-fields.ts";
import { createClaimFilter } from "./claim-filter.ts";
import vectors from "./fixtures/vectors.json" with { type: "json" };
import { type LogEntry, readDataTile, readLeafInput } from "./leaf.ts";

const tile = Buffer.from(vectors.data_tile, "base64");

function entryAt(index: number): LogEntry {
  const { entry } = readLeafInput(vectors.entries[index]?.leaf_input ?? "");
  assert.ok(entry);
  return entry;
}

function fieldsAt(index: number) {
  const { der, form } = entryAt(index);
  const fields = readCertificateFields(der, form);
  assert.ok(fields);
  return fields;
}

function namesAt(index: number): string[] {
  const names: string[] = [];
  visitNames(fieldsAt(index), (name) => names.push(name));
  return names;
}

describe("entries that Go's libraries made", () => {
  vectors.entries.forEach((expected, index) => {
    it(`are read: ${expected.form} ${expected.serial}`, () => {
      const { leafHash, entry } = readLeafInput(expected.leaf_input);
      assert.equal(leafHash.toString("hex"), expected.leaf_hash);
      assert.ok(entry);
      assert.equal(entry.form, expected.form);
      assert.equal(entry.timestamp, expected.timestamp);
      const fields = fieldsAt(index);
      assert.equal(BigInt(`0x${serialText(fields)}`), BigInt(`0x${expected.serial}`));
      assert.equal(publicKeyHash(fields).toString("hex"), expected.public_key_sha256);
      assert.equal(issuerText(fields), vectors.issuer);
      const validity = readValidity(fields);
      assert.deepEqual(validity, {
        notBefore: new Date(expected.not_before),
        notAfter: new Date(expected.not_after),
      });
      const named = expected.names ?? [expected.common_name];
      assert.deepEqual(
        namesAt(index),
        named.map((name) => name.toLowerCase()),
      );
    });
  });

  it("are one certificate when one is the precertificate of the other", () => {
    const keys = vectors.entries.map((_, index) => certificateKey(fieldsAt(index)).toString("hex"));
    assert.equal(keys[0], keys[1]);
    assert.equal(new Set(keys).size, vectors.entries.length - 1);
  });

  it("are the same in a data tile, with the same hashes", () => {
    const all = readDataTile(tile, vectors.entries.length, 0);
    assert.deepEqual(
      all,
      vectors.entries.map((_, index) => entryAt(index)),
    );
    assert.deepEqual(readDataTile(tile, vectors.entries.length, 4), all?.slice(4));
  });
});

describe("bytes of a hostile log", () => {
  it("are refused wherever they are cut off", () => {
    for (let length = 0; length < tile.length; length += 7) {
      assert.equal(readDataTile(tile.subarray(0, length), vectors.entries.length, 0), null);
    }
    const { der, form } = entryAt(0);
    for (let length = 0; length < der.length; length += 1) {
      assert.equal(readCertificateFields(der.subarray(0, length), form), null);
    }
  });

  it("never throw, whichever octet is changed", () => {
    const { der, form } = entryAt(5);
    for (let at = 0; at < der.length; at += 1) {
      for (const value of [0x00, 0x80, 0x84, 0xff]) {
        const changed = Buffer.from(der);
        changed[at] = value;
        const fields = readCertificateFields(changed, form);
        if (fields === null) continue;
        visitNames(fields, (name) => assert.ok(name.length <= 253));
        issuerText(fields);
        readValidity(fields);
      }
    }
  });

  it("of an unknown type have a hash and no entry", () => {
    const leaf = Buffer.from(vectors.entries[0]?.leaf_input ?? "", "base64");
    for (const [at, value] of [
      [0, 1],
      [1, 1],
      [11, 9],
    ] as const) {
      const changed = Buffer.from(leaf);
      changed[at] = value;
      const { leafHash, entry } = readLeafInput(changed.toString("base64"));
      assert.equal(entry, null);
      assert.equal(leafHash.length, 32);
    }
    assert.equal(readLeafInput(Buffer.concat([leaf, leaf]).toString("base64")).entry, null);
  });
});

describe("the filter of claims", () => {
  const filter = createClaimFilter(10);
  for (const name of ["shop.example.com", "*.example.org", "a.b.example.net"]) filter.add(name);

  it("lets the names of claims pass, and wildcards over them", () => {
    for (const name of ["shop.example.com", "*.example.com", "*.example.org", "*.b.example.net"]) {
      assert.ok(filter.mayConcern(name), name);
    }
  });

  it("stops names beside, above and below them", () => {
    const others = ["www.example.com", "example.org", "x.example.org", "b.example.net"];
    const wildcards = ["*.example.net", "*.shop.example.com", "*.org"];
    assert.deepEqual(
      [...others, ...wildcards].filter((name) => filter.mayConcern(name)),
      [],
    );
  });
});
