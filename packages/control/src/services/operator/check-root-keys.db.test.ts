import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { generateRootKey } from "@mooring/vault";
import pg from "pg";
import { ConfigError, readConfig } from "../../config/config.ts";
import { createLogger } from "../../process/log.ts";
import { openRuntime } from "../../process/open-runtime.ts";
import { startApi } from "../../process/start-api.ts";
import { checkRootKeys } from "./check-root-keys.ts";

const log = createLogger({ level: "silent", name: "test" });

describe("checkRootKeys", () => {
  let database: TestDatabase;
  let admin: pg.Client;
  const first = generateRootKey();
  const second = generateRootKey();
  const parseKeyId = (key: string): string => key.split(":")[0] ?? "";

  before(async () => {
    database = await createTestDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
  });
  beforeEach(() => admin.query("delete from key_check"));
  after(async () => {
    await admin.end();
    await database.drop();
  });

  const makeConfig = (secretKey: string) =>
    readConfig({ DATABASE_URL: database.url, SECRET_KEY: secretKey, PORT: "0" });

  async function check(secretKey: string): Promise<void> {
    const opened = await openRuntime(makeConfig(secretKey), {
      url: database.url,
      role: "mooring_operator",
      name: "test",
      log,
    });
    try {
      await checkRootKeys(opened.runtime);
    } finally {
      await opened.close();
    }
  }

  async function marks(): Promise<string[]> {
    const { rows } = await admin.query<{ key_id: string }>(
      "select key_id from key_check order by key_id",
    );
    return rows.map((row) => row.key_id);
  }

  it("stores a check value of the current key in an empty database, and accepts that key from then on", async () => {
    await check(first);
    await check(first);
    assert.deepEqual(await marks(), [parseKeyId(first)]);
  });

  it("refuses a process that lacks a key in use, and stores nothing for it", async () => {
    await check(first);
    await assert.rejects(check(second), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, new RegExp(`SECRET_KEY: .*root key ${parseKeyId(first)}`));
      assert.equal(error.message.includes(first.split(":")[1] ?? ""), false);
      return true;
    });
    assert.deepEqual(await marks(), [parseKeyId(first)]);
  });

  it("refuses other bytes under the same id", async () => {
    await check(first);
    const impostor = `${parseKeyId(first)}:${second.split(":")[1]}`;
    await assert.rejects(check(impostor), /is not the one that this database was sealed with/);
  });

  it("accepts a new current key beside the old one, and then requires both", async () => {
    await check(first);
    await check(`${second},${first}`);
    assert.deepEqual(await marks(), [parseKeyId(first), parseKeyId(second)].sort());
    await assert.rejects(check(first), ConfigError);
    await assert.rejects(check(second), ConfigError);
    await check(`${first},${second}`);
  });

  it("lets one of two first starts with different keys win", async () => {
    const results = await Promise.allSettled([check(first), check(second)]);
    assert.deepEqual(results.map((one) => one.status).sort(), ["fulfilled", "rejected"]);
    assert.equal((await marks()).length, 1);
  });

  it("prevents an API with the wrong key from starting", async () => {
    await check(first);
    await assert.rejects(startApi(makeConfig(second), { log }), ConfigError);
  });
});
