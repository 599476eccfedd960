import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  hurry,
  type Made,
  openCaller,
  openSession,
  proofRecord,
  putZone,
  readState,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call } from "@mooring/testing/control/http";
import { type PowerdnsFront, startPowerdnsFront } from "@mooring/testing/control/powerdns-front";
import { record } from "@mooring/testing/control/sandbox";
import { type ProductProcess, startProcess } from "@mooring/testing/processes/processes";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";
import { sandboxNameservers } from "../../../packages/control/src/domain/sandbox/sandbox.ts";

const leaseMs = 3_000;
/** The sandbox delegates its zones to this one, so that the front's zone counts as live. */
const [nameserver = ""] = sandboxNameservers;

describe("a writer that is killed while it applies a plan", () => {
  let app: TestApp;
  let session: pg.Client;
  let caller: Caller;
  let front: PowerdnsFront;
  let worker: ProductProcess | null = null;
  before(async () => {
    app = await startTestApp({ EGRESS_ALLOW: "127.0.0.0/8", DNS_RESOLVERS: "127.0.0.1:1" });
    session = await openSession(app.databaseUrl);
    front = await startPowerdnsFront();
    caller = await openTwoRecordCaller((await app.tenant("Acme")).keys.test);
    const body = { provider: "powerdns", name: "Front", fields: front.fields };
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const stored = await call(app.api.url, path, { key: caller.key, body });
    assert.equal(stored.status, 201, stored.text);
  });
  after(async () => {
    await worker?.signal("SIGKILL");
    await front.close();
    await session.end();
    await app.close();
  });

  async function openTwoRecordCaller(key: string): Promise<Caller> {
    const opened = await openCaller(app.api.url, key);
    const record_template = [
      { host: "@", type: "CNAME", value: "{{edge_cname}}" },
      { host: "_asset", type: "TXT", value: "asset={{connection_id}}" },
    ];
    const path = `/v1/applications/${opened.applicationId}`;
    const body = { record_template };
    const patched = await call(app.api.url, path, { key, method: "PATCH", body });
    assert.equal(patched.status, 200, patched.text);
    return opened;
  }

  const startWorker = () =>
    startProcess("worker", {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      DNS_RESOLVERS: "127.0.0.1:1",
      EGRESS_ALLOW: "127.0.0.0/8",
      LOG_LEVEL: "warn",
      TEST_LEASE_MS: String(leaseMs),
    });

  const lines = async (zone: string) =>
    (await front.records(zone)).map(({ name, type, value }) => `${name} ${type} ${value}`).sort();

  const planned = (zone: string, made: Made) =>
    [
      `${zone} TXT untouched`,
      `${zone} NS ${nameserver}`,
      `shop.${zone} CNAME edge.localhost`,
      `_asset.shop.${zone} TXT asset=${made.id}`,
    ].sort();

  /** How much of the plan's request is applied before the writer is killed. */
  for (const [what, share] of [
    ["before the first record", 0],
    ["between two records", 1],
    ["after the last record, unanswered", 2],
  ] as const) {
    it(`${what} leaves a zone that is completed as planned, once`, async () => {
      const zone = freshZone();
      await front.seed(zone, [record(`${zone} TXT untouched`), record(`${zone} NS ${nameserver}`)]);
      const made = await connect(caller, `shop.${zone}`);
      await putZone(caller, zone, [proofRecord(made)]);
      let isCaught = false;
      front.treat(({ method, body }) => {
        if (method !== "PATCH") return { kind: "through" };
        isCaught = true;
        if (share === 0) return { kind: "stalled" };
        const { rrsets } = JSON.parse(body) as { rrsets: unknown[] };
        const part = JSON.stringify({ rrsets: rrsets.slice(0, share) });
        return { kind: "altered", body: part, isSilent: true };
      });
      worker = await startWorker();
      await until(async () => {
        await hurry(session);
        return isCaught;
      }, "a write");
      await until(async () => (await lines(zone)).length === 2 + share, "that part");
      await worker.signal("SIGKILL");
      front.treat(() => ({ kind: "through" }));
      // The leases of the killed writer expire, the one of the zone within a minute.
      await session.query("update zone_leases set leased_until = now()");
      worker = await startWorker();
      await until(async () => {
        await hurry(session);
        return (await readState(session, made.id)) === "propagating";
      }, "propagating");
      await worker.signal("SIGTERM");
      assert.deepEqual(await lines(zone), planned(zone, made));
      const { rows } = await session.query<{ outcome: string }>(
        "select outcome from dns_writes where connection_id = $1 order by created_at, id",
        [made.id],
      );
      const outcomes = rows.map(({ outcome }) => outcome);
      assert.deepEqual(outcomes, share === 2 ? ["applied"] : ["failed", "applied"]);
    });
  }
});
