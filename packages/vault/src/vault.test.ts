import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { generateRootKey, parseRootKeys, VaultError, type VaultErrorKind } from "./root-key.ts";
import type { SealContext } from "./vault.ts";
import { createVault, type Purpose, purposes } from "./vault.ts";

const oldKey = generateRootKey();
const newKey = generateRootKey();
const before = createVault(parseRootKeys(oldKey));
const during = createVault(parseRootKeys(`${newKey},${oldKey}`));
const after = createVault(parseRootKeys(newKey));

const context: SealContext = {
  tenant: "tenant-1",
  table: "credentials",
  row: "row-1",
  column: "fields",
};
const secret = "s3cret-canary";

function failsAs(kind: VaultErrorKind, run: () => unknown): void {
  assert.throws(run, (error: unknown) => {
    assert.ok(error instanceof VaultError);
    assert.equal(error.kind, kind);
    assert.ok(!`${error.stack}${String(error.cause)}`.includes(secret));
    return true;
  });
}

const anyName = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const anyContext = fc.record({
  tenant: fc.option(anyName),
  table: anyName,
  row: anyName,
  column: anyName,
});
const anyPurpose = fc.constantFrom(...purposes);

describe("seal and open", () => {
  test("give back any bytes in any context for every purpose", () => {
    fc.assert(
      fc.property(anyPurpose, anyContext, fc.uint8Array(), (purpose, context, bytes) => {
        const sealed = before.seal(purpose, context, bytes);
        assert.deepEqual(before.open(purpose, context, sealed), Buffer.from(bytes));
      }),
    );
  });

  test("give back text as UTF-8, also the empty text", () => {
    for (const text of ["", secret, "ключ 鍵 🔑"]) {
      const sealed = before.seal("dns_credential", context, text);
      assert.equal(before.open("dns_credential", context, sealed).toString(), text);
    }
  });

  test("refuse text that UTF-8 could not give back", () => {
    failsAs("malformed", () => before.seal("dns_credential", context, "\ud800"));
  });

  test("store v1, key id, wrapped key, IV and ciphertext with tag, each value under fresh keys", () => {
    const first = before.seal("dns_credential", context, secret).split(".");
    const second = before.seal("dns_credential", context, secret).split(".");
    const sizes = first.slice(2).map((part) => Buffer.from(part, "base64url").length);
    assert.deepEqual(first.slice(0, 2), ["v1", before.currentKeyId]);
    assert.deepEqual(sizes, [12 + 32 + 16, 12, secret.length + 16]);
    for (const index of [2, 3, 4]) assert.notEqual(first[index], second[index]);
  });
});

describe("a sealed value opens nowhere else", () => {
  test("not in another tenant, table, row or column, nor for the installation", () => {
    const sealed = before.seal("dns_credential", context, secret);
    const elsewhere: readonly SealContext[] = [
      { ...context, tenant: "tenant-2" },
      { ...context, tenant: null },
      { ...context, table: "webhook_endpoints" },
      { ...context, row: "row-2" },
      { ...context, column: "name" },
    ];
    for (const context of elsewhere) {
      failsAs("tampered", () => before.open("dns_credential", context, sealed));
    }
  });

  test("not for another purpose", () => {
    const sealed = before.seal("dns_credential", context, secret);
    for (const purpose of purposes.filter((each) => each !== "dns_credential")) {
      failsAs("tampered", () => before.open(purpose, context, sealed));
    }
  });

  test("not in a context whose fields join to the same text", () => {
    const tricky = fc.string({ unit: fc.constantFrom("|", "%", "7", "C", "a"), minLength: 1 });
    const contexts = fc.record({ tenant: tricky, table: tricky, row: tricky, column: tricky });
    fc.assert(
      fc.property(contexts, contexts, (one, two) => {
        fc.pre(JSON.stringify(Object.values(one)) !== JSON.stringify(Object.values(two)));
        const sealed = before.seal("cursor", one, secret);
        failsAs("tampered", () => before.open("cursor", two, sealed));
      }),
    );
    const shifted = { ...context, tenant: "a|b", table: "c" };
    const sealed = before.seal("cursor", shifted, secret);
    failsAs("tampered", () =>
      before.open("cursor", { ...context, tenant: "a", table: "b|c" }, sealed),
    );
  });

  test("and a context with an empty or ill-formed field cannot be named at all", () => {
    for (const name of ["", "\ud800"]) {
      failsAs("malformed", () => before.seal("cursor", { ...context, tenant: name }, secret));
      failsAs("malformed", () => before.seal("cursor", { ...context, row: name }, secret));
    }
  });

  test("not when the parts of two values of the same context are mixed", () => {
    const one = before.seal("dns_credential", context, secret).split(".");
    const two = before.seal("dns_credential", context, secret).split(".");
    for (const index of [2, 3, 4]) {
      const mixed = one.with(index, two[index] ?? "").join(".");
      failsAs("tampered", () => before.open("dns_credential", context, mixed));
    }
  });
});

