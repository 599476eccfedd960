import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import { signApplyQuery, verifyApplyQuery } from "./apply-link.ts";
import vectors from "./fixtures/vectors.json" with { type: "json" };
import { createSigningKeyPair, keyRecords, readKeyRecords } from "./key-records.ts";

const keys = Object.entries(vectors.keys);

function exportSpki(texts: readonly string[]): string {
  const read = readKeyRecords(texts);
  assert.ok(read.ok, read.ok ? "" : read.reason);
  return read.publicKey.export({ type: "spki", format: "der" }).toString("base64");
}

function spki(name: string | undefined): string {
  return keys.find(([known]) => known === name)?.[1].spkiBase64 ?? "unknown key";
}

describe("a signing key in DNS", () => {
  for (const [name, key] of keys) {
    it(`is published in as few records as possible, none above 255 bytes: ${name}`, () => {
      const records = keyRecords(createPublicKey(key.publicKeySpkiPem));
      assert.deepEqual(records, key.txtRecordsFewestFragments);
      assert.deepEqual(
        records.map((record) => record.length),
        key.txtRecordsFewestFragmentsLengths,
      );
      assert.equal(key.spkiBase64.length, key.spkiBase64Length);
    });

    it(`is read from whatever fragments it was cut into, in any order: ${name}`, () => {
      const cuts = [key.txtRecordsFewestFragments, key.txtRecords200CharFragments];
      for (const cut of cuts) assert.equal(exportSpki(cut.toReversed()), key.spkiBase64);
      const fewest = key.txtRecordsFewestFragments;
      fc.assert(
        fc.property(fc.shuffledSubarray(fewest, { minLength: fewest.length }), (shuffled) => {
          assert.equal(exportSpki(shuffled), key.spkiBase64);
        }),
        { numRuns: 10 },
      );
    });
  }

  const reasons: Readonly<Record<string, RegExp>> = {
    "T5-duplicate-index": /duplicate p/,
    "T6-foreign-txt-at-the-same-name": /not a fragment/,
    "T7-unsupported-algorithm": /algorithm/,
    "T8-algorithm-mismatch": /a= differs/,
    "T9-one-record-over-255-bytes": /not a fragment/,
  };
  for (const vector of vectors.txtPublication) {
    it(`${vector.expected.ok ? "is read" : "is refused"}: ${vector.id}`, () => {
      if (vector.expected.ok) {
        assert.equal(exportSpki(vector.records), spki(vector.expected.key));
        return;
      }
      const read = readKeyRecords(vector.records);
      assert.ok(!read.ok);
      assert.match(read.reason, reasons[vector.id] ?? /^no reason is expected$/);
    });
  }

  it("is refused when it is absent, incomplete, no RSA key, or in too many pieces", () => {
    const [first = ""] = vectors.keys.t2048.txtRecordsFewestFragments;
    const { publicKey } = generateKeyPairSync("ed25519");
    const other = publicKey.export({ type: "spki", format: "der" }).toString("base64");
    const many = Array.from({ length: 33 }, (_, index) => `p=${index},a=RS256,d=AAAA`);
    for (const texts of [[], [first], ["p=1,a=RS256,d="], [`p=1,a=RS256,d=${other}`], many]) {
      assert.equal(readKeyRecords(texts).ok, false, texts.join(" | "));
    }
    for (const odd of ["p=x,a=RS256,d=AAAA", "p=1,p=2,d=AAAA", "p=1,t=pkcs1,d=AAAA", "p=1,d=A A"]) {
      assert.equal(readKeyRecords([odd]).ok, false, odd);
    }
    assert.throws(() => keyRecords(publicKey), RangeError);
  });

  it("is made, published, read back, and verifies what its other half signs", async () => {
    const pair = await createSigningKeyPair();
    assert.equal(pair.privateKey.asymmetricKeyDetails?.modulusLength, 2_048);
    const read = readKeyRecords(keyRecords(pair.publicKey));
    assert.ok(read.ok);
    const query = signApplyQuery([["domain", "example.com"]], {
      label: "_dck1",
      privateKey: pair.privateKey,
    });
    assert.ok(verifyApplyQuery(query, read.publicKey));
    assert.throws(() => keyRecords(pair.privateKey), RangeError);
  });
});
