import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { type CachedKeySet, createKeySet } from "./assertion-keys.ts";

const minute = 60_000;

function createJwk(kid: string): object {
  return { kid, ...generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }) };
}

describe("the service's key set", () => {
  let server: Server;
  let url = "";
  let asked = 0;
  let now = 0;
  let answer: { status: number; body: unknown; location?: string };
  let keys: CachedKeySet;

  before(async () => {
    server = createServer((_request, response) => {
      asked += 1;
      const { location } = answer;
      response.writeHead(answer.status, location === undefined ? {} : { location });
      response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
  });
  beforeEach(() => {
    asked = 0;
    now = 0;
    answer = { status: 200, body: { keys: [createJwk("one")] } };
    keys = createKeySet(url, fetch, () => now);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it("is fetched once for concurrent callers, and again after five minutes", async () => {
    const found = await Promise.all(Array.from({ length: 50 }, () => keys.find("one")));
    assert.ok(found.every((key) => key !== null));
    assert.equal(asked, 1);
    now = 5 * minute - 1;
    await keys.find("one");
    assert.equal(asked, 1);
    now = 5 * minute;
    await keys.find("one");
    assert.equal(asked, 2);
  });

  it("is fetched again for an unknown id, at most once in ten seconds", async () => {
    await keys.find("one");
    answer.body = { keys: [createJwk("one"), createJwk("two")] };
    now = 10_000;
    assert.ok(await keys.find("two"));
    assert.equal(asked, 2);
    for (let index = 0; index < 100; index += 1)
      assert.equal(await keys.find(`junk ${index}`), null);
    assert.equal(asked, 2);
  });

  it("is used from the cache while the service is unreachable, and drops a withdrawn key", async () => {
    await keys.find("one");
    answer.status = 503;
    now = 10 * minute;
    assert.ok(await keys.find("one"));
    await assert.rejects(
      (async () => {
        now = 11 * minute;
        await keys.find("two");
      })(),
      { name: "AssertionVerificationError", reason: "keys_unavailable" },
    );
    answer = { status: 200, body: { keys: [createJwk("two")] } };
    now = 12 * minute;
    assert.ok(await keys.find("two"));
    assert.equal(await keys.find("one"), null);
  });

  const invalid: Readonly<Record<string, { status: number; body: unknown; location?: string }>> = {
    "a page that is not JSON": { status: 200, body: "<html>" },
    "an object that is not a key set": { status: 200, body: { keys: "none" } },
    "a list of strings": { status: 200, body: { keys: ["x"] } },
    "a redirect": { status: 302, body: "", location: "http://127.0.0.1:9/elsewhere" },
  };
  for (const [what, wrong] of Object.entries(invalid)) {
    it(`is not read from ${what}`, async () => {
      answer = wrong;
      await assert.rejects(keys.find("one"), { reason: "keys_unavailable" });
    });
  }

  it("omits keys of other types and keys that cannot be imported", async () => {
    const broken = { kid: "broken", kty: "OKP", crv: "Ed25519", x: "!" };
    answer.body = {
      keys: [broken, { kid: "rsa", kty: "RSA", n: "AA", e: "AQAB" }, {}, createJwk("one")],
    };
    assert.ok(await keys.find("one"));
    assert.equal(await keys.find("broken"), null);
    assert.equal(await keys.find("rsa"), null);
  });
});
