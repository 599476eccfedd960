import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { fastTimings } from "@mooring/testing/acme/issue";
import { type ScriptedAcme, startScriptedAcme } from "@mooring/testing/acme/scripted-acme";
import { problem } from "@mooring/testing/acme/scripted-acme-ca";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
} from "@mooring/testing/edge/edge-database";
import { createHostTable, createTestVault, issueParts } from "@mooring/testing/edge/issuing";
import { until } from "@mooring/testing/processes/until";
import { claimDueCertificates, type DueCertificate } from "../../db/certificates.ts";
import type { Host } from "../../hosts/host.ts";
import { parseChain } from "../../x509/chain.ts";
import { createBudget } from "../budget/budget.ts";
import { createAcmeIssuer } from "./acme-issuer.ts";
import { type IssueParts, issueCertificate } from "./issue.ts";
import { createIssuers } from "./issuers.ts";
import { askRenewalInfo } from "./renewal-info.ts";

const hour = 3_600_000;
const day = 24 * hour;
const never = new AbortController().signal;

describe("certificates from an ACME CA", () => {
  let database: EdgeDatabase;
  let acme: ScriptedAcme;
  const vault = createTestVault();
  const clock = createMovableClock();
  /** Names that the CA cannot validate. */
  const invalid = new Set<string>();

  before(async () => {
    database = await openEdgeDatabase();
    acme = await startScriptedAcme({
      clock,
      profiles: { tlsserver: "for web servers" },
      certificateSeconds: 45 * 86_400,
      verdict: (hostname) =>
        invalid.has(hostname)
          ? { type: "urn:ietf:params:acme:error:connection", detail: "refused", status: 400 }
          : null,
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
    const issuer = createAcmeIssuer({
      ...base,
      random: () => 0.5,
      directory,
      profile: { name: "tlsserver", isRequired: false },
      client,
    });
    const budget = createBudget(database.pool, clock, { directories: [directory] });
    return issueParts(base, createHostTable(host), [issuer], { budget });
  }

  async function due(hostname: string): Promise<Host> {
    const host = await database.hold(hostname);
    await database.want(host, clock.now());
    return host;
  }

  async function lease(lane: "first" | "renewal"): Promise<DueCertificate> {
    const leasedUntil = new Date(clock.now().getTime() + 30_000);
    const [row] = await claimDueCertificates(database.pool, lane, clock.now(), leasedUntil, 1);
    assert.ok(row, "nothing was due");
    return row;
  }

  async function served(hostname: string): Promise<{ host: Host; edge: IssueParts; leaf: string }> {
    const host = await due(hostname);
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

  /** Every new order is refused, in the words of Let's Encrypt. */
  const refuseOrders = (detail: string) => {
    acme.intervene = ({ resource, isNew }) =>
      resource === "order" && isNew
        ? { ...problem(429, "rateLimited", detail), headers: { "retry-after": "5400" } }
        : null;
  };

  /** What the row says, and in how many minutes it is due. */
  async function state(hostname: string): Promise<readonly unknown[]> {
    const { error_code: code, failures, due_at: dueAt } = await database.row(hostname);
    assert.ok(dueAt instanceof Date);
    const minutes = Math.round((dueAt.getTime() - clock.now().getTime()) / 60_000);
    return [code, failures, minutes];
  }

  it("wait as long as the CA says of a domain, and hold up no name of another", async () => {
    const host = await due("limited.example");
    refuseOrders(
      'too many certificates (50) already issued for "acme.example" in the last 168h0m0s',
    );
    const edge = edgeFor(host);
    await issueCertificate(edge, await lease("first"), never);
    assert.deepEqual(await state(host.hostname), ["ca_rate_limited", 0, 90]);
    assert.equal((await edge.budget.left(acme.directoryUrl)).orders, 300, "nothing was spent");
    acme.intervene = () => null;
    const free = await database.hold("free.example");
    await database.want(free, clock.now());
    await database.admin.query(
      "update certificates set registrable_domain = hostname where hostname = 'free.example'",
    );
    await issueCertificate(edgeFor(free), await lease("first"), never);
    assert.equal((await database.row("free.example"))["status"], "issued");
  });

  it("wait all together when the CA limits the account, and ask it nothing meanwhile", async () => {
    const host = await due("first.example");
    refuseOrders("too many new orders (300) from this account in the last 3h0m0s");
    await issueCertificate(edgeFor(host), await lease("first"), never);
    assert.deepEqual(await state(host.hostname), ["ca_rate_limited", 0, 90]);
    acme.intervene = () => null;
    acme.seen.length = 0;
    const next = await due("second.example");
    await issueCertificate(edgeFor(next), await lease("first"), never);
    assert.deepEqual(await state(next.hostname), ["ca_rate_limited", 0, 90]);
    assert.deepEqual(acme.seen, []);
    clock.advance(91 * 60_000);
    for (const _ of [host, next]) {
      const due = await lease("first");
      const leased = due.hostname === host.hostname ? host : next;
      await issueCertificate(edgeFor(leased), due, never);
    }
    for (const { hostname } of [host, next]) {
      assert.equal((await database.row(hostname))["status"], "issued");
    }
  });

  it("spend no budget and fail no name while the CA is away", async () => {
    const host = await due("away.example");
    acme.intervene = () => "reset";
    const edge = edgeFor(host);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await issueCertificate(edge, await lease("first"), never);
      const row = await database.row(host.hostname);
      assert.deepEqual([row["error_code"], row["failures"]], ["ca_unavailable", 0]);
      clock.advance(11 * 60_000);
    }
    assert.equal((await edge.budget.left(acme.directoryUrl)).orders, 300);
    acme.intervene = () => null;
    await issueCertificate(edge, await lease("first"), never);
    assert.equal((await database.row(host.hostname))["status"], "issued");
    assert.equal((await edge.budget.left(acme.directoryUrl)).orders, 299);
  });

  it("are validated only by a method that CAA allows, and the account is stored for its check", async () => {
    for (const method of ["http-01", "tls-alpn-01"]) {
      const host = await due(`by-${method}.example`);
      const edge = { ...edgeFor(host), preflight: { check: async () => [method] } };
      acme.seen.length = 0;
      await issueCertificate(edge, await lease("first"), never);
      const answered = acme.seen.filter(({ resource }) => resource === "challenge");
      assert.ok(answered.length > 0 && answered.every(({ path }) => path.endsWith(method)));
      const [issuer] = edge.issuersFor(host);
      const uri = await issuer?.accountUri?.(never);
      const { rows } = await database.admin.query("select url from acme_accounts");
      assert.deepEqual(rows, [{ url: uri }]);
    }
  });

  it("leave the CA's own words with the row, as one bounded line, until one is issued", async () => {
    const words = async (hostname: string) => (await database.row(hostname))["ca_error"];
    const host = await due("words.example");
    invalid.add(host.hostname);
    await issueCertificate(edgeFor(host), await lease("first"), never);
    invalid.clear();
    const type = "urn:ietf:params:acme:error:connection";
    assert.deepEqual(await words(host.hostname), { type, detail: "refused" });
    clock.advance(hour);
    const hostile = `too many\u0000 certificates\n\u202e<b>already issued</b> ${"x".repeat(5_000)}`;
    refuseOrders(hostile);
    await issueCertificate(edgeFor(host), await lease("first"), never);
    const { type: limited, detail } = (await words(host.hostname)) as Record<string, string>;
    assert.equal(limited, "urn:ietf:params:acme:error:rateLimited");
    assert.match(detail ?? "", /^too many certificates <b>already issued<\/b> x+$/);
    assert.equal(detail?.length, 500);
    acme.intervene = () => null;
    clock.advance(2 * hour);
    await issueCertificate(edgeFor(host), await lease("first"), never);
    assert.equal((await database.row(host.hostname))["status"], "issued");
    assert.equal(await words(host.hostname), null);
  });

  it("do not show what the CA says about the operator's account", async () => {
    const host = await due("account.example");
    acme.intervene = ({ resource, isNew }) =>
      resource === "order" && isNew ? problem(403, "unauthorized", "account 7 is gone") : null;
    await issueCertificate(edgeFor(host), await lease("first"), never);
    const row = await database.row(host.hostname);
    assert.deepEqual([row["error_code"], row["ca_error"]], ["ca_unavailable", null]);
  });

  it("are tried again within the hour after three failed validations", async () => {
    const host = await due("invalid.example");
    invalid.add(host.hostname);
    const edge = edgeFor(host);
    for (const failures of [1, 2, 3]) {
      await issueCertificate(edge, await lease("first"), never);
      assert.equal((await database.row(host.hostname))["failures"], failures);
      clock.advance(111 * 60_000);
    }
    invalid.clear();
    // The old limit of three orders for one name would hold it for 54 hours.
    await issueCertificate(edge, await lease("first"), never);
    assert.equal((await database.row(host.hostname))["status"], "issued");
  });

  for (const step of ["authz", "challenge", "finalize", "certificate"] as const) {
    it(`continue with the same order elsewhere when the edge ends at its ${step}`, async () => {
      const host = await due(`ended-${step}.example`);
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

  it("continue with the same order after it was finalised and before its certificate was stored", async () => {
    const host = await due("unstored.example");
    const edge = edgeFor(host);
    const lost = { ...(await lease("first")), version: -1 };
    await issueCertificate(edge, lost, never);
    assert.equal((await database.row(host.hostname))["chain"], null);
    clock.advance(31_000);
    await issueCertificate(edgeFor(host), await lease("first"), never);
    assert.equal((await database.row(host.hostname))["status"], "issued");
    assert.equal(ordered().length, 1);
  });

  it("leave those of the sandbox to the local CA, whose root exists before its first certificate", async () => {
    await database.admin.query("delete from local_ca");
    const settings = {
      ACME_DIRECTORY_URL: [acme.directoryUrl],
      ACME_CA_FILE: null,
      ACME_EMAIL: null,
      ACME_EAB_KID: null,
      ACME_EAB_KEY: null,
      ACME_EABS: {},
      ACME_PROFILES: {},
      EGRESS_RESOLVERS: [],
    };
    const parts = { pool: database.pool, vault, clock, delegation: null, random: () => 0.5 };
    createIssuers(settings, parts);
    await until(async () => {
      const { rows } = await database.admin.query("select certificate from local_ca");
      return rows.length === 1 && /^-----BEGIN CERTIFICATE-----/.test(rows[0].certificate);
    }, "the root of the local CA");
  });
});
