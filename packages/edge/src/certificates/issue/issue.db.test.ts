import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
} from "@mooring/testing/edge/edge-database";
import {
  createHostTable,
  createNotingIssuer,
  createTestVault,
  issueParts,
  unlimited,
} from "@mooring/testing/edge/issuing";
import { until } from "@mooring/testing/processes/until";
import { claimDueCertificates, type DueCertificate, type Lane } from "../../db/certificates.ts";
import type { Host } from "../../hosts/host.ts";
import { issueCertificate } from "./issue.ts";
import { startIssueLoop } from "./issue-loop.ts";
import { IssueError, type Issuer } from "./issuer.ts";
import { NotReady } from "./not-ready.ts";

const minute = 60_000;
const never = new AbortController().signal;

describe("issuing a certificate", () => {
  let database: EdgeDatabase;
  const vault = createTestVault();
  const clock = createMovableClock();
  before(async () => {
    database = await openEdgeDatabase();
  });
  after(() => database.close());

  const base = () => ({ pool: database.pool, vault, clock });

  /** A name that is held, its row leased by this test. */
  async function leased(hostname: string): Promise<{ host: Host; due: DueCertificate }> {
    const host = await database.hold(hostname);
    await database.want(host, clock.now());
    return { host, due: await lease(hostname) };
  }

  async function lease(hostname: string, lane: Lane = "first"): Promise<DueCertificate> {
    const now = clock.now();
    const until = new Date(now.getTime() + 30_000);
    const rows = await claimDueCertificates(database.pool, lane, now, until, 100);
    const row = rows.find((each) => each.hostname === hostname);
    assert.ok(row, "the row was not due");
    return row;
  }

  it("stores it under the lease, announces it, and says when it is renewed", async () => {
    const { host, due } = await leased("good.example");
    await database.admin.query("listen mooring_certificates");
    const notified = once(database.admin, "notification");
    const issuer = createNotingIssuer(base());
    await issueCertificate(issueParts(base(), createHostTable(host), [issuer]), due, never);
    assert.equal((await notified)[0].payload, host.hostname);
    const row = await database.row(host.hostname);
    assert.deepEqual(
      [row["status"], row["failures"], row["leased_until"], row["issuer"]],
      ["issued", 0, null, "local"],
    );
    assert.deepEqual(row["due_at"], row["renew_at"]);
    assert.ok(!String(row["sealed_key"]).includes("PRIVATE KEY"));
  });

  it("never stores what was made for a claim that another has taken over", async () => {
    const { host, due } = await leased("taken.example");
    const issuer = createNotingIssuer(base(), async () => {
      await database.release(host.hostname);
      await database.want(await database.hold(host.hostname), clock.now());
    });
    await issueCertificate(issueParts(base(), createHostTable(host), [issuer]), due, never);
    assert.equal(issuer.orders.length, 1);
    const row = await database.row(host.hostname);
    assert.deepEqual([row["status"], row["chain"], row["issue_id"]], ["pending", null, null]);
    assert.notEqual(Number(row["epoch"]), host.epoch);
  });

  it("never stores it for a released name, even while its row still exists", async () => {
    const { host, due } = await leased("given-up.example");
    const issuer = createNotingIssuer(base(), () => database.release(host.hostname));
    await issueCertificate(issueParts(base(), createHostTable(host), [issuer]), due, never);
    assert.equal((await database.row(host.hostname))["chain"], null);
  });

  it("stores nothing and counts no failure once another edge has the lease", async () => {
    const { host, due } = await leased("lost.example");
    const issuer = createNotingIssuer(base(), async () => {
      clock.advance(31_000);
      await lease(host.hostname);
    });
    const parts = issueParts(base(), createHostTable(host), [issuer]);
    await issueCertificate(parts, due, never);
    const held = await database.row(host.hostname);
    assert.deepEqual([held["status"], held["chain"]], ["pending", null]);
    const failing = createNotingIssuer(base(), async () => {
      throw new IssueError("certificate_failed", "too late to matter");
    });
    await issueCertificate(issueParts(base(), createHostTable(host), [failing]), due, never);
    assert.deepEqual(await database.row(host.hostname), held);
  });

  const refusals = {
    "without permission": { permission: { isAllowed: async () => false } },
    "for a claim it does not know yet": { hosts: createHostTable() },
    "when the preflight fails": {
      preflight: {
        check: async () => {
          throw new IssueError("caa_forbidden", "CAA");
        },
      },
    },
    "while DNS does not lead here": {
      preflight: { check: () => Promise.reject(new NotReady("not there yet", 1_800)) },
    },
    "while the budget is used up": {
      budget: {
        ...unlimited,
        take: async () => ({
          isGranted: false as const,
          waitMs: 90_000,
          code: "ca_rate_limited" as const,
          position: { queue: "orders:local", virtualStart: 7 },
        }),
      },
    },
  };
  const outcomes: Readonly<
    Record<keyof typeof refusals, readonly [string | null, number, number]>
  > = {
    "without permission": ["certificate_failed", 0, 10_000],
    "for a claim it does not know yet": [null, 0, 1_000],
    "when the preflight fails": ["caa_forbidden", 1, minute],
    "while DNS does not lead here": [null, 0, 3_000],
    "while the budget is used up": ["ca_rate_limited", 0, 90_000],
  };
  for (const [index, title] of Object.keys(refusals).entries()) {
    it(`makes no order ${title}`, async () => {
      const key = title as keyof typeof refusals;
      const { host, due } = await leased(`no-order-${index}.example`);
      const issuer = { ...createNotingIssuer(base()), isLimited: true };
      const parts = issueParts(base(), createHostTable(host), [issuer], refusals[key]);
      const startedAt = clock.now().getTime();
      await issueCertificate(parts, due, never);
      assert.deepEqual(issuer.orders, []);
      const row = await database.row(host.hostname);
      const [code, failures, afterMs] = outcomes[key];
      assert.deepEqual([row["error_code"], row["failures"]], [code, failures]);
      const dueAt = row["due_at"];
      assert.ok(dueAt instanceof Date);
      assert.ok(dueAt.getTime() >= startedAt + afterMs && dueAt <= later(afterMs), "due then");
    });
  }

  const later = (ms: number): Date => new Date(clock.now().getTime() + ms);

  it("waits for DNS in short, growing steps, until the old answer has run out at the latest", async () => {
    const { host, due } = await leased("patient.example");
    // Stopped: a step is measured from the attempt, however long the test takes.
    let at = clock.now();
    const stopped = { ...base(), clock: { now: () => at } };
    const issuer = createNotingIssuer(stopped);
    let cacheSeconds = 1_800;
    const preflight = { check: () => Promise.reject(new NotReady("not there yet", cacheSeconds)) };
    const parts = issueParts(stopped, createHostTable(host), [issuer], { preflight });
    const steps: number[] = [];
    const next = async (): Promise<DueCertificate> => {
      clock.advance(Math.max(0, at.getTime() - clock.now().getTime()));
      return lease(host.hostname);
    };
    const wait = async (row: DueCertificate): Promise<void> => {
      await issueCertificate(parts, row, never);
      const { due_at: dueAt, status, failures } = await database.row(host.hostname);
      assert.ok(dueAt instanceof Date);
      assert.deepEqual([status, failures], ["pending", 0]);
      const stepMs = dueAt.getTime() - at.getTime();
      steps.push(Math.ceil(stepMs / 1_000));
      at = new Date(dueAt.getTime() + 1);
    };
    await wait(due);
    for (let step = 0; step < 8; step += 1) await wait(await next());
    cacheSeconds = 20;
    await wait(await next());
    assert.deepEqual(steps, [3, 6, 12, 24, 48, 96, 192, 300, 300, 20]);
    await issueCertificate(
      issueParts(stopped, createHostTable(host), [issuer]),
      await next(),
      never,
    );
    const { status, waits, last_error: lastError } = await database.row(host.hostname);
    assert.deepEqual([status, waits, lastError], ["issued", 0, null]);
  });

  it("tries again after a failed validation when the CA's caches have dropped the old answer", async () => {
    const { host } = await leased("cached.example");
    const refusing = createNotingIssuer(base(), async () => {
      throw new IssueError("certificate_failed", "the CA found another address");
    });
    const cachedUntil = later(40_000);
    await database.admin.query(
      "update certificates set leased_until = null, cached_until = $2, failures = 2 where hostname = $1",
      [host.hostname, cachedUntil],
    );
    const parts = issueParts(base(), createHostTable(host), [refusing, refusing]);
    await issueCertificate(parts, await lease(host.hostname), never);
    const { due_at: dueAt } = await database.row(host.hostname);
    assert.ok(dueAt instanceof Date && dueAt >= cachedUntil && dueAt <= later(46_000));
    clock.advance(50_000);
    await issueCertificate(parts, await lease(host.hostname), never);
    const { due_at: nextAt } = await database.row(host.hostname);
    assert.ok(nextAt instanceof Date && nextAt > later(3_600_000), "then the usual steps count");
  });

  it("counts a renewal of a name that no longer resolves to us as failed", async () => {
    const { host } = await leased("left.example");
    await issueCertificate(
      issueParts(base(), createHostTable(host), [createNotingIssuer(base())]),
      await (async () => {
        clock.advance(31_000);
        return lease(host.hostname);
      })(),
      never,
    );
    clock.advance(40 * 86_400_000);
    const now = clock.now();
    const rows = await claimDueCertificates(database.pool, "renewal", now, later(30_000), 100);
    const renewal = rows.find((row) => row.hostname === host.hostname);
    assert.ok(renewal);
    const preflight = { check: () => Promise.reject(new NotReady("it leads elsewhere", 60)) };
    const parts = issueParts(base(), createHostTable(host), [createNotingIssuer(base())], {
      preflight,
    });
    await issueCertificate(parts, renewal, never);
    const { failures, error_code: code } = await database.row(host.hostname);
    assert.deepEqual([failures, code], [1, "certificate_failed"]);
  });

  it("waits longer after each failure, and as long as the CA asked, and tries the next CA", async () => {
    const { host, due } = await leased("failing.example");
    const refusing = createNotingIssuer(base(), async () => {
      throw new IssueError("ca_rate_limited", "too many", { retryAfterSeconds: 7_200 });
    });
    const other = createNotingIssuer(base());
    const parts = issueParts(base(), createHostTable(host), [refusing, other]);
    await issueCertificate(parts, due, never);
    const row = await database.row(host.hostname);
    const dueAt = row["due_at"];
    assert.ok(dueAt instanceof Date && dueAt > later(7_190_000) && dueAt <= later(7_200_000));
    clock.advance(7_200_000);
    await issueCertificate(parts, await lease(host.hostname), never);
    assert.deepEqual([refusing.orders.length, other.orders.length], [2, 0]);
    clock.advance(7_200_000);
    await issueCertificate(parts, await lease(host.hostname), never);
    assert.deepEqual([refusing.orders.length, other.orders.length], [2, 1]);
    assert.equal((await database.row(host.hostname))["failures"], 0);
  });

  /** Two CAs, of which CAA forbids the named ones. */
  function choosing(host: Host, forbidden: readonly string[]) {
    const [one, two] = ["one", "two"].map((name) => ({
      ...createNotingIssuer(base()),
      name,
      isLimited: true,
    }));
    assert.ok(one && two);
    const checked: string[] = [];
    const preflight = {
      check: async (_host: Host, { name }: Issuer) => {
        checked.push(name);
        if (forbidden.includes(name)) throw new IssueError("caa_forbidden", `CAA and ${name}`);
        return undefined;
      },
    };
    const parts = issueParts(base(), createHostTable(host), [one, two], { preflight });
    return { one, two, checked, parts };
  }

  it("orders at the CA that CAA allows in the first attempt, and there first from then on", async () => {
    const { host, due } = await leased("caa-allows.example");
    const { one, two, checked, parts } = choosing(host, ["one"]);
    await issueCertificate(parts, due, never);
    assert.deepEqual([one.orders.length, two.orders.length], [0, 1]);
    const row = await database.row(host.hostname);
    assert.deepEqual([row["issuer"], row["failures"]], ["two", 0]);
    await database.admin.query("update certificates set due_at = $2 where hostname = $1", [
      host.hostname,
      clock.now(),
    ]);
    checked.length = 0;
    await issueCertificate(parts, await lease(host.hostname, "renewal"), never);
    assert.deepEqual(checked, ["two"]);
  });

  it("fails a name that no CA may have, and says what the first one found", async () => {
    const { host, due } = await leased("caa-forbids.example");
    const { checked, parts } = choosing(host, ["one", "two"]);
    await issueCertificate(parts, due, never);
    const row = await database.row(host.hostname);
    assert.deepEqual([row["error_code"], row["last_error"]], ["caa_forbidden", "CAA and one"]);
    assert.deepEqual(checked, ["one", "two"]);
  });

  it("orders a new name at the next CA when one limits or is away, and counts no failure", async () => {
    for (const code of ["ca_rate_limited", "ca_unavailable"] as const) {
      const { host, due } = await leased(`${code.replace("_", "-").replace("_", "-")}.example`);
      const { two, parts } = choosing(host, []);
      const refusing = {
        ...createNotingIssuer(base(), async () => {
          throw new IssueError(code, "not now");
        }),
        name: "one",
        isLimited: true,
      };
      await issueCertificate({ ...parts, issuersFor: () => [refusing, two] }, due, never);
      assert.deepEqual([refusing.orders.length, two.orders.length], [1, 1]);
      assert.equal((await database.row(host.hostname))["failures"], 0);
    }
  });

  it("claims names one by one between tenants, however many one of them has", async () => {
    const many = Array.from({ length: 30 }, (_, index) => `many-${index}.example`);
    await database.hold(...many);
    const at = new Date(clock.now().getTime() - 120_000);
    await database.admin.query(
      `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, status, due_at,
         created_at)
       select hostname, connection_id, tenant_id, environment, epoch, 'pending', $1, $1 from claims
       where hostname like 'many-%'`,
      [at],
    );
    const few = await database.hold("few.example");
    await database.want(few, clock.now());
    await database.admin.query(
      "update certificates set tenant_id = gen_random_uuid() where hostname = 'few.example'",
    );
    const rows = await claimDueCertificates(database.pool, "first", clock.now(), later(30_000), 4);
    const names = rows.map(({ hostname }) => hostname);
    assert.ok(names.includes("few.example"), names.join());
    await database.admin.query("update certificates set due_at = null");
  });

  it("counts nothing against the name that failed because the edge stops", async () => {
    const { host, due } = await leased("stopped.example");
    const stopping = new AbortController();
    const cut = new IssueError("certificate_failed", "the lookup was aborted");
    const parts = issueParts(base(), createHostTable(host), [createNotingIssuer(base())], {
      preflight: {
        check: async () => {
          stopping.abort();
          throw cut;
        },
      },
    });
    const before = await database.row(host.hostname);
    await assert.rejects(issueCertificate(parts, due, stopping.signal), cut);
    assert.deepEqual(await database.row(host.hostname), before);
  });

  it("gives its lease back when it stops, so that another edge continues at once", async () => {
    const host = await database.hold("stopping.example");
    const stuck = createNotingIssuer(base(), async (_host, signal) => {
      await new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    });
    await database.want(host, clock.now());
    const loop = startIssueLoop(issueParts(base(), createHostTable(host), [stuck]));
    await until(() => stuck.orders.length === 1);
    await loop.stop();
    const row = await database.row(host.hostname);
    assert.deepEqual([row["leased_until"], row["failures"]], [null, 0]);
    assert.equal((await lease(host.hostname)).epoch, host.epoch);
  });
});
