import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  get,
  issueCertificates,
  type Made,
  readState,
  verify,
} from "@mooring/testing/clients/connecting";
import { call, codeOf } from "@mooring/testing/control/http";
import {
  dnsFaults,
  type ScriptedDelegation,
  sometimes,
  startDelegation,
} from "@mooring/testing/dns/scripted-delegation";
import { a, cname, txt } from "@mooring/testing/dns/scripted-zone";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";

const zone = "acme.example";
const edge = "edge.mooring.example";
const hour = 3_600_000;
const minute = 61_000;
const liveCount = proofSize(20, 100);
const checks = proofSize(400, 10_000);
const faultShare = 0.2;

describe("faults of DNS", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let dns: ScriptedDelegation;
  const live: Made[] = [];
  /** What was checked without a false drift. */
  let shown: string | null = null;
  before(async () => {
    dns = await startDelegation(zone, "127.0.3");
    life = await startLifecycle({ resolver: dns.resolver, env: { EDGE_CNAME: edge } });
    caller = await life.caller("Acme", "live");
  });
  after(async () => {
    await life.close();
    await dns.stop();
  });

  const proof = ({ hostname, challenge }: Made) => txt(`_service-challenge.${hostname}`, challenge);
  const right = () => live.flatMap((made) => [proof(made), cname(made.hostname, edge)]);

  async function count(query: string): Promise<number> {
    const { rows } = await life.session.query<{ count: number }>(`select count(*)::int ${query}`);
    return rows[0]?.count ?? -1;
  }
  const inState = (state: string) => count(`from connections where state = '${state}'`);
  const misses = () => count("from timeline where details ? 'misses'");

  it("do not prevent connections from going live", async () => {
    for (let index = 0; index < liveCount; index += 1) {
      live.push(await connect(caller, `h${index}.${zone}`));
    }
    dns.set(...right());
    dns.break(sometimes(faultShare), "everywhere");
    for (let round = 0; (await inState("live")) < liveCount; round += 1) {
      assert.ok(round < 200, "still not live");
      await life.checkAll();
      await issueCertificates(life.session);
    }
    assert.equal(await count("from events where type = 'domain.flow.completed'"), liveCount);
  });

  it(`are never taken for drift: none in ${checks} checks with a fifth of the answers spoilt`, async (t) => {
    dns.set(...right());
    dns.break(sometimes(faultShare), "everywhere");
    const before = dns.asked();
    for (let done = 0; done < checks; done += liveCount) await life.checkAll(hour);
    assert.equal(await inState("live"), liveCount);
    assert.equal(await misses(), 0, "no check suspected drift");
    assert.equal(await count("from events where type = 'domain.drift'"), 0);
    t.diagnostic(`${checks} checks, ${dns.asked() - before} questions asked`);
    shown = `${checks} checks with ${faultShare * 100} % of the answers spoilt`;
  });

  for (const [name, fault] of Object.entries(dnsFaults)) {
    it(`(${name}) verifies nothing, causes no drift, and leaves no trace afterwards`, async () => {
      const made = await connect(caller, `f${Object.keys(dnsFaults).indexOf(name)}.${zone}`);
      dns.set(...right(), proof(made));
      for (const where of ["servers", "resolver"] as const) {
        dns.break(fault, where);
        const refused = await verify(caller, made.id);
        assert.deepEqual([refused.status, codeOf(refused)], [409, "ownership_not_found"], where);
        const shown = (await get(caller, made.id)).json();
        assert.equal(shown["state"], "pending_ownership", where);
        assert.match(
          String(shown["error_code"]),
          /^(dns_timeout|dns_servfail|dnssec_bogus)$/,
          where,
        );
        await life.checkAll(hour);
        await life.checkAll(minute);
      }
      assert.equal(await readState(life.session, made.id), "pending_ownership");
      assert.equal(await inState("live"), liveCount);
      assert.equal(await misses(), 0);
      dns.break(null, "everywhere");
      await until(async () => (await verify(caller, made.id)).status === 200, "verified");
      await call(caller.base, `/v1/connections/${made.id}`, { key: caller.key, method: "DELETE" });
    });
  }

  it("do not hide a change: the second check reports drift, and the next correct one restores", async () => {
    dns.break(null, "everywhere");
    dns.set(...live.map(({ hostname }) => a(hostname, "192.0.2.66")));
    await life.checkAll(hour);
    assert.equal(await inState("live"), liveCount, "one check is not enough");
    await life.checkAll();
    assert.equal(await inState("live"), liveCount, "nor are two immediately after each other");
    await life.checkAll(minute);
    assert.equal(await inState("drifted"), liveCount);
    assert.equal(await count("from events where type = 'domain.drift'"), liveCount);
    const result = "0 false drifts and suspicions; a true one found by the second check";
    if (shown !== null) recordPromise("G23", shown, result);
    dns.break(sometimes(1), "everywhere");
    await life.checkAll(hour);
    assert.equal(await inState("drifted"), liveCount, "a fault restores nothing");
    dns.break(null, "everywhere");
    dns.set(...right());
    await life.checkAll(hour);
    assert.equal(await inState("live"), liveCount);
    assert.equal(await count("from events where type = 'domain.restored'"), liveCount);
  });

  it("a record that flaps between checks never drifts", async () => {
    for (let round = 0; round < 6; round += 1) {
      dns.set(...(round % 2 === 0 ? [] : right()));
      await life.checkAll(hour);
    }
    assert.equal(await inState("live"), liveCount);
    assert.equal(
      await count("from events where type = 'domain.drift'"),
      liveCount,
      "only the earlier ones",
    );
  });

  it("break no invariant", async () => {
    assert.deepEqual(await life.broken(), []);
  });
});

describe("DNS that never answers", () => {
  it("times out with a reason, in verify and in a worker", async () => {
    const never = <T>(signal: AbortSignal): Promise<T> =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const life = await startLifecycle({
      resolver: {
        findZone: (_name, signal) => never(signal),
        askServer: (_server, _name, _type, { signal }) => never(signal),
        resolve: (_name, _type, signal) => never(signal),
      },
    });
    const caller = await life.caller("Acme", "live");
    const made = await connect(caller, `www.${zone}`);
    const [refused] = await Promise.all([verify(caller, made.id), life.checkAll()]);
    assert.deepEqual([refused.status, codeOf(refused)], [409, "ownership_not_found"]);
    const shown = (await get(caller, made.id)).json();
    assert.deepEqual([shown["state"], shown["error_code"]], ["pending_ownership", "dns_timeout"]);
    // The phase times out although no check ever got an answer.
    life.app.clock.advance(life.app.config.giveUpAfterMs);
    await life.reach(made.id, "failed");
    await life.close();
  });
});
