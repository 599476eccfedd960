import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import {
  type SampledRoute,
  sampledRoutes,
  sampleRequest,
} from "@mooring/testing/control/routes/route-samples";
import {
  idFields,
  keyWith,
  makeSides,
  mintToken,
  type Sides,
  type World,
  withoutLimits,
} from "@mooring/testing/control/world";
import { generateApiKey } from "../domain/applications/api-key.ts";
import { type Scope, scopes } from "../domain/tenancy.ts";

const codes: Readonly<Record<number, string>> = {
  400: "invalid",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
};

/** Every route × every kind of credential → the status that the interface names. */
describe("who may call what", () => {
  let app: TestApp;
  let own: Sides;
  let foreign: Sides;
  const scoped = new Map<string, string>();
  const tokens = { unbound: "", bound: "", elsewhere: "", otherEnvironment: "", keyRevoked: "" };
  let revoked: string;

  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeSides(app, "own");
    foreign = await makeSides(app, "foreign");
    const sets = scopes.flatMap((scope) => [[scope], scopes.filter((other) => other !== scope)]);
    for (const set of sets) {
      scoped.set(set.join(), (await keyWith(app, own.test, set)).secret);
    }
    const dead = await keyWith(app, own.test, scopes);
    const { applicationId, hostname } = own.test;
    tokens.unbound = await mintToken(app, own.test.key, applicationId);
    tokens.bound = await mintToken(app, own.test.key, applicationId, hostname);
    tokens.elsewhere = await mintToken(app, own.test.key, applicationId, "elsewhere.example.com");
    tokens.otherEnvironment = await mintToken(app, own.live.key, own.live.applicationId);
    tokens.keyRevoked = await mintToken(app, dead.secret, applicationId);
    const path = `/v1/applications/${applicationId}/keys/${dead.id}`;
    assert.equal(
      (await call(app.api.url, path, { key: own.test.key, method: "DELETE" })).status,
      200,
    );
    revoked = dead.secret;
  });
  after(() => app.close());

  async function send(one: SampledRoute, key: string | null, world: World): Promise<Answer> {
    const { url, method, body } = sampleRequest(one.route, one.sample.request(world));
    return call(app.api.url, url, { method, key, ...(body === undefined ? {} : { body }) });
  }

  async function expect(
    one: SampledRoute,
    what: string,
    key: string | null,
    status: number,
    world: World = own.test,
  ): Promise<void> {
    const isGood = status === good(one);
    const ready = isGood && one.sample.renew ? await one.sample.renew(app, world) : world;
    const answer = await send(one, key, ready);
    assert.equal(answer.status, status, `${one.name} with ${what}: ${answer.text}`);
    if (!isGood) assert.equal(codeOf(answer), codes[status], `${one.name} with ${what}`);
    const error = key === null ? "" : ', error="invalid_token"';
    const challenge = status === 401 ? `Bearer realm="mooring"${error}` : null;
    assert.equal(answer.headers.get("www-authenticate"), challenge, `${one.name} with ${what}`);
  }

  function good(one: SampledRoute): number {
    return one.sample.status ?? one.route.statuses[0];
  }

  function absent(one: SampledRoute): number {
    return one.sample.absentStatus ?? 404;
  }

  function suffices({ sample }: SampledRoute, held: readonly Scope[]): boolean {
    return sample.needs.length === 0 || sample.needs.some((scope) => held.includes(scope));
  }

  function usesIds(one: SampledRoute): boolean {
    const text = (world: World) => JSON.stringify(one.sample.request(world));
    return idFields.some((field) => text({ ...own.test, [field]: "other" }) !== text(own.test));
  }

  /** What a token does not reach does not exist for it. */
  function statusesByToken(one: SampledRoute) {
    if (one.sample.widget === "any") return { served: 200, elsewhere: 200, wall: 200 };
    if (one.sample.widget !== true) return { served: 403, elsewhere: 403, wall: 403 };
    const byId = one.route.path.startsWith("/v1/connections/{id}");
    // Without an id there is the hostname, which is the sandbox's and so no live token's.
    return { served: good(one), elsewhere: byId ? 404 : 403, wall: usesIds(one) ? 404 : 400 };
  }

  it("has a sample for every route", () => {
    assert.ok(sampledRoutes().length > 0);
  });

  it("answers 401 to anything that is not a living credential", async () => {
    const wrongSum = `${own.test.key.slice(0, -1)}${own.test.key.endsWith("a") ? "b" : "a"}`;
    const none: readonly (readonly [string, string | null])[] = [
      ["no credential", null],
      ["an unfinished key", "sk_test_short"],
      ["a wrong checksum", wrongSum],
      ["an unknown key", generateApiKey("test")],
      ["a revoked key", revoked],
      ["two words", "a b"],
      ["no token at all", "a.b.c"],
      ["a token whose minting key is revoked", tokens.keyRevoked],
    ];
    for (const one of sampledRoutes()) {
      for (const [what, key] of none) await expect(one, what, key, 401);
    }
  });

  it("wants the scheme Bearer and one credential", async () => {
    const { key } = own.test;
    for (const authorization of [
      key,
      `Basic ${key}`,
      `Bearer  ${key}`,
      `Bearer ${key},${key}`,
      "Bearer ",
    ]) {
      const answer = await call(app.api.url, "/v1/plans", { headers: { authorization } });
      assert.equal(answer.status, 401, authorization.slice(0, 10));
    }
    const headers = { authorization: `bearer ${key}` };
    assert.equal((await call(app.api.url, "/v1/plans", { headers })).status, 200);
  });

  it("answers 403 to a key that lacks the scope, and serves one that holds just it", async () => {
    for (const one of sampledRoutes()) {
      for (const scope of scopes) {
        const rest = scopes.filter((other) => other !== scope);
        for (const held of [[scope], rest]) {
          const status = suffices(one, held) ? good(one) : 403;
          await expect(one, `only ${held}`, scoped.get(held.join()) ?? "", status);
        }
      }
    }
  });

  it("answers 404 for ids of another tenant or of the other environment", async () => {
    for (const one of sampledRoutes().filter(usesIds)) {
      for (const [what, world] of [
        ["another tenant's ids", foreign.test],
        ["another tenant's live ids", foreign.live],
        ["the other environment's ids", own.live],
      ] as const) {
        await expect(one, what, own.test.key, absent(one), { ...world, key: own.test.key });
      }
      await expect(one, "a live key on test ids", own.live.key, absent(one));
    }
  });

  it("serves widget tokens where the interface says so, within their domain, and nowhere else", async () => {
    for (const one of sampledRoutes()) {
      const byToken = statusesByToken(one);
      await expect(one, "an unbound token", tokens.unbound, byToken.served);
      await expect(one, "a token of this hostname", tokens.bound, byToken.served);
      await expect(one, "a token of another hostname", tokens.elsewhere, byToken.elsewhere);
      const { otherEnvironment } = tokens;
      await expect(one, "a token of the other environment", otherEnvironment, byToken.wall);
    }
  });

  it("serves a token at 59:59 and refuses it at 60:31", async () => {
    const [any] = sampledRoutes();
    assert.ok(any);
    // Made now: the clock has gone on with the calls before.
    const token = await mintToken(app, own.test.key, own.test.applicationId);
    app.clock.advance(3_599_000);
    const status = statusesByToken(any).served;
    await expect(any, "a token at 59:59", token, status);
    app.clock.advance(32_000);
    for (const one of sampledRoutes()) {
      await expect(one, "an expired token", token, 401);
    }
  });
});

