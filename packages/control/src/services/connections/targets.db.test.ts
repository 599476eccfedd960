import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  get,
  issueCertificates,
  type Made,
  proofRecord,
  putZone,
  readState,
  toEdge,
  verify,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { call, codeOf, textOf } from "@mooring/testing/control/http";
import { planIn, planLines, recordRoutes, zoneRecords } from "@mooring/testing/control/record-plan";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";

const minute = 60_000;
const hour = 60 * minute;

interface Shown {
  readonly target: string;
  readonly ownership: { readonly method: string } | null;
  readonly pending_records: readonly ZoneLine[] | null;
  readonly desired_records: readonly ZoneLine[];
  readonly needed_records: readonly ZoneLine[];
}

async function read(caller: Caller, { id }: Made): Promise<Shown> {
  return (await get(caller, id)).json() as unknown as Shown;
}

async function goLive(life: LifecycleApp, made: Made): Promise<void> {
  await life.reach(made.id, "issuing_cert");
  await issueCertificates(life.session);
  await life.reach(made.id, "live");
}

describe("connections with targets of their own", () => {
  let life: LifecycleApp;
  let alice: Caller;
  let bob: Caller;
  before(async () => {
    life = await startLifecycle({
      env: { EDGE_TARGETS: "unique", EDGE_IPV4: "192.0.2.7", CONTEST_AFTER: "2h" },
    });
    [alice, bob] = [await life.caller("Alice"), await life.caller("Bob")];
  });
  after(() => life.close());

  /** A name that is live by one record. */
  async function live(zone: string): Promise<{ readonly made: Made; readonly target: string }> {
    const made = await connect(alice, `shop.${zone}`);
    const { target } = await read(alice, made);
    await putZone(alice, zone, [toEdge(made, target)]);
    await goLive(life, made);
    return { made, target };
  }

  /** Two checks that see other values make a name drift. */
  async function twice(): Promise<void> {
    await life.checkAll(2 * hour);
    await life.checkAll(2 * minute);
  }

  it("go live by one record, and stay so with any that leads to the edge", async () => {
    const zone = freshZone();
    const { made, target } = await live(zone);
    assert.equal((await read(alice, made)).ownership?.method, "cname");
    const middle = `mid.${zone}`;
    const right: readonly (readonly ZoneLine[])[] = [
      [toEdge(made)],
      [{ host: made.hostname, type: "A", value: "192.0.2.7" }],
      [toEdge(made, middle), { host: middle, type: "CNAME", value: target }],
      [toEdge(made, middle), { host: middle, type: "A", value: "192.0.2.7" }],
      [toEdge(made, target)],
    ];
    for (const lines of right) {
      await putZone(alice, zone, lines);
      await twice();
      assert.equal(await readState(life.session, made.id), "live", JSON.stringify(lines));
      assert.equal((await read(alice, made)).pending_records, null);
    }
    await putZone(alice, zone, [{ host: made.hostname, type: "A", value: "203.0.113.9" }]);
    await twice();
    assert.equal(await readState(life.session, made.id), "drifted");
    assert.deepEqual(await life.broken(), []);
  });

  it("go live by a text record and a chain, which alone proves nothing", async () => {
    const zone = freshZone();
    const made = await connect(alice, `shop.${zone}`);
    const other = await connect(bob, `blog.${zone}`);
    const { target } = await read(alice, made);
    const chain = (end: string): readonly ZoneLine[] => [
      toEdge(made, `mid.${zone}`),
      { host: `mid.${zone}`, type: "CNAME", value: end },
    ];
    await putZone(alice, zone, chain(target));
    assert.equal(codeOf(await verify(alice, made.id)), "ownership_not_found");
    await putZone(alice, zone, [...chain(target), proofRecord(made)]);
    await goLive(life, made);
    assert.equal((await read(alice, made)).ownership?.method, "txt");
    await putZone(alice, zone, chain((await read(bob, other)).target));
    await twice();
    assert.equal(await readState(life.session, made.id), "drifted");
    const path = `/v1/connections/${made.id}/diagnosis`;
    const diagnosis = await call(alice.base, path, { key: alice.key });
    const findings = diagnosis.json()["findings"] as readonly { readonly code: string }[];
    assert.ok(
      findings.some(({ code }) => code === "record_of_another"),
      diagnosis.text,
    );
    assert.deepEqual(await life.broken(), []);
  });

  it("give way to the one whose target the name has, and to no other", async () => {
    const zone = freshZone();
    const { made: holder } = await live(zone);
    const prover = await connect(bob, holder.hostname, { contest: true });
    const { target } = await read(bob, prover);
    assert.equal(codeOf(await verify(bob, prover.id)), "ownership_not_found");
    await putZone(alice, zone, [toEdge(prover, target)]);
    assert.equal(codeOf(await verify(bob, prover.id)), "HostnameConflict");
    await twice();
    await life.reach(prover.id, "issuing_cert");
    assert.equal(await readState(life.session, holder.id), "archived");
    assert.equal((await read(bob, prover)).ownership?.method, "cname");
    // What the loser's record was proves nothing for anybody else, nor for the loser's successor.
    const late = await connect(alice, holder.hostname, { contest: true });
    assert.equal(codeOf(await verify(alice, late.id)), "ownership_not_found");
    assert.deepEqual(await life.broken(), []);
  });

  it("are written by one record with a stored credential, and proven by text where it is taken", async () => {
    const carol = await life.caller("Carol");
    const path = `/v1/applications/${carol.applicationId}/credentials`;
    const stored = { provider: "sandbox", fields: { token: "sandbox" }, name: "Stored" };
    assert.equal((await call(carol.base, path, { key: carol.key, body: stored })).status, 201);
    const typesIn = async (zone: string) =>
      (await zoneRecords(carol.base, carol.key, zone)).map(({ type }) => type);
    const zone = freshZone();
    await putZone(carol, zone, []);
    const made = await connect(carol, `shop.${zone}`);
    await goLive(life, made);
    assert.deepEqual(await typesIn(zone), ["CNAME"]);
    assert.equal((await read(carol, made)).ownership?.method, "cname");
    const used = freshZone();
    await putZone(carol, used, [{ host: `shop.${used}`, type: "A", value: "203.0.113.9" }]);
    const second = await connect(carol, `shop.${used}`);
    await life.reach(second.id, "propagating");
    assert.deepEqual((await typesIn(used)).sort(), ["A", "TXT"]);
    assert.equal((await read(carol, second)).ownership?.method, "txt");
  });

  it("have plans, share pages and zone files without the TXT record", async () => {
    const zone = freshZone();
    await putZone(alice, zone, []);
    const made = await connect(alice, `shop.${zone}`);
    const { target } = await read(alice, made);
    const once = { provider: "sandbox", fields: { token: "sandbox" }, dry_run: true };
    const plan = planIn(await recordRoutes(alice.base, alice.key).apply(made.id, once));
    assert.deepEqual(planLines(plan), [`create shop.${zone} CNAME ${target}`]);
    const shared = await call(alice.base, `/v1/connections/${made.id}/share`, {
      key: alice.key,
      method: "POST",
    });
    const url = new URL(textOf(shared, "url"));
    const page = await call(alice.base, url.pathname, {});
    assert.ok(page.text.includes(target) && !page.text.includes(made.challenge), page.text);
    const file = await call(alice.base, `${url.pathname}/zone.txt`, {});
    assert.match(
      file.text,
      new RegExp(`^shop\\.${zone}\\.\\t300\\tIN\\tCNAME\\t${target}\\.$`, "m"),
    );
    assert.doesNotMatch(file.text, /TXT/);
  });

  it("offer the TXT record on the share page where the name is in use and it counts", async () => {
    const offered = async (caller: Caller): Promise<readonly [boolean, string]> => {
      const zone = freshZone();
      await putZone(caller, zone, [{ host: `shop.${zone}`, type: "A", value: "203.0.113.9" }]);
      const made = await connect(caller, `shop.${zone}`);
      const shared = await call(caller.base, `/v1/connections/${made.id}/share`, {
        key: caller.key,
        method: "POST",
      });
      const { pathname } = new URL(textOf(shared, "url"));
      const page = await call(caller.base, pathname, {});
      const zoneFile = await call(caller.base, `${pathname}/zone.txt`, {});
      assert.doesNotMatch(zoneFile.text, /TXT/);
      return [page.text.includes(made.challenge), page.text];
    };
    const [isOffered, page] = await offered(alice);
    assert.ok(isOffered, page);
    assert.match(page, /<details class="offer">\s*<summary>Prove it before you switch/);
    assert.match(page.slice(page.indexOf("offer")), /Not there yet/);
    const frank = await life.caller("Frank");
    const path = `/v1/applications/${frank.applicationId}`;
    const body = { proofs: ["cname", "delegation"] };
    await call(frank.base, path, { key: frank.key, method: "PATCH", body });
    assert.equal((await offered(frank))[0], false, "it would prove nothing");
  });

  it("are notified of a contest with the records that their application takes as proof", async () => {
    const zone = freshZone();
    const erin = await life.caller("Erin");
    const path = `/v1/applications/${erin.applicationId}`;
    const body = { proofs: ["cname"] };
    assert.equal(
      (await call(erin.base, path, { key: erin.key, method: "PATCH", body })).status,
      200,
    );
    const holder = await connect(erin, `shop.${zone}`);
    const { target } = await read(erin, holder);
    await putZone(alice, zone, [toEdge(holder, target)]);
    await goLive(life, holder);
    const prover = await connect(bob, holder.hostname, { contest: true });
    await putZone(alice, zone, [toEdge(holder), proofRecord(prover)]);
    assert.equal(codeOf(await verify(bob, prover.id)), "HostnameConflict");
    const listed = await call(erin.base, "/v1/events?limit=100", { key: erin.key });
    const events = listed.json()["data"] as readonly {
      readonly type: string;
      readonly data: {
        readonly proof_records?: readonly (ZoneLine & { readonly method: string })[];
      };
    }[];
    const notified = events.find(({ type }) => type === "domain.contested");
    assert.deepEqual(
      notified?.data.proof_records?.map(({ method, host, type, value }) => [
        method,
        host,
        type,
        value,
      ]),
      [["cname", holder.hostname, "CNAME", target]],
      listed.text,
    );
    assert.deepEqual(
      (await read(erin, holder)).needed_records.map(({ type, value }) => [type, value]),
      [["CNAME", target]],
    );
  });

  it("end a contest by any proof of the holder", async () => {
    const zone = freshZone();
    const { made: holder, target } = await live(zone);
    const prover = await connect(bob, holder.hostname, { contest: true });
    await putZone(alice, zone, [toEdge(holder), proofRecord(prover)]);
    assert.equal(codeOf(await verify(bob, prover.id)), "HostnameConflict");
    const contested = async () => (await get(alice, holder.id)).json()["contest"] !== null;
    assert.equal(await contested(), true);
    await putZone(alice, zone, [toEdge(holder, target), proofRecord(prover)]);
    await life.checkAll(hour);
    assert.equal(await contested(), false);
    await life.checkAll(3 * hour);
    assert.equal(await readState(life.session, holder.id), "live");
    assert.deepEqual(await life.broken(), []);
  });
});

