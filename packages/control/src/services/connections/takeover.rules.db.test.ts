import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  issueCertificates,
  type Made,
  openCaller,
  proofRecord,
  putZone,
  readState,
  toEdge,
  verify,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { type Answer, call, codeOf } from "@mooring/testing/control/http";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";
import { openRuntime } from "../../process/open-runtime.ts";
import { importConnections } from "../operator/import/import-connections.ts";
import { deleteTenant } from "../operator/tenant-states.ts";

const minute = 60_000;
const hour = 60 * minute;
const unique = { EDGE_TARGETS: "unique", EDGE_IPV4: "192.0.2.7" };

interface Shown {
  readonly target: string;
  readonly ownership: { readonly method: string } | null;
  readonly validation: { readonly name: string; readonly target: string };
}

async function read(caller: Caller, { id }: Made): Promise<Shown> {
  return (await get(caller, id)).json() as unknown as Shown;
}

const patch = (caller: Caller, path: string, body: object): Promise<Answer> =>
  call(caller.base, `/v1/${path}`, { key: caller.key, method: "PATCH", body });

const delegation = ({ validation: { name, target } }: Shown): ZoneLine => ({
  host: name,
  type: "CNAME",
  value: target,
});

describe("the names that prove a connection", () => {
  let life: LifecycleApp;
  let alice: Caller;
  let bob: Caller;
  before(async () => {
    life = await startLifecycle({ env: { ...unique, VALIDATION_ZONE: "validation.test" } });
    [alice, bob] = [await life.caller("Alice"), await life.caller("Bob")];
  });
  after(() => life.close());

  it("stay with the customer whom a connection was handed to, against a failed one", async () => {
    const zone = freshZone();
    const customer = { customer_ref: "one" };
    const failed = await connect(alice, `shop.${zone}`, customer);
    await life.checkAll(80 * hour);
    assert.equal(await readState(life.session, failed.id), "failed");
    const made = await connect(alice, `shop.${zone}`, customer);
    const { target } = await read(alice, made);
    assert.equal((await read(alice, failed)).target, target, "of one customer");
    await putZone(alice, zone, [toEdge(made, target)]);
    assert.equal((await verify(alice, made.id)).status, 200);
    await patch(alice, `connections/${made.id}`, { customer_ref: "two" });
    await archive(alice, made.id);
    assert.equal(codeOf(await verify(alice, failed.id)), "ownership_not_found");
    assert.notEqual((await read(alice, failed)).target, target);
  });

  it("are not those of the former customer's wildcard", async () => {
    const zone = freshZone();
    const customer = { customer_ref: "one" };
    const made = await connect(alice, `shop.${zone}`, customer);
    const wildcard = await connect(alice, `*.shop.${zone}`, customer);
    const shared = await read(alice, wildcard);
    assert.equal((await read(alice, made)).validation.target, shared.validation.target);
    await patch(alice, `connections/${made.id}`, { customer_ref: "two" });
    await putZone(alice, zone, [delegation(shared)]);
    assert.equal(codeOf(await verify(alice, made.id)), "ownership_not_found");
    assert.equal((await verify(alice, wildcard.id)).status, 200);
    await patch(alice, `connections/${wildcard.id}`, { customer_ref: "two" });
    assert.equal((await read(alice, wildcard)).validation.target, shared.validation.target);
    assert.deepEqual(await life.broken(), []);
  });

  it("are not a wildcard's, for a name below it", async () => {
    const zone = freshZone();
    const wildcard = await connect(alice, `*.shop.${zone}`);
    const below = await connect(bob, `a.shop.${zone}`);
    const [above, its] = [await read(alice, wildcard), await read(bob, below)];
    const star = (value: string) => ({ host: `*.shop.${zone}`, type: "CNAME", value });
    await putZone(alice, zone, [delegation(above), star(above.target)]);
    assert.equal((await verify(alice, wildcard.id)).status, 200);
    assert.equal(codeOf(await verify(bob, below.id)), "ownership_not_found");
    await putZone(alice, zone, [delegation(above), star(its.target)]);
    assert.equal(codeOf(await verify(bob, below.id)), "ownership_not_found");
    await putZone(alice, zone, [delegation(above), star(its.validation.target)]);
    assert.equal(codeOf(await verify(bob, below.id)), "ownership_not_found");
  });

  it("are not written into the records of another's application", async () => {
    const zone = freshZone();
    const holder = await connect(bob, `shop.${zone}`);
    const { target } = await read(bob, holder);
    await putZone(bob, zone, [toEdge(holder, target), proofRecord(holder)]);
    await life.reach(holder.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(holder.id, "live");
    // The holder's old TXT record was left, and the owner has published another's target.
    const prover = await connect(alice, `shop.${zone}`, { contest: true });
    const theirs = (await read(alice, prover)).target;
    await putZone(bob, zone, [toEdge(prover, theirs), proofRecord(holder)]);
    const template = [{ host: "@", type: "CNAME", value: theirs }];
    const path = `applications/${bob.applicationId}`;
    assert.equal((await patch(bob, path, { record_template: template })).status, 400);
    // Nor by an application that had the template before names were checked for it.
    await life.session.query("update applications set record_template = $2 where id = $1", [
      bob.applicationId,
      JSON.stringify(template.map((record) => ({ ...record, ttl: 300, priority: null }))),
    ]);
    await life.checkAll(2 * hour);
    for (let check = 0; check < 2; check += 1) await life.checkAll(2 * minute);
    assert.equal(await readState(life.session, holder.id), "archived");
    await patch(bob, path, { record_template: [] });
  });

  it("of a released name are no reason to trust DNS in an import for another", async (t) => {
    const zone = freshZone();
    const left = await connect(alice, `shop.${zone}`, { customer_ref: "one" });
    const { target } = await read(alice, left);
    await putZone(alice, zone, [toEdge(left, target)]);
    assert.equal((await verify(alice, left.id)).status, 200);
    await archive(alice, left.id);
    const { app } = life;
    const opened = await openRuntime(app.config, {
      ...{ url: app.databaseUrl, role: "mooring_api", name: "import" },
      ...{ log: app.operator.log, clock: app.clock },
    });
    t.after(() => opened.close());
    const row = {
      ...{ location: "1", hostname: left.hostname, customerRef: null, note: null },
      ...{ certificate: null, redirect: null, fault: null },
    };
    const options = { roots: [], trustsDns: true, applies: true };
    const trusted = async ({ applicationId }: Caller) => {
      await importConnections(opened.runtime, [row], { ...options, applicationId });
      const { rows } = await life.session.query<{ method: string | null }>(
        `select ownership_method as method from connections
         where application_id = $1 and hostname = $2`,
        [applicationId, left.hostname],
      );
      return rows[0]?.method;
    };
    assert.equal(await trusted(bob), null);
    const between = { host: `mid.${zone}`, type: "CNAME", value: "edge.localhost" };
    await putZone(alice, zone, [toEdge(left, between.host), between]);
    assert.equal(await trusted(bob), null, "the name in between may be anybody's");
    await putZone(alice, zone, [toEdge(left)]);
    assert.equal(await trusted(bob), "trust_dns", "the shared name is nobody's");
  });

  it("are each connection's own in a batch and in a pair, also when these are made again", async () => {
    const zone = freshZone();
    const make = async (
      caller: Caller,
      path: string,
      body: object,
    ): Promise<Map<string, string>> => {
      const { base, key, applicationId } = caller;
      const options = { key, body: { application_id: applicationId, ...body } };
      const answer = await call(base, `/v1/connections:${path}`, options);
      assert.ok(answer.status < 300, answer.text);
      const { rows } = await life.session.query<{ hostname: string; label: string }>(
        `select hostname, target_label as label from connections
         where application_id = $1 and hostname like '%' || $2 and state <> 'archived'`,
        [applicationId, zone],
      );
      return new Map(rows.map(({ hostname, label }) => [hostname, label]));
    };
    const forget = async ({ applicationId, ...caller }: Caller) => {
      const { rows } = await life.session.query<{ id: string }>(
        `select id from connections where application_id = $1 and hostname like '%' || $2
           and state <> 'archived'`,
        [applicationId, zone],
      );
      for (const { id } of rows) await archive({ ...caller, applicationId }, id);
    };
    const customer = { customer_ref: "one" };
    const names = [`a.${zone}`, `b.${zone}`, `www.${zone}`];
    const made = await make(alice, "batch", { hostnames: names, ...customer });
    assert.equal(new Set(made.values()).size, names.length);
    const host = `a.${zone}`;
    const value = `${made.get(host)}.edge.localhost`;
    await putZone(alice, zone, [{ host, type: "CNAME", value }]);
    await forget(alice);
    const theirs = await make(bob, "batch", { hostnames: names, ...customer });
    for (const [name, label] of theirs) assert.notEqual(label, made.get(name), name);
    await life.checkAll(minute);
    const { rows } = await life.session.query("select from claims where hostname = any ($1)", [
      names,
    ]);
    assert.deepEqual(rows, [], "left behind by one, and proven for nobody");
    await forget(bob);
    const pair = await make(alice, "pair", { hostname: `www.${zone}`, ...customer });
    assert.equal(pair.get(`www.${zone}`), made.get(`www.${zone}`), "the same customer's again");
    assert.notEqual(pair.get(zone), pair.get(`www.${zone}`));
    await forget(alice);
  });

  it("end with their tenant, and prove nothing for anybody", async () => {
    const zone = freshZone();
    const gone = await life.app.tenant("Gone");
    const made = await call(alice.base, "/v1/applications", {
      ...{ key: gone.keys.test, body: { name: "Shop" } },
    });
    const caller = { ...alice, key: gone.keys.test, applicationId: String(made.json()["id"]) };
    const theirs = await connect(caller, `shop.${zone}`, { customer_ref: "one" });
    const { target } = await read(caller, theirs);
    await putZone(alice, zone, [toEdge(theirs, target)]);
    assert.equal((await verify(caller, theirs.id)).status, 200);
    await archive(caller, theirs.id);
    await deleteTenant(life.app.operator, gone.tenant.id, { isApplied: true });
    life.app.clock.advance(31 * 24 * hour);
    await until(async () => {
      const { rowCount } = await life.session.query("select from targets where tenant_id = $1", [
        gone.tenant.id,
      ]);
      return rowCount === 0;
    }, "the removal of the tenant");
    for (const other of [alice, bob]) {
      const again = await connect(other, `shop.${zone}`, { customer_ref: "one" });
      assert.notEqual((await read(other, again)).target, target);
      assert.equal(codeOf(await verify(other, again.id)), "ownership_not_found");
    }
  });
});

describe("a proof that is no longer allowed", () => {
  it("proves nothing, even when that changes while DNS is asked", async (t) => {
    const edge = "edge.mooring.example";
    const zone = [...records("acme.example 60 A 192.0.2.1")];
    const servers = { "ns1.acme.example": zone, "ns2.acme.example": zone };
    const recursive = records(`${edge} 60 A 192.0.2.7`, `*.${edge} 60 A 192.0.2.7`);
    const memory = memoryResolver({ zone: "acme.example", servers, recursive });
    let during: (() => Promise<unknown>) | null = null;
    const life = await startLifecycle({
      env: { ...unique, EDGE_CNAME: edge },
      resolver: {
        ...memory,
        askServer: async (server, name, type, options) => {
          const reply = await memory.askServer(server, name, type, options);
          if (type === "CNAME" && name === "shop.acme.example") await during?.();
          return reply;
        },
      },
    });
    t.after(() => life.close());
    const caller = await life.caller("Alice", "live");
    const application = `applications/${caller.applicationId}`;
    const made = await connect(caller, "shop.acme.example");
    const { target } = await read(caller, made);
    during = async () => {
      during = null;
      await patch(caller, application, { proofs: ["txt"] });
    };
    zone.push(...records(`shop.acme.example 60 CNAME ${target}`));
    assert.equal(codeOf(await verify(caller, made.id)), "ownership_not_found");
    assert.equal(await readState(life.session, made.id), "pending_ownership");
    await patch(caller, application, { proofs: ["txt", "cname"] });
    assert.equal((await verify(caller, made.id)).status, 200);
  });
});

describe("a target of the live environment", () => {
  it("is another than that of the test environment, and proves nothing there", async (t) => {
    const edge = "edge.mooring.example";
    const zone = [...records("acme.example 60 A 192.0.2.1")];
    const servers = { "ns1.acme.example": zone, "ns2.acme.example": zone };
    const recursive = records(`${edge} 60 A 192.0.2.7`, `*.${edge} 60 A 192.0.2.7`);
    const resolver = memoryResolver({ zone: "acme.example", servers, recursive });
    const life = await startLifecycle({ env: { ...unique, EDGE_CNAME: edge }, resolver });
    t.after(() => life.close());
    const tenant = await life.app.tenant("Alice");
    const [live, test] = [
      await openCaller(life.app.api.url, tenant.keys.live),
      await openCaller(life.app.api.url, tenant.keys.test),
    ];
    const customer = { customer_ref: "one" };
    const made = await connect(live, "shop.acme.example", customer);
    const { target } = await read(live, made);
    zone.push(...records(`shop.acme.example 60 CNAME ${target}`));
    assert.equal((await verify(live, made.id)).status, 200);
    await archive(live, made.id);
    const other = await connect(test, "shop.acme.example", customer);
    assert.notEqual((await read(test, other)).target, target);
    assert.equal(codeOf(await verify(test, other.id)), "ownership_not_found");
    const again = await connect(live, "shop.acme.example", customer);
    assert.equal((await verify(live, again.id)).status, 200);
  });
});

describe("targets that are switched off and on again", () => {
  it("stay whose they are", async (t) => {
    const life = await startLifecycle({ env: unique });
    t.after(() => life.close());
    const [alice, bob] = [await life.caller("Alice"), await life.caller("Bob")];
    const zone = freshZone();
    const made = await connect(alice, `shop.${zone}`, { customer_ref: "one" });
    const { target } = await read(alice, made);
    await putZone(alice, zone, [toEdge(made, target)]);
    await life.reach(made.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    for (const edgeTargets of ["shared", "unique"] as const) {
      await life.restartWorker({ edgeTargets });
      await life.checkAll(2 * hour);
      await life.checkAll(2 * minute);
      assert.equal(await readState(life.session, made.id), "live", edgeTargets);
      assert.equal((await read(alice, made)).target, target);
    }
    await archive(alice, made.id);
    const stranger = await connect(bob, `shop.${zone}`, { customer_ref: "one" });
    assert.equal(codeOf(await verify(bob, stranger.id)), "ownership_not_found");
    const again = await connect(alice, `shop.${zone}`, { customer_ref: "one" });
    assert.equal((await verify(alice, again.id)).status, 200);
    assert.deepEqual(await life.broken(), []);
  });
});
