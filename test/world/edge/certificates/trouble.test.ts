import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  get,
  type Made,
  proofRecord,
  putZone,
  toEdge,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type ClockCa, createClockCa } from "@mooring/testing/edge/clock-ca";
import { silent } from "@mooring/testing/edge/edge-database";
import { createTestVault, issueParts } from "@mooring/testing/edge/issuing";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";
import {
  type IssueLoop,
  startIssueLoop,
} from "../../../../packages/edge/src/certificates/issue/issue-loop.ts";
import { openPool } from "../../../../packages/edge/src/db/pool.ts";
import { createKnownHosts } from "../../../../packages/edge/src/hosts/view/known-hosts.ts";

const hour = 3_600_000;
const day = 24 * hour;

interface CertificateData {
  readonly not_after: string | null;
  readonly reason: string | null;
  readonly next_attempt_at: string | null;
}

/** The API, a worker and the edge's loops on one clock that the test moves over weeks. */
describe("a certificate that cannot be renewed", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let pool: pg.Pool;
  let ca: ClockCa;
  let loop: IssueLoop;

  before(async () => {
    life = await startLifecycle();
    caller = await life.caller("Acme");
    const { clock, databaseUrl } = life.app;
    pool = openPool(databaseUrl, () => undefined);
    ca = createClockCa(clock);
    const hosts = createKnownHosts({ pool, log: silent, clock });
    const vault = createTestVault();
    const parts = issueParts({ pool, vault, clock }, hosts, [ca]);
    await hosts.start(null);
    // Instead of the edge's subscription.
    const reading = setInterval(() => void hosts.catchUp().catch(() => undefined), 100);
    const running = startIssueLoop(parts);
    loop = {
      wake: running.wake,
      async stop() {
        clearInterval(reading);
        await running.stop();
        await hosts.close();
      },
    };
  });
  beforeEach(() => {
    ca.isAway = false;
  });
  after(async () => {
    await loop.stop();
    await pool.end();
    await life.close();
  });

  async function goLive(): Promise<Made & { readonly zone: string }> {
    const zone = freshZone();
    const made = await connect(caller, `n1.${zone}`);
    await write({ ...made, zone });
    await until(async () => {
      loop.wake();
      return (await codes(made.id))[0] === "live";
    }, "live");
    return { ...made, zone };
  }

  function write(made: Made & { readonly zone: string }, ...more: ZoneLine[]): Promise<void> {
    return putZone(caller, made.zone, [proofRecord(made), toEdge(made), ...more]);
  }

  async function codes(id: string): Promise<unknown[]> {
    const detail = (await get(caller, id)).json();
    return [detail["state"], detail["error_code"]];
  }

  async function events(id: string): Promise<readonly (readonly [string, CertificateData])[]> {
    const { rows } = await life.session.query<{ body: string }>(
      "select body from events where connection_id = $1 and type like 'certificate.%' order by sequence",
      [id],
    );
    return rows.map(({ body }) => {
      const event = JSON.parse(body) as { type: string; data: { certificate: CertificateData } };
      return [event.type, event.data.certificate] as const;
    });
  }

  async function readError(id: string): Promise<string | null> {
    const { rows } = await life.session.query<{ error_code: string | null }>(
      "select error_code from certificates where connection_id = $1",
      [id],
    );
    return rows[0]?.error_code ?? null;
  }
  const types = async (id: string): Promise<string[]> => (await events(id)).map(([type]) => type);

  /** A check that began before the zone was written may end after it. */
  function checkUntil(id: string, code: string | null): Promise<void> {
    return until(async () => {
      await life.checkAll(2_000);
      return (await codes(id))[1] === code;
    }, `the error code ${code}`);
  }

  /** Moves the clock in steps; after each, the edge tries what is due and control checks. */
  async function pass(ms: number, stepMs: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      life.app.clock.advance(Math.min(stepMs, ms - passed));
      await until(async () => {
        loop.wake();
        const { rowCount } = await life.session.query(
          "select 1 from certificates where due_at <= $1 or leased_until > $1",
          [life.app.clock.now()],
        );
        return rowCount === 0;
      }, "the renewals that are due");
      await life.checkAll();
    }
  }

  it("is at risk in the last third of its life, then expired, and recovers once", async () => {
    const { id } = await goLive();
    ca.isAway = true;
    await pass(28 * day, 2 * day);
    await pass(36 * hour, 12 * hour);
    assert.equal(await readError(id), "ca_unavailable", "the renewal does not succeed");
    assert.deepEqual(await codes(id), ["live", null], "over a third of 45 days is left");
    await pass(2 * day, 12 * hour);
    assert.deepEqual(await codes(id), ["live", "certificate_at_risk"]);
    const [risk] = await events(id);
    const now = life.app.clock.now();
    assert.equal(risk?.[0], "certificate.at_risk");
    assert.equal(risk[1].reason, "renewal_failed");
    assert.ok(new Date(risk[1].not_after ?? 0) > now);
    assert.ok(risk[1].next_attempt_at !== null);
    const path = `/v1/connections/${id}/diagnosis`;
    const diagnosis = await call(caller.base, path, { key: caller.key });
    assert.match(diagnosis.text, /"code":"certificate_at_risk","severity":"warning"/);
    await pass(14 * day, 2 * day);
    assert.deepEqual(await codes(id), ["live", "certificate_expired"]);
    assert.deepEqual(await types(id), ["certificate.at_risk", "certificate.expired"]);
    ca.isAway = false;
    await pass(day, 6 * hour);
    assert.deepEqual(await codes(id), ["live", null]);
    assert.deepEqual(await types(id), [
      "certificate.at_risk",
      "certificate.expired",
      "certificate.recovered",
    ]);
    assert.deepEqual(await life.broken(), []);
  });

  it("is at risk while CAA forbids the CA, whatever its age", async () => {
    const made = await goLive();
    await write(made, { host: made.zone, type: "CAA", value: '0 issue "ca.example.net"' });
    await checkUntil(made.id, "certificate_at_risk");
    const [risk] = await events(made.id);
    assert.equal(risk?.[1].reason, "caa_forbidden");
    await life.checkAll();
    assert.deepEqual(await types(made.id), ["certificate.at_risk"]);
    await write(made);
    await checkUntil(made.id, null);
    assert.deepEqual(await types(made.id), ["certificate.at_risk", "certificate.recovered"]);
  });

  it("has expired when the CA withdraws it and gives no other", async () => {
    const made = await goLive();
    ca.isAway = true;
    await life.session.query(
      `update certificates set renewal_info = '{"withdrawn": true}', status = 'revoked', due_at = $2
       where hostname = $1`,
      [made.hostname, life.app.clock.now()],
    );
    await pass(hour, hour);
    assert.deepEqual(await codes(made.id), ["live", "certificate_expired"]);
    assert.deepEqual(await types(made.id), ["certificate.expired"]);
    assert.equal((await events(made.id))[0]?.[1].reason, "revoked");
    ca.isAway = false;
    await pass(day, 6 * hour);
    assert.deepEqual(await types(made.id), ["certificate.expired", "certificate.recovered"]);
  });
});
