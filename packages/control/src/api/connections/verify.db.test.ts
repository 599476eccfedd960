import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";
import { makeWorld, type World, withoutLimits } from "@mooring/testing/control/world";

describe("POST /v1/connections/{id}/verify", () => {
  let app: TestApp;
  let own: World;
  let foreign: World;
  before(async () => {
    app = await startTestApp({ ...withoutLimits, EDGE_IPV4: "192.0.2.7" });
    own = await makeWorld(app, (await app.tenant("own")).keys.test, "own");
    foreign = await makeWorld(app, (await app.tenant("foreign")).keys.test, "foreign");
  });
  after(() => app.close());

  interface Made {
    readonly id: string;
    readonly name: string;
    readonly value: string;
  }

  async function connect(world: World, hostname: string, more: object = {}): Promise<Made> {
    const { key, applicationId } = world;
    const body = { application_id: applicationId, hostname, ...more };
    const made = await call(app.api.url, "/v1/connections", { key, body });
    assert.equal(made.status, 201, made.text);
    const challenge = made.json()["ownership_challenge"] as { name: string; value: string };
    return { id: textOf(made, "id"), ...challenge };
  }

  async function publish({ key }: World, zone: string, name: string, values: readonly string[]) {
    const records = values.map((value) => ({ host: name, type: "TXT", value, ttl: 60 }));
    const path = `/v1/sandbox/zones/${zone}/records`;
    const written = await call(app.api.url, path, { key, method: "PUT", body: { records } });
    assert.equal(written.status, 200, written.text);
  }

  function verify({ key }: World, id: string): Promise<Answer> {
    return call(app.api.url, `/v1/connections/${id}/verify`, { key, method: "POST" });
  }

  function detailsOf(answer: Answer, code: string): unknown {
    assert.equal(answer.status, 409, answer.text);
    const error = answer.json()["error"] as { code: string; details: unknown };
    assert.equal(error.code, code);
    return error.details;
  }

  it("says whether more was seen at the name than it lists", async () => {
    const made = await connect(own, "shop.many-texts.test");
    const seen = async (values: readonly string[]) => {
      await publish(own, "many-texts.test", made.name, values);
      const details = detailsOf(await verify(own, made.id), "ownership_not_found");
      const { observed, observed_truncated } = details as {
        observed: readonly string[];
        observed_truncated: unknown;
      };
      return [observed.length, observed_truncated];
    };
    assert.deepEqual(await seen([]), [0, false]);
    assert.deepEqual(await seen(["another"]), [1, false]);
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    assert.deepEqual(await seen(texts), [32, true]);
    assert.deepEqual(await seen(["x".repeat(600)]), [1, true]);
  });

  it("tells the holder's tenant by nothing: a conflict has no details but those of a contest", async () => {
    const holders = [
      { zone: "conflict-one.test", holder: own, more: { customer_ref: "alice" } },
      { zone: "conflict-two.test", holder: foreign, more: {} },
    ];
    const seen = [];
    for (const { zone, holder, more } of holders) {
      const held = await connect(holder, `shop.${zone}`, more);
      await publish(holder, zone, held.name, [held.value]);
      assert.equal((await verify(holder, held.id)).status, 200);
      const asking = { customer_ref: "bob", contest: true };
      const prover = await connect(own, `shop.${zone}`, asking);
      await publish(holder, zone, held.name, [held.value, prover.value]);
      const against = detailsOf(await verify(own, prover.id), "HostnameConflict");
      await publish(holder, zone, held.name, [prover.value]);
      const contested = detailsOf(await verify(own, prover.id), "HostnameConflict");
      seen.push({ against, contested: Object.keys(contested as object) });
    }
    assert.deepEqual(seen[0], seen[1]);
    assert.deepEqual(seen[0], { against: null, contested: ["contest_deadline"] });
  });

  it("says when both have proven what happens, when, and which record to delete, by its value", async () => {
    const zone = "both-proven.test";
    const held = await connect(foreign, `shop.${zone}`);
    await publish(foreign, zone, held.name, [held.value]);
    assert.equal((await verify(foreign, held.id)).status, 200);
    const prover = await connect(own, `shop.${zone}`, { contest: true });
    await publish(foreign, zone, held.name, [held.value, prover.value]);
    detailsOf(await verify(own, prover.id), "HostnameConflict");
    const { key } = own;
    const base = app.api.url;
    const path = `/v1/connections/${prover.id}`;
    const { status, text, json } = await call(base, `${path}/diagnosis`, { key });
    assert.equal(status, 200, text);
    const [first] = json()["findings"] as Shown[];
    assert.equal(first?.code, "hostname_proven_by_both");
    assert.deepEqual(
      first.remove_records.map(({ host, type, value }) => [host, type, value]),
      [[held.name, "TXT", held.value]],
    );
    const customers = first.texts.end_customer.fix;
    for (const fix of [first.fix, customers]) {
      assert.ok(fix.includes(held.value) && fix.includes(prover.value), fix);
      assert.match(fix, /pass.* at .*\d\d.*UTC/);
    }
    const shared = await call(base, `${path}/share`, { key, method: "POST" });
    const page = await call(base, new URL(String(shared.json()["url"])).pathname);
    assert.ok(page.text.includes(held.value) && page.text.includes("delete"), page.text);
    for (const shown of [text, page.text]) {
      assert.ok(!shown.includes(held.id) && !shown.includes(foreign.applicationId));
    }
  });
});

interface Shown {
  readonly code: string;
  readonly fix: string;
  readonly remove_records: readonly { host: string; type: string; value: string }[];
  readonly texts: { readonly end_customer: { readonly fix: string } };
}
