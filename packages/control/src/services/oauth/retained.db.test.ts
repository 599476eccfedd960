import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  freshZone,
  openCaller,
  proofRecord,
  putZone,
  readMade,
} from "@mooring/testing/clients/connecting";
import {
  type IdentityProvider,
  startIdentityProvider,
} from "@mooring/testing/clients/identity-provider";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import { type OpenedRuntime, openRuntime } from "../../process/open-runtime.ts";
import { startWorker } from "../../process/start-worker.ts";
import { checkLeased, dueConnections } from "../connections/checks/check.ts";
import { refreshSignIns } from "./retained.ts";

interface Stored {
  readonly connection_ids: readonly string[] | null;
  readonly last_error: string | null;
  readonly last_used_at: string | null;
}

interface FailingEvent {
  readonly type: string;
  readonly data: { readonly credential: { readonly id: string } };
}

/** A token of the scripted provider lives 600 s and is refreshed after 400. */
const refreshAfterMs = 400_000;

describe("a retained sign-in", () => {
  let idp: IdentityProvider;
  let app: TestApp;
  let caller: Caller;
  let worker: OpenedRuntime;
  const { signal } = new AbortController();

  before(async () => {
    idp = await startIdentityProvider("sandbox");
    app = await startTestApp({
      OAUTH_SANDBOX_CLIENT_ID: idp.clientId,
      OAUTH_SANDBOX_CLIENT_SECRET: idp.clientSecret,
      OAUTH_SANDBOX_URL: idp.url,
      EGRESS_ALLOW: "127.0.0.0/8",
    });
    idp.serviceUrl = app.api.url;
    caller = await openCaller(app.api.url, (await app.tenant("Signed")).keys.test);
    await keep(caller);
    const { log } = app.operator;
    // Nothing works by itself: the test does what a worker does, with its rights.
    worker = await openRuntime(app.config, {
      url: app.databaseUrl,
      role: "mooring_worker",
      name: "worker",
      clock: app.clock,
      log,
    });
  });
  after(async () => {
    await worker?.close();
    await app?.close();
    await idp?.close();
  });

  async function keep({ base, key, applicationId }: Caller): Promise<void> {
    const path = `/v1/applications/${applicationId}`;
    const answer = await call(base, path, { key, method: "PATCH", body: { keep_oauth: true } });
    assert.equal(answer.json()["keep_oauth"], true, answer.text);
  }

  /**
   * A customer of the tenant connects the domain and signs in; their permission writes the records.
   */
  async function signIn(hostname: string, customerRef: string) {
    const { base, key, applicationId } = caller;
    const minted = { application_id: applicationId, customer_ref: customerRef };
    const token = textOf(await call(base, "/v1/tokens", { key, body: minted }), "auth_token");
    const body = { application_id: applicationId, hostname };
    const made = readMade(await call(base, "/v1/connections", { key: token, body }));
    const at = `/v1/connections/${made.id}`;
    const started = await call(base, `${at}/oauth:start`, { key: token, method: "POST" });
    const page = await (await fetch(textOf(started, "authorize_url"))).text();
    const allow = /href="([^"]+)">Allow/.exec(page)?.[1]?.replaceAll("&amp;", "&");
    assert.ok(allow !== undefined, page);
    const returned = await (await fetch(allow)).text();
    const message = /data-message="([^"]+)"/.exec(returned)?.[1]?.replaceAll("&quot;", '"');
    const { grant } = JSON.parse(message ?? "{}") as { grant?: string };
    const applied = await call(base, `${at}/records:apply`, {
      key: token,
      body: { oauth_grant: grant },
    });
    assert.equal(applied.json()["applied"], true, applied.text);
    return made;
  }

  const stored = async (id: string): Promise<Stored | undefined> => {
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const { data } = (await call(caller.base, path, { key: caller.key })).json();
    return (data as readonly Stored[]).find((one) => one.connection_ids?.includes(id) === true);
  };
  const zoneText = async (zone: string) => {
    const path = `/v1/sandbox/zones/${zone}/records`;
    return (await call(caller.base, path, { key: caller.key })).text;
  };
  const readState = async (id: string) =>
    (await call(caller.base, `/v1/connections/${id}`, { key: caller.key })).json();

  /** What a worker does with the connections that are due, until this one is in the state. */
  async function reach(id: string, state: string): Promise<void> {
    for (let round = 0; round < 30; round += 1) {
      if ((await readState(id))["state"] === state) return;
      app.clock.advance(10_000);
      const now = app.clock.now();
      const leasedUntil = new Date(now.getTime() + 30_000);
      const claimed = await dueConnections(worker.runtime).claim(now, leasedUntil, 100, []);
      for (const row of claimed) await checkLeased(worker.runtime, row, signal);
    }
    assert.fail(`not ${state}: ${JSON.stringify(await readState(id))}`);
  }

  it("is used by the worker itself, refreshed when that is due, for its own connection alone", async () => {
    const zone = freshZone();
    await putZone(caller, zone, []);
    const made = await signIn(`shop.${zone}`, "customer-1");
    const [refreshed, revoked] = [idp.refreshed.length, idp.revoked.length];
    // Somebody removed the record that visitors follow; of the customer nobody is there any more.
    await putZone(caller, zone, [proofRecord(made)]);
    app.clock.advance(refreshAfterMs + 1_000);
    await reach(made.id, "issuing_cert");
    assert.match(await zoneText(zone), /edge\.localhost/);
    assert.ok(idp.refreshed.length > refreshed);
    assert.equal(idp.revoked.length, revoked);
    const used = await stored(made.id);
    assert.deepEqual([used?.connection_ids, used?.last_error], [[made.id], null]);
    assert.notEqual(used?.last_used_at ?? null, null);
    // Another customer of the tenant, in the same zone, has to add the records themselves.
    const other = readMade(
      await call(caller.base, "/v1/connections", {
        key: caller.key,
        body: {
          application_id: caller.applicationId,
          hostname: `blog.${zone}`,
          customer_ref: "customer-2",
        },
      }),
    );
    const { records } = JSON.parse(await zoneText(zone)) as { records: [] };
    await putZone(caller, zone, [...records, proofRecord(other)]);
    await reach(other.id, "propagating");
    assert.doesNotMatch(await zoneText(zone), /"blog\./);
  });

  it("is refreshed in time though nobody uses it, once by however many processes", async () => {
    const zone = freshZone();
    await putZone(caller, zone, []);
    const made = await signIn(`shop.${zone}`, "customer-3");
    await refreshSignIns(worker.runtime);
    const before = idp.refreshed.length;
    await refreshSignIns(worker.runtime);
    assert.equal(idp.refreshed.length, before, "not before its time");
    for (let time = 1; time <= 3; time += 1) {
      const last = idp.refreshed.length;
      const due = await dueCount(refreshAfterMs + 1_000);
      await Promise.all(Array.from({ length: 4 }, () => refreshSignIns(worker.runtime)));
      // A refresh token works once: a second use of one would have been refused.
      assert.equal(idp.refreshed.length - last, due);
      assert.equal((await stored(made.id))?.last_error, null);
    }
    assert.equal(new Set(idp.refreshed).size, idp.refreshed.length);
  });

  /** Advances the clock, and returns how many tokens are due then. */
  async function dueCount(afterMs: number): Promise<number> {
    app.clock.advance(afterMs);
    const now = app.clock.now();
    const rows = await worker.runtime.system((tx) =>
      tx.selectFrom("credentials").select("id").where("refresh_at", "<=", now).execute(),
    );
    return rows.length;
  }

  it("that the customer took back is reported once and ends the automatic way", async () => {
    const zone = freshZone();
    await putZone(caller, zone, []);
    const made = await signIn(`shop.${zone}`, "customer-4");
    await putZone(caller, zone, [proofRecord(made)]);
    idp.refusesRefresh = true;
    app.clock.advance(refreshAfterMs + 1_000);
    await refreshSignIns(worker.runtime);
    idp.refusesRefresh = false;
    assert.match((await stored(made.id))?.last_error ?? "", /invalid_grant/);
    await reach(made.id, "propagating");
    const { setup_type: setupType, error_code: code } = await readState(made.id);
    assert.deepEqual([setupType, code], ["manual", "provider_auth"]);
    assert.doesNotMatch(await zoneText(zone), /edge\.localhost/);
    const answer = await call(caller.base, "/v1/events?limit=100", { key: caller.key });
    const events = answer.json()["data"] as readonly FailingEvent[];
    const failing = events.filter(({ type }) => type === "credential.failing");
    const ids = failing.map(({ data }) => data.credential.id);
    assert.ok(ids.length > 0);
    assert.equal(new Set(ids).size, ids.length, "once for each credential");
  });

  it("is thrown away at the provider when its connection is archived", async () => {
    const zone = freshZone();
    await putZone(caller, zone, []);
    const made = await signIn(`shop.${zone}`, "customer-5");
    const revoked = idp.revoked.length;
    // As it is when the process that archived it ended before it could tell the provider.
    await worker.runtime.system((tx) =>
      tx
        .updateTable("connections")
        .set({ state: "archived", archived_at: app.clock.now() })
        .where("id", "=", made.id)
        .execute(),
    );
    await refreshSignIns(worker.runtime);
    assert.equal(await stored(made.id), undefined);
    assert.equal(idp.revoked.length, revoked + 2, "the token and its refresh token");
  });

  const isShort = proofSize(1, 0) === 1;
  it("is refreshed by a worker process, which does that every 30 seconds", {
    skip: isShort && "takes 30 seconds",
  }, async () => {
    const zone = freshZone();
    await putZone(caller, zone, []);
    await signIn(`shop.${zone}`, "customer-6");
    app.clock.advance(refreshAfterMs + 1_000);
    const before = idp.refreshed.length;
    const running = await startWorker(app.config, { clock: app.clock, log: app.operator.log });
    try {
      await until(() => idp.refreshed.length > before, "a refresh");
    } finally {
      await running.close();
    }
  });
});
