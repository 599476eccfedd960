import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { connect, openCaller } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import type { TenantScope } from "../../../domain/tenancy.ts";
import { type Database, openDatabase } from "../../engine/pool.ts";
import { type ConnectionPageRequest, connectionPageLoader } from "./connection-pages.ts";
import { selectConnection } from "./connections.ts";
import { connectionLoader } from "./read-connections.ts";

describe("hot reads of connections", () => {
  let app: TestApp;
  let database: Database;
  const shops: { readonly scope: TenantScope; readonly ids: readonly string[] }[] = [];
  before(async () => {
    app = await startTestApp({ DNS_RESOLVERS: "127.0.0.1:1" });
    database = openDatabase({ url: app.databaseUrl, role: "mooring_api" });
    for (const name of ["acme", "bolt"]) {
      const { tenant, keys } = await app.tenant(name);
      const caller = await openCaller(app.api.url, keys.test);
      const ids: string[] = [];
      for (const label of ["one", "two", "three"]) {
        ids.push((await connect(caller, `${label}.${name}.test`)).id);
        app.clock.advance(1_000);
      }
      shops.push({ scope: { tenantId: tenant.id, environment: "test" }, ids });
    }
  });
  after(async () => {
    await database.close();
    await app.close();
  });

  it("read what the ordinary query reads, for several tenants in one round trip", async () => {
    const loader = connectionLoader(database);
    const keys = shops.flatMap(({ scope, ids }) => ids.map((id) => ({ ...scope, id })));
    const found = await Promise.all(keys.map((key) => loader.load(key)));
    for (const [index, { id, ...scope }] of keys.entries()) {
      const expected = await database.tenant(scope, (tx) => selectConnection(tx, id));
      assert.deepEqual(found[index]?.connection, expected);
    }
  });

  it("find nothing under another tenant or environment, also beside that tenant's own read", async () => {
    const loader = connectionLoader(database);
    const [acme, bolt] = shops;
    assert.ok(acme && bolt);
    const id = acme.ids[0] ?? "";
    const [own, other, live] = await Promise.all([
      loader.load({ ...acme.scope, id }),
      loader.load({ ...bolt.scope, id }),
      loader.load({ ...acme.scope, environment: "live", id }),
    ]);
    assert.equal(own?.connection.id, id);
    assert.equal(other, null);
    assert.equal(live, null);
    const pages = connectionPageLoader(database);
    const request = { state: null, hostname: null, limit: 20, after: null };
    const listed = await Promise.all(shops.map(({ scope }) => pages.load({ scope, ...request })));
    assert.deepEqual(
      listed.map((page) => page?.items.map((item) => item.id)),
      shops.map(({ ids }) => [...ids].reverse()),
    );
  });

  it("leave no tenant set on the connection they used", async () => {
    const single = openDatabase({ url: app.databaseUrl, role: "mooring_api", max: 1 });
    const [acme] = shops;
    assert.ok(acme);
    await connectionLoader(single).load({ ...acme.scope, id: acme.ids[0] ?? "" });
    const request = { state: null, hostname: null, limit: 1, after: null };
    await connectionPageLoader(single).load({ scope: acme.scope, ...request });
    const { rows } = await single.pool.query("select id from connections");
    assert.deepEqual(rows, []);
    await single.close();
  });

  it("page through every filter without a gap or a repetition", async () => {
    const [acme] = shops;
    assert.ok(acme);
    for (const filter of [
      { state: null, hostname: null, expected: [...acme.ids].reverse() },
      { state: "pending_ownership" as const, hostname: null, expected: [...acme.ids].reverse() },
      { state: "live" as const, hostname: null, expected: [] },
      { state: null, hostname: "two.acme.test", expected: [acme.ids[1]] },
      { state: "live" as const, hostname: "two.acme.test", expected: [] },
    ]) {
      const ids: string[] = [];
      const pages = connectionPageLoader(database);
      let after: ConnectionPageRequest["after"] = null;
      do {
        const page = await pages.load({ scope: acme.scope, ...filter, limit: 1, after });
        ids.push(...(page?.items ?? []).map((item) => item.id));
        after = page?.next ?? null;
      } while (after);
      assert.deepEqual(ids, filter.expected);
    }
  });

  it("make ids of version 7 that carry the given time", async () => {
    const at = new Date("2026-11-15T12:00:00.123Z");
    const { rows } = await database.pool.query<{ id: string }>(
      "select new_id($1) as id from generate_series(1, 50)",
      [at],
    );
    const prefix = at.getTime().toString(16).padStart(12, "0");
    const shape = new RegExp(`^${prefix.slice(0, 8)}-${prefix.slice(8)}-7[0-9a-f]{3}-[89ab]`);
    for (const { id } of rows) assert.match(id, shape);
    assert.equal(new Set(rows.map(({ id }) => id)).size, 50);
  });
});
