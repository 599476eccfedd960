import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Caller, connect, freshZone } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";

const unset = { rate_limit: null, allow: null, deny: null, maintenance: null, basic_auth: null };

/** Of the `edge` object of an application. */
function rulesIn(edge: unknown): object {
  const all = Object.entries(Object(edge));
  return Object.fromEntries(all.filter(([key]) => Object.hasOwn(unset, key)));
}

describe("rules for requests", () => {
  let app: TestApp;
  let caller: Caller;
  let key = "";
  before(async () => {
    app = await startTestApp();
    key = (await app.tenant("Acme")).keys.test;
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    caller = { base: app.api.url, key, applicationId: textOf(made, "id") };
  });
  after(() => app.close());

  function patch(id: string, body: object): Promise<Answer> {
    return call(app.api.url, `/v1/connections/${id}`, { key, method: "PATCH", body });
  }

  async function read(id: string): Promise<Record<string, unknown>> {
    return (await call(app.api.url, `/v1/connections/${id}`, { key })).json();
  }

  /** Newest first: the type and `data.changed` of the events of a connection. */
  async function listEvents(id: string): Promise<unknown[]> {
    const answer = await call(app.api.url, "/v1/events?limit=100", { key });
    const { data } = answer.json();
    assert.ok(Array.isArray(data), answer.text);
    const own = data.filter(({ data: { connection } }) => connection?.id === id);
    return own.map(({ type, sequence, data: { changed } }) => [type, sequence, changed]);
  }

  it("takes them for an application, and gives normal networks and no password back", async () => {
    const until = new Date(app.clock.now().getTime() + 3_600_000);
    const edge = {
      rate_limit: { requests: 100, per_s: 60 },
      allow: ["192.0.2.77/24", "192.0.2.0/24", "2001:DB8::1"],
      deny: ["::ffff:198.51.100.7"],
      maintenance: { until: until.toISOString().replace("Z", "+00:00"), page: "Back <soon>" },
      basic_auth: { username: "preview", password: "correct horse battery" },
    };
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "x", edge } });
    assert.equal(made.status, 201, made.text);
    const shown = {
      ...unset,
      rate_limit: { requests: 100, per_s: 60, by: "visitor" },
      allow: ["192.0.2.0/24", "2001:db8::1/128"],
      deny: ["198.51.100.7/32"],
      maintenance: { until: until.toISOString(), page: "Back <soon>" },
      basic_auth: { username: "preview" },
    };
    assert.deepEqual(rulesIn(made.json()["edge"]), shown);
    const path = `/v1/applications/${textOf(made, "id")}`;
    const off = { key, method: "PATCH", body: { edge: { allow: null, basic_auth: null } } };
    const changed = await call(app.api.url, path, off);
    assert.deepEqual(rulesIn(changed.json()["edge"]), { ...shown, allow: null, basic_auth: null });
  });

  it("refuses those that are none, and names what is wrong with them", async () => {
    const past = new Date(app.clock.now().getTime() - 1_000).toISOString();
    const far = new Date(app.clock.now().getTime() + 400 * 86_400_000).toISOString();
    const refused: readonly (readonly [edge: object, issue: string])[] = [
      [{ rate_limit: { requests: 0, per_s: 1 } }, "edge.rate_limit.requests"],
      [{ rate_limit: { requests: 1 } }, "edge.rate_limit.per_s"],
      [{ rate_limit: { requests: 1, per_s: 1, by: "tenant" } }, "edge.rate_limit.by"],
      [{ rate_limit: { requests: 1, per_s: 1, burst: 2 } }, "edge.rate_limit.burst"],
      [{ allow: [] }, "edge.allow"],
      [{ allow: ["192.0.2.0/33"] }, "edge.allow.0"],
      [{ deny: ["192.0.2.0/24", "example.com"] }, "edge.deny.1"],
      [{ deny: Array.from({ length: 201 }, (_, host) => `10.0.0.${host}`) }, "edge.deny"],
      [{ maintenance: { until: past } }, "edge.maintenance.until"],
      [{ maintenance: { until: far } }, "edge.maintenance.until"],
      [{ maintenance: { until: "tomorrow" } }, "edge.maintenance.until"],
      [{ maintenance: { page: "x".repeat(2_001) } }, "edge.maintenance.page"],
      [{ maintenance: { page: "a\u0000b" } }, "edge.maintenance.page"],
      [{ basic_auth: { username: "a:b", password: "long enough" } }, "edge.basic_auth.username"],
      [{ basic_auth: { username: "a", password: "short" } }, "edge.basic_auth.password"],
      [{ basic_auth: { username: "a" } }, "edge.basic_auth.password"],
      [{ basic_auth: "off" }, "edge.basic_auth"],
    ];
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "x" } });
    const path = `/v1/applications/${textOf(made, "id")}`;
    for (const [edge, issue] of refused) {
      const answer = await call(app.api.url, path, { key, method: "PATCH", body: { edge } });
      assert.equal(answer.status, 400, JSON.stringify(edge).slice(0, 80));
      assert.ok(answer.text.includes(`"path":"${issue}"`), answer.text);
    }
    const { edge } = (await call(app.api.url, path, { key })).json();
    assert.deepEqual(rulesIn(edge), unset);
  });

  it("takes them for a connection: its own, the application's, or none of those", async () => {
    const made = await connect(caller, `rules.${freshZone()}`);
    assert.equal((await read(made.id))["edge"], null);
    const password = "correct horse battery";
    const set = { rate_limit: "off", deny: ["192.0.2.9/24"], maintenance: { page: "Back soon" } };
    const edge = { ...set, basic_auth: { username: "preview", password } };
    const answer = await patch(made.id, { edge });
    assert.equal(answer.status, 200, answer.text);
    const shown = {
      rate_limit: "off",
      allow: null,
      deny: ["192.0.2.0/24"],
      maintenance: { until: null, page: "Back soon" },
      basic_auth: { username: "preview" },
    };
    assert.deepEqual((await read(made.id))["edge"], shown);
    assert.deepEqual((await listEvents(made.id))[0], ["domain.changed", 2, ["edge"]]);
    await patch(made.id, { edge: { deny: ["192.0.2.0/24"] } });
    assert.equal((await listEvents(made.id)).length, 2, "the same again changes nothing");
    const off = { rate_limit: null, deny: "off", maintenance: null };
    await patch(made.id, { edge: off });
    assert.deepEqual((await read(made.id))["edge"], {
      ...shown,
      rate_limit: null,
      deny: "off",
      maintenance: null,
    });
    await patch(made.id, { edge: { deny: null, basic_auth: null } });
    assert.equal((await read(made.id))["edge"], null);
    for (const [wrong, path] of [
      [{ deny: ["192.0.2.0/24", "x"] }, "edge.deny.1"],
      [{ allow: "none" }, "edge.allow"],
      [{ rate_limit: { requests: 0, per_s: 1 } }, "edge.rate_limit.requests"],
      [{ rate_limit: { requests: 1, per_s: 1, every: 1 } }, "edge.rate_limit.every"],
      [{ maintenance: { until: "2020-01-01T00:00:00Z" } }, "edge.maintenance.until"],
      [{ hsts: null }, "edge.hsts"],
    ] as const) {
      const refused = await patch(made.id, { edge: wrong });
      assert.equal(refused.status, 400, refused.text);
      assert.ok(refused.text.includes(`"path":"${path}"`), refused.text);
    }
    const audit = await call(app.api.url, "/v1/audit?limit=100", { key: caller.key });
    assert.doesNotMatch(audit.text, /battery|scrypt/);
  });
});
