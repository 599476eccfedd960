import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { fastTimings } from "@mooring/testing/acme/issue";
import { type ScriptedAcme, startScriptedAcme } from "@mooring/testing/acme/scripted-acme";
import { type CaFault, caFaults } from "@mooring/testing/acme/scripted-acme-faults";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
} from "@mooring/testing/edge/edge-database";
import { createHostTable, createTestVault, issueParts } from "@mooring/testing/edge/issuing";
import { claimDueCertificates } from "../../db/certificates.ts";
import type { Host } from "../../hosts/host.ts";
import { parseChain } from "../../x509/chain.ts";
import { createBudget } from "../budget/budget.ts";
import { createAcmeIssuer } from "./acme-issuer.ts";
import { type IssueParts, issueCertificate } from "./issue.ts";

const never = new AbortController().signal;
/** Short for a CA that does not answer, so that the test is. */
const silentTimings = { ...fastTimings, requestTimeoutMs: 100, tries: 2 };

describe("a CA that answers slowly, wrongly or not at all", () => {
  let database: EdgeDatabase;
  let faulty: ScriptedAcme;
  let sound: ScriptedAcme;
  let fault: CaFault | null = null;
  let names = 0;
  const vault = createTestVault();
  const clock = createMovableClock();

  before(async () => {
    database = await openEdgeDatabase();
    faulty = await startScriptedAcme({
      clock,
      forge: (request) => fault?.forge?.(request, clock.now()) ?? null,
    });
    sound = await startScriptedAcme({ clock });
  });
  beforeEach(async () => {
    faulty.seen.length = 0;
    faulty.intervene = (request) => fault?.intervene?.(request) ?? null;
    await database.admin.query("update certificates set due_at = null, ari_due_at = null");
    await database.admin.query("delete from issuance_budget");
  });
  after(async () => {
    await faulty.stop();
    await sound.stop();
    await database.close();
  });

  function edgeWith(host: Host, cas: readonly ScriptedAcme[]): IssueParts {
    const base = { pool: database.pool, vault, clock };
    const issuers = cas.map((ca) =>
      createAcmeIssuer({
        ...base,
        random: () => 0.5,
        directory: ca.directoryUrl,
        profile: null,
        client: {
          fetch: ca.fetch,
          timings: ca === faulty && fault?.isSilent ? silentTimings : fastTimings,
        },
      }),
    );
    const budget = createBudget(database.pool, clock, {
      directories: cas.map(({ directoryUrl }) => directoryUrl),
    });
    return issueParts(base, createHostTable(host), issuers, { budget });
  }

  async function newHost(): Promise<Host> {
    names += 1;
    const host = await database.hold(`n${names}.faults.example`);
    await database.want(host, clock.now());
    return host;
  }

  /** One attempt at the row, once it is due. */
  async function attempt(edge: IssueParts, host: Host): Promise<Record<string, unknown>> {
    const row = await database.row(host.hostname);
    const dueAt = row["due_at"];
    assert.ok(dueAt instanceof Date);
    clock.advance(Math.max(0, dueAt.getTime() - clock.now().getTime()) + 1);
    const until = new Date(clock.now().getTime() + 30_000);
    const [leased] = await claimDueCertificates(database.pool, "first", clock.now(), until, 1);
    assert.ok(leased, "nothing was due");
    await issueCertificate(edge, leased, never);
    return database.row(host.hostname);
  }

  for (const one of caFaults) {
    const { outcome } = one;
    it(`${one.name}: ${outcome.code}, nothing stored, served after it ends`, async () => {
      fault = one;
      const host = await newHost();
      const edge = edgeWith(host, [faulty]);
      const before = await edge.budget.left(faulty.directoryUrl);
      const row = await attempt(edge, host);
      assert.equal(row["error_code"], outcome.code, String(row["last_error"]));
      assert.equal(row["chain"], null);
      assert.equal(row["failures"], outcome.isFailure ? 1 : 0);
      const dueAt = row["due_at"];
      assert.ok(dueAt instanceof Date);
      const waitSeconds = (dueAt.getTime() - clock.now().getTime()) / 1_000;
      const [least, most] = outcome.retry;
      assert.ok(waitSeconds >= least && waitSeconds <= most, `again in ${waitSeconds} s`);
      const after = await edge.budget.left(faulty.directoryUrl);
      assert.equal(before.orders - after.orders, outcome.spent, "orders of the budget");
      fault = null;
      const served = await attempt(edgeWith(host, [faulty]), host);
      assert.equal(served["error_code"], null, String(served["last_error"]));
      assert.deepEqual(parseChain(String(served["chain"])).leaf.hostnames, [host.hostname]);
    });
  }

  it("is replaced by a second CA: at once when it waits, after two failures when the name failed", async () => {
    for (const one of caFaults) {
      fault = one;
      await database.admin.query("delete from issuance_budget");
      const host = await newHost();
      const edge = edgeWith(host, [faulty, sound]);
      const attempts = one.outcome.isFailure ? 3 : 1;
      let row: Record<string, unknown> = {};
      for (let number = 1; number <= attempts; number += 1) {
        assert.equal(row["chain"] ?? null, null, one.name);
        row = await attempt(edge, host);
      }
      assert.equal(row["issuer"], sound.directoryUrl, `${one.name}: ${String(row["last_error"])}`);
      assert.equal(row["failures"], 0, one.name);
    }
  });

  it("does not hold up other names when only one of its orders cannot be read", async () => {
    const host = await newHost();
    const edge = edgeWith(host, [faulty]);
    fault = caFaults.find(({ name }) => name.startsWith("an authorization")) ?? null;
    assert.ok(fault);
    assert.equal((await attempt(edge, host))["error_code"], "ca_unavailable");
    fault = null;
    const another = await newHost();
    const row = await attempt(edgeWith(another, [faulty]), another);
    assert.equal(row["error_code"], null, String(row["last_error"]));
  });
});
