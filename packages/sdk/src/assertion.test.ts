import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type AssertionOptions, verifyAssertion } from "./assertion.ts";
import type { AssertionRefusal } from "./errors.ts";

const issuer = "https://api.example.com";
const issuedAt = 1_800_000_000;
const now = new Date((issuedAt + 10) * 1_000);
const pair = generateKeyPairSync("ed25519");
const other = generateKeyPairSync("ed25519");
const applicationId = "0198c0de-0000-7000-8000-000000000002";

const jwks = {
  keys: [
    { kid: "else", kty: "EC", crv: "P-256", x: "AA", y: "AA" },
    { kid: "this", use: "sig", alg: "EdDSA", ...pair.publicKey.export({ format: "jwk" }) },
  ],
};
const options: AssertionOptions = { issuer, audience: applicationId, jwks, now };

const head = { alg: "EdDSA", typ: "svc-assertion+jwt", kid: "this" };
const claims = {
  iss: issuer,
  aud: applicationId,
  host: "shop.acme.example",
  app: applicationId,
  cus: "customer-42",
  env: "live",
  iat: issuedAt,
  exp: issuedAt + 90,
};

/** As edges of the release before sign. */
const before = {
  host: undefined,
  app: undefined,
  cus: undefined,
  sub: "0198c0de-0000-7000-8000-000000000003",
  tid: "0198c0de-0000-7000-8000-000000000004",
  hostname: "shop.acme.example",
  exp: issuedAt + 60,
};

function encode(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString(
    "base64url",
  );
}

/** Independent of the code under test. */
function signToken(changes: {
  readonly head?: object;
  readonly claims?: object;
  readonly key?: KeyObject;
}): string {
  const signed = `${encode({ ...head, ...changes.head })}.${encode({ ...claims, ...changes.claims })}`;
  const signature = sign(null, Buffer.from(signed), changes.key ?? pair.privateKey);
  return `${signed}.${signature.toString("base64url")}`;
}

const good = signToken({});

function refuses(
  reason: AssertionRefusal,
  header: string | readonly string[] | null | undefined,
  changes: Partial<AssertionOptions> = {},
): Promise<void> {
  return assert.rejects(verifyAssertion(header, { ...options, ...changes }), {
    name: "AssertionVerificationError",
    reason,
  });
}

