import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  checkRootKeys,
  generateRootKey,
  type OpenedRuntime,
  openRuntime,
  readConfig,
} from "@mooring/control";
import { callCli } from "@mooring/testing/cli/run-cli";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import pg from "pg";
import { edgeColumns } from "./edge-columns.ts";

const tenantId = "7b0e5a52-4a3e-4a4e-9d0a-3a4f1c9b2d10";
const hostname = "shop.acme.example";
const directory = "https://ca.example/directory";
const idColumns: Readonly<Record<string, string>> = {
  certificates: hostname,
  acme_orders: hostname,
  acme_accounts: directory,
  local_ca: "1",
  signing_keys: "the assertion key",
  ticket_keys: "3f6c1c58-9f0e-4f0e-8a53-0d4c0a8e5b11",
};

describe("mooring secrets rotate, for the edge's secrets", () => {
  let database: TestDatabase;
  let admin: pg.Client;
  const [oldKey, newKey] = [generateRootKey(), generateRootKey()];

  before(async () => {
    database = await createTestDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
  });
  after(async () => {
    await admin.end();
    await database.drop();
  });

  async function withKey(
    key: string,
    work: (runtime: OpenedRuntime["runtime"]) => Promise<void>,
  ): Promise<void> {
    const config = readConfig({ DATABASE_URL: database.url, SECRET_KEY: key });
    const options = { url: database.url, role: "mooring_operator", name: "test" } as const;
    const opened = await openRuntime(config, options);
    await work(opened.runtime).finally(() => opened.close());
  }
  const plainKey = (table: string): string => `key of ${table}`;

  /** The rows as an edge writes them; the connection of the certificate does not matter. */
  async function fill({ vault }: OpenedRuntime["runtime"]): Promise<void> {
    const sealed = edgeColumns.map(({ table, purpose, context }) =>
      vault.seal(purpose, context(idColumns[table] ?? "", tenantId), plainKey(table)),
    );
    await admin.query("set session_replication_role = replica");
    await admin.query(
      `insert into certificates (hostname, connection_id, tenant_id, environment, epoch, status, sealed_key, created_at)
       values ($1, gen_random_uuid(), $2, 'live', 1, 'issued', $3, now()),
         ('pending.acme.example', gen_random_uuid(), $2, 'live', 2, 'pending', null, now())`,
      [hostname, tenantId, sealed[0]],
    );
    await admin.query(
      `insert into acme_orders (hostname, directory, epoch, progress, sealed_key, created_at)
       values ($1, $2, 1, '{}', $3, now())`,
      [hostname, directory, sealed[1]],
    );
    await admin.query(
      "insert into acme_accounts (directory, sealed_key, created_at) values ($1, $2, now())",
      [directory, sealed[2]],
    );
    await admin.query(
      "insert into local_ca (id, certificate, sealed_key, created_at) values (1, 'pem', $1, now())",
      [sealed[3]],
    );
    await admin.query(
      `insert into signing_keys (id, purpose, public_jwk, sealed, created_at)
       values ('the assertion key', 'assertion', '{}', $1, now())`,
      [sealed[4]],
    );
    await admin.query(
      "insert into ticket_keys (id, sealed, starts_at, created_at) values ($1, $2, now(), now())",
      [idColumns["ticket_keys"], sealed[5]],
    );
  }

  it("brings all six kinds under the new key, which alone then opens them", async () => {
    await withKey(oldKey, async (runtime) => {
      await checkRootKeys(runtime);
      await fill(runtime);
    });
    const rotated = await callCli(["secrets", "rotate", "--json"], {
      DATABASE_URL: database.url,
      SECRET_KEY: `${newKey},${oldKey}`,
    });
    assert.equal(rotated.code, 0, rotated.stdout + rotated.stderr);
    const report = rotated.json();
    assert.deepEqual([report["uncovered"], report["unreadable"]], [[], []]);
    assert.equal(report["rewrapped"], edgeColumns.length);
    await withKey(newKey, async ({ vault }) => {
      for (const { table, column, purpose, context } of edgeColumns) {
        const { rows } = await admin.query<{ sealed: string }>(
          `select ${column} as sealed from ${table} where ${column} is not null`,
        );
        const opened = rows.map(({ sealed }) =>
          vault.open(purpose, context(idColumns[table] ?? "", tenantId), sealed).toString("utf8"),
        );
        assert.deepEqual(opened, [plainKey(table)]);
      }
    });
  });

  it("leaves untrusted keys to retire-assertion-keys", async () => {
    const retire = () =>
      callCli(["secrets", "retire-assertion-keys", "--json"], {
        DATABASE_URL: database.url,
        SECRET_KEY: newKey,
      });
    const retired = await retire();
    assert.equal(retired.code, 0, retired.stdout + retired.stderr);
    assert.deepEqual(retired.json()["retired"], ["the assertion key"]);
    assert.deepEqual((await retire()).json()["retired"], []);
    const { rows } = await admin.query("select from signing_keys where retired_at is null");
    assert.equal(rows.length, 0);
  });
});
