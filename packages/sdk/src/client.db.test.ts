import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { Mooring } from "./client.ts";
import { ApiError } from "./errors.ts";

describe("the client against the real API", () => {
  let app: TestApp;
  let mooring: Mooring;
  before(async () => {
    app = await startTestApp();
    const { keys } = await app.tenant("Acme");
    mooring = new Mooring({ apiKey: keys.test, baseUrl: app.api.url });
  });
  after(() => app.close());

  it("creates, reads, changes and lists applications", async () => {
    const made = await mooring.applications.create({ name: "Shop" });
    assert.equal(made.environment, "test");
    assert.deepEqual(await mooring.applications.get(made.id), made);
    const body = { allowed_origins: ["https://shop.example"] };
    const changed = await mooring.applications.update(made.id, body);
    assert.deepEqual(changed, { ...made, ...body });
    const names = (await mooring.applications.list().toArray()).map(({ name }) => name);
    assert.deepEqual(names.sort(), ["Default", "Shop"]);
  });

  it("iterates pages newest first and yields each item once", async () => {
    const { keys } = await app.tenant("Pager");
    const pager = new Mooring({ apiKey: keys.test, baseUrl: app.api.url });
    for (const name of ["a", "b", "c", "d"]) {
      app.clock.advance(5);
      await pager.applications.create({ name });
    }
    const names: string[] = [];
    for await (const { name } of pager.applications.list({ limit: 2 })) names.push(name);
    assert.deepEqual(names, ["d", "c", "b", "a", "Default"]);
  });

  it("creates once with one Idempotency-Key", async () => {
    const options = { idempotencyKey: "order-7" };
    const first = await mooring.applications.create({ name: "Once" }, options);
    const again = await mooring.applications.create({ name: "Once" }, options);
    assert.equal(again.id, first.id);
    await assert.rejects(mooring.applications.create({ name: "Other" }, options), {
      code: "idempotency_mismatch",
      status: 422,
    });
  });

  it("creates a key that authenticates until it is revoked", async () => {
    const { id } = await mooring.applications.create({ name: "Keys" });
    const made = await mooring.keys.create(id, { name: "ci", scopes: ["apps:admin"] });
    const other = new Mooring({ apiKey: made.secret, baseUrl: app.api.url });
    assert.equal((await other.applications.get(id)).id, id);
    const listed = await mooring.keys.list(id).toArray();
    assert.deepEqual(
      listed.map((key) => [key.id, key.scopes, "secret" in key]),
      [[made.id, ["apps:admin"], false]],
    );
    const revoked = await mooring.keys.revoke(id, made.id);
    assert.notEqual(revoked.revoked_at, null);
    await assert.rejects(other.applications.get(id), { code: "unauthorized", status: 401 });
  });

  it("stores, lists and deletes a credential whose fields are never returned", async () => {
    const { id } = await mooring.applications.create({ name: "DNS" });
    const [provider] = (await mooring.providers.list()).filter(
      ({ credential_fields }) => credential_fields.length > 0,
    );
    assert.ok(provider);
    const fields = Object.fromEntries(
      provider.credential_fields.map(({ key }) => [key, "value-of-the-field"]),
    );
    const body = { provider: provider.slug, name: "zone", fields };
    const stored = await mooring.credentials.store(id, body);
    assert.doesNotMatch(JSON.stringify(stored), /value-of-the-field/);
    assert.deepEqual(await mooring.credentials.list(id).toArray(), [stored]);
    assert.equal(await mooring.credentials.delete(id, stored.id), undefined);
    assert.deepEqual(await mooring.credentials.list(id).toArray(), []);
  });

  it("mints a widget token with the widget's permissions only", async () => {
    const { id } = await mooring.applications.create({ name: "Widget" });
    const { auth_token, expires_at } = await mooring.tokens.mint({ application_id: id });
    assert.ok(Date.parse(expires_at) > app.clock.now().getTime());
    const widget = new Mooring({ token: auth_token, baseUrl: app.api.url });
    await assert.rejects(widget.applications.get(id), { code: "forbidden", status: 403 });
  });

  it("reads usage and plans", async () => {
    const usage = await mooring.usage.get();
    assert.equal(typeof usage.counters.api_call, "number");
    const plans = await mooring.plans.list();
    assert.ok(plans.some(({ id }) => id === usage.plan));
    const past = await mooring.call("get_usage", { query: { period: "2020-01" } });
    assert.equal(past.period.start.slice(0, 7), "2020-01");
  });

  it("writes, reads and deletes a sandbox zone", async () => {
    const zone = "zoned.test";
    const records = [{ host: "www", type: "A", value: "192.0.2.7", ttl: 60 }];
    const written = await mooring.sandbox.replace(zone, { records });
    assert.deepEqual(
      written.records.map(({ host, value }) => [host, value]),
      [[`www.${zone}`, "192.0.2.7"]],
    );
    assert.deepEqual(await mooring.sandbox.get(zone), written);
    const listed = await mooring.sandbox.list().toArray();
    assert.deepEqual(
      listed.map((one) => [one.zone, one.record_count]),
      [[zone, 1]],
    );
    assert.equal(await mooring.sandbox.delete(zone), undefined);
  });

  it("takes a connection from the domain check to its deletion", async () => {
    const { id } = await mooring.applications.create({ name: "Connect" });
    const hostname = "shop.connected.test";
    await mooring.sandbox.replace("connected.test", { records: [] });
    const check = await mooring.domains.check({ domain: hostname, application_id: id });
    assert.deepEqual([check.domain, check.apex], [hostname, false]);

    const made = await mooring.connections.create({ application_id: id, hostname });
    assert.equal(made.state, "pending_ownership");
    const { name, value } = made.ownership_challenge;
    assert.equal(name, `_service-challenge.${hostname}`);
    await assert.rejects(mooring.connections.verify(made.id), { code: "ownership_not_found" });

    const records = [{ host: name, type: "TXT", value }];
    await mooring.sandbox.replace("connected.test", { records });
    assert.equal((await mooring.connections.verify(made.id)).id, made.id);
    const { records: checked, early } = await mooring.connections.checkRecords(made.id);
    assert.ok(checked.length > 0 && checked.every(({ propagated }) => !propagated));
    assert.equal(early, true, "nobody could have added them yet");
    const said = await mooring.connections.checkRecords(made.id, { added: "true" });
    assert.deepEqual([said.records.length, said.early], [checked.length, false]);

    const detail = await mooring.connections.get(made.id);
    assert.equal(detail.desired_records.length, checked.length);
    const found = await mooring.connections.list({ hostname }).toArray();
    assert.deepEqual(
      found.map((one) => one.id),
      [made.id],
    );
    const kinds = (await mooring.connections.events(made.id).toArray()).map(({ kind }) => kind);
    assert.ok(kinds.includes("state"));
    assert.equal((await mooring.connections.delete(made.id)).state, "archived");
  });

  it("generates mail records, and sets mail up for a connection", async () => {
    const body = { domain: "acme.example", provider: "google" } as const;
    const generated = await mooring.email.records(body);
    assert.equal(generated.provider, "google_workspace");
    assert.ok(generated.records.some(({ type }) => type === "MX"));
    const { id } = await mooring.applications.create({ name: "Mail" });
    const hostname = "sdk-mail.test";
    const made = await mooring.connections.create({ application_id: id, hostname });
    const applied = await mooring.email.apply(made.id, { provider: "zoho" });
    assert.deepEqual([applied.applied, applied.domain], [false, hostname]);
    assert.equal(applied.manual_records.length, 5);
    const wrong = { provider: "zoho", inputs: { data_centre: "mars" } } as const;
    await assert.rejects(mooring.email.apply(made.id, wrong), { code: "invalid" });
  });

  it("reads Domain Connect templates, and gets the reason why Domain Connect cannot start", async () => {
    const { id } = await mooring.applications.create({ name: "Consent" });
    const { templates } = await mooring.applications.domainConnectTemplate(id);
    assert.deepEqual(
      templates.map(({ file_name }) => file_name),
      ["mooring.example.apex.json", "mooring.example.sub.json", "mooring.example.pair.json"],
    );
    const hostname = "shop.sdk-consent.test";
    const made = await mooring.connections.create({ application_id: id, hostname });
    await assert.rejects(mooring.connections.startDomainConnect(made.id), (error) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, "conflict");
      assert.match(JSON.stringify(error.details), /"reason":"no_https"/);
      return true;
    });
  });

  it("reads the subscription, and gets an error when billing is not configured", async () => {
    assert.equal((await mooring.subscription.get()).status, "none");
    const plan = (await mooring.plans.list()).at(-1)?.id ?? "";
    await assert.rejects(mooring.subscription.start({ plan }), { code: "billing_unavailable" });
  });

  it("reports the issues and the request id of a refused call", async () => {
    await assert.rejects(mooring.applications.create({ name: "" }), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.code, error.status], ["invalid", 400]);
      assert.match(JSON.stringify(error.details), /"path":"name"/);
      assert.match(error.requestId ?? "", /^[0-9a-f-]{36}$/);
      return true;
    });
  });
});
