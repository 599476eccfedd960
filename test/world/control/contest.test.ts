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
  openCaller,
  proofRecord,
  putZone,
  readMade,
  readState,
  toEdge,
  verify,
} from "@mooring/testing/clients/connecting";
import { type Answer, call, codeOf } from "@mooring/testing/control/http";
import { withoutLimits } from "@mooring/testing/control/world";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";

const minute = 60_000;
const hour = 60 * minute;

interface Side {
  readonly caller: Caller;
  readonly made: Made;
}

describe("a contest over a hostname", () => {
  let life: LifecycleApp;
  let alice: Caller;
  let bob: Caller;
  let carol: Caller;
  before(async () => {
    life = await startLifecycle({ env: withoutLimits });
    [alice, bob, carol] = [
      await life.caller("Alice"),
      await life.caller("Bob"),
      await life.caller("Carol"),
    ];
  });
  after(() => life.close());

  async function readContest({ caller, made }: Side): Promise<unknown> {
    return (await get(caller, made.id)).json()["contest"];
  }

  async function challengeName(caller: Caller, hostname: string): Promise<Made> {
    const body = { application_id: caller.applicationId, hostname, contest: true };
    const answer = await call(caller.base, "/v1/connections", { key: caller.key, body });
    assert.equal(answer.status, 201, answer.text);
    return readMade(answer);
  }

  /**
   * Alice's live name, whose ownership record is gone unless it is retained, with Bob's proof in
   * the zone.
   */
  async function sold(isRetained = false) {
    const zone = freshZone();
    const hostname = `shop.${zone}`;
    const holder = { caller: alice, made: await connect(alice, hostname) };
    await putZone(alice, zone, [proofRecord(holder.made), toEdge(holder.made)]);
    await life.reach(holder.made.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(holder.made.id, "live");
    const prover = { caller: bob, made: await challengeName(bob, hostname) };
    const put = (...proofs: readonly Side[]) =>
      putZone(alice, zone, [toEdge(holder.made), ...proofs.map(({ made }) => proofRecord(made))]);
    await put(prover, ...(isRetained ? [holder] : []));
    return { zone, hostname, holder, prover, put };
  }

  async function readEvents({ made }: Side, type: string): Promise<Record<string, unknown>[]> {
    const { rows } = await life.session.query<{ data: Record<string, unknown> }>(
      `select body::jsonb->'data' as data from events where connection_id = $1 and type = $2
       order by sequence`,
      [made.id, type],
    );
    return rows.map(({ data }) => data);
  }

  const parseDeadline = (answer: Answer) =>
    new Date(String(errorDetails(answer)?.["contest_deadline"]));

  it("begins with a proof: 409 with the deadline, and the holder is asked to prove again", async () => {
    const { holder, prover } = await sold();
    const refused = await verify(bob, prover.made.id);
    assert.deepEqual([refused.status, codeOf(refused)], [409, "HostnameConflict"]);
    const shown = await get(bob, prover.made.id);
    assert.equal(shown.json()["state"], "pending_ownership");
    assert.equal(shown.json()["error_code"], "hostname_conflict");
    const contest = await readContest(prover);
    const deadline = parseDeadline(refused);
    const since = new Date(deadline.getTime() - 72 * hour);
    assert.deepEqual(contest, { since: since.toISOString(), deadline: deadline.toISOString() });
    assert.deepEqual(await readContest(holder), contest);
    const [event, ...others] = await readEvents(holder, "domain.contested");
    assert.equal(others.length, 0);
    assert.deepEqual(event?.["contest"], contest);
    assert.deepEqual(event?.["ownership_challenge"], {
      name: `_service-challenge.${holder.made.hostname}`,
      value: holder.made.challenge,
    });
    assert.ok(!JSON.stringify(event).includes(prover.made.challenge), "nothing of the prover");
    assert.equal((await readEvents(prover, "domain.contested")).length, 0);
    const listed = await call(bob.base, `/v1/connections?hostname=${prover.made.hostname}`, {
      key: bob.key,
    });
    assert.deepEqual((listed.json()["data"] as Record<string, unknown>[])[0]?.["contest"], contest);
    const again = await verify(bob, prover.made.id);
    assert.equal(parseDeadline(again).getTime(), deadline.getTime(), "not later");
    assert.equal((await readEvents(holder, "domain.contested")).length, 1);
  });

  it("passes the name at the deadline, in one step, when only the prover can prove", async () => {
    const { hostname, holder, prover } = await sold();
    await verify(bob, prover.made.id);
    await life.checkAll(72 * hour - minute);
    assert.equal(await readState(life.session, holder.made.id), "live");
    await life.checkAll(2 * minute);
    assert.equal(await readState(life.session, holder.made.id), "archived");
    const [lost] = await readEvents(holder, "domain.archived");
    assert.equal(lost?.["reason"], "contest_lost");
    assert.equal((await readEvents(prover, "domain.verified")).length, 1);
    assert.equal(await readContest(prover), null);
    const asked = await call(bob.base, `/internal/ask?domain=${hostname}`);
    assert.equal(asked.status, 200);
    const { rows } = await life.session.query(
      "select actor, details->>'reason' as reason from audit_log where action = 'connection.archive' and subject = 'connection:' || $1::text",
      [holder.made.id],
    );
    assert.deepEqual(rows, [{ actor: "contest", reason: "contest_lost" }]);
  });

  it("ends for a holder that proves again, and the prover may try again after 7 days", async () => {
    const { holder, prover, put } = await sold();
    await verify(bob, prover.made.id);
    await put(prover, holder);
    assert.equal((await verify(alice, holder.made.id)).status, 200);
    assert.deepEqual([await readContest(holder), await readContest(prover)], [null, null]);
    const [won] = await readEvents(holder, "domain.contest_won");
    assert.equal(won?.["reason"], "proven");
    // The holder may take its record away again: the prover's stays without effect.
    await put(prover);
    const refused = await verify(bob, prover.made.id);
    assert.deepEqual([codeOf(refused), errorDetails(refused)], ["HostnameConflict", null]);
    // Nor does a new connection of the same tenant.
    await archive(bob, prover.made.id);
    const renewed = { caller: bob, made: await challengeName(bob, holder.made.hostname) };
    await put(renewed);
    assert.equal(errorDetails(await verify(bob, renewed.made.id)), null);
    assert.equal((await readEvents(holder, "domain.contested")).length, 1);
    life.app.clock.advance(7 * 24 * hour);
    assert.notEqual(errorDetails(await verify(bob, renewed.made.id)), null);
    assert.equal((await readEvents(holder, "domain.contested")).length, 2);
  });

  it("does not begin while both records are there", async () => {
    // From the first moment: a check of the worker that saw one of them alone would begin it.
    const { holder, prover } = await sold(true);
    assert.equal(errorDetails(await verify(bob, prover.made.id)), null);
    assert.equal((await readEvents(holder, "domain.contested")).length, 0);
  });

  it("is not ended by a wildcard that has the holder's value", async () => {
    const { zone, hostname, holder, prover } = await sold();
    await verify(bob, prover.made.id);
    await putZone(alice, zone, [
      toEdge(holder.made),
      proofRecord(prover.made),
      { host: `*.${hostname}`, type: "TXT", value: holder.made.challenge },
    ]);
    assert.equal((await verify(alice, holder.made.id)).status, 200);
    assert.notEqual(await readContest(holder), null);
  });

  it("is given up when the prover removes its record or is archived", async () => {
    const { holder, prover, put } = await sold();
    await verify(bob, prover.made.id);
    await put();
    // One check may be wrong: after the first that misses the record it is still open. The next is
    // seconds later.
    await until(async () => {
      const { rowCount } = await life.session.query(
        "select from connections where id = $1 and misses = 1 and contest_since is not null",
        [prover.made.id],
      );
      return rowCount === 1;
    }, "an open contest after one miss");
    await life.checkAll(6_000);
    assert.deepEqual([await readContest(holder), await readContest(prover)], [null, null]);
    assert.equal((await readEvents(holder, "domain.contest_won"))[0]?.["reason"], "withdrawn");
    const second = await sold();
    await verify(bob, second.prover.made.id);
    await archive(bob, second.prover.made.id);
    assert.equal(await readContest(second.holder), null);
    assert.equal(
      (await readEvents(second.holder, "domain.contest_won"))[0]?.["reason"],
      "withdrawn",
    );
  });

  it("ends when the holder is archived: the prover takes the name at once", async () => {
    const { holder, prover } = await sold();
    await verify(bob, prover.made.id);
    await archive(alice, holder.made.id);
    assert.equal(await readContest(prover), null);
    assert.equal((await verify(bob, prover.made.id)).status, 200);
    assert.equal((await readEvents(holder, "domain.archived"))[0]?.["reason"], "deleted");
  });

  it("ends when the holder drifts: the prover takes the name as before", async () => {
    const { zone, hostname, holder, prover } = await sold();
    await verify(bob, prover.made.id);
    await putZone(alice, zone, [
      { host: hostname, type: "A", value: "192.0.2.9" },
      proofRecord(prover.made),
    ]);
    await life.checkAll();
    await life.checkAll(6_000);
    assert.equal((await verify(bob, prover.made.id)).status, 200);
    assert.equal((await readEvents(holder, "domain.archived"))[0]?.["reason"], "taken_over");
    assert.equal(await readContest(prover), null);
  });

  it("of several provers is one question to the holder; the earliest proof wins", async () => {
    const { holder, prover, put } = await sold();
    await verify(bob, prover.made.id);
    life.app.clock.advance(hour);
    const late = { caller: carol, made: await challengeName(carol, holder.made.hostname) };
    await put(prover, late);
    await verify(carol, late.made.id);
    assert.equal((await readEvents(holder, "domain.contested")).length, 1);
    assert.deepEqual(await readContest(holder), await readContest(prover), "the earliest deadline");
    assert.notDeepEqual(await readContest(late), await readContest(prover));
    await life.checkAll(70 * hour);
    await life.checkAll(hour - minute);
    await life.checkAll(2 * minute);
    assert.equal(await readState(life.session, holder.made.id), "archived");
    assert.equal((await readEvents(prover, "domain.verified")).length, 1);
    // The new holder's own record is there: the late prover has nothing against it.
    assert.equal(errorDetails(await verify(carol, late.made.id)), null);
    assert.equal((await readEvents(prover, "domain.contested")).length, 0);
  });

  it("continues for the others when one of several provers gives up", async () => {
    const { holder, prover, put } = await sold();
    await verify(bob, prover.made.id);
    const late = { caller: carol, made: await challengeName(carol, holder.made.hostname) };
    await put(prover, late);
    await verify(carol, late.made.id);
    await archive(bob, prover.made.id);
    assert.equal((await readEvents(holder, "domain.contest_won")).length, 0);
    assert.deepEqual(await readContest(holder), await readContest(late));
    await put(late, holder);
    await verify(alice, holder.made.id);
    assert.equal((await readEvents(holder, "domain.contest_won")).length, 1);
    assert.equal(await readContest(late), null);
  });

  it("happens between two applications of one tenant, and not inside one", async () => {
    const { hostname, holder } = await sold();
    const other = await openCaller(alice.base, alice.key, "Second");
    const made = await challengeName(other, hostname);
    assert.notEqual(made.id, holder.made.id);
    const body = { application_id: alice.applicationId, hostname, contest: true };
    const same = await call(alice.base, "/v1/connections", { key: alice.key, body });
    assert.deepEqual([same.status, errorDetails(same)?.["connection_id"]], [409, holder.made.id]);
  });

  it("takes a minute on a magic name of the sandbox", async () => {
    const zone = freshZone();
    const hostname = `contest.${zone}`;
    const holder = { caller: alice, made: await connect(alice, hostname) };
    await putZone(alice, zone, [proofRecord(holder.made)]);
    assert.equal((await verify(alice, holder.made.id)).status, 200);
    const prover = { caller: bob, made: await challengeName(bob, hostname) };
    await putZone(alice, zone, [proofRecord(prover.made)]);
    const refused = await verify(bob, prover.made.id);
    const leftMs = parseDeadline(refused).getTime() - life.app.clock.now().getTime();
    assert.ok(leftMs > 0 && leftMs <= minute, `${leftMs} ms`);
    await life.checkAll(minute);
    assert.equal(await readState(life.session, holder.made.id), "archived");
  });

  it("is explained to both sides", async () => {
    const { holder, prover } = await sold();
    const findings = async ({ caller, made }: Side) => {
      const answer = await call(caller.base, `/v1/connections/${made.id}/diagnosis`, {
        key: caller.key,
      });
      return (answer.json()["findings"] as Record<string, string>[]).map((one) => one);
    };
    const codeAnd = (list: Record<string, string>[], code: string) =>
      list.find((one) => one["code"] === code);
    await verify(bob, prover.made.id);
    const theirs = codeAnd(await findings(holder), "hostname_contested");
    assert.equal(theirs?.["actor"], "end_customer");
    assert.ok(theirs?.["fix"]?.includes(holder.made.challenge), theirs?.["fix"]);
    const ours = codeAnd(await findings(prover), "hostname_conflict");
    assert.equal(ours?.["actor"], "wait");
    assert.match(ours?.["title"] ?? "", /passes to this connection at/);
  });

  it("is decided once when the deadline and the holder's proof meet", async () => {
    for (let round = 0; round < proofSize(3, 30); round += 1) {
      const { holder, prover, put } = await sold();
      await verify(bob, prover.made.id);
      await life.checkAll(72 * hour - minute);
      life.app.clock.advance(minute);
      const [, taken, proven] = await Promise.all([
        put(prover, holder),
        verify(bob, prover.made.id),
        verify(alice, holder.made.id),
      ]);
      await Promise.all([verify(bob, prover.made.id), verify(alice, holder.made.id)]);
      const states = [
        await readState(life.session, holder.made.id),
        await readState(life.session, prover.made.id),
      ];
      const isPassed = states[0] === "archived";
      assert.deepEqual(
        [isPassed, (await readEvents(holder, "domain.contest_won")).length],
        [isPassed, isPassed ? 0 : 1],
        `${states} ${taken.text} ${proven.text}`,
      );
      if (!isPassed) assert.equal(states[1], "pending_ownership");
      assert.deepEqual(await life.broken(), []);
    }
  });

  it("passes wholly or not at all, wherever its transaction ends", async () => {
    const { holder, prover } = await sold();
    await verify(bob, prover.made.id);
    await life.checkAll(72 * hour - minute);
    // The worker would decide it as soon as the deadline is there.
    await life.session.query(
      "update connection_checks set due_at = due_at + interval '1 hour' where connection_id = $1",
      [prover.made.id],
    );
    life.app.clock.advance(minute);
    await life.session.query(`create function stop_here() returns trigger language plpgsql
      as $$ begin raise exception 'stopped'; end $$`);
    const steps = [
      "update on contests",
      "delete on claims",
      "insert on claims",
      "insert on events",
      "insert on timeline",
      "insert on audit_log",
    ];
    for (const step of steps) {
      const table = step.split(" ").at(-1);
      await life.session.query(
        `create trigger stopped before ${step} for each row execute function stop_here()`,
      );
      const answer = await verify(bob, prover.made.id);
      assert.equal(answer.status, 500, `${step}: ${answer.text}`);
      await life.session.query(`drop trigger stopped on ${table}`);
      const { rows } = await life.session.query(
        "select state, contest_since is not null as contest from connections where id = any ($1) order by state",
        [[holder.made.id, prover.made.id]],
      );
      assert.deepEqual(rows, [
        { state: "live", contest: true },
        { state: "pending_ownership", contest: true },
      ]);
    }
    await life.session.query("drop function stop_here()");
    await life.checkAll(minute);
    assert.equal(await readState(life.session, holder.made.id), "archived");
  });

  it("breaks no invariant", async () => {
    assert.deepEqual(await life.broken(), []);
  });
});
