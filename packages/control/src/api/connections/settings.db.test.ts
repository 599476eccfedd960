import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Caller, connect, freshZone, type Made } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";

describe("PATCH /v1/connections/{id}", () => {
  let app: TestApp;
  let caller: Caller;
  before(async () => {
    app = await startTestApp();
    caller = await createCaller("Acme");
  });
  after(() => app.close());

  async function createCaller(name: string): Promise<Caller> {
    const { keys } = await app.tenant(name);
    return await another(keys.test);
  }

  /** Another application of the key's tenant. */
  async function another(key: string): Promise<Caller> {
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Shop" } });
    return { base: app.api.url, key, applicationId: textOf(made, "id") };
  }

  function patch(id: string, body: object, key = caller.key): Promise<Answer> {
    return call(app.api.url, `/v1/connections/${id}`, { key, method: "PATCH", body });
  }

  async function several(...labels: readonly string[]): Promise<Made[]> {
    const zone = freshZone();
    return await Promise.all(labels.map((label) => connect(caller, `${label}.${zone}`)));
  }

  async function read(id: string): Promise<Record<string, unknown>> {
    return (await call(app.api.url, `/v1/connections/${id}`, { key: caller.key })).json();
  }

  /** Newest first: the type and `data.changed` of the events of a connection. */
  async function listEvents(id: string): Promise<unknown[]> {
    const answer = await call(app.api.url, "/v1/events?limit=100", { key: caller.key });
    const { data } = answer.json();
    assert.ok(Array.isArray(data), answer.text);
    const own = data.filter(({ data: { connection } }) => connection?.id === id);
    return own.map(({ type, sequence, data: { changed } }) => [type, sequence, changed]);
  }

  it("is on the timeline with its actor, as every entry is", async () => {
    const [made] = await several("actors");
    assert.ok(made);
    assert.equal((await patch(made.id, { customer_ref: "customer-42" })).status, 200);
    const list = async (query: string) => {
      const path = `/v1/connections/${made.id}/events${query}`;
      const answer = await call(app.api.url, path, { key: caller.key });
      return answer.json()["data"] as {
        kind: string;
        details: object;
        actor: { kind: string; id: string | null; name: string | null } | null;
      }[];
    };
    const [changed, created] = await list("");
    assert.deepEqual(changed?.details, { action: "connection.update", changed: ["customer_ref"] });
    assert.equal(created?.kind, "state");
    for (const entry of [changed, created]) {
      assert.equal(entry?.actor?.kind, "key");
      assert.match(entry?.actor?.id ?? "", /^[0-9a-f-]{36}$/);
    }
    assert.deepEqual(changed?.actor, created?.actor);
    assert.deepEqual(
      (await list("?kind=state")).map(({ kind }) => kind),
      ["state"],
    );
    const archived = await call(app.api.url, `/v1/connections/${made.id}`, {
      key: caller.key,
      method: "DELETE",
    });
    assert.ok(archived.status < 300, archived.text);
    const [ended] = await list("?kind=state");
    assert.deepEqual(ended?.actor, created?.actor);
  });

  it("changes what it is given, tells once, and shows it wherever the connection is shown", async () => {
    const [from, to] = await several("www", "apex");
    assert.ok(from && to);
    const initial = await read(from.id);
    assert.deepEqual(settingsOf(initial), [null, null, null]);
    const spelling = `${to.hostname.toUpperCase()}.`;
    const changed = await patch(from.id, { redirect_to: spelling });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(settingsOf(changed.json()), [to.hostname, null, null]);
    const origin = { origin_url: "https://eu.example.com", origin_host_header: "origin" };
    assert.equal((await patch(from.id, origin)).status, 200);
    const expected = [to.hostname, "https://eu.example.com", "origin"];
    assert.deepEqual(settingsOf(await read(from.id)), expected);
    for (const query of ["", "&state=pending_ownership", `&hostname=${from.hostname}`]) {
      const path = `/v1/connections?limit=100${query}`;
      const { data } = (await call(app.api.url, path, { key: caller.key })).json();
      assert.ok(Array.isArray(data));
      assert.deepEqual(settingsOf(data.find(({ id }) => id === from.id)), expected, query);
    }
    // The same again changes nothing.
    assert.equal((await patch(from.id, { ...origin, redirect_to: to.hostname })).status, 200);
    assert.equal((await patch(from.id, {})).status, 200);
    assert.deepEqual(await listEvents(from.id), [
      ["domain.changed", 3, ["origin_url", "origin_host_header"]],
      ["domain.changed", 2, ["redirect_to"]],
      ["domain.added", 1, undefined],
    ]);
    const reset = { redirect_to: null, origin_url: null, origin_host_header: null };
    assert.deepEqual(settingsOf((await patch(from.id, reset)).json()), [null, null, null]);
  });

  it("refuses a target that is none, and an origin that is none, and writes nothing", async () => {
    const [from, target, middle, over] = await several("from", "target", "middle", "over");
    assert.ok(from && target && middle && over);
    assert.equal((await patch(middle.id, { redirect_to: target.hostname })).status, 200);
    await call(app.api.url, `/v1/connections/${over.id}`, { key: caller.key, method: "DELETE" });
    const sibling = await connect(await another(caller.key), `sibling.${freshZone()}`);
    const foreign = await connect(await createCaller("Other"), `foreign.${freshZone()}`);
    const refusals: readonly (readonly [string, object, RegExp])[] = [
      [from.id, { redirect_to: from.hostname }, /own hostname/],
      [from.id, { redirect_to: `absent.${freshZone()}` }, /not the hostname of another/],
      [from.id, { redirect_to: over.hostname }, /not the hostname of another/],
      [from.id, { redirect_to: sibling.hostname }, /not the hostname of another/],
      [from.id, { redirect_to: foreign.hostname }, /not the hostname of another/],
      [from.id, { redirect_to: middle.hostname }, /redirects itself/],
      [target.id, { redirect_to: from.hostname }, /other connections redirect to this one/],
      [from.id, { redirect_to: "https://x.example/" }, /"path":"redirect_to"/],
      [from.id, { redirect_to: "" }, /"path":"redirect_to"/],
      [from.id, { origin_url: "ftp://a.example" }, /"path":"origin_url"/],
      [from.id, { origin_url: "https://u:p@a.example" }, /"path":"origin_url"/],
      [from.id, { origin_url: "https://a.example?b" }, /"path":"origin_url".*no query/],
      [from.id, { origin_url: "https://a.example:25" }, /"path":"origin_url".*the port must be/],
      [from.id, { origin_url: "http://192.168.0.1" }, /"path":"origin_url".*private/],
      [from.id, { origin_host_header: "other" }, /"path":"origin_host_header"/],
      [from.id, { hostname: "other.example" }, /hostname/],
    ];
    for (const [id, body, expected] of refusals) {
      // With a valid field beside it, which must not be written either.
      const answer = await patch(id, { origin_url: "https://valid.example", ...body });
      assert.equal(answer.status, 400, `${JSON.stringify(body)} ${answer.text}`);
      assert.match(answer.text, expected);
    }
    assert.deepEqual(settingsOf(await read(from.id)), [null, null, null]);
    assert.deepEqual(await listEvents(from.id), [["domain.added", 1, undefined]]);
    assert.equal((await patch(over.id, { origin_url: null })).status, 409);
    assert.equal((await patch(foreign.id, { origin_url: null })).status, 404);
  });

  it("makes no chain of redirects that begin at once", async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b, c] = await several("a", "b", "c");
      assert.ok(a && b && c);
      const answers = await Promise.all([
        patch(a.id, { redirect_to: b.hostname }),
        patch(b.id, { redirect_to: c.hostname }),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400]);
    }
  });

  it("ends with its target, which the event tells, also when both happen at once", async () => {
    const [from, to, other] = await several("from", "to", "other");
    assert.ok(from && to && other);
    await patch(from.id, { redirect_to: to.hostname, origin_url: "https://eu.example.com" });
    const archive = (id: string) =>
      call(app.api.url, `/v1/connections/${id}`, { key: caller.key, method: "DELETE" });
    assert.equal((await archive(to.id)).status, 200);
    assert.deepEqual(settingsOf(await read(from.id)), [null, "https://eu.example.com", null]);
    assert.deepEqual((await listEvents(from.id))[0], ["domain.changed", 3, ["redirect_to"]]);
    const [redirected] = await Promise.all([
      patch(from.id, { redirect_to: other.hostname }),
      archive(other.id),
    ]);
    assert.ok([200, 400].includes(redirected.status), redirected.text);
    assert.equal((await read(from.id))["redirect_to"], null);
  });

  it("is for API keys, and a browser does not learn the origin", async () => {
    const [made] = await several("www");
    assert.ok(made);
    await patch(made.id, { origin_url: "https://inside.example.com" });
    const body = { application_id: caller.applicationId };
    const token = textOf(
      await call(app.api.url, "/v1/tokens", { key: caller.key, body }),
      "auth_token",
    );
    const refused = await patch(made.id, { origin_url: null }, token);
    assert.equal(refused.status, 403, refused.text);
    const path = `/v1/connections/${made.id}`;
    const shown = await call(app.api.url, path, { key: token });
    assert.equal(shown.status, 200, shown.text);
    const again = await call(app.api.url, "/v1/connections", {
      key: token,
      body: { ...body, hostname: made.hostname },
    });
    assert.equal(again.status, 200, again.text);
    assert.doesNotMatch(shown.text + again.text, /inside/);
  });
});

