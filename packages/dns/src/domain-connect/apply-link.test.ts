import assert from "node:assert/strict";
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  verify,
} from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import { applyUrl, readApplyQuery, signApplyQuery, verifyApplyQuery } from "./apply-link.ts";
import vectors from "./fixtures/vectors.json" with { type: "json" };
import { canonicalQuery, type Parameter, percentEncode } from "./parameters.ts";

const keys = new Map(
  Object.entries(vectors.keys).map(([name, key]) => [
    name,
    createPrivateKey(key.privateKeyPkcs8Pem),
  ]),
);

function privateKey(name: string): KeyObject {
  const key = keys.get(name);
  assert.ok(key, name);
  return key;
}

function publicKey(name: string): KeyObject {
  return createPublicKey(privateKey(name));
}

function parameters(pairs: readonly (readonly string[])[]): readonly Parameter[] {
  return pairs.map(([name = "", value = ""]) => [name, value]);
}

function signing(id: string) {
  const found = vectors.signing.find((one) => one.id === id);
  assert.ok(found, id);
  return found;
}

describe("percent encoding", () => {
  for (const [plain = "", encoded = ""] of vectors.encoding) {
    it(`writes ${JSON.stringify(plain)} as ${encoded}`, () => {
      assert.equal(percentEncode(plain), encoded);
    });
  }

  it("leaves nothing that a browser's URL parser would write differently", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const url = `https://dns.example/?a=${percentEncode(text)}`;
        assert.equal(new URL(url).toString(), url);
        assert.equal(decodeURIComponent(percentEncode(text)), text);
      }),
    );
  });
});

describe("signing an apply link", () => {
  for (const vector of vectors.signing) {
    it(`gives the known answer ${vector.id}`, () => {
      const given = parameters(vector.params);
      const canonical = canonicalQuery(given.toReversed());
      assert.equal(canonical, vector.canonical);
      assert.equal(Buffer.byteLength(canonical), vector.canonicalUtf8Length);
      const hash = createHash("sha256").update(canonical).digest("hex");
      assert.equal(hash, vector.canonicalSha256Hex);
      assert.equal(`${vector.keyLabel}.${vectors.about.syncPubKeyDomain}`, vector.publicKeyHost);
      const key = { label: vector.keyLabel, privateKey: privateKey(vector.key) };
      const query = signApplyQuery(given, key);
      assert.equal(query, vector.signedQuery);
      assert.equal(vector.applyUrl.split("?")[1], query);
      assert.equal(new URL(vector.applyUrl).toString(), vector.applyUrl);
      assert.equal(verifyApplyQuery(query, publicKey(vector.key)), true);
      const received = readApplyQuery(query);
      assert.equal(received.signed, canonical);
      assert.equal(received.keyLabel, vector.keyLabel);
      assert.equal(received.signature, vector.signatureBase64);
      assert.equal(percentEncode(received.signature), vector.sigParamEncoded);
    });
  }

  it("refuses a repeated parameter, and key or sig among the signed ones", () => {
    assert.throws(
      () =>
        canonicalQuery([
          ["a", "1"],
          ["a", "2"],
        ]),
      RangeError,
    );
    assert.throws(() => canonicalQuery([["key", "_dck1"]]), RangeError);
    assert.throws(() => canonicalQuery([["sig", "x"]]), RangeError);
  });

  it("refuses a label that is no label, and a key that is not RSA", () => {
    const label = "_dck1.keys.example";
    assert.throws(() => signApplyQuery([], { label, privateKey: privateKey("t2048") }), RangeError);
    const other = generateKeyPairSync("ed25519");
    assert.throws(
      () => signApplyQuery([], { label: "_dck1", privateKey: other.privateKey }),
      RangeError,
    );
  });
});

