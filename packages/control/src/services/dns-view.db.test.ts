import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { proveTxt, type Reply } from "@mooring/dns";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call } from "@mooring/testing/control/http";
import { signal } from "@mooring/testing/control/sandbox";
import { sql } from "kysely";
import type { DatabaseRole } from "../db/engine/pool.ts";
import { insertConnection } from "../db/queries/connections/connections.ts";
import type { Connection } from "../domain/connections/connection.ts";
import { newId } from "../domain/id.ts";
import { challengeName } from "../domain/ownership/ownership-challenge.ts";
import { type OpenedRuntime, openRuntime } from "../process/open-runtime.ts";
import type { NewTenant } from "./operator/tenants.ts";
import { createSandboxProvider } from "./sandbox/provider.ts";
import { createTenantZones } from "./sandbox/tenant-zones.ts";

describe("the sandbox over the database", () => {
  let app: TestApp;
  let acme: NewTenant;
  let applicationId: string;
  const opened: OpenedRuntime[] = [];
  let worker: OpenedRuntime["runtime"];
  let api: OpenedRuntime["runtime"];

  const open = async (role: DatabaseRole) => {
    const { config, databaseUrl: url, clock } = app;
    const one = await openRuntime(config, { url, role, name: role, clock });
    opened.push(one);
    return one.runtime;
  };
  before(async () => {
    app = await startTestApp({ EDGE_CNAME: "edge.example.net", EDGE_IPV4: "127.0.0.1" });
    acme = await app.tenant("Acme");
    const list = await call(app.api.url, "/v1/applications", { key: acme.keys.test });
    const [first] = list.json()["data"] as { id: string }[];
    applicationId = first?.id ?? "";
    [worker, api] = [await open("mooring_worker"), await open("mooring_api")];
  });
  after(async () => {
    await Promise.all(opened.map((one) => one.close()));
    await app.close();
  });

  const put = async (zone: string, records: readonly object[]) => {
    const path = `/v1/sandbox/zones/${zone}/records`;
    const options = { key: acme.keys.test, method: "PUT", body: { records } };
    const answer = await call(app.api.url, path, options);
    assert.equal(answer.status, 200, answer.text);
  };

  /** A connection in the middle of its life, due in an hour. */
  async function connect(hostname: string, zone: string, changes: Partial<Connection> = {}) {
    const now = app.clock.now();
    const connection: Connection = {
      id: newId(now),
      tenantId: acme.tenant.id,
      environment: "test",
      applicationId,
      hostname,
      registrableDomain: zone,
      kind: "subdomain",
      setupType: "manual",
      state: "propagating",
      provider: null,
      batchId: null,
      errorCode: null,
      challenge: "service-verify=x",
      targetLabel: null,
      pointsToTarget: false,
      ownership: null,
      mayUseCredentials: true,
      zone: null,
      pendingRecords: null,
      desiredRecords: [],
      observedRecords: [],
      phaseStartedAt: now,
      checks: 0,
      misses: 0,
      contest: null,
      redirectTo: null,
      originUrl: null,
      originHostHeader: null,
      edge: null,
      customerRef: null,
      validationLabel: null,
      validationStatus: null,
      front: null,
      cutover: null,
      firstMissAt: null,
      firstLiveAt: null,
      lastCheckedAt: null,
      certificateId: null,
      sequence: 1,
      version: 1,
      createdAt: now,
      archivedAt: null,
      ...changes,
    };
    const later = new Date(now.getTime() + 3_600_000);
    await worker.database.transaction(async (tx) => {
      await insertConnection(tx, connection, later);
      await sql`insert into claims (hostname, connection_id, tenant_id, environment, epoch, claimed_at)
        values (${hostname}, ${connection.id}, ${acme.tenant.id}, 'test', 1, ${now})`.execute(tx);
    });
    return connection;
  }

  const schedule = async (id: string) => {
    const row = await worker.database.transaction((tx) =>
      tx
        .selectFrom("connection_checks")
        .select(["due_at", "recheck_requested"])
        .where("connection_id", "=", id)
        .executeTakeFirstOrThrow(),
    );
    return {
      isDue: row.due_at !== null && row.due_at <= app.clock.now(),
      again: row.recheck_requested,
    };
  };

  const values = (reply: Reply) =>
    reply.outcome === "records" ? reply.records.map(({ value }) => value) : reply.outcome;

  it("is the same for workers and for the API, whichever wrote the zone", async () => {
    const hostname = "shop.view-a.test";
    const name = challengeName(hostname);
    await put("view-a.test", [{ host: name, type: "TXT", value: "v" }]);
    for (const runtime of [worker, api]) {
      const resolver = runtime.dns.resolverFor("test", hostname);
      const proof = await proveTxt(resolver, { name, value: "v", randomLabel: "r", signal });
      assert.equal(proof.outcome, "match");
      const edge = await resolver.resolve("edge.example.net", "A", signal);
      assert.deepEqual(values(edge), ["127.0.0.1"]);
    }
  });

  it("is for names under .test in the test environment only", () => {
    const network = worker.dns.resolverFor("live", "shop.example");
    assert.equal(worker.dns.resolverFor("test", "shop.example"), network);
    assert.equal(worker.dns.resolverFor("live", "shop.acme.test"), network);
    assert.notEqual(worker.dns.resolverFor("test", "shop.acme.test"), network);
  });

  it("makes the connections of a zone due when it is written or deleted", async () => {
    const idle = await connect("a.view-b.test", "view-b.test");
    const leased = await connect("b.view-b.test", "view-b.test");
    const elsewhere = await connect("a.view-c.test", "view-c.test");
    const until = new Date(app.clock.now().getTime() + 60_000);
    const setLease = (id: string) =>
      worker.database.transaction((tx) =>
        tx
          .updateTable("connection_checks")
          .set({ leased_until: until })
          .where("connection_id", "=", id)
          .execute(),
      );
    await setLease(leased.id);
    await put("view-b.test", []);
    assert.deepEqual(await schedule(idle.id), { isDue: true, again: false });
    assert.deepEqual(await schedule(leased.id), { isDue: false, again: true });
    assert.deepEqual(await schedule(elsewhere.id), { isDue: false, again: false });
    await put("view-c.test", []);
    const again = await connect("c.view-c.test", "view-c.test");
    const path = "/v1/sandbox/zones/view-c.test/records";
    await call(app.api.url, path, { key: acme.keys.test, method: "DELETE" });
    assert.deepEqual(await schedule(again.id), { isDue: true, again: false });
  });

  it("lets a drift. name drift after live, shows it to the provider, and is repaired by a write", async () => {
    const [zone, host] = ["view-d.test", "drift.view-d.test"];
    await put(zone, [{ host, type: "CNAME", value: "edge.example.net" }]);
    await connect(host, zone, { state: "live", firstLiveAt: app.clock.now() });
    const resolver = worker.dns.resolverFor("test", host);
    const addresses = async () => values(await resolver.resolve(host, "A", signal));
    assert.deepEqual(await addresses(), ["127.0.0.1"]);
    app.clock.advance(10_000);
    assert.deepEqual(await addresses(), ["203.0.113.9"]);
    const provider = createSandboxProvider({
      zones: createTenantZones(worker, acme.tenant.id),
      clock: app.clock,
      names: [],
    }).open({ token: "sandbox" }, { fetch });
    const hostedZone = { id: zone, name: zone, nameservers: [] };
    const { records: existing } = await provider.listRecords(hostedZone, signal);
    assert.deepEqual(
      existing.map(({ type, value }) => [type, value]),
      [["A", "203.0.113.9"]],
    );
    const requested = {
      name: host,
      type: "CNAME",
      value: "edge.example.net",
      ttl: 60,
      priority: null,
    } as const;
    const change = {
      id: "x",
      action: "update",
      record: requested,
      existing,
      reason: "",
      replaceable: true,
    } as const;
    await provider.apply(hostedZone, { zone, changes: [change] }, signal);
    assert.deepEqual(await addresses(), ["127.0.0.1"]);
    assert.equal((await provider.listRecords(hostedZone, signal)).records[0]?.type, "CNAME");
  });
});