describe("verifyAssertion", () => {
  it("returns the claims of the edge", async () => {
    const expected = {
      applicationId,
      hostname: "shop.acme.example",
      customerRef: "customer-42",
      environment: "live",
      issuedAt: new Date(issuedAt * 1_000),
      expiresAt: new Date((issuedAt + 90) * 1_000),
      connectionId: null,
      tenantId: null,
    };
    assert.deepEqual(await verifyAssertion(good, options), expected);
    assert.deepEqual(await verifyAssertion([good], options), expected);
    const withSlash = { ...options, issuer: `${issuer}/`, hostname: "Shop.Acme.Example" };
    assert.deepEqual(await verifyAssertion(good, withSlash), expected);
  });

  it("has no customer where the connection has none", async () => {
    const visited = await verifyAssertion(signToken({ claims: { cus: null } }), options);
    assert.equal(visited.customerRef, null);
  });

  it("accepts the claims of an edge of the release before, so that it is upgraded first", async () => {
    const visited = await verifyAssertion(signToken({ claims: before }), options);
    assert.equal(visited.hostname, "shop.acme.example");
    assert.equal(visited.customerRef, null);
    assert.equal(visited.connectionId, before.sub);
    assert.equal(visited.tenantId, before.tid);
    for (const name of ["sub", "tid", "hostname"]) {
      await refuses("malformed", signToken({ claims: { ...before, [name]: undefined } }));
    }
  });

  it("refuses a missing header, two headers, and a value that is not a token", async () => {
    for (const none of [undefined, null, "", []]) await refuses("missing", none);
    for (const wrong of [
      [good, good],
      `${good}, ${good}`,
      `${good}.x`,
      good.slice(0, good.lastIndexOf(".")),
      `${good} `,
      "a.b.c",
      `${encode("[]")}.${encode("{}")}.AA`,
      `${encode("not json")}.${encode("{}")}.AA`,
      "x".repeat(5_000),
    ]) {
      await refuses("malformed", wrong);
    }
  });

  it("refuses every token with one changed character", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(good.length - 1),
        fc.constantFrom(..."AZaz09-_."),
        async (at, letter) => {
          if (good[at] === letter) return;
          const tampered = good.slice(0, at) + letter + good.slice(at + 1);
          await assert.rejects(verifyAssertion(tampered, options), {
            name: "AssertionVerificationError",
          });
        },
      ),
    );
  });

  it("refuses another key with the same id, and an id that is not in the set", async () => {
    await refuses("wrong_signature", signToken({ key: other.privateKey }));
    await refuses("unknown_key", signToken({ head: { kid: "absent" } }));
    await refuses("unknown_key", signToken({ head: { kid: "else" } }));
    await refuses("unknown_key", good, { jwks: { keys: [] } });
  });

  it("refuses every algorithm but EdDSA, regardless of the token's header", async () => {
    const body = encode(claims);
    const none = `${encode({ ...head, alg: "none" })}.${body}`;
    await refuses("malformed", `${none}.`);
    await refuses("wrong_algorithm", `${none}.AA`);
    // The public key as an HMAC secret: a verifier that trusts `alg` would accept this token.
    const symmetric = `${encode({ ...head, alg: "HS256" })}.${body}`;
    const secret = pair.publicKey.export({ format: "pem", type: "spki" });
    const mac = createHmac("sha256", secret).update(symmetric).digest("base64url");
    await refuses("wrong_algorithm", `${symmetric}.${mac}`);
    for (const alg of ["ES256", "RS256", "eddsa", "Ed25519", null]) {
      await refuses("wrong_algorithm", signToken({ head: { alg } }));
    }
  });

  it("refuses a widget token, which the same key set verifies, and keys inside the header", async () => {
    await refuses("wrong_type", signToken({ head: { typ: "widget+jwt" } }));
    await refuses("wrong_type", signToken({ head: { typ: undefined } }));
    const jwk = other.publicKey.export({ format: "jwk" });
    const key = other.privateKey;
    await refuses("malformed", signToken({ head: { jwk }, key }));
    await refuses("malformed", signToken({ head: { jku: "https://evil.example/jwks.json" }, key }));
    await refuses("malformed", signToken({ head: { crit: ["exp"] } }));
  });

  it("refuses another application, another issuer and another hostname", async () => {
    await refuses("wrong_audience", signToken({ claims: { aud: "another" } }));
    await refuses("wrong_audience", signToken({ claims: { aud: [applicationId] } }));
    await refuses("wrong_audience", signToken({ claims: { app: "another" } }));
    await refuses("wrong_issuer", signToken({ claims: { iss: "https://api.evil.example" } }));
    await refuses("wrong_hostname", good, { hostname: "other.acme.example" });
  });

  it("accepts a token from its first to its last second, plus the clock tolerance", async () => {
    const at = (seconds: number) => ({ now: new Date((issuedAt + seconds) * 1_000) });
    for (const seconds of [-30, 0, 90, 119.9]) {
      assert.ok(await verifyAssertion(good, { ...options, ...at(seconds) }), `${seconds} s`);
    }
    await refuses("not_yet", good, at(-30.1));
    await refuses("expired", good, at(120));
    await refuses("expired", good, { ...at(90), toleranceSeconds: 0 });
    await refuses("expired", good, { now: new Date(Number.NaN) });
  });

  it("refuses claims that are missing, of another type, or valid for longer than 90 seconds", async () => {
    for (const name of ["host", "app", "cus", "iat", "exp", "env"]) {
      await refuses("malformed", signToken({ claims: { [name]: undefined } }));
    }
    await refuses("malformed", signToken({ claims: { exp: issuedAt + 91 } }));
    await refuses("malformed", signToken({ claims: { exp: `${issuedAt + 90}` } }));
    await refuses("malformed", signToken({ claims: { env: "prod" } }));
    await refuses("malformed", signToken({ claims: { cus: 42 } }));
  });

  it("throws when the issuer or the audience is omitted", async () => {
    await assert.rejects(verifyAssertion(good, { ...options, audience: "" }), {
      name: "TypeError",
      message: "verifyAssertion: `audience` is empty. Give the id of your application.",
    });
    await assert.rejects(
      Reflect.apply(verifyAssertion, null, [good]),
      /`issuer` is undefined\. Give /,
    );
    await assert.rejects(verifyAssertion(good, { ...options, issuer: "" }), TypeError);
  });
});
