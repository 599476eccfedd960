import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  openCaller,
  openSession,
  putZone,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, codeOf, textOf } from "@mooring/testing/control/http";
import { planIn, planLines, recordRoutes, zoneRecords } from "@mooring/testing/control/record-plan";
import { mintToken, withoutLimits } from "@mooring/testing/control/world";
import { openDatabase } from "../../db/engine/pool.ts";
import { sweepLogs } from "../operator/retention.ts";

const credentials = { provider: "sandbox", fields: { token: "sandbox" } };

describe("records:apply", () => {
  let app: TestApp;
  let caller: Caller;
  let other: Caller;
  before(async () => {
    app = await startTestApp(withoutLimits);
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.test);
    other = await openCaller(app.api.url, (await app.tenant("Other")).keys.test);
  });
  after(() => app.close());

  const routes = (key = caller.key) => recordRoutes(app.api.url, key);
  const readRecords = (zone: string) => zoneRecords(app.api.url, caller.key, zone);

  async function storeCredential(owner: Caller): Promise<string> {
    const path = `/v1/applications/${owner.applicationId}/credentials`;
    const body = { ...credentials, name: "Stored" };
    return textOf(await call(app.api.url, path, { key: owner.key, body }), "id");
  }

  it("shows the plan in a dry run and writes nothing", async () => {
    const zone = freshZone();
    await putZone(caller, zone, []);
    const made = await connect(caller, `shop.${zone}`);
    const plan = planIn(await routes().apply(made.id, { ...credentials, dry_run: true }));
    assert.deepEqual(
      [plan.dry_run, plan.applied, plan.provider, plan.zone],
      [true, false, "sandbox", zone],
    );
    assert.deepEqual(planLines(plan), [
      `create _service-challenge.shop.${zone} TXT ${made.challenge}`,
      `create shop.${zone} CNAME edge.localhost`,
    ]);
    assert.deepEqual(await readRecords(zone), []);
  });

  it("stores its writes while a revert may need them, and removes those of archived names after 400 days", async () => {
    const zone = freshZone();
    const made = await connect(caller, `shop.${zone}`);
    assert.equal(planIn(await routes().apply(made.id, credentials)).applied, true);
    const worker = openDatabase({ url: app.databaseUrl, role: "mooring_worker" });
    // As a provider leaves it whose zones may be read short.
    await worker.pool.query(
      "insert into zone_reads (reader, zone, records, read_at) values ($1, $2, 3, $3)",
      [made.id, zone, app.clock.now()],
    );
    const stored = async () => {
      const { rows } = await worker.pool.query<{ writes: number; reads: number }>(
        `select (select count(*)::int from dns_writes where connection_id = $1) as writes,
           (select count(*)::int from zone_reads where zone = $2) as reads`,
        [made.id, zone],
      );
      return rows[0];
    };
    const sweepAfter = (days: number): Promise<void> => {
      const clock = { now: () => new Date(app.clock.now().getTime() + days * 86_400_000) };
      return sweepLogs({ ...app.operator, ...worker, database: worker, clock });
    };
    const before = await stored();
    assert.ok(before && before.writes > 0 && before.reads > 0, JSON.stringify(before));
    await sweepAfter(399);
    assert.deepEqual(await stored(), before);
    await sweepAfter(401);
    assert.deepEqual(await stored(), { ...before, reads: 0 });
    assert.equal((await archive(caller, made.id)).status, 200);
    await sweepAfter(399);
    assert.ok((await stored())?.writes);
    await sweepAfter(401);
    assert.equal((await stored())?.writes, 0);
    await worker.close();
  });

  it("writes the proof and the records, leaves the state unchanged and requests a check at once", async () => {
    const zone = freshZone();
    const made = await connect(caller, `shop.${zone}`);
    const session = await openSession(app.databaseUrl);
    await session.query("update connections set due_at = $2, checks = 9 where id = $1", [
      made.id,
      new Date(Date.now() + 3_600_000),
    ]);
    const plan = planIn(await routes().apply(made.id, credentials));
    assert.equal(plan.applied, true);
    assert.deepEqual(
      (await readRecords(zone)).map(({ host, type, value }) => [host, type, value]),
      [
        [`_service-challenge.shop.${zone}`, "TXT", made.challenge],
        [`shop.${zone}`, "CNAME", "edge.localhost"],
      ],
    );
    assert.equal((await get(caller, made.id)).json()["state"], "pending_ownership");
    const { rows } = await session.query<{ due: boolean; checks: number }>(
      `select k.due_at <= now() + interval '1 second' as due, c.checks
       from connections c join connection_checks k on k.connection_id = c.id where c.id = $1`,
      [made.id],
    );
    await session.end();
    assert.deepEqual(rows[0], { due: true, checks: 0 });
    const again = planIn(await routes().apply(made.id, credentials));
    assert.deepEqual(
      again.changes.map(({ action }) => action),
      ["keep", "keep"],
    );
    assert.equal(again.applied, true);
  });

  it("writes nothing while another record conflicts, and replaces only what is named", async () => {
    const zone = freshZone();
    const theirs = { host: `shop.${zone}`, type: "A", value: "192.0.2.7", ttl: 1_234 };
    await putZone(caller, zone, [theirs]);
    const made = await connect(caller, `shop.${zone}`);
    const refused = planIn(await routes().apply(made.id, credentials));
    assert.equal(refused.applied, false);
    const [conflict] = refused.changes.filter(({ action }) => action === "conflict");
    assert.deepEqual(conflict?.existing, [{ ...theirs, priority: null }]);
    assert.equal(conflict.replaceable, true);
    assert.match(refused.notes[0] ?? "", new RegExp(`shop\\.${zone} CNAME`));
    assert.deepEqual(await readRecords(zone), [{ ...theirs, priority: null }]);

    const elsewhere = planIn(
      await routes().apply(made.id, { ...credentials, replace: ["chg_other"] }),
    );
    assert.equal(elsewhere.applied, false);
    const replaced = planIn(
      await routes().apply(made.id, { ...credentials, replace: [conflict?.id ?? ""] }),
    );
    assert.equal(replaced.applied, true);
    assert.deepEqual(
      (await readRecords(zone)).map(({ type }) => type),
      ["TXT", "CNAME"],
    );
  });

  it("refuses an authorisation for other records than those that are there now", async () => {
    const zone = freshZone();
    await putZone(caller, zone, [{ host: `shop.${zone}`, type: "A", value: "192.0.2.7" }]);
    const made = await connect(caller, `shop.${zone}`);
    const shown = planIn(await routes().apply(made.id, { ...credentials, dry_run: true }));
    const ids = shown.changes.map(({ id }) => id);
    await putZone(caller, zone, [{ host: `shop.${zone}`, type: "A", value: "192.0.2.8" }]);
    assert.equal(
      planIn(await routes().apply(made.id, { ...credentials, replace: ids })).applied,
      false,
    );
    assert.equal((await readRecords(zone))[0]?.value, "192.0.2.8");
  });

  it("never writes a name that is not the connection's", async () => {
    const zone = freshZone();
    const template = [
      { host: "@", type: "CNAME", value: "{{edge_cname}}" },
      { host: "www.{{apex}}", type: "TXT", value: "elsewhere" },
    ];
    const body = { name: "Wide", record_template: template };
    const made = await call(app.api.url, "/v1/applications", { key: caller.key, body });
    const wide = { ...caller, applicationId: textOf(made, "id") };
    const { id } = await connect(wide, `shop.${zone}`);
    const plan = planIn(await routes().apply(id, credentials));
    assert.equal(plan.applied, false);
    assert.match(
      plan.changes.find(({ action }) => action === "conflict")?.reason ?? "",
      /not a name of this connection/,
    );
    const list = await call(app.api.url, `/v1/sandbox/zones/${zone}/records`, { key: caller.key });
    assert.doesNotMatch(list.text, /edge|elsewhere/);
  });

  it("uses a stored credential for keys and bound tokens only", async () => {
    const owner = await openCaller(app.api.url, caller.key, "Widget");
    const credentialId = await storeCredential(owner);
    const hostname = `shop.${freshZone()}`;
    const unbound = await mintToken(app, owner.key, owner.applicationId);
    const bound = await mintToken(app, owner.key, owner.applicationId, hostname);
    const byKey = await connect(owner, hostname);
    const named = { credential_id: credentialId };

    const silent = await routes(unbound).apply(byKey.id, {});
    assert.deepEqual([silent.status, codeOf(silent)], [400, "invalid"]);
    const asked = await routes(unbound).apply(byKey.id, named);
    assert.deepEqual([asked.status, codeOf(asked)], [403, "forbidden"]);
    assert.equal(planIn(await routes(unbound).apply(byKey.id, credentials)).applied, true);
    assert.equal(planIn(await routes(bound).apply(byKey.id, {})).applied, true);
    assert.equal(planIn(await routes(bound).apply(byKey.id, named)).applied, true);

    const byWidget = await connect({ ...owner, key: unbound }, `shop.${freshZone()}`);
    const byItself = await routes(owner.key).apply(byWidget.id, {});
    assert.deepEqual([byItself.status, codeOf(byItself)], [400, "invalid"]);
    assert.equal(planIn(await routes(owner.key).apply(byWidget.id, named)).applied, true);
  });

  it("uses the stored credential when the body is empty", async () => {
    const owner = await openCaller(app.api.url, caller.key, "Plain");
    const made = await connect(owner, `shop.${freshZone()}`);
    const path = `/v1/connections/${made.id}/records:apply`;
    const none = await call(app.api.url, path, { key: owner.key, method: "POST" });
    assert.deepEqual([none.status, codeOf(none)], [400, "invalid"]);
    assert.match(none.text, /no stored credential/);
    await storeCredential(owner);
    const answer = await call(app.api.url, path, { key: owner.key, method: "POST" });
    assert.equal(planIn(answer).applied, true);
  });

  it("reports what is wrong with the credential, and hides other tenants' credentials", async () => {
    const made = await connect(caller, `shop.${freshZone()}`);
    const theirs = await storeCredential(other);
    const cases: readonly (readonly [object, number, string])[] = [
      [{ credential_id: theirs }, 404, "not_found"],
      [{ credential_id: made.id }, 404, "not_found"],
      [{ credential_id: theirs, ...credentials }, 400, "invalid"],
      [{ provider: "sandbox" }, 400, "invalid"],
      [{ fields: { token: "sandbox" } }, 400, "invalid"],
      [{ provider: "nobody", fields: {} }, 400, "invalid"],
      [{ provider: "sandbox", fields: { token: "sandbox", more: "x" } }, 400, "invalid"],
      [{ provider: "sandbox", fields: { token: "wrong" } }, 502, "provider_error"],
      [{ ...credentials, unknown: true }, 400, "invalid"],
    ];
    for (const [body, status, code] of cases) {
      const answer = await routes().apply(made.id, body);
      const what = `${JSON.stringify(body)}: ${answer.text}`;
      assert.deepEqual([answer.status, codeOf(answer)], [status, code], what);
    }
    const refused = await routes().apply(made.id, {
      provider: "sandbox",
      fields: { token: "wrong" },
    });
    assert.match(refused.text, /"details":\{"provider":"sandbox","kind":"auth"\}/);
  });

  it("commits the audit row with the write's outcome, or neither", async () => {
    const made = await connect(caller, `shop.${freshZone()}`);
    const session = await openSession(app.databaseUrl);
    const stored = async () => {
      const { rows } = await session.query<{ outcomes: string[]; entries: number; audits: number }>(
        `select array(select outcome from dns_writes where connection_id = $1) as outcomes,
           (select count(*)::int from timeline where connection_id = $1 and kind = 'write') as entries,
           (select count(*)::int from audit_log where action = 'connection.apply_records'
              and subject = 'connection:' || $1::text) as audits`,
        [made.id],
      );
      return rows[0];
    };
    await session.query(`create function refuse_audit() returns trigger language plpgsql as
      $$ begin raise exception 'no audit'; end $$`);
    await session.query(`create trigger refuse_audit before insert on audit_log for each row
      when (new.action = 'connection.apply_records') execute function refuse_audit()`);
    assert.equal((await routes().apply(made.id, credentials)).status, 500);
    assert.deepEqual(await stored(), { outcomes: ["planned"], entries: 0, audits: 0 });

    await session.query("drop function refuse_audit() cascade");
    // The zone has the records by now: the interrupted write is settled, with its audit row.
    assert.equal(planIn(await routes().apply(made.id, credentials)).applied, true);
    assert.deepEqual(await stored(), { outcomes: ["applied"], entries: 0, audits: 1 });

    const second = await connect(caller, `shop.${freshZone()}`);
    assert.equal(planIn(await routes().apply(second.id, credentials)).applied, true);
    const { rows } = await session.query<{ together: boolean }>(
      `select w.xmin = a.xmin as together from dns_writes w, audit_log a
       where w.connection_id = $1 and a.action = 'connection.apply_records'
         and a.subject = 'connection:' || $1::text`,
      [second.id],
    );
    await session.end();
    assert.deepEqual(rows, [{ together: true }]);
  });

  it("is refused for an archived connection, and for another's", async () => {
    const made = await connect(caller, `shop.${freshZone()}`);
    assert.equal((await routes(other.key).apply(made.id, credentials)).status, 404);
    const path = `/v1/connections/${made.id}`;
    await call(app.api.url, path, { key: caller.key, method: "DELETE" });
    const late = await routes().apply(made.id, credentials);
    assert.deepEqual([late.status, codeOf(late)], [409, "conflict"]);
  });
});
