import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { listen } from "./listen.ts";

describe("listen", () => {
  let database: TestDatabase;
  let session: pg.Client;
  before(async () => {
    database = await createTestDatabase();
    session = new pg.Client({ connectionString: database.url });
    await session.connect();
  });
  after(async () => {
    await session.end();
    await database.drop();
  });

  /** A listener with everything it reports on record. */
  function start(applicationName: string, overrides: Partial<Parameters<typeof listen>[0]> = {}) {
    const notifications: string[] = [];
    const errors: Error[] = [];
    let connects = 0;
    const listener = listen({
      url: database.url,
      channels: ["things", "Other Things"],
      applicationName,
      onNotification: (channel, payload) => void notifications.push(`${channel}: ${payload}`),
      onConnected: () => {
        connects += 1;
      },
      onError: (error) => void errors.push(error as Error),
      ...overrides,
    });
    return { listener, notifications, errors, connects: () => connects };
  }

  async function notify(channel: string, payload: string): Promise<void> {
    await session.query("select pg_notify($1, $2)", [channel, payload]);
  }

  async function countSessions(applicationName: string): Promise<number> {
    const { rows } = await session.query<{ count: number }>(
      "select count(*)::int from pg_stat_activity where application_name = $1",
      [applicationName],
    );
    return rows[0]?.count ?? 0;
  }

  it("passes on notifications of its channels, whatever their names, and of no others", async () => {
    const { listener, notifications, connects } = start("listen-channels");
    await until(() => connects() === 1);
    await notify("things", "a");
    await notify("unrelated", "b");
    await notify("Other Things", "");
    await until(() => notifications.length === 2);
    assert.deepEqual(notifications, ["things: a", "Other Things: "]);
    await listener.close();
  });

  it("connects again when its session is ended, and calls onConnected again", async () => {
    const { listener, notifications, errors, connects } = start("listen-ended");
    await until(() => connects() === 1);
    await session.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listen-ended'",
    );
    await until(() => connects() === 2);
    assert.ok(errors.length >= 1);
    await notify("things", "after");
    await until(() => notifications.includes("things: after"));
    assert.equal(await countSessions("listen-ended"), 1);
    await listener.close();
  });

  it("acts as the requested role, and tries again while it cannot", async () => {
    const role = `listen_${randomBytes(6).toString("hex")}`;
    const { listener, errors, connects } = start("listen-role", { role });
    await until(() => errors.length >= 1);
    assert.ok(errors[0]?.message.includes(role), errors[0]?.message);
    assert.equal(connects(), 0);
    await session.query(`create role ${role} nologin`);
    try {
      await until(() => connects() === 1);
    } finally {
      await listener.close();
      await session.query(`drop role ${role}`);
    }
  });

  it("leaves no session behind when it is closed, also while it connects", async () => {
    const opened = start("listen-closed");
    await until(() => opened.connects() === 1);
    await opened.listener.close();
    const opening = start("listen-closed");
    await opening.listener.close();
    await until(async () => (await countSessions("listen-closed")) === 0);
    assert.equal(opening.connects(), 0);
  });
});
