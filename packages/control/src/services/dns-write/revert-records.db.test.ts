import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  type Made,
  openCaller,
  openSession,
  proofRecord,
  putZone,
  verify,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import { planIn, planLines, recordRoutes, zoneRecords } from "@mooring/testing/control/record-plan";
import { withoutLimits } from "@mooring/testing/control/world";

const credentials = { provider: "sandbox", fields: { token: "sandbox" } };

describe("records:revert", () => {
  let app: TestApp;
  let caller: Caller;
  before(async () => {
    app = await startTestApp(withoutLimits);
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.test);
  });
  after(() => app.close());

  const routes = () => recordRoutes(app.api.url, caller.key);
  const readRecords = (zone: string) => zoneRecords(app.api.url, caller.key, zone);

  async function storeCredential(owner: Caller): Promise<string> {
    const path = `/v1/applications/${owner.applicationId}/credentials`;
    const body = { ...credentials, name: "Stored" };
    return textOf(await call(app.api.url, path, { key: owner.key, body }), "id");
  }

  async function replaceAll(made: Made, body: object = credentials): Promise<void> {
    const { changes } = planIn(await routes().apply(made.id, { ...body, dry_run: true }));
    const replace = changes.map(({ id }) => id);
    assert.equal(planIn(await routes().apply(made.id, { ...body, replace })).applied, true);
  }

  const remove = (owner: Caller, id: string): Promise<Answer> =>
    call(app.api.url, `/v1/connections/${id}?revert_dns=true`, {
      key: owner.key,
      method: "DELETE",
    });

  async function readTimeline(owner: Caller, id: string): Promise<string> {
    return (await call(app.api.url, `/v1/connections/${id}/events`, { key: owner.key })).text;
  }

  /** A zone with its owner's records at every name that a write touches, and beside it. */
  function furnished(zone: string) {
    const at = (host: string, type: string, value: string, ttl: number, priority?: number) => ({
      host,
      type,
      value,
      ttl,
      ...(priority === undefined ? {} : { priority }),
    });
    return [
      at(`shop.${zone}`, "A", "192.0.2.7", 1_111),
      at(`shop.${zone}`, "A", "192.0.2.8", 1_111),
      at(`shop.${zone}`, "AAAA", "2001:db8::7", 2_222),
      at(`shop.${zone}`, "TXT", 'v=spf1 -all; "quoted"', 3_333),
      at(`shop.${zone}`, "MX", "mx.example.net", 4_444, 7),
      at(zone, "TXT", "untouched", 60),
      at(`other.${zone}`, "CNAME", "elsewhere.example.net", 61),
    ];
  }

  it("restores byte for byte what was there, after several writes", async () => {
    const zone = freshZone();
    await putZone(caller, zone, furnished(zone));
    const before = await readRecords(zone);
    const made = await connect(caller, `shop.${zone}`);
    await replaceAll(made);
    // The desired records change: a second write replaces the first.
    const session = await openSession(app.databaseUrl);
    await session.query(
      `update connections set desired_records = replace(desired_records::text, 'edge.localhost', 'edge2.localhost')::jsonb
       where id = $1`,
      [made.id],
    );
    await session.end();
    const second = planIn(await routes().apply(made.id, credentials));
    assert.deepEqual(
      second.changes.map(({ action }) => action),
      ["keep", "update"],
    );
    assert.notDeepEqual(await readRecords(zone), before);

    const preview = planIn(await routes().revert(made.id, { ...credentials, dry_run: true }));
    assert.equal(preview.applied, false);
    assert.equal(preview.changes.filter(({ action }) => action === "delete").length, 2);
    const reverted = planIn(await routes().revert(made.id, credentials));
    assert.equal(reverted.applied, true);
    assert.deepEqual(await readRecords(zone), before);
    assert.deepEqual(planIn(await routes().revert(made.id, credentials)).changes, []);

    // The timeline has each write with its plan, and who asked for it.
    const path = `/v1/connections/${made.id}/events`;
    const asked = await call(app.api.url, `${path}?kind=write&kind=action`, { key: caller.key });
    const entries = asked.json()["data"] as readonly {
      readonly kind: string;
      readonly plan: readonly { readonly action: string }[] | null;
      readonly actor: { readonly kind: string; readonly name: string | null } | null;
      readonly details: Readonly<Record<string, unknown>>;
    }[];
    const plans = entries.flatMap(({ plan }) => (plan === null ? [] : [plan]));
    assert.equal(plans.length, 3, asked.text);
    assert.deepEqual(
      plans[0]?.map(({ action }) => action),
      reverted.changes.map(({ action }) => action),
    );
    const actions = entries.filter(({ kind }) => kind === "action");
    assert.deepEqual(
      actions.map(({ details }) => details["action"]),
      [
        "connection.revert_records",
        "connection.revert_records",
        "connection.apply_records",
        "connection.apply_records",
        "connection.create",
      ],
    );
    assert.partialDeepStrictEqual(actions[0]?.actor, { kind: "key" });
    assert.equal(typeof actions[0]?.actor?.name, "string");
    assert.equal(JSON.parse(await readTimeline(caller, made.id)).data.some(isAction), false);
    assert.equal((await call(app.api.url, `${path}?kind=else`, { key: caller.key })).status, 400);
  });

  const isAction = ({ kind }: { readonly kind: string }) => kind === "action";

  it("removes only its own records, and leaves what others have changed since", async () => {
    const zone = freshZone();
    await putZone(caller, zone, [{ host: `shop.${zone}`, type: "A", value: "192.0.2.7" }]);
    const made = await connect(caller, `shop.${zone}`);
    await replaceAll(made);
    const since = [
      { host: `shop.${zone}`, type: "A", value: "192.0.2.99" },
      { host: `_service-challenge.shop.${zone}`, type: "TXT", value: "somebody else's" },
    ];
    await putZone(caller, zone, [...since, proofRecord(made)]);
    const plan = planIn(await routes().revert(made.id, credentials));
    assert.deepEqual(planLines(plan), [
      `delete _service-challenge.shop.${zone} TXT ${made.challenge}`,
      `conflict shop.${zone} A 192.0.2.7`,
    ]);
    assert.match(plan.notes[0] ?? "", /Not restored/);
    assert.deepEqual(
      (await readRecords(zone)).map(({ host, type, value }) => ({ host, type, value })),
      since.toReversed(),
    );
  });

  it("leaves a record that was there before the connection", async () => {
    const zone = freshZone();
    await putZone(caller, zone, [{ host: `shop.${zone}`, type: "CNAME", value: "edge.localhost" }]);
    const before = await readRecords(zone);
    const made = await connect(caller, `shop.${zone}`);
    await replaceAll(made);
    planIn(await routes().revert(made.id, credentials));
    assert.deepEqual(await readRecords(zone), before);
  });

  it("restores what was replaced beside a desired record that was already present", async () => {
    const zone = freshZone();
    const record_template = [{ host: "@", type: "A", value: "192.0.2.1" }];
    const body = { name: "Addresses", record_template };
    const made = await call(app.api.url, "/v1/applications", { key: caller.key, body });
    const owner = { ...caller, applicationId: textOf(made, "id") };
    const at = (value: string) => ({ host: `shop.${zone}`, type: "A", value });
    await putZone(caller, zone, [at("192.0.2.1"), at("192.0.2.2")]);
    const before = await readRecords(zone);
    const connection = await connect(owner, `shop.${zone}`);
    await replaceAll(connection);
    assert.deepEqual(
      (await readRecords(zone)).flatMap(({ type, value }) => (type === "A" ? value : [])),
      ["192.0.2.1"],
    );
    planIn(await routes().revert(connection.id, credentials));
    assert.deepEqual(await readRecords(zone), before);
  });

  it("runs when a connection is deleted with revert_dns", async () => {
    const owner = await openCaller(app.api.url, caller.key, "Leaving");
    await storeCredential(owner);
    const zone = freshZone();
    await putZone(caller, zone, furnished(zone));
    const before = await readRecords(zone);
    const made = await connect(owner, `shop.${zone}`);
    await replaceAll(made, {});
    const gone = await remove(owner, made.id);
    assert.deepEqual([gone.status, gone.json()["state"]], [200, "archived"]);
    assert.deepEqual(await readRecords(zone), before);
    assert.deepEqual((await remove(owner, made.id)).json(), gone.json());
    assert.doesNotMatch(await readTimeline(owner, made.id), /not_reverted/);
  });

  it("never prevents a deletion, and reports what remains", async () => {
    const owner = await openCaller(app.api.url, caller.key, "Stuck");
    const zone = freshZone();
    const made = await connect(owner, `shop.${zone}`);
    await replaceAll(made);
    const before = await readRecords(zone);
    const gone = await remove(owner, made.id);
    assert.deepEqual([gone.status, gone.json()["state"]], [200, "archived"]);
    assert.deepEqual(await readRecords(zone), before);
    assert.match(await readTimeline(owner, made.id), /"outcome":"not_reverted"/);
    // The customer gives the credential.
    assert.equal(planIn(await routes().revert(made.id, credentials)).applied, true);
    assert.deepEqual(await readRecords(zone), []);
  });

  it("does not remove records that another connection uses", async () => {
    const zone = freshZone();
    const first = await connect(caller, `shop.${zone}`);
    await replaceAll(first);
    await call(app.api.url, `/v1/connections/${first.id}`, { key: caller.key, method: "DELETE" });
    const second = await connect(caller, `shop.${zone}`);
    await replaceAll(second);
    assert.equal((await verify(caller, second.id)).status, 200);
    const before = await readRecords(zone);
    const refused = await routes().revert(first.id, credentials);
    assert.deepEqual([refused.status, codeOf(refused)], [409, "conflict"]);
    assert.equal((await remove(caller, first.id)).status, 200);
    assert.deepEqual(await readRecords(zone), before);
  });
});
