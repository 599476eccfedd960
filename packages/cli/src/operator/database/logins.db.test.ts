import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { generateRootKey } from "@mooring/control";
import { findFinding } from "@mooring/testing/cli/doctor";
import { callCli } from "@mooring/testing/cli/run-cli";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import pg from "pg";

const parts = ["api", "worker", "edge", "dns"] as const;
type Part = (typeof parts)[number];

/** What each role must not read, though others do. */
const forbidden: Readonly<Record<Part, readonly string[]>> = {
  api: ["acme_orders", "acme_challenges", "ticket_keys"],
  worker: ["local_ca", "ticket_keys", "schema_owner_only"],
  edge: [
    "api_keys",
    "applications",
    "audit_log",
    "connections",
    "contests",
    "credentials",
    "deliveries",
    "domain_connect_grants",
    "domain_connect_keys",
    "events",
    "idempotency_keys",
    "sandbox_zones",
    "share_links",
    "status_links",
    "subscriptions",
    "tenants",
    "webhook_endpoints",
  ],
  dns: [
    "acme_accounts",
    "acme_challenges",
    "acme_orders",
    "api_keys",
    "applications",
    "certificate_changes",
    "certificates",
    "claims",
    "connections",
    "credentials",
    "events",
    "host_changes",
    "signing_keys",
    "tenants",
    "ticket_keys",
    "validation_values",
    "webhook_endpoints",
  ],
};

describe("a login for each process", () => {
  let database: TestDatabase;
  let admin: pg.Client;
  const suffix = randomBytes(4).toString("hex");
  const loginName = (part: Part) => `t_${part}_${suffix}`;
  const urls = {} as Record<Part, string>;
  const secretKey = generateRootKey();
  /** Nothing listens there: doctor asks no server outside the test. */
  const resolvers = "127.0.0.1:9";
  let env: Readonly<Record<string, string>> = {};
  before(async () => {
    database = await createTestDatabase();
    admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    await admin.query("create table schema_owner_only (id int)");
    for (const part of parts) {
      const url = new URL(database.url);
      Object.assign(url, { username: loginName(part), password: `p'%40"${suffix}` });
      urls[part] = url.toString();
    }
    env = {
      DATABASE_URL: database.url,
      SECRET_KEY: secretKey,
      DNS_RESOLVERS: resolvers,
      DATABASE_URL_API: urls.api,
      DATABASE_URL_WORKER: urls.worker,
      DATABASE_URL_EDGE: urls.edge,
      DATABASE_URL_DNS: urls.dns,
      VALIDATION_ZONE: "v.mooring.example",
      VALIDATION_NS: "ns1.mooring.example",
    };
  });
  after(async () => {
    for (const part of parts) await admin.query(`drop role if exists ${loginName(part)}`);
    await admin.end();
    await database.drop();
  });

  async function as(part: Part, role: string | null, query: string): Promise<string | null> {
    const client = new pg.Client({ connectionString: urls[part] });
    await client.connect();
    try {
      if (role !== null) await client.query(`set role ${role}`);
      await client.query(query);
      return null;
    } catch (error) {
      return error instanceof pg.DatabaseError ? (error.code ?? "") : "other";
    } finally {
      await client.end();
    }
  }

  it("is made by migrate, and again without a change", async () => {
    for (let run = 0; run < 2; run += 1) {
      const { code, stderr } = await callCli(["migrate"], env);
      assert.equal(code, 0, stderr);
    }
    for (const part of parts) assert.equal(await as(part, null, "select 1"), null, part);
  });

  it("may act as its own role and no other", async () => {
    const allowed = {
      api: ["mooring_api", "mooring_worker"],
      worker: ["mooring_worker"],
      edge: ["mooring_edge"],
      dns: ["mooring_dns"],
    };
    const roles = [
      "mooring_api",
      "mooring_worker",
      "mooring_edge",
      "mooring_dns",
      "mooring_operator",
    ];
    for (const part of parts) {
      for (const role of [...roles, "mooring_definer"]) {
        const expected = allowed[part].includes(role) ? null : "42501";
        assert.equal(await as(part, role, "select 1"), expected, `${part} as ${role}`);
      }
    }
  });

  it("cannot read what its process does not need, by any role that it may take on", async () => {
    for (const part of parts) {
      for (const table of forbidden[part]) {
        const expected = "42501";
        assert.equal(await as(part, null, `select * from ${table}`), expected, `${part} ${table}`);
      }
    }
    // Sealed signing keys of tokens are in the same table as the edge's own.
    const rows = "select 1 / count(*) from signing_keys where purpose = 'widget'";
    assert.equal(await as("edge", "mooring_edge", rows), "22012", "the edge sees none");
  });

  it("loses a role that it was given by mistake", async () => {
    await admin.query(`grant mooring_operator to ${loginName("edge")}`);
    assert.equal(await as("edge", "mooring_operator", "select 1"), null);
    assert.equal((await callCli(["migrate"], env)).code, 0);
    assert.equal(await as("edge", "mooring_operator", "select 1"), "42501");
  });

  it("is not the owner's, and has a password", async () => {
    const owner = await callCli(["migrate"], { ...env, DATABASE_URL_EDGE: database.url });
    assert.notEqual(owner.code, 0);
    const bare = new URL(urls.edge);
    bare.password = "";
    const open = await callCli(["migrate"], { ...env, DATABASE_URL_EDGE: bare.toString() });
    assert.notEqual(open.code, 0);
  });

  it("is what doctor reports, with the keys of the process", async () => {
    const { DATABASE_URL: url, SECRET_KEY: key } = env;
    const single = { DATABASE_URL: url ?? "", SECRET_KEY: key ?? "", DNS_RESOLVERS: resolvers };
    const production = { ...env, NODE_ENV: "production" };
    const wide = await findFinding("edge_could_read", { ...single, NODE_ENV: "production" });
    assert.deepEqual(
      [wide.status, /every table|mooring_operator/.test(wide.detail)],
      ["warn", true],
    );
    const exported = await callCli(["secrets", "export", "--for", "edge"], single);
    assert.equal(exported.code, 0, exported.stderr);
    const ring = exported.stdout.trim();
    assert.ok(!ring.includes((key ?? "").split(":")[1] ?? ""), "nothing of the root key");
    const narrow = await findFinding("edge_could_read", { ...production, SECRET_KEY_EDGE: ring });
    assert.equal(narrow.status, "ok", narrow.detail);
    assert.match(narrow.detail, /acts as mooring_edge and/);
    assert.match(narrow.detail, /keys for certificate_key, acme_account, .* only$/);
    assert.doesNotMatch(narrow.detail, /api_keys|credentials|webhook_endpoints/);
    assert.equal((await findFinding("worker_could_read", production)).status, "ok");
    assert.equal((await findFinding("api_could_read", production)).status, "ok");
  });
});
