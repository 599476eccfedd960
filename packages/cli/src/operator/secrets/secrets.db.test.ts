import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import {
  checkRootKeys,
  createTenant,
  generateRootKey,
  type OpenedRuntime,
  openRuntime,
  readConfig,
} from "@mooring/control";
import { callCli, finish, spawnCli } from "@mooring/testing/cli/run-cli";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import pg from "pg";

const rows = 2_000;

describe("mooring secrets rotate", () => {
  const oldKey = generateRootKey();
  const newKey = generateRootKey();
  const parseKeyId = (key: string): string => key.split(":")[0] ?? "";
  let database: TestDatabase;
  let admin: pg.Client;
  let oldRuntime: OpenedRuntime;

  const open = (secretKey: string): Promise<OpenedRuntime> =>
    openRuntime(readConfig({ DATABASE_URL: database.url, SECRET_KEY: secretKey }), {
      url: database.url,
      role: "mooring_operator",
      name: "test",
    });
  const credentials = async (): Promise<{ id: string; tenant_id: string; sealed: string }[]> => {
    const found = await admin.query<{ id: string; tenant_id: string; sealed: string }>(
      "select id, tenant_id, sealed from credentials order by id",
    );
    return found.rows;
  };
  const context = (row: { id: string; tenant_id: string }) => ({
    tenant: row.tenant_id,
    table: "credentials",
    row: row.id,
    column: "sealed",
  });

  before(async () => {
    database = await createTestDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    oldRuntime = await open(oldKey);
    await checkRootKeys(oldRuntime.runtime);
    const { tenant } = await createTenant(oldRuntime.runtime, "Acme");
    const made = await admin.query<{ id: string }>(
      `insert into credentials (id, tenant_id, environment, application_id, provider, name, sealed, last4, created_at)
       select gen_random_uuid(), a.tenant_id, a.environment, a.id, 'cloudflare', 'c', 'pending', 'abcd', now()
       from applications a, generate_series(1, $2) where a.tenant_id = $1 and a.environment = 'test' returning id`,
      [tenant.id, rows],
    );
    const sealed = made.rows.map((row) =>
      oldRuntime.runtime.vault.seal(
        "dns_credential",
        context({ id: row.id, tenant_id: tenant.id }),
        `secret of ${row.id}`,
      ),
    );
    await admin.query(
      `update credentials c set sealed = f.sealed from unnest($1::uuid[], $2::text[]) f (id, sealed) where c.id = f.id`,
      [made.rows.map((row) => row.id), sealed],
    );
  });
  after(async () => {
    await oldRuntime.close();
    await admin.end();
    await database.drop();
  });

  it("killed half way leaves every value readable, and the next run completes it", async () => {
    const env = { DATABASE_URL: database.url, SECRET_KEY: `${newKey},${oldKey}` };
    // A row of the third batch is locked, so that the run is in the middle when it is killed.
    const lockedId = (await credentials())[1_200]?.id;
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select from credentials where id = $1 for update", [lockedId]);
    const child = spawnCli(["secrets", "rotate"], env);
    const result = finish(child);
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === `credentials.sealed: 1000 of ${rows}`) child.kill("SIGKILL");
    }
    assert.notEqual((await result).code, 0);
    await holder.query("rollback");
    await holder.end();

    const both = await open(`${newKey},${oldKey}`);
    const halfWay = await credentials();
    const { vault } = both.runtime;
    const under = (keyId: string) => halfWay.filter((row) => vault.keyIdOf(row.sealed) === keyId);
    assert.equal(under(parseKeyId(newKey)).length, 1_000);
    assert.equal(under(parseKeyId(oldKey)).length, rows - 1_000);
    for (const row of halfWay) {
      const plain = vault.open("dns_credential", context(row), row.sealed).toString("utf8");
      assert.equal(plain, `secret of ${row.id}`);
    }
    await both.close();

    const early = await callCli(["secrets", "rotate"], { ...env, SECRET_KEY: newKey });
    assert.equal(early.code, 78, "the old key cannot be dropped yet");
    const finished = await callCli(["secrets", "rotate", "--json"], env);
    assert.equal(finished.code, 0, finished.stderr);
    assert.equal(finished.json()["rewrapped"], rows - 1_000);
    const { rows: marks } = await admin.query<{ key_id: string }>("select key_id from key_check");
    assert.deepEqual(marks, [{ key_id: parseKeyId(newKey) }]);
  });

  it("then needs the new key alone, and finds nothing to do", async () => {
    const env = { DATABASE_URL: database.url, SECRET_KEY: newKey };
    const again = await callCli(["secrets", "rotate", "--json"], env);
    assert.equal(again.code, 0, again.stderr);
    assert.equal(again.json()["rewrapped"], 0);
    const alone = await open(newKey);
    for (const row of await credentials()) {
      const { vault } = alone.runtime;
      const plain = vault.open("dns_credential", context(row), row.sealed).toString("utf8");
      assert.equal(plain, `secret of ${row.id}`);
    }
    await alone.close();
  });
});
