import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatKeyRing, parseKeyRing } from "./key-ring.ts";
import { generateRootKey, parseRootKeys } from "./root-key.ts";
import { createVault, purposes } from "./vault.ts";

const context = { tenant: null, table: "certificates", row: "a.example", column: "sealed_key" };
const rootKeys = parseRootKeys(`${generateRootKey()},${generateRootKey()}`);
const whole = createVault(rootKeys);

describe("a key ring", () => {
  const text = formatKeyRing(rootKeys, ["certificate_key", "ticket_key"]);
  const few = createVault(parseKeyRing(text), { purposes: ["certificate_key", "ticket_key"] });

  it("opens and seals what the root keys do, for its purposes", () => {
    const sealed = whole.seal("certificate_key", context, "key");
    assert.equal(few.open("certificate_key", context, sealed).toString(), "key");
    const back = few.seal("certificate_key", context, "other");
    assert.equal(whole.open("certificate_key", context, back).toString(), "other");
    assert.deepEqual(few.keyIds, whole.keyIds);
    assert.deepEqual(few.deriveKey("ticket_key"), whole.deriveKey("ticket_key"));
  });

  it("opens values under an older root key, and rewraps them", () => {
    const [current, older] = rootKeys;
    assert.ok(older);
    const sealed = createVault([older]).seal("certificate_key", context, "old");
    assert.equal(few.open("certificate_key", context, sealed).toString(), "old");
    const fresh = few.rewrap("certificate_key", context, sealed) ?? "";
    assert.equal(few.keyIdOf(fresh), current.id);
  });

  for (const purpose of purposes.filter((one) => !text.includes(`/${one}:`))) {
    it(`opens nothing of ${purpose}`, () => {
      const sealed = whole.seal(purpose, context, "secret");
      assert.throws(() => few.open(purpose, context, sealed), { kind: "purpose_withheld" });
      assert.throws(() => few.deriveKey(purpose), { kind: "purpose_withheld" });
    });
  }

  it("is refused at the start when it lacks a purpose", () => {
    const ring = parseKeyRing(text);
    assert.throws(() => createVault(ring, { purposes: ["acme_account"] }), {
      kind: "purpose_withheld",
    });
  });

  it("is refused with a reason that shows none of it", () => {
    const [entry = ""] = text.split(",");
    const wrong = [
      generateRootKey(),
      "",
      `${entry},${entry}`,
      entry.slice(0, -8),
      `k/x:${"A".repeat(88)}`,
    ];
    for (const one of wrong) {
      assert.throws(
        () => parseKeyRing(one),
        (error: Error) => {
          assert.match(error.message, /^entry \d of the key ring /);
          return !error.message.includes(one.slice(-20)) || one === "";
        },
      );
    }
  });
});
