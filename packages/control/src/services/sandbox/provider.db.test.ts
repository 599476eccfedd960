import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type DnsRecord, longestZone, ProviderError, planChanges } from "@mooring/dns";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { record, signal } from "@mooring/testing/control/sandbox";
import { makePlan } from "../../../../dns/conformance/cases/case-context.ts";
import { runConformance } from "../../../../dns/conformance/suite.ts";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  deleteSandboxZone,
  insertSandboxZone,
  pageSandboxZones,
  selectSandboxZone,
} from "../../db/queries/sandbox/sandbox-zones.ts";
import {
  fromSandboxRecord,
  sandboxNameservers,
  toSandboxRecord,
} from "../../domain/sandbox/sandbox.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import { type OpenedRuntime, openRuntime } from "../../process/open-runtime.ts";
import { createSandboxProvider } from "./provider.ts";
import { createTenantZones, type TenantZones } from "./tenant-zones.ts";

let app: TestApp;
let worker: OpenedRuntime;
let tenantId: string;
let otherId: string;
before(async () => {
  app = await startTestApp();
  const { config, databaseUrl: url, clock } = app;
  worker = await openRuntime(config, { url, role: "mooring_worker", name: "worker", clock });
  tenantId = (await app.tenant("Acme")).tenant.id;
  otherId = (await app.tenant("Other")).tenant.id;
});
after(async () => {
  await worker.close();
  await app.close();
});

function inZones<T>(work: (tx: Tx, scope: TenantScope) => Promise<T>): Promise<T> {
  const scope = { tenantId, environment: "test" } as const;
  return worker.runtime.tenant(scope, (tx) => work(tx, scope));
}

async function seed(zone: string, records: readonly DnsRecord[]): Promise<void> {
  await inZones(async (tx, scope) => {
    const now = app.clock.now();
    await deleteSandboxZone(tx, scope, zone);
    const stored = records.map((one) => toSandboxRecord(one, now));
    const row = {
      zone,
      tenantId,
      nameservers: sandboxNameservers,
      records: stored,
      updatedAt: now,
    };
    assert.ok(await insertSandboxZone(tx, row, now));
  });
}

async function storedRecords(zone: string) {
  return (await inZones((tx) => selectSandboxZone(tx, zone)))?.records ?? null;
}

async function deleteAll(): Promise<void> {
  await inZones(async (tx, scope) => {
    const { items } = await pageSandboxZones(tx, scope, { limit: 100, after: null });
    for (const { zone } of items) await deleteSandboxZone(tx, scope, zone);
  });
}

describe("the sandbox's provider", () => {
  let writes = 0;
  /** The real zones, opened late (the suite wants its adapter before the database is up). */
  const counted: TenantZones = {
    list: () => createTenantZones(worker.runtime, tenantId).list(),
    isAvailable: (zone) => createTenantZones(worker.runtime, tenantId).isAvailable(zone),
    read: (zone) => createTenantZones(worker.runtime, tenantId).read(zone),
    change: (zone, edit) =>
      createTenantZones(worker.runtime, tenantId).change(zone, (stored, shown) => {
        const result = edit(stored, shown);
        if (result) writes += 1;
        return result;
      }),
  };
  const clock = { now: () => app.clock.now() };
  const nothingIsSent = "nothing is sent anywhere";
  runConformance(createSandboxProvider({ zones: counted, clock, names: [] }), {
    simulator: async () => {
      await deleteAll();
      return {
        credentials: { token: "sandbox" },
        wrongCredentials: { token: "not-the-sandbox" },
        missingZone: { id: "absent.example", name: "absent.example", nameservers: [] },
        fetch: () => Promise.reject(new Error(nothingIsSent)),
        seed,
        records: async (zone) => ((await storedRecords(zone)) ?? []).map(fromSandboxRecord),
        writeCount: () => writes,
        fail: () => undefined,
        untilHanging: async () => undefined,
        close: async () => undefined,
      };
    },
    skippedSince: "2026-11-15",
    skip: [
      "waits as long as the provider asks, then retries",
      "hands a long wait to the caller instead of waiting",
      "gives up on persistent throttling as rate_limited",
      "reads on after one server error and reports persistent ones as unavailable",
      "takes an answer that is cut short for no answer",
      "gives up on a provider that does not answer",
      "stops at once when it is cancelled, and writes nothing",
    ].map((test) => ({ test, reason: nothingIsSent })),
  });
});

