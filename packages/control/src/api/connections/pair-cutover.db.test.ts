import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  freshZone,
  openSession,
  putZone,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";

describe("the cut-over of a domain and its www", () => {
  let app: TestApp;
  let caller: Caller;
  before(async () => {
    app = await startTestApp({ VALIDATION_ZONE: "validation.test" });
    const { keys } = await app.tenant("Acme");
    const body = { name: "Shop" };
    const made = await call(app.api.url, "/v1/applications", { key: keys.test, body });
    caller = { base: app.api.url, key: keys.test, applicationId: textOf(made, "id") };
  });
  after(() => app.close());

  interface Shown {
    readonly id: string;
    readonly hostname: string;
    readonly cutover: { readonly status: string } | null;
  }

  function pair(hostname: string, more: object): Promise<Answer> {
    const body = { application_id: caller.applicationId, hostname, ...more };
    return call(app.api.url, "/v1/connections:pair", { key: caller.key, body });
  }

  function both(answer: Answer): readonly [Shown, Shown] {
    const { connections } = answer.json();
    assert.ok(Array.isArray(connections) && connections.length === 2, answer.text);
    return connections as [Shown, Shown];
  }

  it("prepares both where either serves elsewhere, and neither where none does", async () => {
    const idle = both(await pair(freshZone(), { cutover: true }));
    assert.deepEqual(
      idle.map(({ cutover }) => cutover),
      [null, null],
    );
    const zone = freshZone();
    await putZone(caller, zone, [{ host: zone, type: "A", value: "203.0.113.44" }]);
    const [apex, www] = both(await pair(zone, { cutover: true }));
    assert.deepEqual([apex.cutover?.status, www.cutover?.status], ["preparing", "preparing"]);
  });

  it("switches and reverts a prepared pair as one", async () => {
    const zone = freshZone();
    const old = [
      { host: zone, type: "A", value: "203.0.113.44" },
      { host: `www.${zone}`, type: "A", value: "203.0.113.45" },
    ];
    await putZone(caller, zone, old);
    const [apex, www] = both(await pair(zone, { cutover: true }));
    const codes = ["ownership", "validation", "certificate", "edge", "origin", "mail"];
    const session = await openSession(app.databaseUrl);
    // What an edge would have to be there for.
    const prepare = async (id: string, isServed: boolean) => {
      const checks = codes.map((code) => ({
        code,
        ok: isServed || code !== "edge",
        message: code,
      }));
      await session.query(
        `update connections set state = 'propagating', error_code = null,
           cutover = cutover || jsonb_build_object('status', $3::text, 'checks', $2::jsonb) where id = $1`,
        [id, JSON.stringify(checks), isServed ? "ready" : "preparing"],
      );
    };
    const move = (path: string, more: object = {}) =>
      call(app.api.url, `/v1/connections/${www.id}/${path}`, {
        key: caller.key,
        body: { provider: "sandbox", fields: { token: "sandbox" }, pair: true, ...more },
      });
    const seen = async (): Promise<readonly string[]> => {
      const path = `/v1/sandbox/zones/${zone}/records`;
      const { records } = (
        await call(app.api.url, path, { key: caller.key })
      ).json() as unknown as {
        records: readonly ZoneLine[];
      };
      return records
        .filter(({ type }) => type !== "TXT")
        .map(({ host, value }) => `${host} ${value}`);
    };
    const before = await seen();
    await prepare(www.id, true);
    await prepare(apex.id, false);
    const early = await move("cutover");
    assert.equal(early.status, 409, early.text);
    assert.deepEqual(await seen(), before, "nothing of either is written");
    await prepare(apex.id, true);
    const plan = await move("cutover", { dry_run: true });
    assert.equal(plan.status, 200, plan.text);
    assert.deepEqual(await seen(), before);
    const moved = await move("cutover");
    assert.equal(moved.status, 200, moved.text);
    const statuses = (answer: Answer) =>
      ["connection", "partner"].map((one) => {
        const { hostname, cutover } = answer.json()[one] as Shown;
        return [hostname, cutover?.status];
      });
    assert.deepEqual(statuses(plan), [
      [`www.${zone}`, "ready"],
      [zone, "ready"],
    ]);
    assert.deepEqual(statuses(moved), [
      [`www.${zone}`, "switching"],
      [zone, "switching"],
    ]);
    assert.deepEqual(
      (await seen()).filter((line) => line.includes("203.0.113.")),
      [],
    );
    const back = await move("cutover:revert");
    assert.equal(back.status, 200, back.text);
    assert.deepEqual(
      statuses(back).map(([, status]) => status),
      ["reverted", "reverted"],
    );
    assert.deepEqual(
      (await seen()).filter((line) => line.includes("203.0.113.")).toSorted(),
      before.toSorted(),
    );
    await session.end();
  });
});
