import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  type Caller,
  connect,
  type Made,
  openCaller,
  openSession,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, codeOf, textOf } from "@mooring/testing/control/http";
import {
  delegatedTo,
  type PowerdnsFront,
  startPowerdnsFront,
} from "@mooring/testing/control/powerdns-front";
import { planIn, recordRoutes } from "@mooring/testing/control/record-plan";
import { record } from "@mooring/testing/control/sandbox";
import { withoutLimits } from "@mooring/testing/control/world";
import { selectConnection } from "../../db/queries/connections/connections.ts";
import { leaseZone } from "../../db/queries/dns-writes/zones.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { type OpenedRuntime, openRuntime } from "../../process/open-runtime.ts";
import { findWritableZone } from "./writable-zone.ts";
import { canWrite, writeRecords } from "./writer.ts";
import { leaseKey, zoneLeaseMs } from "./zone-lease.ts";

const nameserver = "ns1.front.example";

describe("a provider that fails", () => {
  let app: TestApp;
  let worker: OpenedRuntime;
  let caller: Caller;
  let front: PowerdnsFront;
  let zone: string;
  let made: Made;
  let credentialId: string;
  const { signal } = new AbortController();

  before(async () => {
    const resolver = delegatedTo(nameserver);
    app = await startTestApp({ ...withoutLimits, EGRESS_ALLOW: "127.0.0.0/8" }, { resolver });
    const { config, databaseUrl: url, clock } = app;
    const { log } = app.operator;
    const role = { role: "mooring_worker", name: "worker" } as const;
    worker = await openRuntime(config, { url, ...role, clock, log, resolver });
    const tenant = await app.tenant("Acme");
    caller = await openCaller(app.api.url, tenant.keys.live);
    front = await startPowerdnsFront();
  });
  after(async () => {
    await front.close();
    await worker.close();
    await app.close();
  });
  beforeEach(async () => {
    front.treat(() => ({ kind: "through" }));
    zone = `${randomBytes(5).toString("hex")}.example`;
    await front.seed(zone, furniture());
    caller = await openCaller(app.api.url, caller.key, "Shop");
    made = await connect(caller, `shop.${zone}`);
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const body = { provider: "powerdns", name: "Front", fields: front.fields };
    credentialId = textOf(await call(app.api.url, path, { key: caller.key, body }), "id");
  });

  const furniture = () => [
    record(`${zone} NS ${nameserver}`),
    record(`${zone} TXT untouched`),
    record(`other.${zone} CNAME elsewhere.example.net`),
    record(`mail.${zone} A 192.0.2.1`),
    record(`mail.${zone} AAAA 2001:db8::1`),
  ];
  const routes = () => recordRoutes(app.api.url, caller.key);
  const credentials = () => ({ provider: "powerdns", fields: front.fields });

  async function lines(): Promise<string[]> {
    const records = await front.records(zone);
    return records.map(({ name, type, value }) => `${name} ${type} ${value}`).sort();
  }
  const asLines = (...more: readonly string[]) =>
    [...furniture().map(({ name, type, value }) => `${name} ${type} ${value}`), ...more].sort();
  const written = () =>
    asLines(
      `_service-challenge.shop.${zone} TXT ${made.challenge}`,
      `shop.${zone} CNAME edge.localhost`,
    );

  async function connection(): Promise<Connection> {
    const found = await worker.runtime.system((tx) => selectConnection(tx, made.id));
    assert.ok(found);
    return found;
  }
  const write = async () => writeRecords(worker.runtime, await connection(), "records", signal);

  async function outcomes(): Promise<(string | boolean)[][]> {
    const session = await openSession(app.databaseUrl);
    const { rows } = await session.query<{ outcome: string; unchanged: boolean }>(
      "select outcome, unchanged from dns_writes where connection_id = $1 order by created_at, id",
      [made.id],
    );
    await session.end();
    return rows.map(({ outcome, unchanged }) => [outcome, unchanged]);
  }

  it("after applying the write: the zone is read back and the write is not repeated", async () => {
    front.treat(({ method }) =>
      method === "PATCH" ? { kind: "after", status: 500 } : { kind: "through" },
    );
    const before = front.writeCount();
    assert.deepEqual(await write(), { outcome: "written" });
    assert.deepEqual(await outcomes(), [["applied", false]]);
    front.treat(() => ({ kind: "through" }));
    const once = front.writeCount() - before;
    assert.deepEqual(await write(), { outcome: "written" });
    assert.equal(front.writeCount() - before, once);
    assert.deepEqual(await lines(), asLines(`shop.${zone} CNAME edge.localhost`));
  });

  it("to write all of it: the caller gets what is missing, and the next attempt finishes it", async () => {
    front.treat(({ method, body }) => {
      if (method !== "PATCH") return { kind: "through" };
      const { rrsets } = JSON.parse(body) as { rrsets: unknown[] };
      return { kind: "altered", body: JSON.stringify({ rrsets: rrsets.slice(1) }) };
    });
    const answer = await routes().apply(made.id, credentials());
    assert.deepEqual([answer.status, codeOf(answer)], [502, "provider_error"], answer.text);
    assert.match(answer.text, new RegExp(`does not show it: \\S+\\.${zone}`));
    assert.match(answer.text, /"provider":"powerdns","kind":"unavailable"/);
    assert.deepEqual(await outcomes(), [["failed", false]]);
    front.treat(() => ({ kind: "through" }));
    assert.equal(planIn(await routes().apply(made.id, credentials())).applied, true);
    assert.deepEqual(await lines(), written());
    planIn(await routes().revert(made.id, credentials()));
    assert.deepEqual(await lines(), asLines());
  });

  it("during a replacement: it is finished without a second authorisation, and can be reverted", async () => {
    const theirs = [record(`shop.${zone} A 192.0.2.7`), record(`shop.${zone} AAAA 2001:db8::7`)];
    await front.seed(zone, [...furniture(), ...theirs]);
    const before = await lines();
    const { changes } = planIn(await routes().apply(made.id, { ...credentials(), dry_run: true }));
    const replace = changes.map(({ id }) => id);
    front.treat(({ method, body }) => {
      if (method !== "PATCH") return { kind: "through" };
      const { rrsets } = JSON.parse(body) as { rrsets: unknown[] };
      return { kind: "altered", body: JSON.stringify({ rrsets: rrsets.slice(0, 1) }) };
    });
    const cut = await routes().apply(made.id, { ...credentials(), replace });
    assert.equal(cut.status, 502, cut.text);
    assert.equal((await lines()).length, before.length - 1, "one of theirs is gone");
    front.treat(() => ({ kind: "through" }));
    assert.deepEqual(await write(), { outcome: "written" });
    assert.deepEqual(await lines(), asLines(`shop.${zone} CNAME edge.localhost`));
    planIn(await routes().revert(made.id, credentials()));
    assert.deepEqual(await lines(), before);
  });

  it("to accept the credential: it is marked refused, the setup becomes manual, and it is not used again", async () => {
    front.treat(() => ({ kind: "instead", status: 401 }));
    assert.deepEqual(await write(), { outcome: "refused", error: "provider_auth" });
    const asked = front.requests.length;
    for (let attempt = 0; attempt < 5; attempt += 1) {
      assert.equal(await canWrite(worker.runtime, await connection(), signal), "refused");
      assert.deepEqual(await write(), { outcome: "refused", error: "provider_auth" });
    }
    assert.equal(front.requests.length, asked);
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const list = await call(app.api.url, path, { key: caller.key });
    assert.match(list.text, /"last_error":"The provider refused the credential/);
    // A successful test of the credential puts it into use again.
    front.treat(() => ({ kind: "through" }));
    const tried = await call(app.api.url, `${path}/${credentialId}/test`, {
      key: caller.key,
      method: "POST",
    });
    assert.equal(tried.json()["ok"], true, tried.text);
    assert.deepEqual(await write(), { outcome: "written" });
  });

  it("to let the credential read the zone: another stored one is used, and both are judged", async () => {
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const second = { provider: "powerdns", name: "Second", fields: front.fields };
    const { status } = await call(app.api.url, path, { key: caller.key, body: second });
    assert.equal(status, 201);
    let reads = 0;
    // The newest is asked first; it may list zones, and is refused when it reads this one.
    front.treat(({ method, path: asked }) => {
      const isRead = method === "GET" && asked.endsWith(`${zone}.`);
      reads += isRead ? 1 : 0;
      return isRead && reads === 1 ? { kind: "instead", status: 403 } : { kind: "through" };
    });
    assert.deepEqual(await write(), { outcome: "written" });
    const list = await call(app.api.url, path, { key: caller.key });
    const stored = list.json()["data"] as { name: string; last_error: string | null }[];
    assert.deepEqual(
      stored.map(({ name, last_error }) => [name, last_error !== null]),
      [
        ["Second", true],
        ["Front", false],
      ],
    );
  });

  it("because of too many calls: its Retry-After is respected", async () => {
    front.treat(({ method }) =>
      method === "PATCH"
        ? { kind: "instead", status: 429, headers: { "retry-after": "120" } }
        : { kind: "through" },
    );
    const result = await write();
    assert.equal(result.outcome, "later");
    assert.ok(result.outcome === "later" && result.retryAfterMs >= 120_000);
    assert.deepEqual(await outcomes(), [["failed", true]]);
    assert.deepEqual(await lines(), asLines());
  });

  it("to list the whole zone: nothing is written until the listing stays the same", async () => {
    assert.deepEqual(await write(), { outcome: "written" });
    const before = await lines();
    const writes = front.writeCount();
    front.treat(({ path }) =>
      path.endsWith(`${zone}.`) ? { kind: "emptied" } : { kind: "through" },
    );
    for (const afterMs of [0, 600_000]) {
      app.clock.advance(afterMs);
      const result = await write();
      assert.ok(result.outcome === "later" && result.error === "provider_unavailable");
    }
    const answer = await routes().apply(made.id, { credential_id: credentialId });
    assert.deepEqual([answer.status, codeOf(answer)], [502, "provider_error"], answer.text);
    assert.match(answer.text, /seems incomplete/);
    assert.equal(front.writeCount(), writes);
    assert.deepEqual(await lines(), before);
    // Emptied on purpose: after a quarter of an hour the listing is accepted.
    const [servers] = furniture();
    await front.seed(zone, servers === undefined ? [] : [servers]);
    front.treat(() => ({ kind: "through" }));
    const early = await write();
    assert.equal(early.outcome, "later");
    app.clock.advance(900_000);
    assert.deepEqual(await write(), { outcome: "written" });
    assert.deepEqual(
      await lines(),
      [`shop.${zone} CNAME edge.localhost`, `${zone} NS ${nameserver}`].sort(),
    );
  });

  it("never gets two writers in one zone", async () => {
    let inside = 0;
    let most = 0;
    let release: () => void = () => undefined;
    const leased = new Promise<void>((resolve) => {
      release = resolve;
    });
    front.treat(({ method }) => {
      if (method === "PATCH") {
        inside += 1;
        most = Math.max(most, inside);
        setTimeout(() => (inside -= 1), 50);
        release();
      }
      return { kind: "through" };
    });
    const answers = await Promise.all([
      routes().apply(made.id, credentials()),
      leased.then(() => routes().apply(made.id, { credential_id: credentialId })),
      routes().apply(made.id, credentials()),
    ]);
    for (const answer of answers) assert.equal(planIn(answer).applied, true);
    assert.equal(most, 1);
    assert.deepEqual(await lines(), written());
  });

  it("has a zone whose writer was killed: it is written within 40 s, and no error is shown", async () => {
    const found = await connection();
    const search = await findWritableZone(worker.runtime, found, "test", signal);
    assert.ok(search.outcome === "found");
    const now = app.clock.now();
    const lease = { ...leaseKey(search.target), owner: randomUUID() };
    const until = new Date(now.getTime() + zoneLeaseMs);
    await worker.runtime.system((tx) => leaseZone(tx, lease, now, until));
    const errors: (string | null)[] = [];
    let result = await write();
    while (result.outcome === "later") {
      errors.push(result.error);
      app.clock.advance(result.retryAfterMs);
      const checks = errors.length;
      result = await writeRecords(worker.runtime, { ...found, checks }, "records", signal);
    }
    assert.equal(result.outcome, "written");
    const waitedMs = app.clock.now().getTime() - now.getTime();
    assert.ok(waitedMs <= 40_000, `${waitedMs} ms`);
    assert.deepEqual(new Set(errors), new Set([null]));
  });

  it("gets an inline secret once, and it is stored nowhere", async () => {
    planIn(await routes().apply(made.id, credentials()));
    const session = await openSession(app.databaseUrl);
    const { rows } = await session.query<{ all: string }>(
      `select string_agg(w::text, ' ') || (select string_agg(a::text, ' ') from audit_log a)
         || (select string_agg(t::text, ' ') from timeline t) as all from dns_writes w`,
    );
    await session.end();
    const secret = front.fields.api_key;
    assert.ok(rows[0]?.all.includes(`shop.${zone}`));
    assert.ok(!rows[0]?.all.includes(secret), "in the database");
    assert.ok(!app.logLines.join("\n").includes(secret), "in the log");
  });
});
