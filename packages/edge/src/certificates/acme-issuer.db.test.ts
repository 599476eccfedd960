import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { fastTimings } from "../../../../test/support/acme-issue.ts";
import { type ScriptedAcme, startScriptedAcme } from "../../../../test/support/scripted-acme.ts";
import { problem } from "../../../../test/support/scripted-acme-ca.ts";
import { until } from "../../../../test/support/until.ts";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
} from "../../test/support/edge-database.ts";
import { createTestVault, issueParts, tableOf } from "../../test/support/issuing.ts";
import { claimDueCertificates, type WantedCertificate } from "../db/certificates.ts";
import type { Host } from "../hosts/host.ts";
import { parseChain } from "../tls/chain.ts";
import { createAcmeIssuer } from "./acme-issuer.ts";
import { createBudget } from "./budget.ts";
import { type IssueParts, issueCertificate } from "./issue.ts";
import { askRenewalInfo } from "./renewal-info.ts";

const hour = 3_600_000;
const day = 24 * hour;
const never = new AbortController().signal;

describe("certificates from an ACME CA", { timeout: 60_000 }, () => {
  let database: EdgeDatabase;
  let acme: ScriptedAcme;
  const vault = createTestVault();
  const clock = createMovableClock();

  before(async () => {
    database = await openEdgeDatabase();
    acme = await startScriptedAcme({
      clock,
      profiles: { tlsserver: "for web servers" },
      certificateSeconds: 45 * 86_400,
    });
  });
  beforeEach(async () => {
    acme.intervene = () => null;
    acme.seen.length = 0;
    await database.admin.query("update certificates set due_at = null, ari_due_at = null");
    await database.admin.query("delete from issuance_budget");
  });
  after(async () => {
    await acme.stop();
    await database.close();
  });

  /** A separate process, from the view of the CA and the database. */
  function edgeFor(host: Host): IssueParts {
    const base = { pool: database.pool, vault, clock };
    const { directoryUrl: directory, fetch } = acme;
    const client = { fetch, timings: fastTimings };
    const issuer = createAcmeIssuer({ ...base, random: () => 0.5, directory, client });
    const budget = createBudget(database.pool, clock);
    return issueParts(base, tableOf(host), [issuer], { budget });
  }

  async function wanted(hostname: string): Promise<Host> {
    const host = await database.hold(hostname);
    await database.want(host, clock.now());
    return host;
  }

  async function lease(lane: "first" | "renewal"): Promise<WantedCertificate> {
    const leasedUntil = new Date(clock.now().getTime() + 30_000);
    const [row] = await claimDueCertificates(database.pool, lane, clock.now(), leasedUntil, 1);
    assert.ok(row, "nothing was due");
    return row;
  }

  async function served(hostname: string): Promise<{ host: Host; edge: IssueParts; leaf: string }> {
    const host = await wanted(hostname);
    const edge = edgeFor(host);
    await issueCertificate(edge, await lease("first"), never);
    const leaf = parseChain(String((await database.row(hostname))["chain"])).leaf.ariId;
    assert.ok(leaf !== null);
    return { host, edge, leaf };
  }

  const ordered = () =>
    acme.seen
      .filter(({ resource, isNew }) => resource === "order" && isNew)
      .map((one) => one.payload);

  const spent = async (): Promise<number> =>
    (await database.admin.query("select from issuance_budget")).rows.length;

  it("are renewed when the CA suggests, in an order that names what it replaces", async () => {
    const { host, edge, leaf } = await served("window.example");
    assert.deepEqual(
      ordered().map((one) => [one?.["profile"], one?.["replaces"]]),
      [["tlsserver", undefined]],
    );
    clock.advance(8 * hour);
    assert.equal(await askRenewalInfo(edge, never), 1);
    const row = await database.row(host.hostname);
    const [notBefore, dueAt] = [row["not_before"], row["due_at"]];
    assert.ok(notBefore instanceof Date && dueAt instanceof Date);
    // The scripted CA suggests two days from three fifths of the life on.
    const dueDay = (dueAt.getTime() - notBefore.getTime()) / day;
    assert.ok(dueDay > 27 && dueDay < 29.1, `due on day ${dueDay}`);
    clock.advance(dueAt.getTime() - clock.now().getTime());
    await issueCertificate(edge, await lease("renewal"), never);
    assert.equal(ordered()[1]?.["replaces"], leaf);
    assert.notEqual((await database.row(host.hostname))["issue_id"], row["issue_id"]);
    assert.equal(await spent(), 5, "the renewal took from its own lane");
  });

  it("are replaced at once when the CA draws the window into the past", async () => {
    const { host, edge, leaf } = await served("revoked.example");
    clock.advance(8 * hour);
    const past = (hours: number) => new Date(clock.now().getTime() - hours * hour).toISOString();
    acme.intervene = ({ resource }) =>
      resource === "ari"
        ? { status: 200, body: { suggestedWindow: { start: past(2), end: past(1) } } }
        : null;
    await askRenewalInfo(edge, never);
    assert.equal((await database.row(host.hostname))["status"], "revoked");
    await issueCertificate(edge, await lease("renewal"), never);
    assert.equal(ordered()[1]?.["replaces"], leaf);
    assert.equal((await database.row(host.hostname))["status"], "issued");
  });

  it("are renewed all the same when the CA says that the old one was already replaced", async () => {
    const { edge, leaf } = await served("twice.example");
    clock.advance(31 * day);
    let isLost = false;
    acme.intervene = ({ resource, isNew }) => {
      if (resource !== "order" || !isNew || isLost) return null;
      isLost = true;
      return "lose";
    };
    await issueCertificate(edge, await lease("renewal"), never);
    const replaces = ordered().map((one) => one?.["replaces"]);
    assert.deepEqual(replaces, [undefined, leaf, leaf, undefined]);
    assert.equal((await database.row("twice.example"))["status"], "issued");
  });

  it("wait at least as long as the CA says, and hold up no other name", async () => {
    const host = await wanted("limited.example");
    acme.intervene = ({ payload }) =>
      JSON.stringify(payload ?? {}).includes(host.hostname)
        ? { ...problem(429, "rateLimited"), headers: { "retry-after": "5400" } }
        : null;
    const startedAt = clock.now().getTime();
    await issueCertificate(edgeFor(host), await lease("first"), never);
    const row = await database.row(host.hostname);
    assert.equal(row["error_code"], "ca_rate_limited");
    const dueAt = row["due_at"];
    assert.ok(dueAt instanceof Date && dueAt.getTime() >= startedAt + 5_400_000);
    await served("free.example");
  });

  it("spend no budget while the CA is away", async () => {
    const host = await wanted("away.example");
    acme.intervene = () => "reset";
    const edge = edgeFor(host);
    for (const pause of [2, 20, 200]) {
      await issueCertificate(edge, await lease("first"), never);
      clock.advance(pause * 60_000);
    }
    assert.equal(await spent(), 0);
    acme.intervene = () => null;
    await issueCertificate(edge, await lease("first"), never);
    assert.equal((await database.row(host.hostname))["status"], "issued");
    assert.equal(await spent(), 4);
  });

  for (const step of ["authz", "challenge", "finalize", "certificate"] as const) {
    it(`go on with the same order elsewhere when the edge ends at its ${step}`, async () => {
      const host = await wanted(`ended-${step}.example`);
      const ending = new AbortController();
      acme.intervene = ({ resource }) => (resource === step ? "hang" : null);
      const first = issueCertificate(edgeFor(host), await lease("first"), ending.signal);
      await until(() => acme.seen.some(({ resource }) => resource === step));
      ending.abort(new Error("ended"));
      await assert.rejects(first);
      acme.intervene = () => null;
      clock.advance(31_000);
      await issueCertificate(edgeFor(host), await lease("first"), never);
      assert.equal((await database.row(host.hostname))["status"], "issued");
      assert.equal(ordered().length, 1, "one order in all");
      const { rows } = await database.admin.query<{ name: string }>(
        "select from acme_orders where hostname = $1",
        [host.hostname],
      );
      assert.equal(rows.length, 0, "a completed order is deleted");
      assert.equal(await spent(), 4);
    });
  }

  it("go on with the same order after it was finalised and before its certificate was stored", async () => {
    const host = await wanted("unstored.example");
    const edge = edgeFor(host);
    const lost = { ...(await lease("first")), version: -1 };
    await issueCertificate(edge, lost, never);
    assert.equal((await database.row(host.hostname))["chain"], null);
    clock.advance(31_000);
    await issueCertificate(edgeFor(host), await lease("first"), never);
    assert.equal((await database.row(host.hostname))["status"], "issued");
    assert.equal(ordered().length, 1);
  });
});
