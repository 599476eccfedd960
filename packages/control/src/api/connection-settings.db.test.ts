import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Caller, connect, freshZone, type Made } from "../../../../test/support/connecting.ts";
import { startTestApp, type TestApp } from "../../test/support/app.ts";
import { type Answer, call, textOf } from "../../test/support/http.ts";

describe("PATCH /v1/connections/{id}", () => {
  let app: TestApp;
  let caller: Caller;
  before(async () => {
    app = await startTestApp();
    caller = await callerOf("Acme");
  });
  after(() => app.close());

  async function callerOf(name: string): Promise<Caller> {
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
  async function eventsOf(id: string): Promise<unknown[]> {
    const answer = await call(app.api.url, "/v1/events?limit=100", { key: caller.key });
    const { data } = answer.json();
    assert.ok(Array.isArray(data), answer.text);
    const own = data.filter(({ data: { connection } }) => connection?.id === id);
    return own.map(({ type, sequence, data: { changed } }) => [type, sequence, changed]);
  }

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
    assert.deepEqual(await eventsOf(from.id), [
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
    const foreign = await connect(await callerOf("Other"), `foreign.${freshZone()}`);
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
    assert.deepEqual(await eventsOf(from.id), [["domain.added", 1, undefined]]);
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
    assert.deepEqual((await eventsOf(from.id))[0], ["domain.changed", 3, ["redirect_to"]]);
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