describe("verifying an apply link", () => {
  for (const vector of vectors.verifyNegative) {
    it(`refuses ${vector.id}`, () => {
      assert.equal(readApplyQuery(vector.query).signed, vector.stringToVerify);
      assert.equal(verifyApplyQuery(vector.query, publicKey(vector.key)), vector.expected);
    });
  }

  for (const vector of vectors.verifyExternal) {
    it(`accepts what another implementation signed, in its own order: ${vector.id}`, () => {
      const der = Buffer.from(vector.spkiBase64, "base64");
      const key = createPublicKey({ key: der, format: "der", type: "spki" });
      const query = `${vector.signedString}&key=_x&sig=${percentEncode(vector.signatureBase64)}`;
      assert.equal(verifyApplyQuery(query, key), vector.expected);
      const sorted = vector.signedString.split("&").toSorted().join("&");
      assert.equal(verifyApplyQuery(query.replace(vector.signedString, sorted), key), false);
    });
  }

  it("takes the standard alphabet, encoded, and no other spelling of the signature", () => {
    const { base64Variants: variants } = vectors;
    const { canonical, keyLabel } = signing(variants.of);
    const key = publicKey("t2048");
    const query = (sig: string): string => `${canonical}&key=${keyLabel}&sig=${sig}`;
    assert.equal(percentEncode(variants.standardPadded), variants.standardPercentEncoded);
    assert.equal(verifyApplyQuery(query(variants.standardPercentEncoded), key), true);
    assert.equal(verifyApplyQuery(query(variants.base64urlUnpaddedDoNotSend), key), false);
    const formDecoded = new URLSearchParams(variants.unencodedQueryDoNotSend).get("sig") ?? "";
    assert.equal(verifyApplyQuery(query(percentEncode(formDecoded)), key), false);
  });

  it("refuses a second key or sig, a broken escape, and an empty signature", () => {
    const { signedQuery } = signing("S1-apex-two-variables");
    const key = publicKey("t2048");
    assert.equal(verifyApplyQuery(`${signedQuery}&key=_other`, key), false);
    assert.equal(verifyApplyQuery(`${signedQuery}&sig=AAAA`, key), false);
    assert.equal(verifyApplyQuery("domain=example.com&key=_dck1&sig=%E0%A4%A", key), false);
    assert.equal(verifyApplyQuery("domain=example.com&key=_dck1&sig=", key), false);
  });

  it("refuses every query in which one byte of what is signed was changed", () => {
    const { signedQuery, canonical } = signing("S2-subdomain-redirect-state");
    const key = publicKey("t2048");
    fc.assert(
      fc.property(
        fc.nat(canonical.length - 1),
        fc.integer({ min: 0x21, max: 0x7e }),
        (at, code) => {
          const byte = String.fromCharCode(code);
          fc.pre(byte !== canonical[at]);
          const changed = `${signedQuery.slice(0, at)}${byte}${signedQuery.slice(at + 1)}`;
          assert.equal(verifyApplyQuery(changed, key), false);
        },
      ),
    );
  });
});

describe("the apply link", () => {
  const request = {
    settings: { urlSyncUX: "https://dnsprovider.example/dc" },
    template: { providerId: "connect.example", serviceId: "sub" },
    domain: "example.org",
    host: "app.eu",
    redirectUri: "https://app.connect.example/return",
    state: "s",
    variables: { token: "t" },
    key: { label: "_dck1", privateKey: privateKey("t2048") },
  };

  it("holds the parameters in order, the key's label, and the signature last", () => {
    const url = applyUrl({ ...request, groupIds: ["a", "b"] });
    const [path, query = ""] = url.split("?");
    assert.equal(
      path,
      "https://dnsprovider.example/dc/v2/domainTemplates/providers/connect.example/services/sub/apply",
    );
    assert.match(
      query,
      /^domain=example\.org&groupId=a%2Cb&host=app\.eu&redirect_uri=https%3A%2F%2Fapp\.connect\.example%2Freturn&state=s&token=t&key=_dck1&sig=[^&]+$/,
    );
    assert.ok(verifyApplyQuery(query, publicKey("t2048")));
  });

  it("is the known answer S2 to the last byte", () => {
    const { applyUrl: expected, params } = signing("S2-subdomain-redirect-state");
    const given = new Map(parameters(params));
    const of = (name: string): string => given.get(name) ?? "";
    const url = applyUrl({
      ...request,
      settings: { urlSyncUX: "https://dnsprovider.example" },
      template: { providerId: vectors.about.providerId, serviceId: "website-sub" },
      domain: of("domain"),
      host: of("host"),
      redirectUri: of("redirect_uri"),
      state: of("state"),
      variables: { target: of("target") },
    });
    assert.equal(url, expected);
  });

  it("has no host parameter at the apex", () => {
    assert.doesNotMatch(applyUrl({ ...request, host: "" }), /host=/);
  });

  it("refuses a variable with a reserved name, a return address without TLS, and no flow", () => {
    assert.throws(
      () => applyUrl({ ...request, variables: { domain: "evil.example" } }),
      RangeError,
    );
    assert.throws(() => applyUrl({ ...request, variables: { "a b": "x" } }), RangeError);
    assert.throws(() => applyUrl({ ...request, variables: { token: "é" } }), RangeError);
    assert.throws(() => applyUrl({ ...request, redirectUri: "http://app.example/" }), RangeError);
    assert.throws(() => applyUrl({ ...request, settings: { urlSyncUX: null } }), {
      kind: "unsupported",
    });
  });

  it("refuses a link that is longer than servers take", () => {
    assert.throws(() => applyUrl({ ...request, variables: { token: "t".repeat(8_000) } }), {
      kind: "unsupported",
    });
  });

  it("survives the parsers on its way, whatever the values are", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\x20-\x7e]{0,40}$/), (token) => {
        const url = new URL(applyUrl({ ...request, variables: { token } }));
        assert.ok(verifyApplyQuery(url.search.slice(1), publicKey("t2048")));
        assert.equal(url.searchParams.get("token"), token);
      }),
      { numRuns: 30 },
    );
  });

  it("is verified by any RSA implementation over the canonical bytes", () => {
    const { canonical, signatureBase64 } = signing("S7-4096-bit-key");
    const bytes = Buffer.from(signatureBase64, "base64");
    assert.ok(verify("RSA-SHA256", Buffer.from(canonical), publicKey("t4096"), bytes));
  });
});
