import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, test } from "node:test";
import { encodeName } from "../wire/wire-records.ts";
import { type ZoneKey, zoneKeys } from "./keys.ts";
import { compareNames, type RecordSet, type Signature, signedData } from "./record-sets.ts";
import { checkSignatures } from "./signatures.ts";
import { newWork } from "./verdict.ts";

const zone = "acme.example";
const now = new Date("2026-05-01T00:00:00Z");
const seconds = now.getTime() / 1_000;

function makeKey(): { readonly key: ZoneKey; readonly privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const [key] = zoneKeys([Buffer.concat([Buffer.from([1, 0, 3, 15]), raw])]);
  assert.ok(key !== undefined);
  return { key, privateKey };
}

function signatureBy(
  { key, privateKey }: ReturnType<typeof makeKey>,
  set: RecordSet,
  change: Partial<Signature> = {},
): Signature {
  const fields = {
    typeCovered: set.type,
    algorithm: 15,
    labels: 3,
    originalTtl: 60,
    expiration: seconds + 3_600,
    inception: seconds - 3_600,
    keyTag: key.tag,
    signer: zone,
    ...change,
  };
  const head = Buffer.alloc(18);
  head.writeUInt16BE(fields.typeCovered, 0);
  head.writeUInt8(fields.algorithm, 2);
  head.writeUInt8(fields.labels, 3);
  head.writeUInt32BE(fields.originalTtl, 4);
  head.writeUInt32BE(fields.expiration, 8);
  head.writeUInt32BE(fields.inception, 12);
  head.writeUInt16BE(fields.keyTag, 16);
  const unsigned = { ...fields, head: Buffer.concat([head, encodeName(fields.signer)]) };
  const whole = { ...unsigned, signature: Buffer.alloc(0) };
  return { ...whole, signature: sign(null, signedData(set, whole), privateKey) };
}

const set: RecordSet = {
  name: `www.${zone}`,
  type: 1,
  ttl: 60,
  data: [Buffer.from([192, 0, 2, 1])],
  signatures: [],
};

describe("checkSignatures", () => {
  const made = makeKey();
  const check = (signatures: readonly Signature[], keys: readonly ZoneKey[], work = newWork()) =>
    checkSignatures({ ...set, signatures }, { zone, keys }, now, work);

  test("takes a signature in time by a key of the zone, for as long as it lasts", () => {
    const good = signatureBy(made, set, { expiration: seconds + 20 });
    assert.deepEqual(check([good], [made.key]), {
      outcome: "valid",
      seconds: 20,
      wildcardOf: null,
    });
    const other = signatureBy(made, set, { signer: "example" });
    assert.equal(check([other], [made.key]).outcome, "invalid");
    const tooDeep = signatureBy(made, set, { labels: 4 });
    assert.equal(check([tooDeep], [made.key]).outcome, "invalid");
  });

  test("says when signatures ended, and when they begin", () => {
    const expired = [-7_200, -1_800].map((end) =>
      signatureBy(made, set, { inception: seconds - 9_000, expiration: seconds + end }),
    );
    assert.deepEqual(check(expired, [made.key]), {
      outcome: "invalid",
      reason: "signature_expired",
      at: new Date((seconds - 1_800) * 1_000),
    });
    const early = signatureBy(made, set, { inception: seconds + 60 });
    assert.deepEqual(check([early], [made.key]), {
      outcome: "invalid",
      reason: "signature_early",
      at: new Date((seconds + 60) * 1_000),
    });
  });

  test("tries few of many keys with one tag, and few of many signatures (CVE-2023-50387)", () => {
    const keys = Array.from({ length: 500 }, () => ({ ...makeKey().key, tag: made.key.tag }));
    const bad = Array.from({ length: 500 }, () => signatureBy(made, set));
    const work = newWork();
    const before = work.signatures;
    assert.deepEqual(check(bad, keys, work), {
      outcome: "invalid",
      reason: "too_complex",
      at: null,
    });
    assert.equal(before - work.signatures, 0);
    const few = keys.slice(0, 4);
    assert.equal(check(bad, few, work).outcome, "invalid");
    assert.equal(before - work.signatures, 32);
    for (let round = 0; round < 50; round += 1) check(bad, few, work);
    assert.equal(work.signatures, 0);
  });
});

test("names are ordered as RFC 4034 §6.1 shows", () => {
  const ordered = [
    "example",
    "a.example",
    "yljkjljk.a.example",
    "z.a.example",
    "zabc.a.example",
    "z.example",
    "\\001.z.example",
    "*.z.example",
    "\\200.z.example",
  ];
  assert.deepEqual([...ordered].reverse().sort(compareNames), ordered);
});
