import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
  silent,
} from "@mooring/testing/edge/edge-database";
import {
  createHostTable,
  createNotingIssuer,
  createTestVault,
  issueParts,
} from "@mooring/testing/edge/issuing";
import type { RenewalInfo } from "../../acme/ari.ts";
import { claimDueCertificates, type DueCertificate } from "../../db/certificates.ts";
import type { Host } from "../../hosts/host.ts";
import { type IssueParts, issueCertificate } from "./issue.ts";
import { IssueError, type Issuer } from "./issuer.ts";
import { askRenewalInfo } from "./renewal-info.ts";
import { checkExpiry } from "./upkeep.ts";

const hour = 3_600_000;
const day = 24 * hour;
const never = new AbortController().signal;

describe("asking a CA for renewal information", () => {
  let database: EdgeDatabase;
  let clock = createMovableClock();
  const vault = createTestVault();
  const askedFor: string[] = [];
  let answer: () => RenewalInfo | null = () => null;

  before(async () => {
    database = await openEdgeDatabase();
  });
  after(() => database.close());

  const base = () => ({ pool: database.pool, vault, clock });

  function talking(hostname: string): Issuer {
    return {
      ...createNotingIssuer(base()),
      renewalInfo: async () => {
        askedFor.push(hostname);
        return answer();
      },
    };
  }

  /** A name with a certificate of 45 days from a CA with renewal information. */
  async function served(hostname: string): Promise<{ host: Host; parts: IssueParts }> {
    clock = createMovableClock();
    askedFor.length = 0;
    await database.admin.query("update certificates set due_at = null, ari_due_at = null");
    const host = await database.hold(hostname);
    await database.want(host, clock.now());
    const parts = issueParts(base(), createHostTable(host), [talking(hostname)]);
    await issueCertificate(parts, await lease("first"), never);
    return { host, parts };
  }

  async function lease(lane: "first" | "renewal"): Promise<DueCertificate> {
    const until = new Date(clock.now().getTime() + 30_000);
    const [row] = await claimDueCertificates(database.pool, lane, clock.now(), until, 1);
    assert.ok(row, "nothing was due");
    return row;
  }

  const inDays = (days: number): Date => new Date(clock.now().getTime() + days * day);
  const info = (start: number, end: number, retryAfterSeconds = 21_600): RenewalInfo => ({
    start: inDays(start),
    end: inDays(end),
    explanationUrl: null,
    retryAfterSeconds,
  });

  it("moves the renewal into the window, leaves it there, and asks again after the CA's Retry-After", async () => {
    const { host, parts } = await served("window.example");
    const window = info(20, 22);
    answer = () => window;
    assert.equal(await askRenewalInfo(parts, never), 0, "not before its time");
    clock.advance(8 * hour);
    assert.equal(await askRenewalInfo(parts, never), 1);
    const row = await database.row(host.hostname);
    assert.deepEqual(row["due_at"], new Date((window.start.getTime() + window.end.getTime()) / 2));
    assert.deepEqual([row["renew_at"], row["status"]], [row["due_at"], "issued"]);
    const next = row["ari_due_at"];
    assert.ok(next instanceof Date && next > new Date(clock.now().getTime() + 6 * hour - 5_000));
    clock.advance(8 * hour);
    await askRenewalInfo({ ...parts, random: () => 0 }, never);
    assert.deepEqual((await database.row(host.hostname))["due_at"], row["due_at"], "drawn once");
  });

  it("is done by one of many edges that check at the same time", async () => {
    const { parts } = await served("once.example");
    answer = () => info(20, 22);
    clock.advance(8 * hour);
    const counts = await Promise.all(Array.from({ length: 8 }, () => askRenewalInfo(parts, never)));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      1,
    );
    assert.deepEqual(askedFor, ["once.example"]);
  });

  it("makes a certificate due at once whose window was drawn into the past, and says revoked", async () => {
    const { host, parts } = await served("revoked.example");
    clock.advance(8 * hour);
    answer = () => info(-2, -1);
    const warned: string[] = [];
    const log = { ...silent, warn: (_: object, message: string) => void warned.push(message) };
    await askRenewalInfo({ ...parts, log }, never);
    const row = await database.row(host.hostname);
    assert.equal(row["status"], "revoked");
    assert.deepEqual(warned, ["certificate withdrawn by the CA, renewing now"]);
    const due = await lease("renewal");
    assert.equal(due.hostname, host.hostname);
    const failing = createNotingIssuer(base(), async () => {
      throw new IssueError("certificate_failed", "not now");
    });
    await issueCertificate({ ...parts, issuersFor: () => [failing] }, due, never);
    assert.equal((await database.row(host.hostname))["status"], "revoked", "still after a failure");
    clock.advance(2 * hour);
    await issueCertificate(parts, await lease("renewal"), never);
    const renewed = await database.row(host.hostname);
    assert.deepEqual([renewed["status"], renewed["renewal_info"]], ["issued", null]);
    assert.notEqual(renewed["issue_id"], row["issue_id"]);
  });

  it("changes nothing for an answer that makes no sense, and asks again later", async () => {
    const { host, parts } = await served("nonsense.example");
    const before = await database.row(host.hostname);
    answer = () => {
      throw new Error("the suggested window ends before it begins");
    };
    clock.advance(8 * hour);
    await askRenewalInfo(parts, never);
    const row = await database.row(host.hostname);
    assert.deepEqual([row["due_at"], row["renewal_info"]], [before["due_at"], null]);
    const next = row["ari_due_at"];
    assert.ok(next instanceof Date && next > clock.now() && next < inDays(0.1));
  });

  it("does not call a failed renewal back before its next try", async () => {
    const { host, parts } = await served("failing.example");
    clock.advance(31 * day);
    const failing = createNotingIssuer(base(), async () => {
      throw new IssueError("ca_rate_limited", "later", { retryAfterSeconds: 7_200 });
    });
    await issueCertificate(
      { ...parts, issuersFor: () => [failing] },
      await lease("renewal"),
      never,
    );
    const before = await database.row(host.hostname);
    answer = () => info(-2, 1);
    await askRenewalInfo(parts, never);
    const row = await database.row(host.hostname);
    assert.deepEqual(row["due_at"], before["due_at"]);
  });

  it("stops for a CA that is no longer among ours", async () => {
    const { host, parts } = await served("former.example");
    clock.advance(8 * hour);
    await askRenewalInfo({ ...parts, issuersFor: () => [] }, never);
    assert.equal((await database.row(host.hostname))["ari_due_at"], null);
  });

  it("names the replaced certificate at the CA that issued it, and at no other", async () => {
    const { parts } = await served("replaces.example");
    const replacedAt: (string | null)[] = [];
    const noting = (issuer: Issuer, name: string): Issuer => ({
      ...issuer,
      name,
      obtain: (host, replaces, signal, permit) => {
        replacedAt.push(replaces === null ? null : name);
        return issuer.obtain(host, replaces, signal, permit);
      },
    });
    const issuer = talking("replaces.example");
    for (const name of ["other", "local", "other"]) {
      clock.advance(31 * day);
      const renewing = { ...parts, issuersFor: () => [noting(issuer, name)] };
      await issueCertificate(renewing, await lease("renewal"), never);
    }
    assert.deepEqual(replacedAt, [null, null, null]);
    clock.advance(31 * day);
    await issueCertificate(
      { ...parts, issuersFor: () => [noting(issuer, "other")] },
      await lease("renewal"),
      never,
    );
    assert.deepEqual(replacedAt.at(-1), "other");
  });
});

