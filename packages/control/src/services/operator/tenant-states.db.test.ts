import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  issueCertificates,
  proofRecord,
  putZone,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { call, textOf } from "@mooring/testing/control/http";
import { signIn, signInOperator } from "@mooring/testing/control/session";
import {
  answer,
  type Receiver,
  startReceiver,
} from "@mooring/testing/control/webhooks/webhook-receiver";
import { type FilledTable, fillTables } from "@mooring/testing/database/fill-tables";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";
import { removeRows } from "../../db/queries/operator/tenant-removal.ts";
import { writeSuccess } from "../../db/queries/webhooks/due-deliveries.ts";
import { openRuntime } from "../../process/open-runtime.ts";
import { createConsoleLink } from "./console-links.ts";
import { removeTenants } from "./remove-tenants.ts";
import { deleteTenant, resumeTenant, suspendTenant } from "./tenant-states.ts";
import { createOperatorKey, listTenants } from "./tenants.ts";

const day = 86_400_000;

type DeliveryRow = Parameters<typeof writeSuccess>[1];

describe("the states of a tenant", () => {
  let life: LifecycleApp;
  let receiver: Receiver;
  before(async () => {
    life = await startLifecycle({
      env: { VALIDATION_ZONE: "validation.test", WEBHOOK_ALLOW_PRIVATE: "true" },
    });
    receiver = await startReceiver();
  });
  after(async () => {
    await life.close();
    await receiver.close();
  });

  interface Tenant extends Caller {
    readonly tenantId: string;
  }

  async function tenant(name: string): Promise<Tenant> {
    const caller = await life.caller(name);
    const { rows } = await life.session.query<{ id: string }>(
      "select id from tenants where name = $1",
      [name],
    );
    return { ...caller, tenantId: rows[0]?.id ?? "" };
  }

  /** Connections that hold their names; the first is live. */
  async function hold(caller: Caller, ...labels: readonly string[]): Promise<readonly string[]> {
    const zone = freshZone();
    const made = await Promise.all(labels.map((label) => connect(caller, `${label}.${zone}`)));
    await putZone(caller, zone, [...made.map(proofRecord), ...made.map((one) => toEdge(one))]);
    for (const { id } of made) await life.reach(id, "issuing_cert");
    await issueCertificates(life.session);
    for (const { id } of made) await life.reach(id, "live");
    return made.map(({ id }) => id);
  }

  /** A live connection, an archived one, and a row in each table. */
  async function fill({ tenantId, ...caller }: Tenant): Promise<readonly FilledTable[]> {
    const [live = "", ended = ""] = await hold(caller, "live", "ended");
    await signIn(life.app, tenantId, "owner", `${randomUUID()}@acme.example`);
    await createConsoleLink(life.app.operator, { tenant: tenantId, role: "owner", email: null });
    const hook = { application_id: caller.applicationId, url: receiver.url, events: ["*"] };
    await call(caller.base, "/v1/webhook-endpoints", { key: caller.key, body: hook });
    await archive(caller, ended);
    await life.session.query(
      `with moved as (delete from only connections where id = $1 returning *)
       insert into archived_connections select * from moved`,
      [ended],
    );
    return fillTables(life.session, { tenant_id: tenantId, connection_id: live });
  }

  const count = async (statement: string, ...values: readonly unknown[]): Promise<number> => {
    const { rows } = await life.session.query<{ n: number }>(
      `select count(*)::int as n from ${statement}`,
      [...values],
    );
    return rows[0]?.n ?? 0;
  };

  const audited = async (tenantId: string): Promise<readonly unknown[]> => {
    const { rows } = await life.session.query(
      "select action, actor from audit_log where subject = $1 order by at, id",
      [`tenant:${tenantId}`],
    );
    return rows.map(({ action, actor }) => `${actor} ${action}`);
  };

  const create = (caller: Caller, key: string) =>
    call(caller.base, "/v1/connections", {
      key,
      body: { application_id: caller.applicationId, hostname: `shop.${freshZone()}` },
    });

  it("suspended: keys, tokens and sessions read, and get 403 for every change", async () => {
    const own = await tenant("Suspended");
    const [id = ""] = await hold(own, "shop");
    const body = { application_id: own.applicationId };
    const token = textOf(await call(own.base, "/v1/tokens", { key: own.key, body }), "auth_token");
    const customers = textOf(await create(own, token), "id");
    const browser = await signIn(life.app, own.tenantId, "owner");
    const suspended = await suspendTenant(life.app.operator, "Suspended", "unpaid");
    assert.deepEqual([suspended.state, suspended.suspendedReason], ["suspended", "unpaid"]);

    const isRefused = (refused: { status: number; text: string }) => {
      assert.equal(refused.status, 403, refused.text);
      assert.deepEqual(JSON.parse(refused.text), {
        error: {
          code: "tenant_suspended",
          message:
            "this account is suspended: it can be read and not changed; ask the operator of the service",
          details: null,
        },
      });
    };
    isRefused(await create(own, own.key));
    isRefused(await create(own, token));
    isRefused(await archive(own, id));
    isRefused(await call(own.base, "/v1/tokens", { key: own.key, body }));
    isRefused(await browser.call("/v1/applications", { body: { name: "New" } }));
    assert.equal((await get(own, id)).status, 200);
    assert.equal((await call(own.base, "/v1/connections", { key: own.key })).status, 200);
    assert.equal(
      (await call(own.base, `/v1/connections/${customers}`, { key: token })).status,
      200,
    );
    const session = (await browser.call("/v1/session")).json();
    assert.deepEqual(session["tenant"], { id: own.tenantId, name: "Suspended", suspended: true });
    assert.equal((await browser.call("/v1/audit")).status, 200);
    assert.equal((await browser.call("/v1/session", { method: "DELETE" })).status, 204);

    const other = await tenant("Beside it");
    assert.equal((await create(other, other.key)).status, 201);
    const { from } = await resumeTenant(life.app.operator, own.tenantId);
    assert.equal(from, "suspended");
    assert.equal((await create(own, own.key)).status, 201);
    assert.equal((await create(own, token)).status, 201);
    assert.equal((await get(own, id)).json()["state"], "live", "nothing was lost");
    assert.deepEqual(await audited(own.tenantId), [
      "operator tenant.create",
      "operator tenant.suspend",
      "operator tenant.resume",
    ]);
  });

  it("suspended: checks continue, and webhooks say what they find", async () => {
    const own = await tenant("Watched");
    const zone = freshZone();
    const made = await connect(own, `shop.${zone}`);
    const hook = { application_id: own.applicationId, url: receiver.url, events: ["*"] };
    assert.equal(
      (await call(own.base, "/v1/webhook-endpoints", { key: own.key, body: hook })).status,
      201,
    );
    await putZone(own, zone, [proofRecord(made), toEdge(made)]);
    await suspendTenant(life.app.operator, own.tenantId, null);
    await life.reach(made.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    await until(
      () => receiver.received.some(({ body }) => String(body).includes('"domain.flow.completed"')),
      "the event",
    );
    await resumeTenant(life.app.operator, own.tenantId);
  });

  it("is shown to operators, and a repeat changes the reason alone", async () => {
    const own = await tenant("Shown");
    await suspendTenant(life.app.operator, own.tenantId, "first");
    await suspendTenant(life.app.operator, own.tenantId, "second");
    const operator = await signInOperator(life.app);
    const listed = await operator.call("/v1/operator/tenants?q=Shown");
    assert.partialDeepStrictEqual(listed.json(), {
      data: [
        { name: "Shown", state: "suspended", suspended_reason: "second", removed_after: null },
      ],
    });
    await resumeTenant(life.app.operator, own.tenantId);
    const again = await resumeTenant(life.app.operator, own.tenantId);
    assert.deepEqual([again.from, again.tenant.state], ["active", "active"]);
    assert.throws(
      () => suspendTenant(life.app.operator, own.tenantId, "x".repeat(501)),
      /1 to 500/,
    );
  });

  it("deleted: archives, ends access, and turns webhooks off after their last event", async () => {
    const own = await tenant("Leaving");
    const held = await hold(own, "a", "b", "c");
    const hook = { application_id: own.applicationId, url: receiver.url, events: ["*"] };
    const hooked = await call(own.base, "/v1/webhook-endpoints", { key: own.key, body: hook });
    const browser = await signIn(life.app, own.tenantId, "owner", "ann@acme.example");
    const endpoint = textOf(hooked, "id");

    const planned = await deleteTenant(life.app.operator, "Leaving", { isApplied: false });
    assert.partialDeepStrictEqual(planned.counts, {
      open_connections: 3,
      hostnames: 3,
      // One of each environment.
      api_keys: 2,
      sessions: 1,
      webhook_endpoints: 1,
      members: 1,
    });
    assert.equal((await get(own, held[0] ?? "")).json()["state"], "live", "a dry run");
    assert.equal(
      (await listTenants(life.app.operator)).find(({ id }) => id === own.tenantId)?.state,
      "active",
    );

    // The receiver is away: its endpoint stays on until it has the events.
    receiver.behave(answer(503));
    const before = receiver.received.length;
    const deleted = await deleteTenant(life.app.operator, "Leaving", { isApplied: true });
    assert.equal(deleted.tenant.state, "deleting");
    assert.equal(
      deleted.removedAfter.getTime() - (deleted.tenant.deletedAt?.getTime() ?? 0),
      30 * day,
    );
    assert.equal((await get(own, held[0] ?? "")).status, 401);
    assert.equal((await browser.call("/v1/session")).status, 401);
    for (const id of held) await life.reach(id, "archived");
    assert.equal(await count("claims where tenant_id = $1", own.tenantId), 0);
    assert.equal(await count("certificates where tenant_id = $1", own.tenantId), 0);
    assert.deepEqual(await life.broken(), []);
    await until(() => receiver.received.length > before, "a first attempt");
    const isOn = () => count("webhook_endpoints where id = $1 and active", endpoint);
    assert.equal(await isOn(), 1);
    receiver.behave(answer(200));
    await until(async () => {
      await life.session.query(
        "update deliveries set due_at = now() - interval '1 second' where endpoint_id = $1 and due_at > now()",
        [endpoint],
      );
      await life.session.query("select pg_notify('mooring_due', 'deliveries')");
      return (await isOn()) === 0;
    }, "the endpoint is off");
    const archivedEvents =
      "deliveries where endpoint_id = $1 and event_type = 'domain.archived' and status = 'delivered'";
    assert.equal(await count(archivedEvents, endpoint), 3);

    await assert.rejects(suspendTenant(life.app.operator, "Leaving", null), /is being deleted/);
    const link = { tenant: "Leaving", role: "owner", email: null } as const;
    await assert.rejects(createConsoleLink(life.app.operator, link), /is being deleted/);
    const key = {
      tenant: "Leaving",
      environment: "test",
      application: "Default",
      name: "k",
    } as const;
    await assert.rejects(createOperatorKey(life.app.operator, key), /is being deleted/);

    life.app.clock.advance(29 * day);
    const { from, tenant: resumed } = await resumeTenant(life.app.operator, "Leaving");
    assert.deepEqual([from, resumed.state], ["deleting", "active"]);
    const { secret } = await createOperatorKey(life.app.operator, key);
    const shown = await call(own.base, `/v1/connections/${held[0]}`, { key: secret });
    assert.equal(shown.json()["state"], "archived", "archived connections stay so");
    assert.equal((await get(own, held[0] ?? "")).status, 401, "revoked keys stay so");
    life.app.clock.advance(2 * day);
    assert.equal(await count("tenants where id = $1", own.tenantId), 1);
  });

  it("deleted: one worker at a time archives, and another continues after a kill", async () => {
    const own = await tenant("Cut off");
    const held = await hold(own, "a");
    await life.session.query(
      "update tenants set deleted_at = $2, suspended_at = $2, removal_leased_until = $3 where id = $1",
      [own.tenantId, life.app.clock.now(), new Date(life.app.clock.now().getTime() + 60_000)],
    );
    const opened = await openRuntime(life.app.config, {
      url: life.app.databaseUrl,
      role: "mooring_worker",
      name: "worker",
      clock: life.app.clock,
      log: life.app.operator.log,
    });
    try {
      await removeTenants(opened.runtime);
      assert.equal(await count("connections where id = $1 and state = 'live'", held[0]), 1);
      life.app.clock.advance(61_000);
      await until(
        async () =>
          (await count("connections where id = $1 and state = 'archived'", held[0])) === 1,
        "archived",
      );
    } finally {
      await opened.close();
    }
  });

  it("deleted: has no row of an attempt that is recorded while its rows are removed", async () => {
    const own = await tenant("Attempted");
    await fill(own);
    const { rows } = await life.session.query<DeliveryRow>(
      `select d.id, d.version, e.connection_id as "connectionId" from deliveries d
        join events e on e.id = d.event_id where d.tenant_id = $1`,
      [own.tenantId],
    );
    assert.ok(rows.some(({ connectionId }) => connectionId !== null));
    const opened = await openRuntime(life.app.config, {
      url: life.app.databaseUrl,
      role: "mooring_worker",
      name: "worker",
      clock: life.app.clock,
      log: life.app.operator.log,
    });
    const { runtime } = opened;
    try {
      const remove = (): Promise<boolean> =>
        runtime.transaction((tx) => removeRows(tx, own.tenantId, 1_000));
      while (await remove()) {
        for (const row of rows) {
          const now = runtime.clock.now();
          const outcome = { status_code: 200, latency_ms: 1, error: null, response_excerpt: null };
          const attempt = { at: now.toISOString(), ...outcome };
          await writeSuccess(runtime.database, row, attempt, now);
        }
      }
      assert.equal(await count("timeline where tenant_id = $1", own.tenantId), 0);
    } finally {
      await opened.close();
    }
  });

  /** The lease of a worker that was interrupted ends only as time passes. */
  const removed = ({ tenantId }: Tenant): Promise<void> =>
    until(async () => {
      life.app.clock.advance(1_000);
      return (await count("tenants where id = $1", tenantId)) === 0;
    }, "removed");

  it("deleted: one that cannot be removed does not stop the others", async () => {
    const [stuck, other] = [await tenant("Stuck"), await tenant("After it")];
    for (const { tenantId } of [stuck, other]) {
      await deleteTenant(life.app.operator, tenantId, { isApplied: true });
    }
    await life.session.query(`create function refuse() returns trigger language plpgsql
      as $$ begin raise 'refused'; end $$`);
    await life.session.query(`create trigger refused before delete on tenants for each row
      when (old.name = 'Stuck') execute function refuse()`);
    life.app.clock.advance(30 * day);
    await removed(other);
    assert.equal(await count("tenants where id = $1", stuck.tenantId), 1);
    await life.session.query("drop trigger refused on tenants");
    await removed(stuck);
  });

  it("deleted: after 30 days no table has a row of it, and the operator's audit rows stay", async () => {
    const own = await tenant("Gone");
    const other = await tenant("Staying");
    const rowsOf = async (tables: readonly FilledTable[], tenantId: string) => {
      const rows: Record<string, number> = {};
      for (const { name } of tables) {
        const only = name === "connections" ? "only" : ""; // archived ones are in a child of it
        rows[name] = await count(`${only} ${name} where tenant_id = $1`, tenantId);
      }
      return rows;
    };
    // A wait that was made up is ended by the worker: the plan has no limit.
    const tables = (await fill(own)).filter(({ name }) => name !== "quota_waits");
    await fill(other);
    const mine = await rowsOf(tables, own.tenantId);
    assert.deepEqual(
      Object.keys(mine).filter((name) => mine[name] === 0),
      [],
      "every table has a row",
    );
    const theirs = await rowsOf(tables, other.tenantId);

    await deleteTenant(life.app.operator, own.tenantId, { isApplied: true });
    await until(
      async () =>
        (await count("connections where tenant_id = $1 and state <> 'archived'", own.tenantId)) ===
        0,
      "all archived",
    );
    life.app.clock.advance(30 * day - 1_000);
    assert.equal(await count("tenants where id = $1", own.tenantId), 1);
    life.app.clock.advance(2_000);
    await removed(own);
    const left = await rowsOf(tables, own.tenantId);
    assert.deepEqual(
      Object.entries(left).filter(([, rows]) => rows > 0),
      [["audit_log", 3]],
    );
    assert.deepEqual(await audited(own.tenantId), [
      "operator tenant.create",
      "operator tenant.delete",
      "service tenant.remove",
    ]);
    assert.equal(
      await count("origin_health where connection_id not in (select id from connections)"),
      0,
    );
    const { idempotency_keys: _swept, ...others } = await rowsOf(tables, other.tenantId);
    for (const [name, rows] of Object.entries(others)) {
      assert.ok(rows >= (theirs[name] ?? 0), `${name} of the other tenant`);
    }
  });
});
