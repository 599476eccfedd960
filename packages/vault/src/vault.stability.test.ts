import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRootKeys } from "./root-key.ts";
import { createVault } from "./vault.ts";

// The vectors were computed by another implementation of HKDF (RFC 5869) and AES-GCM. A change that
// breaks them makes every stored secret unreadable: add a version instead.
const root = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

test("derived keys stay what they are", () => {
  const vault = createVault(parseRootKeys(root));
  assert.equal(
    vault.deriveKey("cursor").toString("hex"),
    "d96471cfaa349f30599474394ae1ce597f0d0f27993ca9332919339f0eac3344",
  );
  assert.equal(
    vault.deriveKey("dns_credential").toString("hex"),
    "08e288acd77bd1e5fde3d73c377d82a0f53aeb19ac8f52e9be414ae3a2300efa",
  );
});

test("a value sealed elsewhere by the same rules opens", () => {
  const vault = createVault(parseRootKeys(root));
  const sealed = [
    "v1.k1",
    "AAECAwQFBgcICQoL1rnXzQOBUYz3hkBE_RFgX_-Z5yYqqf6rgSRQuOEOgIYZxPpWYLT_2cR3iTH4H-vn",
    "ZGVmZ2hpamtsbW5v",
    "mhBpEzuyp9y-FfbyU6D4RKBeLZYEDYyyKGMBzg",
  ].join(".");
  const context = { tenant: "ten|ant", table: "credentials", row: "50%", column: "fields" };
  assert.equal(vault.open("dns_credential", context, sealed).toString(), "known answer");
});
