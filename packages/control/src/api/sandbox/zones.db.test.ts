import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Call, call, codeOf } from "@mooring/testing/control/http";
import { sandboxNameservers } from "../../domain/sandbox/sandbox.ts";
import type { NewTenant } from "../../services/operator/tenants.ts";

const edge = { host: "shop", type: "CNAME", value: "edge.example.net" };

describe("sandbox zones", () => {
  let app: TestApp;
  let acme: NewTenant;
  let other: NewTenant;
  before(async () => {
    app = await startTestApp();
    [acme, other] = [await app.tenant("Acme"), await app.tenant("Other")];
  });
  after(() => app.close());

  const freshZone = () => `acme-${randomBytes(6).toString("hex")}.test`;
  const at = (zone: string, options: Call = {}) =>
    call(app.api.url, `/v1/sandbox/zones/${zone}/records`, { key: acme.keys.test, ...options });
  const put = (zone: string, body: unknown, options: Call = {}) =>
    at(zone, { method: "PUT", body, ...options });

  it("replaces the records, and answers absolute hosts and canonical values", async () => {
    const zone = freshZone();
    const empty = { zone, nameservers: [...sandboxNameservers], records: [] };
    const unwritten = await at(zone);
    assert.deepEqual([unwritten.status, unwritten.json()], [200, empty]);
    const body = {
      records: [
        edge,
        { host: "@", type: "mx", value: "Mail.Example.NET.", priority: 10, ttl: 300 },
        { host: `WWW.${zone}.`, type: "A", value: "192.0.2.1" },
        { host: `x.${zone}`, type: "TXT", value: "y" },
        { host: "*", type: "CNAME", value: "edge.example.net" },
        { host: "*.shop", type: "A", value: "192.0.2.2" },
        edge,
      ],
    };
    const written = await put(zone.toUpperCase(), body);
    assert.equal(written.status, 200);
    const record = (host: string, type: string, value: string) => ({
      host,
      type,
      value,
      ttl: 60,
      priority: null,
    });
    const expected = {
      ...empty,
      records: [
        record(`shop.${zone}`, "CNAME", "edge.example.net"),
        { host: zone, type: "MX", value: "mail.example.net", ttl: 300, priority: 10 },
        record(`www.${zone}`, "A", "192.0.2.1"),
        record(`x.${zone}`, "TXT", "y"),
        record(`*.${zone}`, "CNAME", "edge.example.net"),
        record(`*.shop.${zone}`, "A", "192.0.2.2"),
      ],
    };
    assert.deepEqual(written.json(), expected);
    assert.deepEqual((await at(zone)).json(), expected);
    const servers = ["ada.ns.cloudflare.com", "zoe.ns.cloudflare.com"];
    const replaced = await put(zone, { records: [], nameservers: servers });
    assert.deepEqual(replaced.json(), { zone, nameservers: servers, records: [] });
    assert.deepEqual((await put(zone, { records: [] })).json(), empty);
  });

  it("names every record that is wrong, and leaves the zone as it was", async () => {
    const zone = freshZone();
    await put(zone, { records: [edge] });
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ host: "a", type: "A", value: "nonsense" }, /"records.0.value","message":"An A record/],
      [{ host: "a.b.test", type: "A", value: "192.0.2.1" }, /outside of the zone/],
      [{ host: "a.example.com.", type: "A", value: "192.0.2.1" }, /outside of the zone/],
      [{ host: "a b", type: "A", value: "192.0.2.1" }, /"records.0.host"/],
      [{ host: "*.", type: "A", value: "192.0.2.1" }, /"records.0.host"/],
      [{ host: "a.*", type: "A", value: "192.0.2.1" }, /"records.0.host"/],
      [{ host: "a", type: "MX", value: "m.example" }, /"records.0.priority"/],
      [{ host: "a", type: "PTR", value: "m.example" }, /"records.0.type"/],
      [{ host: "@", type: "NS", value: "ns.example" }, /given as nameservers/],
      [{ host: "a", type: "A", value: "192.0.2.1", note: "x" }, /"records.0.note".*unknown field/],
    ];
    for (const [wrong, message] of cases) {
      const refused = await put(zone, { records: [wrong] });
      assert.deepEqual([refused.status, codeOf(refused)], [400, "invalid"], refused.text);
      assert.match(refused.text, message);
    }
    const clash = await put(zone, { records: [edge, { host: "shop", type: "TXT", value: "x" }] });
    assert.match(clash.text, /beside which nothing else can be/);
    const alias = { host: "@", type: "ALIAS", value: "edge.example.net" };
    const doubled = await put(zone, {
      records: [alias, { ...alias, type: "A", value: "192.0.2.1" }],
    });
    assert.match(doubled.text, /beside which no address/);
    const servers = await put(zone, { records: [], nameservers: ["ok.example", "not valid"] });
    assert.match(servers.text, /"nameservers.1"/);
    const many = Array.from({ length: 501 }, (_, index) => ({
      host: `h${index}`,
      type: "A",
      value: "192.0.2.1",
    }));
    assert.equal((await put(zone, { records: many })).status, 400);
    assert.equal((await put(zone, { records: [...many.slice(2), edge] })).status, 200);
    const stored = (await at(zone)).json()["records"];
    assert.ok(Array.isArray(stored) && stored.length === 500);
  });

  it("takes only names directly under .test for zones", async () => {
    for (const zone of [
      "shop.acme.test",
      "test",
      "acme.example",
      "192.0.2.1",
      "sandbox.test",
      "a_b.test",
    ]) {
      for (const method of ["GET", "DELETE"]) {
        const refused = await at(zone, { method });
        assert.deepEqual([refused.status, codeOf(refused)], [400, "invalid"], zone);
      }
      assert.equal((await put(zone, { records: [] })).status, 400, zone);
    }
  });

  it("belongs to the tenant that wrote it first, until it is deleted", async () => {
    const zone = freshZone();
    await put(zone, { records: [edge] });
    const key = other.keys.test;
    const refused = await put(zone, { records: [] }, { key });
    assert.deepEqual([refused.status, codeOf(refused)], [409, "conflict"]);
    for (const method of ["GET", "DELETE"]) {
      const hidden = await at(zone, { key, method });
      assert.deepEqual([hidden.status, codeOf(hidden)], [404, "not_found"]);
    }
    assert.equal((await at(zone, { method: "DELETE" })).status, 204);
    assert.equal((await at(zone, { method: "DELETE" })).status, 204);
    assert.equal((await put(zone, { records: [edge] }, { key })).status, 200);
    assert.equal((await at(zone)).status, 404);
  });

  it("gives a zone to exactly one of many tenants that write it at once", async () => {
    const zone = freshZone();
    const keys = [acme.keys.test, other.keys.test];
    const writes = Array.from({ length: 6 }, (_, index) =>
      put(zone, { records: [{ ...edge, host: `h${index}` }] }, { key: keys[index % 2] ?? "" }),
    );
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    const reads = await Promise.all(keys.map((key) => at(zone, { key })));
    assert.deepEqual(reads.map(({ status }) => status).sort(), [200, 404]);
    const winner = reads[0]?.status === 200 ? 0 : 1;
    assert.deepEqual(
      statuses,
      statuses.map((_, index) => (index % 2 === winner ? 200 : 409)),
    );
  });

  it("is not there for a live key, and refuses a key without the scope", async () => {
    const zone = freshZone();
    const key = acme.keys.live;
    const list = await call(app.api.url, "/v1/sandbox/zones", { key });
    assert.deepEqual([list.status, codeOf(list)], [404, "not_found"]);
    assert.equal((await at(zone, { key })).status, 404);
    assert.equal((await put(zone, { records: [] }, { key })).status, 404);
    assert.equal((await at(zone, { key, method: "DELETE" })).status, 404);
    const applications = await call(app.api.url, "/v1/applications", { key: acme.keys.test });
    const [application] = applications.json()["data"] as { id: string }[];
    const path = `/v1/applications/${application?.id}/keys`;
    const body = { name: "reader", scopes: ["connections:read"] };
    const made = await call(app.api.url, path, { key: acme.keys.test, body });
    const reader = String(made.json()["secret"]);
    assert.equal((await at(zone, { key: reader })).status, 200);
    assert.equal((await put(zone, { records: [] }, { key: reader })).status, 403);
    assert.equal((await at(zone, { key: reader, method: "DELETE" })).status, 403);
  });

  it("lists the tenant's zones by page, and holds a hundred of them", async () => {
    const { keys } = await app.tenant("Collector");
    const names = Array.from({ length: 100 }, freshZone);
    for (const name of names) {
      const made = await put(name, { records: [edge] }, { key: keys.test });
      assert.equal(made.status, 200, made.text);
      app.clock.advance(1);
    }
    const full = await put(freshZone(), { records: [] }, { key: keys.test });
    assert.deepEqual([full.status, codeOf(full)], [409, "conflict"]);
    assert.equal((await put(names[0] ?? "", { records: [] }, { key: keys.test })).status, 200);
    const seen: unknown[] = [];
    let query = "?limit=60";
    for (let pages = 0; pages < 2; pages += 1) {
      const page = await call(app.api.url, `/v1/sandbox/zones${query}`, { key: keys.test });
      const { data, next_cursor } = page.json();
      assert.ok(Array.isArray(data));
      seen.push(...data.map((item: { zone: unknown }) => item.zone));
      assert.deepEqual(Object.keys(data[0] ?? {}).sort(), [
        "created_at",
        "nameservers",
        "record_count",
        "updated_at",
        "zone",
      ]);
      query = `?limit=60&cursor=${String(next_cursor)}`;
      assert.equal(next_cursor === null, pages === 1);
    }
    assert.deepEqual(seen, names.toReversed());
  });
});
