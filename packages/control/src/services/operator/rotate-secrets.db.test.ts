import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import { generateRootKey } from "@mooring/vault";
import pg from "pg";
import { readConfig } from "../../config/config.ts";
import { createLogger } from "../../process/log.ts";
import { type OpenedRuntime, openRuntime } from "../../process/open-runtime.ts";
import { sealSecret } from "../webhooks/endpoints.ts";
import { checkRootKeys } from "./check-root-keys.ts";
import { type RotationProgress, rotateSecrets, sealedColumns } from "./rotate-secrets.ts";
import { createTenant } from "./tenants.ts";

const secrets = proofSize(2_000, 100_000);
const log = createLogger({ level: "silent", name: "test" });

describe("rotateSecrets", () => {
  let database: TestDatabase;
  let admin: pg.Client;
  const oldKey = generateRootKey();
  const newKey = generateRootKey();
  const parseKeyId = (key: string): string => key.split(":")[0] ?? "";

  before(async () => {
    database = await createTestDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
  });
  after(async () => {
    await admin.end();
    await database.drop();
  });

  async function withKeys<T>(
    secretKey: string,
    work: (opened: OpenedRuntime["runtime"]) => Promise<T>,
  ): Promise<T> {
    const config = readConfig({ DATABASE_URL: database.url, SECRET_KEY: secretKey });
    const options = { url: database.url, role: "mooring_operator", name: "test", log } as const;
    const opened = await openRuntime(config, options);
    try {
      return await work(opened.runtime);
    } finally {
      await opened.close();
    }
  }

  it("lists every sealed column of the schema except the edge's, which the edge lists", async () => {
    const { rows } = await admin.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and column_name like '%sealed%' and table_name <> 'key_check'`,
    );
    const edgeTables = /^(acme_accounts|acme_orders|certificates|local_ca|ticket_keys)\./;
    assert.deepEqual(
      sealedColumns.map((column) => `${column.table}.${column.column}`).sort(),
      rows
        .map((row) => row.name)
        .filter((name) => !edgeTables.test(name))
        .sort(),
    );
  });

  it("rewraps signing keys and both webhook secrets, and retires the old key", async () => {
    const endpoint = await withKeys(oldKey, async (runtime) => {
      await checkRootKeys(runtime);
      await runtime.tokenKeys.current();
      const { tenant } = await createTenant(runtime, "Acme");
      const id = crypto.randomUUID();
      const seal = (column: "sealed_secret" | "sealed_previous_secret") =>
        sealSecret(runtime.vault, `whsec of ${column}`, tenant.id, id, column);
      await admin.query(
        `insert into webhook_endpoints (id, tenant_id, environment, application_id, url, events, active,
           sealed_secret, sealed_previous_secret, created_at)
         select $1, tenant_id, environment, id, 'https://example.com', '{*}', true, $3, $4, now()
         from applications where tenant_id = $2 and environment = 'test'`,
        [id, tenant.id, seal("sealed_secret"), seal("sealed_previous_secret")],
      );
      return { id, tenantId: tenant.id };
    });
    const progress: RotationProgress[] = [];
    const report = await withKeys(`${newKey},${oldKey}`, (runtime) =>
      rotateSecrets(runtime, { onProgress: (one) => progress.push(one) }),
    );
    assert.deepEqual(report, {
      currentKeyId: parseKeyId(newKey),
      rewrapped: 3,
      unreadable: [],
      remaining: 0,
      uncovered: [],
      retiredKeyIds: [parseKeyId(oldKey)],
    });
    assert.deepEqual(
      progress.map((one) => [one.column, one.rewrapped, one.total]),
      [
        ["signing_keys.sealed", 1, 1],
        ["webhook_endpoints.sealed_secret", 1, 1],
        ["webhook_endpoints.sealed_previous_secret", 1, 1],
      ],
    );
    await withKeys(newKey, async (runtime) => {
      await runtime.tokenKeys.current();
      const { rows } = await admin.query<{ sealed_secret: string }>(
        "select sealed_secret from webhook_endpoints where id = $1",
        [endpoint.id],
      );
      const context = {
        tenant: endpoint.tenantId,
        table: "webhook_endpoints",
        row: endpoint.id,
        column: "sealed_secret",
      };
      const plain = runtime.vault.open("webhook_secret", context, rows[0]?.sealed_secret ?? "");
      assert.equal(plain.toString("utf8"), "whsec of sealed_secret");
    });
  });

  it("leaves values that it cannot open unchanged, reports them, and does not retire the old key", async () => {
    const lost = generateRootKey();
    const before = await admin.query<{ id: string; sealed: string }>(
      "update signing_keys set sealed = replace(sealed, $1, $2) returning id, sealed",
      [`.${parseKeyId(newKey)}.`, `.${parseKeyId(lost)}.`],
    );
    const third = generateRootKey();
    const report = await withKeys(`${third},${newKey}`, (runtime) => rotateSecrets(runtime));
    assert.deepEqual(report.unreadable, [`signing_keys.sealed ${before.rows[0]?.id}`]);
    assert.deepEqual([report.rewrapped, report.remaining], [2, 0]);
    assert.deepEqual(report.retiredKeyIds, []);
    const after = await admin.query("select id, sealed from signing_keys");
    assert.deepEqual(after.rows, before.rows);
  });

  it("never retires a key that an unlisted column needs, and rotates that column once it is listed", async () => {
    const [from, to] = [generateRootKey(), generateRootKey()];
    await admin.query(
      "delete from key_check; delete from signing_keys; delete from webhook_endpoints",
    );
    await admin.query("create table later_things (name text primary key, sealed_part text)");
    await admin.query("grant select, update on later_things to mooring_operator");
    const context = (row: string) => ({
      tenant: null,
      table: "later_things",
      row,
      column: "sealed_part",
    });
    await withKeys(from, async (runtime) => {
      await checkRootKeys(runtime);
      const sealed = runtime.vault.seal("acme_account", context("one"), "plain");
      await admin.query("insert into later_things values ('one', $1), ('none', null)", [sealed]);
    });
    await withKeys(`${to},${from}`, async (runtime) => {
      const untold = await rotateSecrets(runtime);
      assert.deepEqual(untold.uncovered, ["later_things.sealed_part"]);
      assert.deepEqual(untold.retiredKeyIds, []);
      const listed = await rotateSecrets(runtime, {
        columns: [
          {
            table: "later_things",
            column: "sealed_part",
            idColumn: "name",
            idType: "text",
            tenantColumn: null,
            purpose: "acme_account",
            context,
          },
        ],
      });
      assert.deepEqual([listed.rewrapped, listed.retiredKeyIds], [1, [parseKeyId(from)]]);
    });
  });

  /** Endpoints with both secrets sealed under the key of the runtime, in one statement. */
  async function fill(runtime: OpenedRuntime["runtime"], endpoints: number): Promise<void> {
    const { tenant } = await createTenant(runtime, "Many");
    const ids = Array.from({ length: endpoints }, () => crypto.randomUUID());
    const seal = (column: "sealed_secret" | "sealed_previous_secret") =>
      ids.map((id) => sealSecret(runtime.vault, `${column} of ${id}`, tenant.id, id, column));
    await admin.query(
      `insert into webhook_endpoints (id, tenant_id, environment, application_id, url, events, active,
         sealed_secret, sealed_previous_secret, created_at)
       select n.id, a.tenant_id, a.environment, a.id, 'https://example.com', '{*}', true, n.secret,
         n.previous, now()
       from applications a, unnest($2::uuid[], $3::text[], $4::text[]) n (id, secret, previous)
       where a.tenant_id = $1 and a.environment = 'test'`,
      [tenant.id, ids, seal("sealed_secret"), seal("sealed_previous_secret")],
    );
  }

  it(`rewraps ${secrets} secrets while they are read, and continues after an interruption`, async (t) => {
    await admin.query("delete from key_check; delete from signing_keys");
    await admin.query("delete from webhook_endpoints; drop table later_things");
    const [from, to] = [generateRootKey(), generateRootKey()];
    await withKeys(from, async (runtime) => {
      await checkRootKeys(runtime);
      await fill(runtime, secrets / 2);
    });
    await withKeys(`${to},${from}`, async (runtime) => {
      let hasEnded = false;
      let read = 0;
      const readOne = async (): Promise<void> => {
        const { rows } = await admin.query<{ id: string; tenant_id: string; sealed: string }>(
          `select id, tenant_id, sealed_secret as sealed from webhook_endpoints
           where id >= gen_random_uuid() order by id limit 1`,
        );
        for (const { id, tenant_id: tenant, sealed } of rows) {
          const context = { tenant, table: "webhook_endpoints", row: id, column: "sealed_secret" };
          const plain = runtime.vault.open("webhook_secret", context, sealed);
          assert.equal(plain.toString("utf8"), `sealed_secret of ${id}`);
          read += 1;
        }
      };
      const reading = (async () => {
        while (!hasEnded) await readOne();
      })();
      const startedAt = performance.now();
      let batches = 0;
      const stop = (): void => {
        batches += 1;
        if (batches === 2) throw new Error("interrupted");
      };
      await assert.rejects(rotateSecrets(runtime, { onProgress: stop }), /interrupted/);
      const report = await rotateSecrets(runtime);
      const elapsedMs = performance.now() - startedAt;
      hasEnded = true;
      await reading;
      assert.deepEqual([report.unreadable, report.remaining], [[], 0]);
      assert.equal(report.rewrapped, secrets - 2 * Math.min(500, secrets / 2));
      assert.deepEqual(report.retiredKeyIds, [parseKeyId(from)]);
      assert.ok(read > 0);
      const seconds = (elapsedMs / 1_000).toFixed(1);
      t.diagnostic(`${secrets} secrets in ${seconds} s, ${read} read meanwhile`);
      recordPromise(
        "G19",
        `${secrets} secrets, interrupted once`,
        `${seconds} s (promise 10 min), ${read} read meanwhile, 0 errors`,
      );
    });
  });
});
