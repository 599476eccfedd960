import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  archive,
  type Caller,
  connect,
  errorDetails,
  freshZone,
  get,
  issueCertificates,
  type Made,
  proofRecord,
  putZone,
  readMade,
  readState,
  toEdge,
  verify,
} from "@mooring/testing/clients/connecting";
import { call, codeOf, textOf } from "@mooring/testing/control/http";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";

describe("the claim to a hostname", () => {
  let life: LifecycleApp;
  let alice: Caller;
  let bob: Caller;
  before(async () => {
    life = await startLifecycle();
    [alice, bob] = [await life.caller("Alice"), await life.caller("Bob")];
  });
  after(() => life.close());

  const create = (caller: Caller, hostname: string) =>
    call(caller.base, "/v1/connections", {
      key: caller.key,
      body: { application_id: caller.applicationId, hostname },
    });

  async function goLive(caller: Caller, zone: string, made: Made): Promise<void> {
    await putZone(caller, zone, [proofRecord(made), toEdge(made)]);
    await life.reach(made.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
  }

  async function readEvents(id: string): Promise<string[]> {
    const { rows } = await life.session.query<{ type: string }>(
      "select type from events where connection_id = $1 order by sequence",
      [id],
    );
    return rows.map(({ type }) => type);
  }

  it("goes to the connection that proves ownership, not to the first one", async () => {
    const zone = freshZone();
    const squatter = await connect(alice, `shop.${zone}`);
    const owner = await connect(bob, `shop.${zone}`);
    await putZone(bob, zone, [proofRecord(owner)]);
    assert.equal((await verify(bob, owner.id)).status, 200);
    const refused = await verify(alice, squatter.id);
    assert.deepEqual([refused.status, codeOf(refused)], [409, "ownership_not_found"]);
    // The squatter's proof beside it does not help: another connection holds the name.
    await putZone(bob, zone, [proofRecord(owner), proofRecord(squatter)]);
    const late = await verify(alice, squatter.id);
    assert.deepEqual([late.status, codeOf(late)], [409, "HostnameConflict"]);
    const shown = await get(alice, squatter.id);
    assert.equal(shown.json()["state"], "pending_ownership");
    assert.equal(shown.json()["error_code"], "hostname_conflict");
    const third = await create(alice, `shop.${zone}`);
    assert.deepEqual(
      [third.status, readMade(third).id],
      [200, squatter.id],
      "resumed, not blocked",
    );
  });

  it("can be taken by another connection when the holder is archived", async () => {
    const zone = freshZone();
    const [first, second] = [await connect(alice, zone), await connect(bob, zone)];
    await putZone(alice, zone, [proofRecord(first)]);
    assert.equal((await verify(alice, first.id)).status, 200);
    await putZone(alice, zone, [proofRecord(first), proofRecord(second)]);
    assert.equal(codeOf(await verify(bob, second.id)), "HostnameConflict");
    assert.equal((await archive(alice, first.id)).status, 200);
    assert.equal((await verify(bob, second.id)).status, 200);
  });

  it("is not proven by the record of a connection that was archived", async () => {
    const zone = freshZone();
    const hostname = `www.${zone}`;
    const old = await connect(alice, hostname);
    await putZone(alice, zone, [proofRecord(old), toEdge(old)]);
    assert.equal((await verify(alice, old.id)).status, 200);
    await archive(alice, old.id);
    for (const caller of [bob, alice]) {
      const again = await connect(caller, hostname);
      assert.notEqual(again.challenge, old.challenge);
      const refused = await verify(caller, again.id);
      assert.deepEqual([refused.status, codeOf(refused)], [409, "ownership_not_found"]);
      assert.deepEqual(errorDetails(refused)?.["observed"], [old.challenge]);
      await life.checkAll();
      assert.equal(await readState(life.session, again.id), "pending_ownership");
    }
    const ended = await verify(alice, old.id);
    assert.deepEqual([ended.status, codeOf(ended)], [409, "conflict"]);
  });

  it("moves from a drifted holder to a new proof, and the holder is notified", async () => {
    const zone = freshZone();
    const hostname = `shop.${zone}`;
    const old = await connect(alice, hostname);
    await goLive(alice, zone, old);
    const blocked = await create(bob, hostname);
    assert.deepEqual([blocked.status, codeOf(blocked)], [409, "HostnameConflict"]);
    await putZone(alice, zone, [{ host: hostname, type: "A", value: "192.0.2.9" }]);
    await life.checkAll();
    await life.checkAll(6_000);
    assert.equal(await readState(life.session, old.id), "drifted");
    const again = await connect(bob, hostname);
    const unproven = await verify(bob, again.id);
    assert.equal(codeOf(unproven), "ownership_not_found");
    assert.equal(
      await readState(life.session, old.id),
      "drifted",
      "a new connection without proof changes nothing",
    );
    await putZone(alice, zone, [proofRecord(again)]);
    const won = await verify(bob, again.id);
    assert.equal(won.status, 200, won.text);
    assert.ok((await readEvents(again.id)).includes("domain.verified"));
    assert.equal((await get(alice, old.id)).json()["state"], "archived");
    const [last] = (await readEvents(old.id)).slice(-1);
    assert.equal(last, "domain.archived");
    const { rows } = await life.session.query(
      `select a.actor, a.details->>'reason' as reason, a.tenant_id = k.tenant_id as own
       from audit_log a join connections k on k.id = $1
       where a.action = 'connection.archive' and a.subject = 'connection:' || $1::text`,
      [old.id],
    );
    assert.deepEqual(rows, [{ actor: "takeover", reason: "taken_over", own: true }]);
    const { rows: body } = await life.session.query<{ body: string }>(
      "select body from events where connection_id = $1 and type = 'domain.archived'",
      [old.id],
    );
    assert.match(body[0]?.body ?? "", /"reason":"taken_over"/);
  });

  it("stays with a drifted holder when the taker is archived first", async () => {
    const zone = freshZone();
    const hostname = `shop.${zone}`;
    const old = await connect(alice, hostname);
    await goLive(alice, zone, old);
    await putZone(alice, zone, []);
    await life.checkAll();
    await life.checkAll(6_000);
    assert.equal(await readState(life.session, old.id), "drifted");
    const again = await connect(bob, hostname);
    await putZone(alice, zone, [proofRecord(again)]);
    // The taker's tenant archives it at the same time: either request may be first, and the
    // worker's check before both.
    const [verified, archived] = await Promise.all([verify(bob, again.id), archive(bob, again.id)]);
    assert.equal(archived.status, 200);
    assert.ok([200, 409].includes(verified.status), verified.text);
    const isTaken = (await readEvents(again.id)).includes("domain.verified");
    assert.ok(isTaken || verified.status === 409, verified.text);
    const expected = isTaken ? "archived" : "drifted";
    assert.equal(await readState(life.session, old.id), expected);
    assert.equal(await readState(life.session, again.id), "archived");
  });

  it("is the same name in every spelling", async () => {
    const zone = freshZone();
    const made = await connect(alice, `BÜCHER.${zone.toUpperCase()}.`);
    assert.equal(made.hostname, `xn--bcher-kva.${zone}`);
    await putZone(alice, zone, [proofRecord(made)]);
    assert.equal((await verify(alice, made.id)).status, 200);
    const spellings = ["bücher", "Bücher", "bu\u0308cher", "XN--BCHER-KVA", "xn--bcher-kva"];
    for (const label of spellings) {
      for (const name of [
        `${label}.${zone}`,
        `${label}.${zone}.`,
        `${label}.${zone}`.toUpperCase(),
      ]) {
        const answer = await create(bob, name);
        assert.deepEqual([answer.status, codeOf(answer)], [409, "HostnameConflict"], name);
        const asked = await call(bob.base, `/internal/ask?domain=${encodeURIComponent(name)}`);
        assert.deepEqual([asked.status, asked.json()], [200, { allow: true }], name);
      }
    }
  });

  it("is released at once when the connection is archived during a check", async () => {
    const zone = freshZone();
    for (let round = 0; round < 10; round += 1) {
      const made = await connect(alice, `r${round}.${zone}`);
      await putZone(alice, zone, [proofRecord(made), toEdge(made)]);
      const verifies = Array.from({ length: 4 }, () => verify(alice, made.id));
      const archived = await archive(alice, made.id);
      assert.equal(textOf(archived, "state"), "archived");
      for (const verified of await Promise.all(verifies)) {
        assert.ok(verified.status === 200 || codeOf(verified) === "conflict", verified.text);
      }
      await life.checkAll();
      assert.equal(await readState(life.session, made.id), "archived");
      const asked = await call(alice.base, `/internal/ask?domain=${made.hostname}`);
      assert.deepEqual([asked.status, asked.json()], [403, { allow: false }]);
      assert.equal((await readEvents(made.id)).at(-1), "domain.archived");
    }
  });

  it("breaks no invariant", async () => {
    assert.deepEqual(await life.broken(), []);
  });
});
