import assert from "node:assert/strict";
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, codeOf, textOf } from "@mooring/testing/control/http";
import { makeSides, mintToken, type Sides, withoutLimits } from "@mooring/testing/control/world";
import pg from "pg";
import { newId } from "../../domain/id.ts";
import { signingKeyContext } from "../../services/operator/signing-keys.ts";

type Json = Readonly<Record<string, unknown>>;

function part(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString(
    "base64url",
  );
}

function signed(header: Json, payload: unknown, key: KeyObject): string {
  const input = `${part(header)}.${part(payload)}`;
  const algorithm = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  return `${input}.${sign(algorithm, Buffer.from(input), key).toString("base64url")}`;
}

function without(claims: Json, name: string): Json {
  return Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
}

/** Tokens are tried on a route that takes none: a good one gets 403, so that 401 means refused. */
const target = "/v1/plans";

describe("widget tokens that are not ours to accept", () => {
  let app: TestApp;
  let own: Sides;
  let foreign: Sides;
  let good: string;
  let header: Json;
  let claims: Json;
  let privateKey: KeyObject;
  let now: number;

  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeSides(app, "own");
    foreign = await makeSides(app, "foreign");
    good = await mintToken(app, own.test.key, own.test.applicationId);
    const [head = "", body = ""] = good.split(".");
    header = JSON.parse(Buffer.from(head, "base64url").toString());
    claims = JSON.parse(Buffer.from(body, "base64url").toString());
    now = Math.floor(app.clock.now().getTime() / 1_000);
    privateKey = await signingKey(String(header["kid"]));
  });
  after(() => app.close());

  /** The service's own private key, so that only what is wrong with a token can refuse it. */
  async function signingKey(id: string): Promise<KeyObject> {
    const client = new pg.Client({ connectionString: app.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ sealed: string }>(
      "select sealed from signing_keys where id = $1",
      [id],
    );
    await client.end();
    const der = app.operator.vault.open(
      "token_signing",
      signingKeyContext(id),
      rows[0]?.sealed ?? "",
    );
    return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  }

  async function tryToken(token: string): Promise<number> {
    const answer = await call(app.api.url, target, { key: token });
    assert.equal(codeOf(answer), answer.status === 401 ? "unauthorized" : "forbidden");
    return answer.status;
  }

  it("differ from good ones only in what is wrong with them", async () => {
    assert.equal(await tryToken(good), 403);
    assert.equal(await tryToken(signed(header, claims, privateKey)), 403);
    assert.deepEqual(Object.keys(header).sort(), ["alg", "kid", "typ"]);
    assert.deepEqual(Object.keys(claims).sort(), [
      "aud",
      "env",
      "exp",
      "iat",
      "iss",
      "jti",
      "mk",
      "scope",
      "sub",
      "tid",
    ]);
    assert.equal(Number(claims["exp"]) - Number(claims["iat"]), 3_600);
  });

  function wrongAlgorithms(): Readonly<Record<string, string>> {
    const publicKey = createPublicKey(privateKey);
    const spki = publicKey.export({ format: "pem", type: "spki" });
    const raw = Buffer.from(String(publicKey.export({ format: "jwk" })["x"]), "base64url");
    const hs = (key: string | Buffer, alg = "HS256") => {
      const input = `${part({ ...header, alg })}.${part(claims)}`;
      return `${input}.${createHmac("sha256", key).update(input).digest("base64url")}`;
    };
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    const other = generateKeyPairSync("ed25519").privateKey;
    return {
      "alg none, no signature": `${part({ ...header, alg: "none" })}.${part(claims)}.`,
      "alg None": `${part({ ...header, alg: "None" })}.${part(claims)}.`,
      "alg none with a signature": signed({ ...header, alg: "none" }, claims, privateKey),
      "alg empty": signed({ ...header, alg: "" }, claims, privateKey),
      "alg missing": signed(without(header, "alg"), claims, privateKey),
      "alg a list": signed({ ...header, alg: ["EdDSA"] }, claims, privateKey),
      "alg in lower case": signed({ ...header, alg: "eddsa" }, claims, privateKey),
      "HS256 with the public key's PEM": hs(spki),
      "HS256 with the public key's bytes": hs(raw),
      "HS256 with nothing": hs(""),
      "EdDSA named, HMAC signed": hs(raw, "EdDSA"),
      "RS256 with another key": signed({ ...header, alg: "RS256" }, claims, rsa),
      "ES256 with another key": signed({ ...header, alg: "ES256" }, claims, ec),
      "another Ed25519 key under our kid": signed(header, claims, other),
      "no signature": `${part(header)}.${part(claims)}.`,
      "a signature of zeros": `${part(header)}.${part(claims)}.${Buffer.alloc(64).toString("base64url")}`,
      "a changed claim": `${part(header)}.${part({ ...claims, env: "live" })}.${good.split(".")[2]}`,
    };
  }

  function wrongHeaders(): Readonly<Record<string, string>> {
    const other = generateKeyPairSync("ed25519");
    const jwk = other.publicKey.export({ format: "jwk" });
    const own = (change: Json) => signed({ ...header, ...change }, claims, privateKey);
    const theirs = (change: Json) => signed({ ...header, ...change }, claims, other.privateKey);
    return {
      "typ JWT": own({ typ: "JWT" }),
      "typ missing": signed(without(header, "typ"), claims, privateKey),
      "typ of an access token": own({ typ: "at+jwt" }),
      "kid missing": signed(without(header, "kid"), claims, privateKey),
      "kid unknown": own({ kid: newId(new Date()) }),
      "kid empty": own({ kid: "" }),
      "kid a path": own({ kid: "../../../dev/null" }),
      "kid SQL": own({ kid: `${String(header["kid"])}' or '1'='1` }),
      "kid a number": own({ kid: 0 }),
      "kid a prototype": own({ kid: "__proto__" }),
      "jwk in the header": theirs({ jwk }),
      "jwk in the header, our signature": own({ jwk }),
      "jku in the header": theirs({ jku: "http://127.0.0.1:9/jwks.json" }),
      "x5u in the header": theirs({ x5u: "http://127.0.0.1:9/cert.pem" }),
      "x5c in the header": theirs({ x5c: ["MIIB"] }),
      "crit with an unknown extension": own({ crit: ["exp"], exp: 1 }),
      "crit empty": own({ crit: [] }),
      "b64 false": own({ b64: false, crit: ["b64"] }),
      "zip in the header": own({ zip: "DEF" }),
    };
  }

  function wrongClaims(): Readonly<Record<string, string>> {
    const made = (change: Json) => signed(header, { ...claims, ...change }, privateKey);
    const required = ["iss", "aud", "sub", "tid", "env", "mk", "iat", "exp", "jti"];
    return {
      ...Object.fromEntries(
        required.map((name) => [`no ${name}`, signed(header, without(claims, name), privateKey)]),
      ),
      "aud of another": made({ aud: "api" }),
      "iss of another": made({ iss: "http://evil.example" }),
      "iss with a slash": made({ iss: `${String(claims["iss"])}/` }),
      "exp a year away": made({ exp: now + 31_536_000 }),
      "exp one second too far": made({ exp: Number(claims["iat"]) + 3_601 }),
      "exp long past": made({ iat: now - 7_200, exp: now - 3_600 }),
      "exp text": made({ exp: String(claims["exp"]) }),
      "exp infinite": signed(
        header,
        JSON.stringify(claims).replace(/"exp":\d+/, '"exp":1e999'),
        privateKey,
      ),
      "iat in the future": made({ iat: now + 3_600, exp: now + 7_200 }),
      "nbf in the future": made({ nbf: now + 3_600 }),
      "sub of another tenant": made({ sub: foreign.test.applicationId }),
      "sub of the other environment": made({ sub: own.live.applicationId }),
      "tid of another tenant": made({ tid: foreign.tenant.tenant.id }),
      "env of the other side": made({ env: "live" }),
      "mk unknown": made({ mk: newId(new Date()) }),
      "mk of another tenant": made({ mk: foreign.test.keyId }),
      "mk no id": made({ mk: "x" }),
      "domain not text": made({ domain: ["a.example"] }),
      "payload a list": signed(header, [claims], privateKey),
      "payload no JSON": signed(header, "not json", privateKey),
      "more than 4 KB": made({ padding: "x".repeat(4_000) }),
      "customer empty": made({ cus: "" }),
      "customer not text": made({ cus: 7 }),
      "customer with a control character": made({ cus: "a\nb" }),
    };
  }

  function wrongShapes(): Readonly<Record<string, string>> {
    const [head = "", body = "", signature = ""] = good.split(".");
    return {
      "cut short": good.slice(0, -1),
      "one character more": `${good}A`,
      padding: `${good}=`,
      "two parts": `${head}.${body}`,
      "four parts": `${good}.x`,
      "five parts, as an encrypted one": `${good}.x.y`,
      "dots alone": "..",
      "parts swapped": `${body}.${head}.${signature}`,
      "a header that is no JSON": `${part("{")}.${body}.${signature}`,
      "standard base64": `${head}+/.${body}.${signature}`,
    };
  }

  it("are refused with 401 for any wrong algorithm or signature", async () => {
    for (const [what, token] of Object.entries(wrongAlgorithms())) {
      assert.equal(await tryToken(token), 401, what);
    }
  });

  it("are refused with 401 for any strange header", async () => {
    for (const [what, token] of Object.entries(wrongHeaders())) {
      assert.equal(await tryToken(token), 401, what);
    }
  });

  it("are refused with 401 for any missing, foreign or impossible claim", async () => {
    for (const [what, token] of Object.entries(wrongClaims())) {
      assert.equal(await tryToken(token), 401, what);
    }
  });

  it("are refused with 401 for any wrong shape", async () => {
    for (const [what, token] of Object.entries(wrongShapes())) {
      assert.equal(await tryToken(token), 401, what);
    }
  });

  it("verify on another process and with the published key set", async () => {
    const other = await app.another();
    assert.equal((await call(other.url, target, { key: good })).status, 403);
    const { keys } = (await call(app.api.url, "/.well-known/jwks.json")).json();
    assert.ok(Array.isArray(keys));
    assert.deepEqual(
      keys.map((key: Json) => [key["kid"], key["kty"], key["crv"], key["alg"], key["d"]]),
      [[header["kid"], "OKP", "Ed25519", "EdDSA", undefined]],
    );
  });

  it("carry the hostname in its one form when bound", async () => {
    const answer = await call(app.api.url, "/v1/tokens", {
      key: own.test.key,
      body: { application_id: own.test.applicationId, domain: "Shop.BÜCHER.example." },
    });
    const payload = textOf(answer, "auth_token").split(".")[1] ?? "";
    const { domain } = JSON.parse(Buffer.from(payload, "base64url").toString()) as Json;
    assert.equal(domain, "shop.xn--bcher-kva.example");
    for (const wrong of [
      "",
      "localhost",
      "127.0.0.1",
      "co.uk",
      "a_b.example.com",
      "a.*.example.com",
    ]) {
      const body = { application_id: own.test.applicationId, domain: wrong };
      const refused = await call(app.api.url, "/v1/tokens", { key: own.test.key, body });
      assert.equal(refused.status, 400, wrong);
    }
  });
});
