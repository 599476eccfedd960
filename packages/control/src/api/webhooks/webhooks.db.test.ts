import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import { startWebhookApp, type WebhookApp } from "@mooring/testing/control/webhooks/webhook-app";
import { until } from "@mooring/testing/processes/until";
import type { NewTenant } from "../../services/operator/tenants.ts";

function itemsOf(answer: Answer): readonly Record<string, unknown>[] {
  const { data } = answer.json();
  assert.ok(Array.isArray(data), answer.text);
  return data;
}

describe("webhook endpoints", () => {
  let shop: WebhookApp;
  before(async () => {
    shop = await startWebhookApp(false);
  });
  after(() => shop.close());

  const path = "/v1/webhook-endpoints";
  const url = "https://hooks.example.com/mooring";

  it("show their secret when made and when rotated, and never again", async () => {
    const body = { application_id: shop.applicationId, url };
    const made = await shop.call(path, { body });
    assert.equal(made.status, 201);
    const { id, signing_secret: secret, ...rest } = made.json();
    assert.deepEqual(rest, {
      application_id: shop.applicationId,
      url,
      events: ["*"],
      format: "standard",
      active: true,
      disabled_reason: null,
      replay: null,
      created_at: rest["created_at"],
    });
    assert.match(String(secret), /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(Buffer.from(String(secret).slice(6), "base64").length, 32);
    const rotated = await shop.call(`${path}/${id}/rotate-secret`, { method: "POST" });
    const next = textOf(rotated, "signing_secret");
    assert.notEqual(next, secret);
    const answers = [
      await shop.call(`${path}/${id}`),
      await shop.call(path),
      await shop.call(`${path}/${id}`, { method: "PATCH", body: { events: ["ssl.issued"] } }),
      await shop.call(`${path}/${id}/test`, { method: "POST" }),
      await shop.call(`${path}/${id}/deliveries`),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.text);
      assert.doesNotMatch(answer.text, /whsec_|signing_secret/);
    }
  });

  for (const [verb, body] of [
    ["test", undefined],
    ["replay", { since: "2026-01-01T00:00:00Z" }],
  ] as const) {
    it(`are not found by a ${verb} that began before they were deleted`, async () => {
      const { id } = await shop.endpoint(url);
      await shop.session.query("begin");
      await shop.session.query("delete from webhook_endpoints where id = $1", [id]);
      const sent = shop.call(`${path}/${id}/${verb}`, { method: "POST", ...(body && { body }) });
      const isWaiting = async (): Promise<boolean> => {
        // Within a transaction the server would show the same activity each time.
        await shop.session.query("select pg_stat_clear_snapshot()");
        const { rowCount } = await shop.session.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rowCount === 1;
      };
      await until(isWaiting, "the request waits for the delete");
      await shop.session.query("commit");
      const answer = await sent;
      assert.equal(answer.status, 404, answer.text);
      assert.equal(codeOf(answer), "not_found");
    });
  }

  it("store no secret in plain text, in no table and in no log line", async () => {
    const made = await shop.endpoint(url);
    const rotated = await shop.call(`${path}/${made.id}/rotate-secret`, { method: "POST" });
    const { rows } = await shop.session.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const stored: string[] = [...shop.app.logLines];
    for (const { name } of rows) {
      const { rows: found } = await shop.session.query<{ text: string }>(
        `select t::text as text from "${name}" t`,
      );
      stored.push(...found.map(({ text }) => text));
    }
    const whole = stored.join("\n");
    assert.ok(whole.includes(made.id), "the tables were read");
    for (const secret of [made.secret, textOf(rotated, "signing_secret")]) {
      const bare = secret.slice("whsec_".length);
      const bytes = Buffer.from(bare, "base64");
      for (const form of [bare, bytes.toString("hex"), bytes.toString("base64url")]) {
        assert.ok(!whole.includes(form));
      }
    }
  });

  it("are listed newest first, by application too, and page", async () => {
    const other = textOf(await shop.call("/v1/applications", { body: { name: "Other" } }), "id");
    for (const name of ["a", "b", "c"]) {
      const body = { application_id: other, url: `https://${name}.example.com/` };
      assert.equal((await shop.call(path, { body })).status, 201);
    }
    const first = await shop.call(`${path}?application_id=${other}&limit=2`);
    const cursor = textOf(first, "next_cursor");
    const rest = await shop.call(`${path}?application_id=${other}&limit=2&cursor=${cursor}`);
    const urls = [...itemsOf(first), ...itemsOf(rest)].map((one) => one["url"]);
    assert.deepEqual(
      urls,
      ["c", "b", "a"].map((name) => `https://${name}.example.com/`),
    );
    assert.equal(rest.json()["next_cursor"], null);
  });

  it("can be changed and deleted, with their log", async () => {
    const { id } = await shop.endpoint(url);
    const changes = {
      url: "https://other.example.com/x",
      events: ["domain.drift"],
      format: "cloudflare",
      active: false,
    };
    const changed = await shop.call(`${path}/${id}`, { method: "PATCH", body: changes });
    const { url: newUrl, events, format, active } = changed.json();
    assert.deepEqual({ url: newUrl, events, format, active }, changes);
    await shop.call(`${path}/${id}/test`, { method: "POST" });
    assert.equal((await shop.call(`${path}/${id}`, { method: "DELETE" })).status, 204);
    assert.equal((await shop.call(`${path}/${id}`)).status, 404);
    assert.equal((await shop.call(`${path}/${id}/deliveries`)).status, 404);
    const { rowCount } = await shop.session.query(
      "select 1 from deliveries where endpoint_id = $1",
      [id],
    );
    assert.equal(rowCount, 0);
  });

  it("get deliveries of the kinds they chose, in the transaction of the event, and of no others", async () => {
    const all = await shop.endpoint(url);
    const some = await shop.endpoint(url, ["domain.archived", "domain.drift"]);
    const id = await shop.emitEvent();
    await shop.call(`/v1/connections/${id}`, { method: "DELETE" });
    const kinds = async (endpoint: string) =>
      (await shop.deliveries(endpoint)).map((one) => one.event_type).sort();
    assert.deepEqual(await kinds(all.id), ["domain.added", "domain.archived"]);
    assert.deepEqual(await kinds(some.id), ["domain.archived"]);
    const [delivery] = await shop.deliveries(some.id);
    assert.deepEqual(
      { ...delivery, id: "", event_id: "", created_at: "", next_attempt_at: "" },
      {
        id: "",
        event_id: "",
        event_type: "domain.archived",
        endpoint_id: some.id,
        status: "pending",
        attempts: [],
        next_attempt_at: "",
        created_at: "",
      },
    );
  });

  it("refuse unknown kinds, bad URLs, unknown fields and other tenants' applications", async () => {
    const base = { application_id: shop.applicationId, url };
    const bad: readonly (readonly [object, string])[] = [
      [{ ...base, events: ["domain.exploded"] }, "events.0"],
      [{ ...base, events: [] }, "events"],
      [{ ...base, format: "slack" }, "format"],
      [{ ...base, url: "ftp://example.com" }, "url"],
      [{ ...base, url: "https://user:pass@example.com/" }, "url"],
      [{ ...base, url: "https://example.com:25/" }, "url"],
      [{ ...base, secret: "mine" }, "secret"],
    ];
    for (const [body, at] of bad) {
      const answer = await shop.call(path, { body });
      assert.equal(answer.status, 400, JSON.stringify(body));
      assert.match(answer.text, new RegExp(`"path":"${at}"`), answer.text);
    }
    const foreign = { ...base, application_id: "0198c0de-0000-7000-8000-000000000009" };
    assert.equal((await shop.call(path, { body: foreign })).status, 404);
    const unknown = "0198c0de-0000-7000-8000-000000000009";
    const { id } = await shop.endpoint(url);
    const replay = `${path}/${id}/deliveries/${unknown}/replay`;
    assert.equal((await shop.call(replay, { method: "POST" })).status, 404);
    assert.equal((await shop.call(`${path}/${id}/replay`, { body: { since: "now" } })).status, 400);
  });
});

