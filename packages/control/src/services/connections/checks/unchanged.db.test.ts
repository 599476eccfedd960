import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  get,
  issueCertificates,
  type Made,
  proofRecord,
  putZone,
  readState,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";
import { type Database, openDatabase } from "../../../db/engine/pool.ts";
import {
  claimDueConnections,
  type DueConnection,
  releaseConnection,
  requestRecheck,
} from "../../../db/queries/connections/due-connections.ts";
import { emptyObservation } from "../../../domain/connections/observation.ts";
import { applyObservation } from "../transition.ts";

const hour = 3_600_000;
const leaseMs = 30_000;
const share = { recent: 32, running: 32 };

describe("the queue of checks", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let workers: Database;
  /** The running worker's clock does not get there: only the test leases then. */
  let far = 0;
  before(async () => {
    life = await startLifecycle();
    caller = await life.caller("Acme");
    workers = openDatabase({ url: life.app.databaseUrl, role: "mooring_worker", max: 2 });
  });
  after(async () => {
    await workers.close();
    await life.close();
  });

  async function goLive(): Promise<Made> {
    const zone = freshZone();
    const made = await connect(caller, `shop.${zone}`);
    await putZone(caller, zone, [proofRecord(made), toEdge(made)]);
    await life.reach(made.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    await life.checkAll();
    return made;
  }

  const row = async (id: string) => {
    const { rows } = await life.session.query(
      `select c.xmin::text as written, c.version, c.leased_until as old_lease, k.due_at, k.leased_until,
         k.version as lease, k.recheck_requested, k.last_checked_at, k.lane
       from connections c left join connection_checks k on k.connection_id = c.id where c.id = $1`,
      [id],
    );
    assert.ok(rows[0]);
    return rows[0];
  };

  const goFar = (): void => {
    far = Math.max(far, life.app.clock.now().getTime()) + 100 * hour;
  };
  const later = (ms: number): Date => new Date(far + ms);
  async function lease(id: string, ms = 0): Promise<DueConnection | undefined> {
    const work = { busy: [], shares: { tenant: share, test: share } };
    const claimed = await claimDueConnections(workers, later(ms), later(ms + leaseMs), 32, work);
    const others = claimed.filter((one) => one.id !== id);
    const now = life.app.clock.now();
    await Promise.all(others.map((one) => releaseConnection(workers, one, now, 0)));
    return claimed.find((one) => one.id === id);
  }
  const write = (due: DueConnection) =>
    applyObservation(life.app.operator, due, emptyObservation, { lease: due.lease });

  it("is all that a check writes that changes nothing, and readers see when it was", async () => {
    const made = await goLive();
    const before = await row(made.id);
    await life.checkAll(hour);
    await life.checkAll(hour);
    const after = await row(made.id);
    assert.equal(after.written, before.written, "the connection was written");
    assert.ok(after.last_checked_at.getTime() >= before.last_checked_at.getTime() + hour);
    for (const filter of ["hostname", "q"]) {
      const path = `/v1/connections?${filter}=${made.hostname}`;
      const list = (await call(caller.base, path, { key: caller.key })).json();
      const [listed] = list["data"] as { last_checked_at: string; next_check_at: string }[];
      assert.ok(listed && new Date(listed.last_checked_at) >= after.last_checked_at);
      assert.ok(listed.next_check_at > listed.last_checked_at);
    }
    const shown = (await get(caller, made.id)).json();
    const observed = shown["observed_records"] as { readonly observed_at: string }[];
    assert.ok(observed.length > 0);
    for (const { observed_at } of observed) {
      assert.ok(new Date(observed_at) >= after.last_checked_at, observed_at);
    }
    // What does change something is written as ever.
    await putZone(caller, made.hostname.split(".").slice(1).join("."), []);
    await life.checkAll();
    await life.checkAll(6_000);
    assert.equal(await readState(life.session, made.id), "drifted");
    assert.deepEqual(await life.broken(), []);
  });

  it("refuses what a worker writes whose lease another has taken, whether it changes anything or not", async () => {
    const made = await goLive();
    goFar();
    const first = await lease(made.id);
    const second = await lease(made.id, leaseMs);
    assert.ok(first && second && first.lease < second.lease);
    const before = await row(made.id);
    assert.equal(await write(first), null);
    assert.equal(await write({ ...first, errorCode: "check_failed" }), null);
    assert.deepEqual(await row(made.id), before);
    assert.ok(await write(second));
    assert.equal(await write(second), null, "a lease is for one write");
  });

  it("repeats a check at once for which somebody asked while it ran", async () => {
    const made = await goLive();
    goFar();
    const due = await lease(made.id);
    assert.ok(due);
    const asked = later(1_000);
    await life.app.operator.transaction((tx) => requestRecheck(tx, made.id, asked));
    const { leased_until, recheck_requested } = await row(made.id);
    assert.equal(recheck_requested, true);
    assert.ok(leased_until > asked, "the lease was cut short");
    assert.ok(await write(due));
    await until(async () => {
      const { lease } = await row(made.id);
      return Number(lease) > due.lease + 1;
    }, "a check by the worker");
  });

  describe("beside workers of the release before, which know of connections alone", () => {
    const oldClaim = async (id: string, ms: number) => {
      const { rows } = await life.session.query(
        `update connections c set leased_until = $2, due_at = $2, version = c.version + 1, recheck_requested = false
         where id = $1 returning version`,
        [id, later(ms + leaseMs)],
      );
      return rows[0]?.version as number | undefined;
    };
    const oldWrite = async (id: string, version: number, dueAt: Date) => {
      const { rowCount } = await life.session.query(
        `update connections set due_at = $3, leased_until = null, recheck_requested = false, failures = 0,
           version = version + 1 where id = $1 and version = $2`,
        [id, version, dueAt],
      );
      return rowCount;
    };

    it("gives no row to both, and refuses the write of the one that came first", async () => {
      const made = await goLive();
      goFar();
      const ours = await lease(made.id);
      assert.ok(ours);
      assert.equal(
        await oldClaim(made.id, 1_000),
        undefined,
        "taken from a worker of this release",
      );
      const theirs = await oldClaim(made.id, leaseMs + 1_000);
      assert.ok(theirs !== undefined);
      assert.equal(await write(ours), null);
      assert.equal(await lease(made.id, leaseMs + 2_000), undefined, "taken from the old worker");
      const taken = await lease(made.id, 2 * leaseMs + 1_000);
      assert.ok(taken);
      assert.equal(await oldWrite(made.id, theirs, later(hour)), 0, "a late write");
      assert.ok(await write(taken));
    });

    it("queues what they write and what they ask for", async () => {
      const made = await goLive();
      goFar();
      const theirs = await oldClaim(made.id, 0);
      assert.ok(theirs !== undefined);
      assert.deepEqual((await row(made.id)).leased_until, later(leaseMs));
      assert.equal(await oldWrite(made.id, theirs, later(hour)), 1);
      const written = await row(made.id);
      assert.deepEqual([written.due_at, written.leased_until], [later(hour), null]);
      const ours = await lease(made.id, 2 * hour);
      assert.ok(ours);
      const ask = "update connections set due_at = $2, recheck_requested = false where id = $1";
      await life.session.query(ask, [made.id, later(2 * hour)]);
      const asked = await row(made.id);
      assert.equal(asked.recheck_requested, true);
      assert.deepEqual(asked.leased_until, later(2 * hour + leaseMs));
      assert.ok(await write(ours));
    });

    it("queues what they made before there was the queue", async () => {
      const made = await goLive();
      await life.session.query("delete from connection_checks where connection_id = $1", [made.id]);
      await life.session.query("call fill_connection_checks()");
      const { due_at, lane } = await row(made.id);
      assert.ok(due_at !== null);
      assert.equal(lane, 1);
      assert.deepEqual(await life.broken(), []);
      await life.checkAll();
    });
  });
});
