import assert from "node:assert/strict";
import { createPublicKey, type KeyObject } from "node:crypto";
import { before, describe, it } from "node:test";
import { rfc9773Example } from "@mooring/testing/acme/rfc-9773-example";
import { type Authority, createAuthority, issueLeaf } from "./authority.ts";
import { chainMismatch, lacksIssuer, parseChain } from "./chain.ts";
import { generateKey } from "./keys.ts";

const notBefore = new Date("2026-11-01T00:00:00Z");
const notAfter = new Date("2026-12-01T00:00:00Z");

let authority: Authority;
let otherCa: Authority;
let key: KeyObject;
let leaf: string;

before(async () => {
  authority = await createAuthority({ commonName: "Own CA", notBefore, notAfter });
  otherCa = await createAuthority({ commonName: "Own CA", notBefore, notAfter });
  key = await generateKey();
  const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
  const hostnames = ["Shop.example", "*.shop.example"];
  leaf = await issueLeaf(authority, { hostnames, publicKey, notBefore, notAfter });
});

describe("parseChain", () => {
  it("gives RFC 9773's identifier for its example, sign octet of the serial number included", () => {
    const { ariId, issuer, serial } = parseChain(rfc9773Example).leaf;
    assert.equal(ariId, "aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE");
    assert.equal(issuer, "Example CA");
    assert.equal(serial, "87654321");
  });

  it("reads the leaf's names, times and issuer, and the certificates in order", () => {
    const chain = parseChain(`${leaf}\nsome words\n${authority.certificatePem}`);
    assert.deepEqual(chain.certificates, [leaf, authority.certificatePem]);
    assert.deepEqual(chain.leaf.hostnames, ["shop.example", "*.shop.example"]);
    assert.deepEqual(chain.leaf.notBefore, notBefore);
    assert.deepEqual(chain.leaf.notAfter, notAfter);
    assert.equal(chain.leaf.issuer, "Own CA");
  });

  it("has no identifier for a certificate without an authority key identifier", () => {
    assert.equal(parseChain(authority.certificatePem).leaf.ariId, null);
  });

  it("refuses what is no chain", () => {
    const cut = leaf.replace("MII", "AAA");
    const refused = ["", "words", cut, leaf + otherCa.certificatePem, leaf.repeat(11)];
    for (const text of refused) assert.throws(() => parseChain(text), TypeError);
  });
});

describe("chainMismatch", () => {
  const now = new Date("2026-11-15T00:00:00Z");

  it("is null for the right key, name and time", () => {
    const chain = parseChain(leaf);
    assert.equal(chainMismatch(chain, { hostname: "shop.example", key, now }), null);
    assert.equal(chainMismatch(chain, { hostname: "a.shop.example", key, now }), null);
  });

  it("names what is wrong", async () => {
    const chain = parseChain(leaf);
    const hostname = "shop.example";
    const other = await generateKey();
    assert.equal(chainMismatch(chain, { hostname, key: other, now }), "it is for another key");
    assert.equal(
      chainMismatch(chain, { hostname: "other.example", key, now }),
      "it is for another name",
    );
    assert.equal(chainMismatch(chain, { hostname, key, now: notAfter }), "it has expired");
    const early = new Date(notBefore.getTime() - 600_000);
    assert.equal(chainMismatch(chain, { hostname, key, now: early }), "it is not valid yet");
  });
});

describe("lacksIssuer", () => {
  it("is so for a leaf alone, unless it is its own issuer", () => {
    assert.equal(lacksIssuer(parseChain(leaf)), true);
    assert.equal(lacksIssuer(parseChain(leaf + authority.certificatePem)), false);
    assert.equal(lacksIssuer(parseChain(authority.certificatePem)), false);
  });
});