describe("a changed sealed value fails", () => {
  test("whichever single character is replaced by whichever other", () => {
    const sealed = before.seal("dns_credential", context, secret);
    const replacement = fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 1 });
    for (let index = 0; index < sealed.length; index += 1) {
      fc.assert(
        fc.property(replacement, (character) => {
          fc.pre(character !== sealed[index]);
          const changed = sealed.slice(0, index) + character + sealed.slice(index + 1);
          assert.throws(() => before.open("dns_credential", context, changed), VaultError);
        }),
        { numRuns: 5 },
      );
    }
  });

  test("whichever single bit of a decoded part is flipped", () => {
    const parts = before.seal("dns_credential", context, secret).split(".");
    for (const part of [2, 3, 4]) {
      const bytes = Buffer.from(parts[part] ?? "", "base64url");
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const flipped = Buffer.from(bytes);
        flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const changed = parts.with(part, flipped.toString("base64url")).join(".");
        failsAs("tampered", () => before.open("dns_credential", context, changed));
      }
    }
  });

  test("when it is cut anywhere or is not a sealed value", () => {
    const sealed = before.seal("dns_credential", context, secret);
    for (let length = 0; length < sealed.length; length += 1) {
      const cut = sealed.slice(0, length);
      assert.throws(() => before.open("dns_credential", context, cut), VaultError);
    }
    const [version, ...rest] = sealed.split(".");
    assert.equal(version, "v1");
    for (const text of [
      "",
      secret,
      `v2.${rest.join(".")}`,
      `${sealed}.`,
      `${sealed}=`,
      ` ${sealed}`,
    ]) {
      failsAs("malformed", () => before.open("dns_credential", context, text));
      failsAs("malformed", () => before.keyIdOf(text));
    }
  });

  test("with a spelling that decodes to the same bytes", () => {
    // One byte of plaintext makes 17 bytes, whose last base64url character has four unused bits.
    const sealed = before.seal("dns_credential", context, "x");
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const other = alphabet[alphabet.indexOf(sealed.at(-1) ?? "") + 1] ?? "";
    const twin = sealed.slice(0, -1) + other;
    const [bytes, twinBytes] = [sealed, twin].map((text) =>
      Buffer.from(text.split(".")[4] ?? "", "base64url"),
    );
    assert.deepEqual(twinBytes, bytes);
    failsAs("malformed", () => before.open("dns_credential", context, twin));
  });
});

describe("rotation", () => {
  test("every value opens with both keys loaded, and new values use the first", () => {
    const sealed = before.seal("webhook_secret", context, secret);
    assert.equal(during.keyIdOf(sealed), before.currentKeyId);
    assert.equal(during.open("webhook_secret", context, sealed).toString(), secret);
    const fresh = during.seal("webhook_secret", context, secret);
    assert.equal(during.keyIdOf(fresh), after.currentKeyId);
    assert.deepEqual(during.keyIds, [after.currentKeyId, before.currentKeyId]);
  });

  test("rewrap changes the key id and the wrapped key and nothing else", () => {
    const sealed = before.seal("webhook_secret", context, secret);
    const moved = during.rewrap("webhook_secret", context, sealed) ?? "";
    assert.equal(after.keyIdOf(moved), after.currentKeyId);
    assert.equal(after.open("webhook_secret", context, moved).toString(), secret);
    assert.deepEqual(moved.split(".").slice(3), sealed.split(".").slice(3));
    assert.notEqual(moved.split(".")[2], sealed.split(".")[2]);
    failsAs("unknown_key", () => before.open("webhook_secret", context, moved));
  });

  test("rewrap is idempotent: a value under the current key answers null", () => {
    const moved = during.rewrap(
      "webhook_secret",
      context,
      before.seal("webhook_secret", context, secret),
    );
    assert.equal(during.rewrap("webhook_secret", context, moved ?? ""), null);
    const fresh = during.seal("webhook_secret", context, secret);
    assert.equal(during.rewrap("webhook_secret", context, fresh), null);
  });

  test("rewrap refuses a value from another context instead of moving it here", () => {
    const sealed = before.seal("webhook_secret", { ...context, tenant: "tenant-2" }, secret);
    failsAs("tampered", () => during.rewrap("webhook_secret", context, sealed));
  });

  test("a value whose key is not loaded fails differently from a changed one", () => {
    const sealed = before.seal("webhook_secret", context, secret);
    failsAs("unknown_key", () => after.open("webhook_secret", context, sealed));
    failsAs("unknown_key", () => after.rewrap("webhook_secret", context, sealed));
    failsAs("unknown_key", () => after.deriveKey("cursor", before.currentKeyId));
    assert.equal(after.keyIdOf(sealed), before.currentKeyId);
  });

  test("another key under the same id does not open the value", () => {
    const impostor = `${before.currentKeyId}:${generateRootKey().split(":")[1]}`;
    const sealed = before.seal("key_check", context, secret);
    const vault = createVault(parseRootKeys(impostor));
    failsAs("tampered", () => vault.open("key_check", context, sealed));
  });
});

describe("purposes", () => {
  test("a vault created for some purposes cannot seal, open or derive for others", () => {
    const edge = createVault(parseRootKeys(oldKey), { purposes: ["certificate_key"] });
    const sealed = before.seal("dns_credential", context, secret);
    failsAs("purpose_withheld", () => edge.open("dns_credential", context, sealed));
    failsAs("purpose_withheld", () => edge.seal("dns_credential", context, secret));
    failsAs("purpose_withheld", () => edge.deriveKey("cursor"));
    const own = before.seal("certificate_key", context, secret);
    assert.equal(edge.open("certificate_key", context, own).toString(), secret);
  });

  test("every purpose and every root key derives a different key", () => {
    const derived = purposes.flatMap((purpose: Purpose) =>
      during.keyIds.map((id) => during.deriveKey(purpose, id).toString("hex")),
    );
    assert.equal(new Set(derived).size, purposes.length * 2);
    assert.deepEqual(during.deriveKey("cursor"), after.deriveKey("cursor"));
    assert.deepEqual(during.deriveKey("cursor", before.currentKeyId), before.deriveKey("cursor"));
  });
});