describe("sandbox writes", () => {
  const noFetch = { fetch: () => Promise.reject(new Error("nothing is sent")) };
  const open = (
    names: readonly string[],
    fields: Readonly<Record<string, string>> = {},
    tenant = tenantId,
  ) =>
    createSandboxProvider({
      zones: createTenantZones(worker.runtime, tenant),
      clock: app.clock,
      names,
    }).open({ token: "sandbox", ...fields }, noFetch);
  const isKind = (kind: string) => (error: unknown) =>
    error instanceof ProviderError && error.kind === kind;

  async function write(
    provider: ReturnType<typeof open>,
    hostname: string,
    lines: readonly string[],
  ) {
    const zone = longestZone(await provider.listZones(signal), hostname);
    assert.ok(zone, `no zone for ${hostname}`);
    const changes = lines.map((line) => ({
      id: line,
      action: "create" as const,
      record: record(line),
      existing: [],
      reason: "",
      replaceable: false,
    }));
    await provider.apply(zone, makePlan(zone.name, changes), signal);
  }

  it("create a zone that no tenant has written, which then is the tenant's", async () => {
    await deleteAll();
    const cname = "shop.fresh-a.test CNAME edge.example.net";
    await write(open(["shop.fresh-a.test"]), "shop.fresh-a.test", [cname]);
    assert.equal((await storedRecords("fresh-a.test"))?.[0]?.host, "shop.fresh-a.test");
    const theirs = open(["shop.fresh-a.test"], {}, otherId);
    assert.deepEqual(await theirs.listZones(signal), []);
    const zone = { id: "fresh-a.test", name: "fresh-a.test", nameservers: [] };
    await assert.rejects(theirs.listRecords(zone, signal), isKind("not_found"));
    await assert.rejects(theirs.apply(zone, makePlan(zone.name, []), signal), isKind("not_found"));
  });

  it("appear after the delay of the credential", async () => {
    const name = "shop.late.test";
    await write(open([name], { delay: "30" }), name, [`${name} A 192.0.2.1`]);
    const resolver = worker.runtime.dns.resolverFor("test", name);
    const outcome = async () => (await resolver.resolve(name, "A", signal)).outcome;
    assert.equal(await outcome(), "absent");
    app.clock.advance(31_000);
    assert.equal(await outcome(), "records");
  });

  it("need a delay of 0 to 60 seconds", () => {
    for (const delay of ["61", "-1", "1.5", "soon"]) {
      assert.throws(() => open([], { delay }), isKind("auth"), delay);
    }
  });

  it("are refused below reject., except the ownership TXT by itself", async () => {
    const name = "reject.picky.test";
    const proof = `_service-challenge.${name} TXT service-verify=x`;
    const cname = `${name} CNAME edge.example.net`;
    await write(open([name]), name, [proof]);
    await assert.rejects(write(open([name]), name, [cname]), isKind("unsupported"));
    await assert.rejects(write(open([name]), name, [cname, proof]), isKind("unsupported"));
    assert.deepEqual(
      (await storedRecords("picky.test"))?.map(({ type }) => type),
      ["TXT"],
    );
  });

  it("of one zone at the same time are all stored", async () => {
    const names = Array.from({ length: 8 }, (_, index) => `h${index}.busy.test`);
    await Promise.all(names.map((name) => write(open(names), name, [`${name} A 192.0.2.1`])));
    assert.deepEqual((await storedRecords("busy.test"))?.map(({ host }) => host).sort(), names);
  });

  it("are planned against what is there", async () => {
    const provider = open(["acme-plan.test"]);
    const zone = longestZone(await provider.listZones(signal), "acme-plan.test");
    assert.ok(zone);
    const desired = [record("acme-plan.test ALIAS edge.example.net")];
    const { manifest } = createSandboxProvider({
      zones: createTenantZones(worker.runtime, tenantId),
      clock: app.clock,
      names: [],
    });
    const plan = async () => {
      const listing = await provider.listRecords(zone, signal);
      const allowedNames = [zone.name];
      const input = { zone: zone.name, listing, desired, owned: [], manifest, allowedNames };
      const result = planChanges(input);
      assert.ok(result.ok);
      return result.plan;
    };
    const first = await plan();
    assert.deepEqual(
      first.changes.map(({ action }) => action),
      ["create"],
    );
    await provider.apply(zone, first, signal);
    assert.deepEqual(
      (await plan()).changes.map(({ action }) => action),
      ["keep"],
    );
  });
});
