import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { describe, it } from "node:test";
import { generateKey } from "../x509/keys.ts";
import { bindExternalAccount, computeThumbprint, signJws, toJwk } from "./jws.ts";

const decode = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());

describe("signJws", () => {
  it("is a signature of the key over header and payload, in the form of RFC 7518 §3.4", async () => {
    const key = await generateKey();
    const target = { url: "https://ca.example/order", nonce: "n-1" };
    const jws = signJws({ key, kid: "https://ca.example/account/1" }, target, { a: 1 });
    assert.deepEqual(decode(jws.protected), {
      alg: "ES256",
      ...target,
      kid: "https://ca.example/account/1",
    });
    assert.deepEqual(decode(jws.payload), { a: 1 });
    const signature = Buffer.from(jws.signature, "base64url");
    assert.equal(signature.length, 64);
    const signed = Buffer.from(`${jws.protected}.${jws.payload}`);
    const publicKey = { key: createPublicKey(key), dsaEncoding: "ieee-p1363" } as const;
    assert.ok(verify("sha256", signed, publicKey, signature));
  });

  it("carries the public key and nothing of the private one when the CA knows no account", async () => {
    const key = await generateKey();
    const target = { url: "https://ca.example/account", nonce: "n-1" };
    const jws = signJws({ key }, target, null);
    assert.deepEqual(decode(jws.protected), {
      alg: "ES256",
      ...target,
      jwk: toJwk(key),
    });
    assert.deepEqual(Object.keys(toJwk(key)), ["crv", "kty", "x", "y"]);
    assert.equal(jws.payload, "");
  });
});

describe("computeThumbprint", () => {
  it("is RFC 7638's for the elliptic-curve key of RFC 7517, appendix A.1", () => {
    const jwk = {
      kty: "EC",
      crv: "P-256",
      x: "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
      y: "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
      d: "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE",
    };
    const key = createPrivateKey({ key: jwk, format: "jwk" });
    assert.equal(computeThumbprint(key), "cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s");
  });

  it("refuses keys of other kinds", () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    assert.throws(() => computeThumbprint(privateKey), TypeError);
  });
});

describe("bindExternalAccount", () => {
  it("signs the account key with the external account's, for the URL of newAccount", async () => {
    const key = await generateKey();
    const url = "https://ca.example/account";
    const bound = bindExternalAccount({ kid: "c-1", hmacKey: "c2VjcmV0" }, key, url);
    assert.deepEqual(decode(bound.protected), { alg: "HS256", kid: "c-1", url });
    assert.deepEqual(decode(bound.payload), toJwk(key));
    assert.equal(Buffer.from(bound.signature, "base64url").length, 32);
  });
});
