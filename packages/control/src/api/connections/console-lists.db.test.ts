import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";
import { keyWith, makeSides, type Sides, withoutLimits } from "@mooring/testing/control/world";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";

type Row = Readonly<Record<string, unknown>>;

function rowsOf(answer: Answer): readonly Row[] {
  assert.equal(answer.status, 200, answer.text);
  return answer.json()["data"] as readonly Row[];
}

describe("what the console reads", () => {
  let app: TestApp;
  let own: Sides;
  let foreign: Sides;
  let admin: pg.Client;
  let key: string;
  let applicationId: string;
  const ids = new Map<string, string>();
  const names = ["alpha.shop.test", "beta.shop.test", "gamma-store.test", "delta_1.zq.test"];

  const get = (path: string, as = key) => call(app.api.url, path, { key: as });
  const hostnames = async (query: string, as = key) =>
    rowsOf(await get(`/v1/connections?${query}`, as)).map((row) => row["hostname"]);
  const set = async (hostname: string, columns: string, values: readonly unknown[] = []) => {
    const update = `update connections set ${columns} where id = $1`;
    await admin.query(update, [ids.get(hostname), ...values]);
  };

  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeSides(app, "own");
    foreign = await makeSides(app, "foreign");
    admin = new pg.Client({ connectionString: app.databaseUrl });
    await admin.connect();
    ({ key } = own.test);
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    applicationId = textOf(made, "id");
    for (const hostname of names.map((name) => name.replace("_", "-"))) {
      const body = { application_id: applicationId, hostname };
      ids.set(hostname, textOf(await call(app.api.url, "/v1/connections", { key, body }), "id"));
      app.clock.advance(1_000);
    }
    await set("alpha.shop.test", "state = 'live', first_live_at = created_at + interval '90 s'");
    await set(
      "beta.shop.test",
      "state = 'stalled', error_code = 'record_missing', provider = 'cloudflare'",
    );
    await set("gamma-store.test", "state = 'failed', error_code = 'ownership_timeout'");
  });
  after(async () => {
    await admin.end();
    await app.close();
  });

  it("is found by any part of its name, in any case, and by nothing of another tenant", async () => {
    assert.deepEqual(await hostnames("q=SHOP"), ["beta.shop.test", "alpha.shop.test"]);
    assert.deepEqual(await hostnames("q=zq"), ["delta-1.zq.test"]);
    assert.deepEqual(await hostnames("q=a-st"), ["gamma-store.test"]);
    for (const pattern of ["%25%25", "__", "%5C%5C", "%25shop"]) {
      assert.deepEqual(await hostnames(`q=${pattern}`), [], pattern);
    }
    assert.deepEqual(await hostnames("q=shop", foreign.test.key), []);
    assert.deepEqual(await hostnames("q=shop", own.live.key), []);
    assert.deepEqual(await hostnames(`q=${foreign.test.hostname}`), []);
    for (const bad of [
      "q=x",
      `q=${"x".repeat(101)}`,
      "sort=age",
      "wildcard=yes",
      "error_code=no",
    ]) {
      assert.equal((await get(`/v1/connections?${bad}`)).status, 400, bad);
    }
  });

  it("is filtered by several states, application, error code, provider and kind of name", async () => {
    const both = "state=stalled&state=failed";
    assert.deepEqual(await hostnames(both), ["gamma-store.test", "beta.shop.test"]);
    assert.deepEqual(await hostnames(`${both}&q=shop`), ["beta.shop.test"]);
    assert.deepEqual(await hostnames("error_code=record_missing"), ["beta.shop.test"]);
    assert.deepEqual(await hostnames("provider=cloudflare"), ["beta.shop.test"]);
    assert.equal((await hostnames(`application_id=${applicationId}`)).length, 4);
    assert.deepEqual(await hostnames(`application_id=${foreign.test.applicationId}`), []);
    assert.deepEqual(await hostnames("wildcard=true"), []);
    assert.equal((await hostnames("wildcard=false")).length, 5);
    assert.deepEqual(await hostnames("hostname=beta.shop.test&provider=cloudflare"), [
      "beta.shop.test",
    ]);
  });

  it("is paged under each filter and order, with cursors of their own", async () => {
    const filtered = "q=te&state=stalled&state=failed";
    for (const query of [
      `application_id=${applicationId}`,
      "q=test",
      filtered,
      "sort=stuck_since",
    ]) {
      const all = await hostnames(query);
      assert.ok(all.length > 1, query);
      const seen: unknown[] = [];
      let cursor = "";
      do {
        const page = await get(`/v1/connections?${query}&limit=1${cursor}`);
        seen.push(...rowsOf(page).map((row) => row["hostname"]));
        const next = page.json()["next_cursor"];
        cursor = next === null ? "" : `&cursor=${encodeURIComponent(String(next))}`;
      } while (cursor !== "");
      assert.deepEqual(seen, all, query);
    }
    const first = await get("/v1/connections?q=test&limit=1");
    const cursor = encodeURIComponent(textOf(first, "next_cursor"));
    assert.equal((await get(`/v1/connections?q=shop&limit=1&cursor=${cursor}`)).status, 400);
  });

  it("is shown longest stuck first, without those that are well", async () => {
    await set("gamma-store.test", "state_since = created_at - interval '9 days'");
    await set("delta-1.zq.test", "state_since = created_at - interval '10 days'");
    const stuck = await hostnames("sort=stuck_since");
    assert.deepEqual(stuck.slice(0, 2), ["delta-1.zq.test", "gamma-store.test"]);
    assert.ok(!stuck.includes("alpha.shop.test"));
    await set("alpha.shop.test", "error_code = 'origin_unreachable'");
    assert.ok((await hostnames("sort=stuck_since")).includes("alpha.shop.test"));
    assert.deepEqual(await hostnames("sort=stuck_since&state=live"), ["alpha.shop.test"]);
    await set("alpha.shop.test", "error_code = null");
  });

  it("is found by whose move it is, and by being in its state for longer than is usual", async () => {
    const finding = (actor: string) => JSON.stringify({ code: "x", actor, title: "X" });
    await set("beta.shop.test", "finding = $2", [finding("end_customer")]);
    await set("gamma-store.test", "finding = $2", [finding("tenant")]);
    assert.deepEqual(await hostnames("actor=tenant"), ["gamma-store.test"]);
    assert.deepEqual(await hostnames("actor=tenant&actor=end_customer&q=shop"), ["beta.shop.test"]);
    assert.deepEqual(await hostnames("actor=tenant&state=live"), []);
    assert.deepEqual(await hostnames("actor=wait"), []);
    assert.equal((await get("/v1/connections?actor=nobody")).status, 400);
    const stuck = () => hostnames("stuck=true&q=test&sort=stuck_since");
    const since = (minutes: number) => {
      const at = new Date(app.clock.now().getTime() - minutes * 60_000);
      return set("delta-1.zq.test", "state = 'issuing_cert', state_since = $2", [at]);
    };
    await since(9);
    assert.ok(!(await stuck()).includes("delta-1.zq.test"));
    const before = (await get("/v1/connections:summary")).json()["stuck"];
    await since(20);
    assert.ok((await stuck()).includes("delta-1.zq.test"));
    assert.ok(!(await stuck()).includes("alpha.shop.test"));
    // A count that took long is reused for a while.
    const counted = async () => (await get("/v1/connections:summary")).json()["stuck"];
    await until(async () => (await counted()) === Number(before) + 1);
    assert.equal((await hostnames("stuck=true")).length, Number(before) + 1);
    await set("delta-1.zq.test", `cutover = '{"status":"ready"}'`);
    assert.ok(!(await stuck()).includes("delta-1.zq.test"), "waits for a decision");
    await set("delta-1.zq.test", "state = 'pending_ownership', cutover = null");
    for (const name of ["beta.shop.test", "gamma-store.test"]) await set(name, "finding = null");
  });

  it("is ordered by the time that it shows as the beginning of its state, under every filter", async () => {
    const days = { "alpha.shop.test": 3, "beta.shop.test": 40, "gamma-store.test": 1 };
    for (const [hostname, since] of Object.entries(days)) {
      // A phase that began at another time, and a row from before the time was stored.
      const columns = `state_since = now() - interval '${since} days', phase_started_at = now() - interval '${50 - since} days'`;
      await set(hostname, columns);
    }
    await set(
      "delta-1.zq.test",
      "state_since = null, phase_started_at = now() - interval '2 days'",
    );
    const all = "state=live&state=stalled&state=failed&state=pending_ownership";
    const queries = ["", all, "q=te", `application_id=${applicationId}`, `${all}&q=shop`];
    for (const query of queries) {
      const rows = rowsOf(await get(`/v1/connections?sort=stuck_since&${query}`));
      const times = rows.map((row) => String(row["state_since"]));
      assert.ok(times.length >= 2, query);
      assert.deepEqual(times, times.toSorted(), query);
    }
    for (const hostname of ids.keys()) await set(hostname, "state_since = created_at");
  });

  it("tells since when, what is next, and the first finding of the last diagnosis", async () => {
    const id = ids.get("delta-1.zq.test") ?? "";
    const before = rowsOf(await get("/v1/connections?hostname=delta-1.zq.test"))[0];
    assert.equal(before?.["summary"], null);
    assert.equal(typeof before?.["next_check_at"], "string");
    assert.equal((await get(`/v1/connections/${id}/diagnosis`)).status, 200);
    for (const query of ["hostname=delta-1.zq.test", "q=delta-1"]) {
      const row = rowsOf(await get(`/v1/connections?${query}`))[0];
      assert.partialDeepStrictEqual(row?.["summary"], {
        code: "ownership_missing",
        actor: "end_customer",
      });
      assert.equal(row?.["last_checked_at"], null);
    }
    // A check says the same by its error code.
    const verify = `/v1/connections/${id}/verify`;
    assert.equal((await call(app.api.url, verify, { key, method: "POST" })).status, 409);
    const after = rowsOf(await get("/v1/connections?hostname=delta-1.zq.test"))[0];
    assert.equal(typeof after?.["last_checked_at"], "string");
    assert.partialDeepStrictEqual(after?.["summary"], { actor: "end_customer" });
  });

  it("says what a diagnosis says at the same moment, also when a check comes between", async () => {
    const hostname = "delta-1.zq.test";
    const path = `/v1/connections/${ids.get(hostname)}/diagnosis`;
    const listed = async () =>
      rowsOf(await get(`/v1/connections?hostname=${hostname}`))[0]?.["summary"];
    const first = (await get(path)).json()["headline"];
    assert.partialDeepStrictEqual(first, { actor: "end_customer" });
    assert.deepEqual(await listed(), first);
    // A check has written the row and not committed it when the diagnosis reads it.
    await admin.query("begin");
    await set(hostname, "state = 'failed', error_code = 'ownership_timeout', finding = null");
    const asked = get(path);
    const watcher = new pg.Client({ connectionString: app.databaseUrl });
    await watcher.connect();
    await until(async () => {
      const { rowCount } = await watcher.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rowCount === 1;
    }, "the diagnosis waits for the row");
    await admin.query("commit");
    await watcher.end();
    const { headline, summary } = (await asked).json() as { headline: Row; summary: string };
    assert.deepEqual(await listed(), headline);
    assert.ok(summary.startsWith(String(headline["title"])), summary);
    await set(hostname, "state = 'pending_ownership', error_code = 'txt_not_found'");
  });

  it("is summed up by state, cause and whose move it is, and by day", async () => {
    const today = () => app.clock.now().toISOString().slice(0, 10);
    const before = today();
    const summary = (await get("/v1/connections:summary")).json();
    assert.partialDeepStrictEqual(summary["by_state"], { live: 1, stalled: 1, failed: 1 });
    assert.partialDeepStrictEqual(summary["by_error_code"], { record_missing: 1 });
    assert.partialDeepStrictEqual(summary["by_actor"], { end_customer: 1 });
    assert.deepEqual(summary["time_to_live"], { median_s: 90, p95_s: 90 });
    assert.equal(summary["certificates_expiring"], 0);
    const series = summary["series"] as readonly Row[];
    assert.equal(series.length, 30);
    assert.ok([before, today()].includes(String(series.at(-1)?.["date"])));
    const total = (field: string) => series.reduce((sum, day) => sum + Number(day[field]), 0);
    assert.equal(total("created"), 5);
    assert.equal(total("live"), 1);
    const other = (await get("/v1/connections:summary", foreign.test.key)).json();
    assert.deepEqual(other["by_state"], { pending_ownership: 1 });
  });

  it("has the deliveries of all receivers, each with what was sent", async () => {
    const all = rowsOf(await get("/v1/deliveries"));
    assert.ok(all.length >= 1);
    const { endpointId, deliveryId } = own.test;
    const path = `/v1/deliveries?endpoint_id=${endpointId}&status=pending&event_type=endpoint.test`;
    assert.deepEqual(
      rowsOf(await get(path)).map((row) => row["id"]),
      [deliveryId],
    );
    for (const none of ["status=exhausted", `connection_id=${own.test.connectionId}`]) {
      assert.deepEqual(rowsOf(await get(`/v1/deliveries?${none}`)), [], none);
    }
    const one = (await get(`/v1/deliveries/${deliveryId}`)).json();
    assert.partialDeepStrictEqual(one["payload"], { type: "endpoint.test", environment: "test" });
    assert.match(String(one["url"]), /^https:\/\/hooks\.example\.com/);
    assert.equal((await get(`/v1/deliveries/${deliveryId}`, foreign.test.key)).status, 404);
  });

  it("replays what a receiver did not take, and nothing else", async () => {
    const { endpointId, applicationId: application_id } = own.test;
    const body = { application_id, hostname: "replayed.test" };
    const made = await call(app.api.url, "/v1/connections", { key, body });
    const about = `/v1/deliveries?connection_id=${textOf(made, "id")}`;
    const [delivery] = rowsOf(await get(about));
    assert.partialDeepStrictEqual(delivery, {
      endpoint_id: endpointId,
      event_type: "domain.added",
      hostname: "replayed.test",
    });
    const byName = await get("/v1/deliveries?hostname=Replayed.test");
    assert.deepEqual(
      rowsOf(byName).map((row) => row["id"]),
      [delivery?.["id"]],
    );
    const path = `/v1/webhook-endpoints/${endpointId}/replay`;
    const since = new Date(app.clock.now().getTime() - 86_400_000).toISOString();
    const replay = async (more: object) =>
      (await call(app.api.url, path, { key, body: { since, ...more } })).json()["replayed"];
    assert.equal(await replay({ failed_only: true }), 0);
    await admin.query("update deliveries set status = 'exhausted', due_at = null where id = $1", [
      delivery?.["id"],
    ]);
    assert.equal(await replay({ failed_only: true, event_type: "domain.drift" }), 0);
    assert.equal(await replay({ failed_only: true }), 1);
    assert.equal(rowsOf(await get(about))[0]?.["status"], "pending");
  });

  it("orders a certificate again when one failed, and says when there is none", async () => {
    const id = ids.get("beta.shop.test") ?? "";
    const retry = () =>
      call(app.api.url, `/v1/connections/${id}/certificate:retry`, { key, method: "POST" });
    assert.equal((await retry()).status, 409);
    const later = new Date(app.clock.now().getTime() + 3_600_000);
    await admin.query(
      `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, registrable_domain, status,
         error_code, failures, due_at, created_at)
       select hostname, id, tenant_id, environment, 1, registrable_domain, 'failed', 'certificate_failed', 3, $2, $2
       from connections where id = $1`,
      [id, later],
    );
    const retried = await retry();
    assert.equal(retried.status, 200, retried.text);
    const { rows } = await admin.query(
      "select due_at <= $2 as due from certificates where connection_id = $1",
      [id, app.clock.now()],
    );
    assert.deepEqual(rows, [{ due: true }]);
    await admin.query(
      "update certificates set status = 'issued', chain = 'x', failures = 0, error_code = null where connection_id = $1",
      [id],
    );
    assert.equal((await retry()).status, 409);
  });

  it("deletes an application only when nothing of it is in use", async () => {
    const body = { name: "Brief" };
    const brief = textOf(await call(app.api.url, "/v1/applications", { key, body }), "id");
    const path = `/v1/applications/${brief}`;
    const itsKey = await keyWith(app, { key, applicationId: brief }, ["apps:admin"]);
    const hostname = "brief.test";
    const made = await call(app.api.url, "/v1/connections", {
      key,
      body: { application_id: brief, hostname },
    });
    const endpoint = await call(app.api.url, "/v1/webhook-endpoints", {
      key,
      body: { application_id: brief, url: "https://hooks.example.com/brief" },
    });
    const remove = (as: string) => call(app.api.url, path, { key: as, method: "DELETE" });
    assert.equal((await remove(foreign.test.key)).status, 404);
    assert.equal((await remove(itsKey.secret)).status, 409);
    assert.equal((await remove(key)).status, 409);
    assert.equal((await get(path)).status, 200, "a refusal changes nothing");
    await call(app.api.url, `/v1/connections/${textOf(made, "id")}`, { key, method: "DELETE" });
    assert.equal((await remove(key)).status, 204);
    assert.equal((await get(path)).status, 404);
    assert.equal((await remove(key)).status, 404);
    assert.equal((await get("/v1/applications", itsKey.secret)).status, 401);
    const gone = await get(`/v1/webhook-endpoints/${textOf(endpoint, "id")}`);
    assert.equal(gone.status, 404);
    const again = await call(app.api.url, "/v1/connections", {
      key,
      body: { application_id: brief, hostname },
    });
    assert.equal(again.status, 404);
  });
});