function settingsOf(connection: Record<string, unknown> | undefined): unknown[] {
  const { redirect_to, origin_url, origin_host_header } = connection ?? {};
  return [redirect_to, origin_url, origin_host_header];
}

describe("POST /v1/connections:pair", () => {
  let app: TestApp;
  let caller: Caller;
  before(async () => {
    app = await startTestApp();
    const { keys } = await app.tenant("Acme");
    const body = { name: "Shop" };
    const made = await call(app.api.url, "/v1/applications", { key: keys.test, body });
    caller = { base: app.api.url, key: keys.test, applicationId: textOf(made, "id") };
  });
  after(() => app.close());

  interface Shown {
    readonly id: string;
    readonly hostname: string;
    readonly redirect_to: string | null;
    readonly batch_id: string;
    readonly customer_ref: string | null;
    readonly ownership_challenge: { readonly name: string; readonly value: string };
  }

  function pair(hostname: string, more: object = {}, key = caller.key): Promise<Answer> {
    const body = { application_id: caller.applicationId, hostname, ...more };
    return call(app.api.url, "/v1/connections:pair", { key, body });
  }

  function both(answer: Answer): readonly [Shown, Shown] {
    const { connections } = answer.json();
    assert.ok(Array.isArray(connections) && connections.length === 2, answer.text);
    return connections as [Shown, Shown];
  }

  async function token(more: object): Promise<string> {
    const body = { application_id: caller.applicationId, ...more };
    return textOf(await call(app.api.url, "/v1/tokens", { key: caller.key, body }), "auth_token");
  }

  it("makes both names at once, one redirecting to the one that was given", async () => {
    const zone = freshZone();
    const made = await pair(`WWW.${zone}`, { customer_ref: "7" });
    assert.equal(made.status, 201, made.text);
    const [apex, www] = both(made);
    assert.deepEqual([apex.hostname, www.hostname], [zone, `www.${zone}`]);
    assert.deepEqual([apex.redirect_to, www.redirect_to], [`www.${zone}`, null]);
    assert.deepEqual([apex.customer_ref, www.customer_ref], ["7", "7"]);
    assert.equal(apex.batch_id, www.batch_id);
    assert.equal(apex.batch_id, made.json()["batch_id"]);
    const again = await pair(zone, { customer_ref: "7", canonical: "apex" });
    assert.equal(again.status, 200, again.text);
    const [turnedApex, turnedWww] = both(again);
    assert.deepEqual([turnedApex.id, turnedWww.id], [apex.id, www.id]);
    assert.deepEqual([turnedApex.redirect_to, turnedWww.redirect_to], [null, zone]);
    assert.equal(again.json()["batch_id"], made.json()["batch_id"]);
  });

  it("joins what was connected one by one, and makes what is missing", async () => {
    const zone = freshZone();
    const single = await connect(caller, zone);
    const made = await pair(zone);
    const [apex, www] = both(made);
    assert.deepEqual([made.status, apex.id, www.redirect_to], [201, single.id, zone]);
    assert.equal(apex.batch_id, www.batch_id);
  });

  it("is for a registered domain and its www only, within what a token is bound to", async () => {
    const zone = freshZone();
    for (const name of [`shop.${zone}`, `www.shop.${zone}`, "test"]) {
      assert.equal((await pair(name)).status, 400, name);
    }
    assert.equal((await pair(zone, { canonical: "both" })).status, 400);
    const bound = await token({ domain: zone });
    assert.equal((await pair(freshZone(), {}, bound)).status, 403);
    const made = await pair(zone, {}, bound);
    assert.equal(made.status, 201, made.text);
    const [, www] = both(made);
    const get = async (key: string) =>
      (await call(app.api.url, `/v1/connections/${www.id}`, { key })).status;
    assert.equal(await get(bound), 200, "the partner of its domain");
    const alone = freshZone();
    const stranger = await connect(caller, `www.${alone}`);
    const other = await token({ domain: alone });
    const path = `/v1/connections/${stranger.id}`;
    assert.equal((await call(app.api.url, path, { key: other })).status, 404, "no pair");
  });

  it("names neither and makes nothing when one of the two is somebody else's", async () => {
    const zone = freshZone();
    const claimed = await connect(caller, `www.${zone}`);
    const host = `_service-challenge.www.${zone}`;
    const records = [{ host, type: "TXT", value: claimed.challenge }];
    const path = `/v1/sandbox/zones/${zone}/records`;
    const { key } = caller;
    await call(app.api.url, path, { key, method: "PUT", body: { records } });
    const verify = `/v1/connections/${claimed.id}/verify`;
    assert.equal((await call(app.api.url, verify, { key, method: "POST" })).status, 200);
    const refused = await pair(zone, {}, await token({ customer_ref: "8" }));
    assert.equal(refused.status, 409);
    assert.deepEqual(refused.json()["error"], {
      code: "HostnameConflict",
      message: "this domain, or its www name, is already connected",
      details: null,
    });
    const list = await call(app.api.url, `/v1/connections?hostname=${zone}`, { key });
    assert.deepEqual(list.json()["data"], []);
    const own = await pair(zone);
    assert.equal(own.status, 201, "to a key the proven one is its own");
    assert.equal((await pair(zone)).status, 200);
  });

  it("keeps redirects to one step", async () => {
    const zone = freshZone();
    const [apex] = both(await pair(zone));
    const blog = await connect(caller, `blog.${zone}`);
    const { key } = caller;
    const patch = (id: string, redirect_to: string | null) =>
      call(app.api.url, `/v1/connections/${id}`, { key, method: "PATCH", body: { redirect_to } });
    assert.equal((await patch(blog.id, zone)).status, 200);
    assert.equal((await pair(zone, { canonical: "www" })).status, 400);
    assert.equal((await patch(blog.id, null)).status, 200);
    assert.equal((await patch(apex.id, `blog.${zone}`)).status, 400, "www leads to it");
    assert.equal((await pair(zone, { canonical: "www" })).status, 200);
  });

  it("writes both names by one plan and one credential", async () => {
    const zone = freshZone();
    const [apex, www] = both(await pair(zone, { customer_ref: "9" }));
    const records = [{ host: `www.${zone}`, type: "A", value: "203.0.113.5", ttl: 60 }];
    const { key: admin } = caller;
    const path = `/v1/sandbox/zones/${zone}/records`;
    await call(app.api.url, path, { key: admin, method: "PUT", body: { records } });
    const key = await token({ customer_ref: "9" });
    const apply = async (more: object) => {
      const body = { provider: "sandbox", fields: { token: "sandbox" }, pair: true, ...more };
      const answer = await call(app.api.url, `/v1/connections/${apex.id}/records:apply`, {
        key,
        body,
      });
      assert.equal(answer.status, 200, answer.text);
      return answer.json() as {
        applied: boolean;
        changes: readonly { id: string; action: string; record: { host: string } }[];
      };
    };
    const plan = await apply({ dry_run: true });
    const hosts = new Set(plan.changes.map(({ record }) => record.host));
    for (const { ownership_challenge: one } of [apex, www]) assert.ok(hosts.has(one.name));
    assert.ok(hosts.has(zone) && hosts.has(`www.${zone}`));
    const stopped = await apply({});
    assert.equal(stopped.applied, false, "the www is in use");
    const untouched = await call(app.api.url, path, { key: admin });
    assert.equal((untouched.json()["records"] as unknown[]).length, 1, "nothing is written");
    const conflicts = plan.changes.filter(({ action }) => action === "conflict");
    const done = await apply({ replace: conflicts.map(({ id }) => id) });
    assert.equal(done.applied, true);
    const after = await call(app.api.url, path, { key: admin });
    const written = (after.json()["records"] as { host: string; type: string }[]).map(
      ({ host, type }) => `${type} ${host}`,
    );
    assert.ok(written.includes(`TXT ${apex.ownership_challenge.name}`));
    assert.ok(written.includes(`TXT ${www.ownership_challenge.name}`));
    assert.ok(written.includes(`CNAME www.${zone}`), written.join());
    const single = await connect(caller, `shop.${zone}`);
    const alone = await call(app.api.url, `/v1/connections/${single.id}/records:apply`, {
      key: admin,
      body: { provider: "sandbox", fields: { token: "sandbox" }, pair: true },
    });
    assert.equal(alone.status, 409);
  });

  it("is found and shared by either name, and keeps its direction", async () => {
    const zone = freshZone();
    const [apex, www] = both(await pair(zone, { customer_ref: "12", canonical: "www" }));
    const mine = await token({ customer_ref: "12" });
    const read = async (id: string) => {
      const answer = await call(app.api.url, `/v1/connections/${id}`, { key: mine });
      return answer.json()["partner_id"];
    };
    assert.deepEqual([await read(apex.id), await read(www.id)], [www.id, apex.id]);
    const body = { domain: zone };
    const checked = await call(app.api.url, "/v1/domains:check", { key: mine, body });
    assert.equal((checked.json()["pair"] as { recommended: string }).recommended, "www");
    for (const { id } of [apex, www]) {
      const made = await call(app.api.url, `/v1/connections/${id}/share`, {
        key: mine,
        method: "POST",
      });
      const { pathname } = new URL(textOf(made, "url"));
      const page = await call(app.api.url, pathname);
      assert.match(page.text, new RegExp(`Connect www.${zone} and ${zone} to`));
      assert.match(page.text, new RegExp(`Visitors of ${zone} are sent on to www.${zone}`));
      assert.equal(page.text.match(/<article class="record">/g)?.length, 4, page.text);
      const file = await call(app.api.url, `${pathname}/zone.txt`);
      for (const one of [apex, www]) assert.ok(file.text.includes(one.ownership_challenge.value));
    }
    const single = await connect(caller, `shop.${zone}`);
    const { key } = caller;
    const alone = await call(app.api.url, `/v1/connections/${single.id}`, { key });
    assert.equal(alone.json()["partner_id"], null);
    const end = `/v1/connections/${apex.id}`;
    assert.equal((await call(app.api.url, end, { key: mine, method: "DELETE" })).status, 200);
    assert.equal(await read(www.id), null, "its partner is gone");
  });

  it("is reported by a check: which two, whether the other is in use, and who has them", async () => {
    const zone = freshZone();
    const records = [{ host: `www.${zone}`, type: "A", value: "203.0.113.5", ttl: 60 }];
    const { key } = caller;
    const path = `/v1/sandbox/zones/${zone}/records`;
    await call(app.api.url, path, { key, method: "PUT", body: { records } });
    const check = async (domain: string, by: string) => {
      const answer = await call(app.api.url, "/v1/domains:check", { key: by, body: { domain } });
      assert.equal(answer.status, 200, answer.text);
      const { pair: found, claim } = answer.json();
      return { pair: found, claim };
    };
    const names = { apex: zone, www: `www.${zone}` };
    const mine = await token({ customer_ref: "10" });
    assert.deepEqual(await check(zone, mine), {
      claim: "free",
      pair: { ...names, other_in_use: true, other_claim: "free", recommended: "apex" },
    });
    assert.deepEqual(await check(`www.${zone}`, mine), {
      claim: "free",
      pair: { ...names, other_in_use: false, other_claim: "free", recommended: "www" },
    });
    assert.equal((await check(`shop.${zone}`, mine)).pair, null);
    const [apex] = both(await pair(zone, {}, mine));
    const { name, value } = apex.ownership_challenge;
    const proof = [{ host: name, type: "TXT", value }];
    await call(app.api.url, path, { key, method: "PUT", body: { records: proof } });
    const verify = `/v1/connections/${apex.id}/verify`;
    assert.equal((await call(app.api.url, verify, { key, method: "POST" })).status, 200);
    assert.equal((await check(zone, mine)).claim, "own");
    const strangers = [await token({ customer_ref: "11" }), await token({}), key];
    for (const stranger of strangers) assert.equal((await check(zone, stranger)).claim, "held");
    const other = (await check(`www.${zone}`, strangers[0] ?? "")).pair as { other_claim: string };
    assert.equal(other.other_claim, "held");
  });
});
