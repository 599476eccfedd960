import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { generateRootKey, parseRootKeys, VaultError } from "./root-key.ts";

const good = Buffer.alloc(32, "0123456789abcdef").toString("base64");
const other = Buffer.alloc(32, "fedcba9876543210").toString("base64");

describe("parseRootKeys", () => {
  test("preserves the order: the first key is the current one", () => {
    const keys = parseRootKeys(`new:${good}, old:${other}`);
    assert.deepEqual(
      keys.map((key) => key.id),
      ["new", "old"],
    );
    assert.equal(keys[0].key.export().toString("base64"), good);
  });

  test("reads what generateRootKey makes, and two generated keys differ", () => {
    const first = generateRootKey();
    const second = generateRootKey();
    assert.equal(parseRootKeys(`${first},${second}`).length, 2);
  });

  test("never prints or serialises the key bytes", () => {
    const keys = parseRootKeys(`new:${good}`);
    const shown = `${inspect(keys, { depth: 9, showHidden: true })}${JSON.stringify(keys)}`;
    assert.ok(!shown.includes(good.slice(0, 8)));
    assert.ok(!shown.includes("30 31 32 33"));
  });

  const refusals: readonly (readonly [string, string, RegExp])[] = [
    ["an empty list", "", /root key 1 must be written id:base64/],
    ["a key without an id", good, /root key 1 must be written/],
    ["an empty id", `:${good}`, /root key 1 has an id/],
    ["an id with a dot", `a.b:${good}`, /root key 1 has an id/],
    ["an id and a key that changed places", `${good}:one`, /root key 1 has an id/],
    ["a trailing comma", `a:${good},`, /root key 2 must be written/],
    ["a short key", `a:${good.slice(0, 40)}`, /has 30 bytes, 32 are needed/],
    ["a long key", `a:${Buffer.alloc(33, "xy").toString("base64")}`, /has 33 bytes/],
    ["hexadecimal", `a:${Buffer.alloc(32, "xy").toString("hex")}`, /has 48 bytes/],
    ["text that is no base64", `a:${good.slice(0, 42)}!=`, /root key 1 is not base64/],
    ["a placeholder", `a:${Buffer.alloc(32).toString("base64")}`, /one byte repeated/],
    ["an id used twice", `a:${good},a:${other}`, /root key 2 has the same id as root key 1/],
    ["a key used twice", `a:${good},b:${good}`, /root key 2 has the same key as root key 1/],
  ];
  for (const [what, text, expected] of refusals) {
    test(`refuses ${what} without echoing the input`, () => {
      assert.throws(
        () => parseRootKeys(text),
        (error: unknown) => {
          assert.ok(error instanceof VaultError);
          assert.equal(error.kind, "bad_root_key");
          assert.match(error.message, expected);
          const values = text.split(/[,:]/).filter((value) => value.length > 8);
          assert.ok(values.every((value) => !error.message.includes(value.slice(0, 8))));
          return true;
        },
      );
    });
  }
});
