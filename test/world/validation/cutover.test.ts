import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  get,
  putZone,
  verify,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type SandboxEdge, startSandboxEdge } from "@mooring/testing/edge/sandbox-edge";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";

interface Cutover {
  readonly status: string;
  readonly checks: readonly {
    readonly code: string;
    readonly ok: boolean;
    readonly message: string;
  }[];
  readonly old_records: readonly ZoneLine[];
  readonly ttl: number | null;
  readonly ready_at: string | null;
  readonly visitors_gone_at: string | null;
}

/** A name that serves elsewhere, moved in the sandbox: what the API promises about every step. */
describe("a cut-over", () => {
  let world: SandboxEdge;
  let caller: Caller;
  const inline = { provider: "sandbox", fields: { token: "sandbox" } };
  before(async () => {
    world = await startSandboxEdge();
    caller = await world.tenant("new place");
  });
  after(() => world.close());

  const post = (path: string, body: object = {}) =>
    call(caller.base, `/v1/${path}`, { key: caller.key, body });
  const detail = async (id: string) => (await get(caller, id)).json();
  const readCutover = async (id: string) => (await detail(id))["cutover"] as Cutover;
  const readEvents = async (id: string): Promise<string[]> => {
    const { rows } = await world.life.session.query<{ type: string }>(
      "select type from events where connection_id = $1 order by sequence",
      [id],
    );
    return rows.map(({ type }) => type);
  };
  const reachStatus = (id: string, status: string) =>
    until(async () => {
      if ((await readCutover(id)).status === status) return true;
      await world.life.session.query(
        "update connection_checks set due_at = now() - interval '1 second' where connection_id = $1 and leased_until is null",
        [id],
      );
      await world.life.session.query("select pg_notify('mooring_due', 'connections')");
      return false;
    }, `${status}`);

  async function prepare(zone: string, ...others: readonly ZoneLine[]): Promise<string> {
    const made = await connect(caller, `busy.${zone}`, { cutover: true });
    const early = await post(`connections/${made.id}/cutover`, inline);
    assert.equal(early.status, 409, "not ready yet");
    const { validation } = (await detail(made.id)) as {
      validation: { name: string; target: string };
    };
    await putZone(caller, zone, [
      { host: `_service-challenge.busy.${zone}`, type: "TXT", value: made.challenge },
      { host: validation.name, type: "CNAME", value: validation.target },
      ...others,
    ]);
    assert.equal((await verify(caller, made.id)).status, 200);
    return made.id;
  }

  it("is offered where a name is in use, and is nothing where it is not", async () => {
    const zone = freshZone();
    const busy = (await post("domains:check", { domain: `busy.${zone}` })).json();
    assert.deepEqual(busy["in_use"], {
      addresses: ["203.0.113.20"],
      serves_https: false,
      ttl: 60,
      mail: false,
    });
    assert.equal((await post("domains:check", { domain: `idle.${zone}` })).json()["in_use"], null);
    const idle = await connect(caller, `idle.${zone}`, { cutover: true });
    assert.equal((await detail(idle.id))["cutover"], null);
    const answer = await post(`connections/${idle.id}/cutover`, inline);
    assert.equal(answer.status, 409);
  });

  it("is switched when the name leads here before everything is prepared, and is served", async () => {
    const zone = freshZone();
    const made = await connect(caller, `busy.${zone}`, { cutover: true });
    const proof = {
      host: `_service-challenge.busy.${zone}`,
      type: "TXT",
      value: made.challenge,
    };
    await putZone(caller, zone, [proof]);
    assert.equal((await verify(caller, made.id)).status, 200);
    await world.life.reach(made.id, "propagating");
    const { desired_records: records, target } = (await detail(made.id)) as unknown as {
      desired_records: ZoneLine[];
      target: string;
    };
    assert.deepEqual(
      records.map(({ host }) => host),
      [`_acme-challenge.${made.hostname}`],
      "nobody is shown where visitors will be led",
    );
    await putZone(caller, zone, [proof, { host: made.hostname, type: "CNAME", value: target }]);
    await world.life.reach(made.id, "live");
    assert.equal(await world.page(made.hostname), `new place ${made.hostname}`);
    assert.deepEqual((await readEvents(made.id)).slice(2), [
      "domain.switching",
      "ssl.issued",
      "domain.flow.completed",
    ]);
  });

  it("gets its certificate and is served by the edge before its records change, then is switched", async (t) => {
    const zone = freshZone();
    const hostname = `busy.${zone}`;
    const id = await prepare(zone);
    await reachStatus(id, "ready");
    const ready = await detail(id);
    assert.equal(ready["state"], "propagating");
    assert.deepEqual(await readEvents(id), ["domain.added", "domain.verified", "domain.ready"]);
    const cutover = ready["cutover"] as Cutover;
    assert.ok(
      cutover.checks.every(({ ok }) => ok),
      JSON.stringify(cutover.checks),
    );
    assert.deepEqual(
      cutover.checks.map(({ code }) => code),
      ["ownership", "validation", "certificate", "edge", "origin", "caa_dnssec", "mail"],
    );
    assert.deepEqual(
      cutover.old_records.map(({ type, value }) => [type, value]),
      [["A", "203.0.113.20"]],
    );
    assert.deepEqual([cutover.ttl, cutover.visitors_gone_at], [60, null]);
    assert.equal(
      await world.page(hostname),
      `new place ${hostname}`,
      "served before any visitor is sent here",
    );
    const plan = (await post(`connections/${id}/cutover`, { ...inline, dry_run: true })).json();
    assert.deepEqual(
      [plan["applied"], (plan["connection"] as { cutover: Cutover }).cutover.status],
      [false, "ready"],
    );
    const switched = await post(`connections/${id}/cutover`, inline);
    assert.equal(switched.status, 200, switched.text);
    assert.equal(switched.json()["applied"], true);
    const at = (switched.json()["connection"] as { cutover: Cutover }).cutover;
    assert.equal(at.status, "switching");
    assert.ok(
      Date.parse(String(at.visitors_gone_at)) >= world.life.app.clock.now().getTime() + 30_000,
    );
    await world.life.reach(id, "live");
    await reachStatus(id, "done");
    assert.deepEqual((await readEvents(id)).slice(2), [
      "domain.ready",
      "domain.switching",
      "ssl.issued",
      "domain.flow.completed",
    ]);
    t.diagnostic(
      `visitors_gone_at is ${Math.round((Date.parse(String(at.visitors_gone_at)) - world.life.app.clock.now().getTime()) / 1000)} s ahead with a TTL of 60 s`,
    );

    const reverted = await post(`connections/${id}/cutover:revert`, inline);
    assert.equal(reverted.status, 200, reverted.text);
    const after = reverted.json()["connection"] as { state: string; cutover: Cutover };
    assert.deepEqual(
      [after.state, after.cutover.status, after.cutover.visitors_gone_at],
      ["propagating", "reverted", null],
    );
    assert.equal((await readEvents(id)).at(-1), "domain.reverted");
    await world.life.checkAll(60_000);
    await world.life.checkAll(60_000);
    const resting = await detail(id);
    assert.deepEqual(
      [resting["state"], (resting["cutover"] as Cutover).status],
      ["propagating", "reverted"],
      "it does not drift",
    );
    assert.equal(
      (resting["validation"] as { status: string }).status,
      "right",
      "the delegation stays",
    );
    assert.equal(await world.page(hostname), `new place ${hostname}`, "the edge still serves it");
    assert.equal((await post(`connections/${id}/cutover:revert`, inline)).status, 409);
    // And again.
    assert.equal((await post(`connections/${id}/cutover`, inline)).status, 200);
    await world.life.reach(id, "live");
    world.life.app.clock.advance(8 * 86_400_000);
    const late = await post(`connections/${id}/cutover:revert`, inline);
    assert.equal(late.status, 409, late.text);
    assert.match(late.text, /seven days/);
  });

  it("is seen when the customer changes the records, and never stalls or fails while it waits", async () => {
    const zone = freshZone();
    const id = await prepare(zone);
    await reachStatus(id, "ready");
    for (let day = 0; day < 5; day += 1) await world.life.checkAll(86_400_000);
    assert.deepEqual(
      [(await detail(id))["state"], (await readCutover(id)).status],
      ["propagating", "ready"],
    );
    const { desired_records: records } = (await detail(id)) as unknown as {
      desired_records: ZoneLine[];
    };
    await putZone(caller, zone, records);
    await world.life.reach(id, "live");
    assert.deepEqual((await readEvents(id)).slice(2), [
      "domain.ready",
      "domain.switching",
      "ssl.issued",
      "domain.flow.completed",
    ]);
    assert.notEqual((await readCutover(id)).visitors_gone_at, null);
  });

  it("warns of an origin that does not answer, though the old place cannot be reached either", async () => {
    const id = await prepare(freshZone());
    const nobody = { origin_url: `http://127.0.0.1:${await freePort()}` };
    const dead = { key: caller.key, method: "PATCH", body: nobody };
    assert.equal((await call(caller.base, `/v1/connections/${id}`, dead)).status, 200);
    await reachStatus(id, "ready");
    const { checks } = await readCutover(id);
    const origin = checks.find(({ code }) => code === "origin");
    assert.deepEqual([origin?.ok, origin?.message], [false, "The origin does not answer (502)."]);
    const refused = await post(`connections/${id}/cutover`, inline);
    assert.equal(refused.status, 409, refused.text);
    // Once it answers, nothing stands in the way.
    const back = { ...dead, body: { origin_url: null } };
    assert.equal((await call(caller.base, `/v1/connections/${id}`, back)).status, 200);
    await until(async () => {
      await world.life.checkAll(60_000);
      return (await readCutover(id)).checks.every(({ ok }) => ok);
    }, "an origin that answers");
    assert.equal((await post(`connections/${id}/cutover`, inline)).status, 200);
  });

  it("is stopped by mail that a CNAME would lose", async () => {
    const zone = freshZone();
    // There from the start: without it the name would be ready soon.
    const id = await prepare(zone, { host: `busy.${zone}`, type: "TXT", value: "v=spf1 -all" });
    await until(async () => {
      await world.life.checkAll(60_000);
      return (await readCutover(id)).checks.some(({ code, ok }) => code === "mail" && !ok);
    }, "the mail check");
    assert.equal((await readCutover(id)).status, "preparing");
    assert.equal((await post(`connections/${id}/cutover`, inline)).status, 409);
  });

  /** The TTL of the address that a name has in its zone; undefined where it has none. */
  const readTtl = async (hostname: string): Promise<number | undefined> => {
    const path = `/v1/sandbox/zones/${hostname.replace(/^[^.]+\./, "")}/records`;
    const { records } = (await call(caller.base, path, { key: caller.key })).json() as unknown as {
      records: readonly ZoneLine[];
    };
    return records.find(({ host, type }) => host === hostname && type === "A")?.ttl;
  };

  it("lowers the TTL of the old records with a credential, and gives it back with a revert", async () => {
    const zone = freshZone();
    const hostname = `shop.${zone}`;
    const old = { host: hostname, type: "A", value: "203.0.113.44", ttl: 3_600 };
    await putZone(caller, zone, [old]);
    const made = await connect(caller, hostname, { cutover: true });
    const before = world.life.app.clock.now().getTime();
    const applied = await post(`connections/${made.id}/records:apply`, inline);
    assert.equal(applied.status, 200, applied.text);
    const plan = applied.json()["changes"] as readonly {
      readonly action: string;
      readonly record: ZoneLine & { readonly ttl: number };
      readonly existing: readonly { readonly ttl: number }[];
    }[];
    assert.deepEqual(
      plan
        .filter(({ action }) => action === "update")
        .map(({ record, existing }) => [record.value, record.ttl, existing[0]?.ttl]),
      [[old.value, 60, 3_600]],
    );
    assert.equal(await readTtl(hostname), 60);
    await reachStatus(made.id, "ready");
    assert.equal((await readCutover(made.id)).ttl, 60);
    const switched = await post(`connections/${made.id}/cutover`, inline);
    assert.equal(switched.status, 200, switched.text);
    const { visitors_gone_at: goneAt } = (switched.json()["connection"] as { cutover: Cutover })
      .cutover;
    // A cache may have asked right before the TTL was lowered.
    assert.ok(Date.parse(String(goneAt)) >= before + 3_600_000, String(goneAt));
    assert.equal(await readTtl(hostname), undefined);
    const reverted = await post(`connections/${made.id}/cutover:revert`, inline);
    assert.equal(reverted.status, 200, reverted.text);
    assert.equal(await readTtl(hostname), 3_600);
  });

  it("lowers it by itself with a stored credential, and gives it back when it is archived", async () => {
    const zone = freshZone();
    const hostname = `shop.${zone}`;
    await putZone(caller, zone, [{ host: hostname, type: "A", value: "203.0.113.45", ttl: 3_600 }]);
    const path = `applications/${caller.applicationId}/credentials`;
    const stored = await post(path, { ...inline, name: zone });
    assert.equal(stored.status, 201, stored.text);
    const made = await connect(caller, hostname, { cutover: true });
    await reachStatus(made.id, "ready");
    assert.equal(await readTtl(hostname), 60);
    const gone = { key: caller.key, method: "DELETE" };
    const archived = await call(caller.base, `/v1/connections/${made.id}?revert_dns=true`, gone);
    assert.equal(archived.status, 200, archived.text);
    assert.equal(await readTtl(hostname), 3_600);
    await call(caller.base, `/v1/${path}/${String(stored.json()["id"])}`, gone);
  });
});
