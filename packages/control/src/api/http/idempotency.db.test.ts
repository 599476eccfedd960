import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import { makeSides, type Sides } from "@mooring/testing/control/world";
import pg from "pg";

describe("Idempotency-Key", () => {
  let app: TestApp;
  let own: Sides;
  let foreign: Sides;
  let database: pg.Client;
  let keys = 0;
  before(async () => {
    app = await startTestApp();
    own = await makeSides(app, "own");
    foreign = await makeSides(app, "foreign");
    database = new pg.Client({ connectionString: app.databaseUrl });
    await database.connect();
  });
  after(async () => {
    await database.end();
    await app.close();
  });

  function nextKey(): string {
    keys += 1;
    return `key-${keys}`;
  }

  function create(
    key: string,
    idempotencyKey: string,
    body: unknown,
    url = app.api.url,
  ): Promise<Answer> {
    const headers = { "idempotency-key": idempotencyKey };
    return call(url, "/v1/applications", { key, body, headers });
  }

  async function applicationsNamed(name: string): Promise<number> {
    const { rows } = await database.query<{ count: string }>(
      "select count(*) from applications where name = $1",
      [name],
    );
    return Number(rows[0]?.count);
  }

  it("of 100 parallel equal requests makes one object, the same answer or 409 to the others", async () => {
    const urls = [app.api.url, (await app.another()).url];
    const key = nextKey();
    // A busy API sheds load with 503, and its key lets the request be sent again.
    const send = async (url: string | undefined): Promise<Answer> => {
      let answer = await create(own.test.key, key, { name: "Parallel" }, url);
      while (answer.status === 503) {
        answer = await create(own.test.key, key, { name: "Parallel" }, url);
      }
      return answer;
    };
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => send(urls[index % 2])),
    );
    assert.equal(await applicationsNamed("Parallel"), 1);
    const made = answers.filter((answer) => answer.status === 201);
    assert.ok(made.length >= 1);
    assert.equal(new Set(made.map((answer) => answer.text)).size, 1);
    const first = made.filter((answer) => answer.headers.get("idempotency-replayed") === null);
    assert.equal(first.length, 1);
    for (const answer of answers.filter((one) => one.status !== 201)) {
      assert.deepEqual([answer.status, codeOf(answer)], [409, "idempotency_in_progress"]);
      assert.ok(Number(answer.headers.get("retry-after")) >= 1);
    }
    const replay = await create(own.test.key, key, { name: "Parallel" });
    assert.equal(replay.status, 201);
    assert.equal(replay.text, made[0]?.text);
    assert.equal(replay.headers.get("idempotency-replayed"), "true");
    assert.match(replay.headers.get("content-type") ?? "", /^application\/json/);
  });

  it("reads a body by its meaning: order and spacing do not matter, values do", async () => {
    const key = nextKey();
    const body = {
      name: "Meaning",
      origin_url: "https://o.example",
      allowed_origins: ["https://a.example"],
    };
    const first = await create(own.test.key, key, body);
    const turned = Object.fromEntries(Object.entries(body).reverse());
    assert.equal((await create(own.test.key, key, turned)).text, first.text);
    for (const other of [
      { ...body, name: "meaning" },
      { name: "Meaning" },
      { ...body, allowed_origins: [] },
    ]) {
      const refused = await create(own.test.key, key, other);
      assert.deepEqual([refused.status, codeOf(refused)], [422, "idempotency_mismatch"]);
    }
    assert.equal((await create(own.test.key, key, body)).text, first.text);
  });

  it("is separate for each tenant, environment and route", async () => {
    const key = nextKey();
    const body = { name: "Separate" };
    const made = await Promise.all(
      [own.test.key, own.live.key, foreign.test.key, foreign.live.key].map((one) =>
        create(one, key, body),
      ),
    );
    assert.deepEqual(
      made.map((answer) => answer.status),
      [201, 201, 201, 201],
    );
    assert.equal(new Set(made.map((answer) => textOf(answer, "id"))).size, 4);
    const headers = { "idempotency-key": key };
    const other = await call(app.api.url, "/v1/subscriptions", {
      key: own.test.key,
      body: { plan: "starter" },
      headers,
    });
    assert.notEqual(other.status, 422);
    assert.equal(other.headers.get("idempotency-replayed"), null);
  });

  it("is separate for each caller: another key's, application's or domain's reply is never given", async () => {
    const { applicationId, key: apiKey } = own.test;
    const second = await call(app.api.url, "/v1/applications", {
      key: apiKey,
      body: { name: "B" },
    });
    const mint = async (application: string, domain?: string) => {
      const body = { application_id: application, ...(domain ? { domain } : {}) };
      return textOf(await call(app.api.url, "/v1/tokens", { key: apiKey, body }), "auth_token");
    };
    const otherKey = await call(app.api.url, `/v1/applications/${applicationId}/keys`, {
      key: apiKey,
      body: { name: "other" },
    });
    const headers = { "idempotency-key": nextKey() };
    const body = { application_id: applicationId, hostname: "www.caller.test" };
    const start = (key: string) => call(app.api.url, "/v1/connections", { key, body, headers });
    const made = await start(await mint(applicationId));
    assert.equal(made.status, 201);
    const challenge = /service-verify=[\w-]+/.exec(made.text)?.[0] ?? assert.fail();
    // The walls refuse these before any stored reply is read.
    for (const [token, status] of [
      [await mint(textOf(second, "id")), 404],
      [await mint(applicationId, "shop.else.test"), 403],
    ] as const) {
      const refused = await start(token);
      assert.equal(refused.status, status);
      assert.ok(!refused.text.includes(challenge));
      assert.equal(refused.headers.get("idempotency-replayed"), null);
    }
    // A token cannot use up the backend's keys: the same key is free for an API key and for another
    // one.
    for (const key of [apiKey, textOf(otherKey, "secret")]) {
      const resumed = await start(key);
      assert.deepEqual([resumed.status, resumed.headers.get("idempotency-replayed")], [200, null]);
    }
    const replay = await start(await mint(applicationId));
    assert.deepEqual(
      [replay.text, replay.headers.get("idempotency-replayed")],
      [made.text, "true"],
    );
  });

  it("is free again after an answer of the 5xx kind", async () => {
    const key = nextKey();
    const blocker = new pg.Client({ connectionString: app.databaseUrl });
    await blocker.connect();
    await blocker.query("begin; lock table applications in access exclusive mode");
    const failed = await create(own.test.key, key, { name: "Freed" });
    await blocker.query("rollback");
    await blocker.end();
    assert.deepEqual([failed.status, codeOf(failed)], [503, "unavailable"]);
    assert.equal(await applicationsNamed("Freed"), 0);
    const again = await create(own.test.key, key, { name: "Freed" });
    assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [201, null]);
  });

  it("is forgotten after 24 hours and not before", async () => {
    const key = nextKey();
    const first = await create(own.test.key, key, { name: "Day" });
    app.clock.advance(24 * 3_600_000 - 60_000);
    assert.equal((await create(own.test.key, key, { name: "Day" })).text, first.text);
    app.clock.advance(61_000);
    const second = await create(own.test.key, key, { name: "Next day" });
    assert.equal(second.status, 201);
    assert.notEqual(textOf(second, "id"), textOf(first, "id"));
    assert.equal((await create(own.test.key, key, { name: "Next day" })).text, second.text);
  });

  it("must be 1 to 255 printable ASCII characters", async () => {
    for (const key of ["", "é", "a\tb", "x".repeat(256)]) {
      const refused = await create(own.test.key, key, { name: "Bad key" });
      assert.deepEqual([refused.status, codeOf(refused)], [400, "invalid"], key.slice(0, 10));
    }
    assert.equal(await applicationsNamed("Bad key"), 0);
    for (const key of ["x", "~".repeat(255), "a b", "'; drop table idempotency_keys; --"]) {
      assert.equal((await create(own.test.key, key, { name: "Good key" })).status, 201, key);
    }
  });

  it("leaves a refused request's key usable with a corrected body", async () => {
    const key = nextKey();
    assert.equal((await create(own.test.key, key, { name: "" })).status, 400);
    assert.equal((await create(own.test.key, key, { name: "Corrected" })).status, 201);
  });

  it("is ignored where the answer carries a secret: nothing of it is stored", async () => {
    const { rows: before } = await database.query("select route, key from idempotency_keys");
    const headers = { "idempotency-key": "secret-route" };
    const path = `/v1/applications/${own.test.applicationId}/keys`;
    const body = { name: "Secret" };
    const first = await call(app.api.url, path, { key: own.test.key, body, headers });
    const second = await call(app.api.url, path, { key: own.test.key, body, headers });
    assert.notEqual(textOf(first, "secret"), textOf(second, "secret"));
    const token = await call(app.api.url, "/v1/tokens", {
      key: own.test.key,
      body: { application_id: own.test.applicationId },
      headers,
    });
    assert.equal(token.status, 201);
    const { rows } = await database.query("select route, key from idempotency_keys");
    assert.deepEqual(rows, before);
  });
});