describe("what a key may hand on", () => {
  let app: TestApp;
  let own: Sides;
  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeSides(app, "own");
  });
  after(() => app.close());

  const subsets = Array.from({ length: 31 }, (_, index) =>
    scopes.filter((_scope, bit) => (index + 1) & (1 << bit)),
  );

  it("is a subset of its own scopes, for every set of five", async () => {
    for (const held of subsets) {
      // One application has at most a hundred keys.
      const body = { name: held.join() };
      const made = await call(app.api.url, "/v1/applications", { key: own.test.key, body });
      const applicationId = textOf(made, "id");
      const path = `/v1/applications/${applicationId}/keys`;
      const { secret } = await keyWith(app, { ...own.test, applicationId }, held);
      const asked = held.includes("apps:admin") ? subsets : subsets.slice(0, 3);
      // One after the other: each locks the application.
      for (const wanted of asked) {
        const may = held.includes("apps:admin") && wanted.every((scope) => held.includes(scope));
        const answer = await call(app.api.url, path, {
          key: secret,
          body: { name: "x", scopes: wanted },
        });
        assert.equal(answer.status, may ? 201 : 403, `${held} → ${wanted}`);
      }
    }
  });

  it("is all of its own when it does not say", async () => {
    const { secret } = await keyWith(app, own.test, ["apps:admin", "usage:read"]);
    const path = `/v1/applications/${own.test.applicationId}/keys`;
    const made = await call(app.api.url, path, { key: secret, body: { name: "x" } });
    assert.deepEqual(made.json()["scopes"], ["apps:admin", "usage:read"]);
    for (const wrong of [[], ["everything"], ["apps:admin", "root"]]) {
      const refused = await call(app.api.url, path, {
        key: secret,
        body: { name: "x", scopes: wrong },
      });
      assert.equal(refused.status, 400, String(wrong));
    }
  });
});
