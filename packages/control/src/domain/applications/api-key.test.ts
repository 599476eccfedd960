import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { environments } from "../tenancy.ts";
import { apiKeyEnvironment, generateApiKey, hashApiKey } from "./api-key.ts";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** CRC-32/ISO-HDLC bit by bit, apart from the table-driven one in the source. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Six base62 digits of a number below 62^6, most significant first. */
function sixDigits(value: number): string {
  return [5, 4, 3, 2, 1, 0].map((power) => digits[Math.floor(value / 62 ** power) % 62]).join("");
}

function withChecksum(body: string): string {
  return body + sixDigits(crc32(body));
}

describe("API keys", () => {
  it("agrees with the published CRC32 check value", () => {
    assert.equal(crc32("123456789"), 0xcbf43926);
  });

  for (const environment of environments) {
    it(`makes ${environment} keys of 40 random characters and their CRC32 in base62`, () => {
      for (let count = 0; count < 200; count += 1) {
        const key = generateApiKey(environment);
        assert.match(key, new RegExp(`^sk_${environment}_[0-9A-Za-z]{46}$`));
        assert.equal(key, withChecksum(key.slice(0, -6)));
        assert.equal(apiKeyEnvironment(key), environment);
      }
    });
  }

  it("left-pads a small checksum with zeros", () => {
    let body = "";
    for (let count = 0; !body; count += 1) {
      const candidate = `sk_test_${String(count).padStart(40, "0")}`;
      if (crc32(candidate) < 62 ** 5) body = candidate;
    }
    assert.match(withChecksum(body).slice(-6), /^0/);
    assert.equal(apiKeyEnvironment(withChecksum(body)), "test");
  });

  it("refuses any single wrong character", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...environments),
        fc.nat({ max: 53 }),
        fc.constantFrom(...digits, "_", "-", " "),
        (environment, at, wrong) => {
          const key = generateApiKey(environment);
          fc.pre(key[at] !== wrong);
          assert.equal(apiKeyEnvironment(key.slice(0, at) + wrong + key.slice(at + 1)), null);
        },
      ),
      { numRuns: propertyRuns(20_000) },
    );
  });

  it("refuses other shapes even when their checksum is right", () => {
    const rest = "a".repeat(40);
    for (const body of [`sk_prod_${rest}`, `sk_test_${rest}b`, `sk_test_${rest.slice(1)}`]) {
      assert.equal(apiKeyEnvironment(withChecksum(body)), null, body);
    }
    const key = generateApiKey("test");
    for (const text of ["", "sk_test_", `${key}\n`, ` ${key}`, key.toUpperCase(), `${key}0`]) {
      assert.equal(apiKeyEnvironment(text), null, JSON.stringify(text));
    }
    const live = key.replace("sk_test_", "sk_live_");
    assert.equal(apiKeyEnvironment(live), null, "the checksum covers the environment");
  });

  it("gives 10,000 keys that differ within their first 24 characters", () => {
    const prefixes = new Set<string>();
    for (let count = 0; count < 10_000; count += 1) {
      prefixes.add(generateApiKey("live").slice(0, 24));
    }
    assert.equal(prefixes.size, 10_000);
  });

  it("uses every base62 character about equally often", () => {
    const counts = new Map<string, number>();
    for (let count = 0; count < 2_000; count += 1) {
      for (const letter of generateApiKey("test").slice(8, 48)) {
        counts.set(letter, (counts.get(letter) ?? 0) + 1);
      }
    }
    const expected = (2_000 * 40) / 62;
    assert.equal(counts.size, 62);
    // Six standard deviations are about 17 %; a plain `byte % 62` would favour eight letters by 21
    // %.
    for (const [letter, count] of counts) {
      assert.ok(Math.abs(count - expected) < expected * 0.19, `${letter}: ${count}`);
    }
  });

  it("is found by the SHA-256 of the whole key", () => {
    const key = generateApiKey("test");
    assert.deepEqual(hashApiKey(key), createHash("sha256").update(key).digest());
  });
});