describe("the URL of a webhook endpoint", () => {
  let app: TestApp;
  let owner: NewTenant;
  before(async () => {
    app = await startTestApp();
    owner = await app.tenant("Owner");
  });
  after(() => app.close());

  async function tryUrl(key: string, url: string): Promise<Answer> {
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "A" } });
    const body = { application_id: textOf(made, "id"), url };
    return call(app.api.url, "/v1/webhook-endpoints", { key, body });
  }

  it("may be http in the test environment only", async () => {
    const url = "http://hooks.example.com/";
    assert.equal((await tryUrl(owner.keys.test, url)).status, 201);
    const live = await tryUrl(owner.keys.live, url);
    assert.equal(live.status, 400);
    assert.match(live.text, /https/);
    assert.equal((await tryUrl(owner.keys.live, "https://hooks.example.com/")).status, 201);
  });

  it("must not be a private address in any spelling, unless the operator allows it", async () => {
    const hosts = [
      "127.0.0.1",
      "0x7f.1",
      "2130706433",
      "[::1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::a9fe:a9fe]",
      "10.0.0.1",
      "100.64.0.1",
      "169.254.169.254",
      "[fe80::1]",
      "[fd00::1]",
      "224.0.0.1",
      "0.0.0.0",
    ];
    for (const host of hosts) {
      const answer = await tryUrl(owner.keys.test, `http://${host}:8080/`);
      assert.equal(answer.status, 400, host);
      assert.equal(codeOf(answer), "invalid");
    }
  });
});

describe("GET /v1/events", () => {
  let shop: WebhookApp;
  before(async () => {
    shop = await startWebhookApp(false);
  });
  after(() => shop.close());

  it("lists the very bodies of events, newest first, by application and kind", async () => {
    const id = await shop.emitEvent();
    await shop.call(`/v1/connections/${id}`, { method: "DELETE" });
    const all = itemsOf(await shop.call(`/v1/events?application_id=${shop.applicationId}`));
    assert.deepEqual(
      all.map((one) => one["type"]),
      ["domain.archived", "domain.added"],
    );
    const { rows } = await shop.session.query<{ body: string }>(
      "select body from events order by created_at desc, id desc",
    );
    assert.deepEqual(
      all,
      rows.map(({ body }) => ({ ...JSON.parse(body), customer_ref: null })),
    );
    const some = itemsOf(await shop.call("/v1/events?type=domain.archived"));
    assert.deepEqual(some, all.slice(0, 1));
    const first = await shop.call("/v1/events?limit=1");
    const rest = await shop.call(`/v1/events?limit=1&cursor=${textOf(first, "next_cursor")}`);
    assert.deepEqual([...itemsOf(first), ...itemsOf(rest)], all);
    assert.equal((await shop.call("/v1/events?type=nonsense")).status, 400);
  });

  it("shows nothing of other tenants or of the other environment", async () => {
    await shop.emitEvent();
    const other = await shop.app.tenant("Other");
    for (const key of [other.keys.test, other.keys.live]) {
      assert.deepEqual(itemsOf(await shop.call("/v1/events", { key })), []);
    }
    const foreign = `/v1/events?application_id=${shop.applicationId}`;
    assert.deepEqual(itemsOf(await shop.call(foreign, { key: other.keys.test })), []);
  });
});
