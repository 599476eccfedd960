import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { createNotifier, type Notifier } from "./notifier.ts";

const pauseMs = 500;

describe("a notifier", () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let session: pg.Client;
  let notifier: Notifier;
  const received: string[] = [];
  before(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url });
    session = new pg.Client({ connectionString: database.url });
    await session.connect();
    session.on("notification", ({ channel, payload }) => received.push(`${channel} ${payload}`));
    await session.query("listen due; listen other");
    notifier = createNotifier({ pool, pauseMs, onError: (error) => assert.fail(String(error)) });
  });
  after(async () => {
    await notifier.close();
    await session.end();
    await pool.end();
    await database.drop();
  });

  it("sends the first at once, and then each payload once per pause", async () => {
    const startedAt = performance.now();
    notifier.notify("due", "first");
    // It is being sent; the others come in the pause after it, however long its round trip takes.
    await new Promise((resolve) => setImmediate(resolve));
    for (let round = 0; round < 1_000; round += 1) {
      notifier.notify("due", round % 2 === 0 ? "connections" : "deliveries");
      notifier.notify("other", "connections");
    }
    await until(() => received.length >= 4);
    assert.equal(received[0], "due first");
    assert.ok(performance.now() - startedAt >= pauseMs - 1, "the others came in the pause");
    assert.deepEqual(received.slice(1).sort(), [
      "due connections",
      "due deliveries",
      "other connections",
    ]);
  });

  it("sends what comes while it pauses, and never loses the last one", async () => {
    received.length = 0;
    const startedAt = performance.now();
    for (let round = 0; round < 200; round += 1) {
      notifier.notify("due", "connections");
      await session.query("select 1");
    }
    notifier.notify("due", "last");
    await until(() => received.includes("due last"));
    const pauses = Math.ceil((performance.now() - startedAt) / pauseMs);
    assert.ok(received.length <= pauses + 2, `${received.length} in ${pauses} pauses`);
  });
});