describe("connections from before there were targets", () => {
  it("keep their records, never drift, and get a target for the next time", async (t) => {
    const life = await startLifecycle({ env: { EDGE_IPV4: "192.0.2.7" } });
    t.after(() => life.close());
    const caller = await life.caller("Alice");
    const zone = freshZone();
    const made = await connect(caller, `shop.${zone}`);
    const waiting = await connect(caller, `blog.${zone}`);
    assert.equal((await read(caller, made)).target, "edge.localhost");
    await putZone(caller, zone, [proofRecord(made), toEdge(made)]);
    await goLive(life, made);
    await life.session.query(
      "update connections set ownership_method = null, ownership_proven_at = null",
    );
    assert.equal((await read(caller, made)).ownership, null);
    await life.session.query("call fill_ownership()");
    assert.equal((await read(caller, made)).ownership?.method, "txt");
    await life.restartWorker({ edgeTargets: "unique" });
    await life.checkAll(2 * hour);
    await life.checkAll(2 * minute);
    const after = await read(caller, made);
    assert.equal(await readState(life.session, made.id), "live");
    assert.match(after.target, /^[a-z2-7]{26}\.edge\.localhost$/);
    assert.deepEqual(
      [after.pending_records, after.desired_records[0]?.value],
      [null, "edge.localhost"],
    );
    assert.deepEqual(
      (await read(caller, waiting)).needed_records.map(({ type }) => type),
      ["TXT", "CNAME"],
    );
    await putZone(caller, zone, [toEdge(made, after.target)]);
    await life.checkAll(2 * hour);
    await life.checkAll(2 * minute);
    assert.equal(await readState(life.session, made.id), "live");
    assert.deepEqual(await life.broken(), []);
  });
});

