import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import { makeSides, type Sides } from "@mooring/testing/control/world";
import { generateApiKey } from "../../domain/applications/api-key.ts";

describe("limits and walls", () => {
  let app: TestApp;
  let own: Sides;
  let foreign: Sides;
  before(async () => {
    app = await startTestApp({
      RATE_LIMITS: "general=100000:100000,connection=0.001:3,unauthorized=0.001:5",
    });
    own = await makeSides(app, "own");
    foreign = await makeSides(app, "foreign");
  });
  after(() => app.close());

  function check(key: string, id: string): Promise<Answer> {
    return call(app.api.url, `/v1/connections/${id}/records:check`, { key, method: "POST" });
  }

  function seen(answer: Answer): readonly unknown[] {
    const { status, headers } = answer;
    const limits = ["ratelimit-limit", "ratelimit-remaining"].map((name) => headers.get(name));
    // A token's time is a thousand seconds, less those that the calls before have taken.
    const after = Number(headers.get("retry-after"));
    return [status, codeOf(answer), ...limits, after > 900 && after <= 1_000 ? "a token" : after];
  }

  it("a tenant's requests for a foreign connection do not use up its limit", async () => {
    const { connectionId } = own.test;
    for (let count = 0; count < 6; count += 1) await check(foreign.test.key, connectionId);
    assert.equal((await check(own.test.key, connectionId)).status, 200);
  });

  it("a foreign id is answered as one that does not exist, by status or by header", async () => {
    const answers: (readonly unknown[])[] = [];
    for (const world of [own.live, foreign.live]) {
      const ids = [own.test.connectionId, randomUUID(), foreign.test.connectionId, randomUUID()];
      const from =
        world === own.live ? ids : [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
      for (const id of from) answers.push(seen(await check(world.key, id)));
    }
    assert.deepEqual(answers.slice(0, 4), answers.slice(4));
    assert.deepEqual(
      answers.slice(0, 4).map(([status]) => status),
      [404, 404, 404, 429],
    );
  });

  it("a connection's own limit is spent by those who may see it", async () => {
    const { connectionId, key } = foreign.test;
    const statuses = [];
    for (let count = 0; count < 4; count += 1)
      statuses.push((await check(key, connectionId)).status);
    assert.deepEqual(statuses, [200, 200, 200, 429]);
  });

  it("bad keys from an address never lock out a valid one", async () => {
    const list = (key: string) => call(app.api.url, "/v1/connections", { key });
    const statuses: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      statuses.push((await list(generateApiKey("test"))).status);
      statuses.push((await list("sk_test_nonsense")).status);
    }
    assert.deepEqual([...new Set(statuses)], [401, 429]);
    assert.equal((await list(own.test.key)).status, 200);
    assert.equal((await list(foreign.live.key)).status, 200);
  });

  it("tokens are limited per tenant, so that more keys give no more of them", async () => {
    const limited = await startTestApp({ RATE_LIMITS: "tokens=0.001:3" });
    try {
      const { test } = await makeSides(limited, "own");
      const keys = [test.key];
      for (const name of ["second", "third"]) {
        const path = `/v1/applications/${test.applicationId}/keys`;
        const made = await call(limited.api.url, path, { key: test.key, body: { name } });
        keys.push(textOf(made, "secret"));
      }
      const statuses: number[] = [];
      for (const key of [...keys, ...keys]) {
        const body = { application_id: test.applicationId };
        statuses.push((await call(limited.api.url, "/v1/tokens", { key, body })).status);
      }
      assert.deepEqual(statuses, [201, 201, 201, 429, 429, 429]);
    } finally {
      await limited.close();
    }
  });

  it("every answer under /v1 forbids caches and guessed types, errors included", async () => {
    for (const path of [
      "/v1/connections",
      "/v1/nothing",
      "/v1/openapi.json",
      "/v1/connections/%00",
    ]) {
      for (const key of [own.test.key, "sk_test_nonsense"]) {
        const { headers } = await call(app.api.url, path, { key });
        assert.equal(headers.get("cache-control"), "no-store", path);
        assert.equal(headers.get("x-content-type-options"), "nosniff", path);
        assert.equal(headers.get("strict-transport-security"), null, "served over http");
      }
    }
  });

  it("a service with an https address asks browsers to stay with https", async () => {
    const secure = await startTestApp({ BASE_URL: "https://connect.example" });
    try {
      const { headers } = await call(secure.api.url, "/v1/connections", { key: "none" });
      assert.match(headers.get("strict-transport-security") ?? "", /^max-age=\d+$/);
    } finally {
      await secure.close();
    }
  });
});