describe("watching what nears its end", () => {
  let database: EdgeDatabase;
  const clock = createMovableClock();
  before(async () => {
    database = await openEdgeDatabase();
  });
  after(() => database.close());

  it("alarms once a day from a quarter of the life on, marks the end, and counts", async () => {
    const host = await database.hold("ending.example");
    await database.want(host, clock.now());
    const base = { pool: database.pool, vault: createTestVault(), clock };
    const logged: string[] = [];
    const log = { ...silent, error: (_: object, message: string) => void logged.push(message) };
    const parts = issueParts(base, createHostTable(host), [createNotingIssuer(base)], { log });
    const until = new Date(clock.now().getTime() + 30_000);
    const [row] = await claimDueCertificates(database.pool, "first", clock.now(), until, 1);
    assert.ok(row);
    await issueCertificate(parts, row, never);
    clock.advance(33 * day);
    await checkExpiry(parts);
    assert.deepEqual([logged, parts.stats.health.nearEnd], [[], 0]);
    clock.advance(day);
    for (let check = 0; check < 3; check += 1) await checkExpiry(parts);
    assert.deepEqual(logged, ["certificate close to expiry was not renewed"]);
    assert.deepEqual(
      [parts.stats.health.served, parts.stats.health.nearEnd, parts.stats.health.expired],
      [1, 1, 0],
    );
    assert.ok(parts.stats.health.soonestEnd instanceof Date);
    clock.advance(day);
    await checkExpiry(parts);
    assert.equal(logged.length, 2, "again a day later");
    clock.advance(11 * day);
    await checkExpiry(parts);
    assert.equal(logged.at(-1), "certificate has expired");
    assert.equal((await database.row(host.hostname))["status"], "expired");
    assert.deepEqual([parts.stats.health.served, parts.stats.health.expired], [0, 1]);
    const [again] = await claimDueCertificates(database.pool, "renewal", clock.now(), until, 1);
    assert.equal(again?.status, "expired", "what has ended is not called renewing");
  });
});