describe("an edge without the wildcard record", () => {
  it("gives new connections the shared name, until the record is there", async (t) => {
    const edge = "edge.mooring.example";
    const recursive = [...records(`${edge} 60 A 192.0.2.7`)];
    const servers = { "ns1.acme.example": records("acme.example 60 A 192.0.2.1") };
    const resolver = memoryResolver({ zone: "acme.example", servers, recursive });
    const env = { EDGE_CNAME: edge, EDGE_IPV4: "192.0.2.7", EDGE_TARGETS: "unique" };
    const life = await startLifecycle({ env, resolver });
    t.after(() => life.close());
    const caller = await life.caller("Alice", "live");
    const asked = async (hostname: string) => {
      const { needed_records: needed } = await read(caller, await connect(caller, hostname));
      return needed.map(({ type, value }) => (type === "TXT" ? type : value));
    };
    assert.deepEqual(await asked("one.acme.example"), ["TXT", edge]);
    recursive.push(...records(`*.${edge} 60 A 203.0.113.9`));
    life.app.clock.advance(2 * minute);
    assert.deepEqual(await asked("two.acme.example"), ["TXT", edge]);
    recursive.splice(1, 1, ...records(`*.${edge} 60 A 192.0.2.7`));
    life.app.clock.advance(2 * minute);
    const [target = "", ...others] = await asked("three.acme.example");
    assert.match(target, /^[a-z2-7]{26}\.edge\.mooring\.example$/);
    assert.deepEqual(others, []);
  });
});
