import assert from "node:assert/strict";
import { createSecretKey, randomBytes, randomInt } from "node:crypto";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { newId } from "./id.ts";

const isSoak = propertyRuns(1_000) === 1_000;
const flips = isSoak ? 100_000 : 5_000;
const binding = JSON.stringify(["tenant", "test", "applications"]);

describe("cursors", () => {
  it("decodes to the position that was encoded", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }),
        fc.uuid(),
        fc.string(),
        (createdAt, id, bound) => {
          const key = createSecretKey(randomBytes(32));
          const cursor = encodeCursor(key, bound, { createdAt, id });
          assert.match(cursor, /^[A-Za-z0-9_-]+$/);
          assert.deepEqual(decodeCursor(key, bound, cursor), { createdAt, id });
        },
      ),
      { numRuns: propertyRuns(5_000) },
    );
  });

  it(`refuses ${flips} cursors with one to three bits flipped`, () => {
    const key = createSecretKey(randomBytes(32));
    for (let count = 0; count < flips; count += 1) {
      const now = new Date();
      const cursor = encodeCursor(key, binding, { createdAt: now, id: newId(now) });
      const bytes = Buffer.from(cursor, "base64url");
      const bits = new Set(
        Array.from({ length: randomInt(1, 4) }, () => randomInt(bytes.length * 8)),
      );
      for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.equal(decodeCursor(key, binding, bytes.toString("base64url")), null);
    }
  });

  it("refuses every single bit of one cursor flipped", () => {
    const key = createSecretKey(randomBytes(32));
    const now = new Date();
    const bytes = Buffer.from(
      encodeCursor(key, binding, { createdAt: now, id: newId(now) }),
      "base64url",
    );
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const spoilt = Buffer.from(bytes);
      spoilt[bit >> 3] = (spoilt[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.equal(decodeCursor(key, binding, spoilt.toString("base64url")), null, `bit ${bit}`);
    }
  });

  it("is bound to its key, tenant, environment, list and filters", () => {
    const key = createSecretKey(randomBytes(32));
    const now = new Date();
    const cursor = encodeCursor(key, binding, { createdAt: now, id: newId(now) });
    const others = [
      ["other", "test", "applications"],
      ["tenant", "live", "applications"],
      ["tenant", "test", "keys"],
      ["tenant", "test", "applications", "filter"],
      ["tenant", "test", "applications", null],
    ];
    for (const other of others) {
      assert.equal(decodeCursor(key, JSON.stringify(other), cursor), null, String(other));
    }
    assert.equal(decodeCursor(createSecretKey(randomBytes(32)), binding, cursor), null);
  });

  it("has one spelling only, and refuses other lengths and junk", () => {
    const key = createSecretKey(randomBytes(32));
    const now = new Date();
    const cursor = encodeCursor(key, binding, { createdAt: now, id: newId(now) });
    const twins = [
      "",
      "x",
      `${cursor}=`,
      ` ${cursor}`,
      `${cursor}A`,
      cursor.slice(1),
      `${cursor}\n`,
    ];
    for (const twin of twins) assert.equal(decodeCursor(key, binding, twin), null, twin);
    // 41 bytes leave unused bits in the last character, which a lax decoder would ignore.
    const last = cursor.at(-1) ?? "";
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (const letter of alphabet) {
      if (letter === last) continue;
      assert.equal(decodeCursor(key, binding, cursor.slice(0, -1) + letter), null, letter);
    }
  });
});
