import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  openCaller,
  openSession,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import { planIn, recordRoutes } from "@mooring/testing/control/record-plan";
import { withoutLimits } from "@mooring/testing/control/world";
import { z } from "zod";

const Providers = z.object({
  data: z.array(
    z.object({
      slug: z.string(),
      health: z
        .object({ writes: z.number(), failures: z.number(), last_error_at: z.string().nullable() })
        .nullable(),
    }),
  ),
});
const credential = { provider: "sandbox", fields: { token: "sandbox" } };

describe("what is known of providers and credentials", () => {
  let app: TestApp;
  let caller: Caller;
  let other: Caller;
  before(async () => {
    app = await startTestApp(withoutLimits);
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.test);
    other = await openCaller(app.api.url, (await app.tenant("Other")).keys.test);
  });
  after(() => app.close());

  async function healthFor({ key }: Caller) {
    const { data } = Providers.parse((await call(app.api.url, "/v1/providers", { key })).json());
    assert.ok(data.length > 20);
    return data.find(({ slug }) => slug === "sandbox")?.health ?? null;
  }

  it("counts the tenant's own writes of the last day, and no others", async () => {
    assert.equal(await healthFor(caller), null);
    const { apply } = recordRoutes(app.api.url, caller.key);
    const good = await connect(caller, `shop.${freshZone()}`);
    assert.equal(planIn(await apply(good.id, credential)).applied, true);
    const bad = await connect(caller, `reject.shop.${freshZone()}`);
    assert.equal((await apply(bad.id, credential)).status, 502);
    const health = await healthFor(caller);
    assert.deepEqual([health?.writes, health?.failures], [2, 1]);
    assert.ok(health?.last_error_at);
    assert.equal(await healthFor(other), null);
    const lines = (await call(app.api.url, "/metrics")).text
      .split("\n")
      .filter((line) => line.startsWith("mooring_provider_"));
    assert.deepEqual(lines.slice(0, 2), [
      'mooring_provider_writes{provider="sandbox",outcome="applied"} 1',
      'mooring_provider_writes{provider="sandbox",outcome="failed"} 1',
    ]);
    assert.match(
      lines[2] ?? "",
      /^mooring_provider_last_error_timestamp_seconds\{provider="sandbox"\} \d{10}/,
    );
    app.clock.advance(86_400_001);
    assert.equal(await healthFor(caller), null);
    app.clock.advance(-86_400_001);
  });

  it("opens no credential whose row was exchanged, and notes every opening", async () => {
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const body = { provider: "sandbox", name: "x", fields: { token: "sandbox" } };
    const ids: string[] = [];
    for (const _ of [1, 2]) {
      ids.push(textOf(await call(app.api.url, path, { key: caller.key, body }), "id"));
    }
    const [first = "", second = ""] = ids;
    const test = async (id: string) =>
      (await call(app.api.url, `${path}/${id}/test`, { key: caller.key, method: "POST" })).json();
    const session = await openSession(app.databaseUrl);
    const opened = async (id: string) => {
      const { rows } = await session.query<{ actor: string }>(
        "select actor from audit_log where action = 'credential.open' and subject = $1",
        [`credential:${id}`],
      );
      return rows.length;
    };
    assert.equal((await test(first))["ok"], true);
    assert.deepEqual([await opened(first), await opened(second)], [1, 0]);
    await session.query(
      `update credentials c set sealed = o.sealed from credentials o
       where (c.id, o.id) in (($1::uuid, $2::uuid), ($2::uuid, $1::uuid))`,
      [first, second],
    );
    for (const id of ids) {
      const answer = await test(id);
      assert.deepEqual([answer["ok"], answer["zones"]], [false, []]);
      assert.match(JSON.stringify(answer["error"]), /cannot be opened/);
    }
    assert.deepEqual([await opened(first), await opened(second)], [1, 0]);
    await session.end();
  });

  it("tests a credential and notes how that went", async () => {
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const store = async (token: string) => {
      const body = { provider: "sandbox", name: "x", fields: { token } };
      return textOf(await call(app.api.url, path, { key: caller.key, body }), "id");
    };
    const test = (id: string, key = caller.key) =>
      call(app.api.url, `${path}/${id}/test`, { key, method: "POST" });
    const good = await test(await store("sandbox"));
    assert.deepEqual([good.status, good.json()["ok"], good.json()["error"]], [200, true, null]);
    assert.ok(Array.isArray(good.json()["zones"]));
    const badId = await store("not the token");
    const bad = await test(badId);
    assert.equal(bad.status, 200);
    assert.deepEqual(bad.json(), {
      ok: false,
      zones: [],
      error: { kind: "auth", message: "The sandbox takes the token “sandbox”." },
    });
    const { data } = z
      .object({
        data: z.array(
          z.object({
            id: z.string(),
            last_used_at: z.string().nullable(),
            last_error: z.string().nullable(),
          }),
        ),
      })
      .parse((await call(app.api.url, path, { key: caller.key })).json());
    const stored = data.find(({ id }) => id === badId);
    assert.ok(stored?.last_used_at);
    assert.match(stored.last_error ?? "", /takes the token/);
    assert.equal(data.find(({ id }) => id !== badId)?.last_error, null);
    assert.equal((await test(badId, other.key)).status, 404);
  });
});
