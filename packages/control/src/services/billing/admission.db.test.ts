import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import type { AnswerRecord } from "@mooring/dns";
import {
  archive,
  type Caller,
  connect,
  get,
  issueCertificates,
  type Made,
  openCaller,
  readState,
  verify,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";
import { setTenantPlan } from "../operator/tenants.ts";

const unlimited = { connect: null, cert: null, api_call: null };
const plans = [
  { id: "self_hosted", name: "Own", limits: { ...unlimited, active_domain: null }, price_cents: 0 },
  ...[1, 2, 3].map((limit) => ({
    id: `names_${limit}`,
    name: `${limit} names`,
    limits: { ...unlimited, active_domain: limit },
    price_cents: 0,
  })),
];

describe("names that go live under a plan", () => {
  const zone: AnswerRecord[] = [];
  let life: LifecycleApp;
  let directory: string;
  let names = 0;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-plans-"));
    const file = path.join(directory, "plans.json");
    await writeFile(file, JSON.stringify(plans));
    const servers = { "a.dns.example": zone, "b.dns.example": zone };
    const resolver = memoryResolver({ zone: "acme.example", servers, recursive: zone });
    life = await startLifecycle({ env: { PLANS_FILE: file }, resolver });
  });
  after(async () => {
    await life.close();
    await rm(directory, { recursive: true });
  });

  interface Customer extends Caller {
    readonly tenantId: string;
    plan(id: string): Promise<void>;
  }

  async function customer(plan: string): Promise<Customer> {
    const { tenant, keys } = await life.app.tenant(`on ${plan}`);
    const caller = await openCaller(life.app.api.url, keys.live);
    const set = async (id: string) => void (await setTenantPlan(life.app.operator, tenant.id, id));
    await set(plan);
    return { ...caller, tenantId: tenant.id, plan: set };
  }

  function publish({ hostname, challenge }: Made): void {
    zone.push(
      ...records(
        `_service-challenge.${hostname} 60 TXT ${challenge}`,
        `${hostname} 60 CNAME edge.localhost`,
      ),
    );
  }

  function withdraw({ hostname }: Made): void {
    for (let at = zone.length - 1; at >= 0; at -= 1) {
      if (zone[at]?.name === hostname) zone.splice(at, 1);
    }
  }

  async function proven(caller: Caller): Promise<Made> {
    names += 1;
    const made = await connect(caller, `shop-${names}.acme.example`);
    publish(made);
    assert.equal((await verify(caller, made.id)).status, 200);
    return made;
  }

  async function live(caller: Caller): Promise<Made> {
    const made = await proven(caller);
    await goLive(made);
    return made;
  }

  async function goLive({ id }: Made): Promise<void> {
    await life.reach(id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(id, "live");
  }

  async function facts(caller: Caller, { id }: Made): Promise<readonly unknown[]> {
    const body = (await get(caller, id)).json();
    return [body["state"], body["error_code"]];
  }

  const waiting = ["verified", "quota_exceeded"];

  async function isAllowed({ hostname }: Made): Promise<boolean> {
    const answer = await call(life.app.api.url, `/internal/ask?domain=${hostname}`, {});
    return answer.status === 200;
  }

  async function readUsage({ base, key }: Caller) {
    const { counters, limits, remaining } = (await call(base, "/v1/usage", { key })).json() as {
      readonly counters: Readonly<Record<string, number>>;
      readonly limits: Readonly<Record<string, number>>;
      readonly remaining: Readonly<Record<string, number>>;
    };
    return [counters["active_domain"], limits["active_domain"], remaining["active_domain"]];
  }

  it("has a proven name wait, unserved, until another one is archived", async () => {
    const caller = await customer("names_2");
    const first = await live(caller);
    await live(caller);
    const third = await proven(caller);
    assert.deepEqual(await facts(caller, third), waiting);
    assert.equal(await isAllowed(third), false, "no certificate is ordered for it");
    assert.deepEqual(await readUsage(caller), [2, 2, 0]);
    await life.checkAll(24 * 3_600_000);
    assert.deepEqual(await facts(caller, third), waiting, "waiting is not failing");
    const diagnosis = await call(caller.base, `/v1/connections/${third.id}/diagnosis`, {
      key: caller.key,
    });
    const [finding] = diagnosis.json()["findings"] as { code: string; actor: string }[];
    assert.deepEqual([finding?.code, finding?.actor], ["quota_exceeded", "tenant"]);
    await archive(caller, first.id);
    await goLive(third);
    assert.equal(await isAllowed(third), true);
    assert.deepEqual(await readUsage(caller), [2, 2, 0], "the peak was never higher");
    assert.deepEqual(await life.broken(), []);
  });

  it("lets the names that wait go on in the order of their proofs when the plan grows", async () => {
    const caller = await customer("names_1");
    await live(caller);
    const second = await proven(caller);
    life.app.clock.advance(1_000);
    const third = await proven(caller);
    assert.deepEqual(await facts(caller, third), waiting);
    await caller.plan("names_2");
    await goLive(second);
    assert.deepEqual(await facts(caller, third), waiting);
    await caller.plan("self_hosted");
    await goLive(third);
    assert.deepEqual(await life.broken(), []);
  });

  it("gives the last one to exactly one of many that are proven at once", async () => {
    const caller = await customer("names_3");
    await live(caller);
    await live(caller);
    const rivals = await Promise.all(
      Array.from({ length: 8 }, async () => {
        names += 1;
        return connect(caller, `shop-${names}.acme.example`);
      }),
    );
    for (const made of rivals) publish(made);
    await Promise.all(rivals.map(({ id }) => verify(caller, id)));
    await until(async () => {
      for (const { id } of rivals) {
        const state = await readState(life.session, id);
        if (state === "pending_ownership" || state === "verifying") return false;
      }
      return true;
    }, "a proof of each");
    const found = await Promise.all(rivals.map((made) => facts(caller, made)));
    assert.equal(found.filter(([, code]) => code === "quota_exceeded").length, 7);
    const { rows } = await life.session.query(
      "select count(*)::int as waiting from quota_waits where tenant_id = $1",
      [caller.tenantId],
    );
    assert.deepEqual(rows, [{ waiting: 7 }]);
    assert.deepEqual((await readUsage(caller))[0], 3);
    assert.deepEqual(await life.broken(), []);
  });

  it("never refuses a name that was let through, after drift under a smaller plan", async () => {
    const caller = await customer("names_2");
    const made = await live(caller);
    await live(caller);
    await caller.plan("names_1");
    withdraw(made);
    await life.checkAll(2 * 3_600_000);
    await life.checkAll(61_000);
    await life.reach(made.id, "drifted");
    publish(made);
    await life.reach(made.id, "live");
    const other = await proven(caller);
    assert.deepEqual(await facts(caller, other), waiting);
  });

  it("is not limited in the test environment", async () => {
    const { tenant, keys } = await life.app.tenant("tester");
    await setTenantPlan(life.app.operator, tenant.id, "names_1");
    const caller = await openCaller(life.app.api.url, keys.test);
    await live(caller);
    await live(caller);
  });
});
