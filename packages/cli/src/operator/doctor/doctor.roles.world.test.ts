import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { generateRootKey, migrate } from "@mooring/control";
import { findFinding } from "@mooring/testing/cli/doctor";
import {
  type DebianPostgres,
  startDebianPostgres,
} from "@mooring/testing/database/postgres-debian";
import { freePort } from "@mooring/testing/processes/free-port";
import pg from "pg";

/** Roles belong to a whole server, so changing them needs a separate server. */
describe("mooring doctor, on the roles of a server", () => {
  let server: DebianPostgres;
  let client: pg.Client;
  let dataDir = "";
  let env: Readonly<Record<string, string>> = {};

  before(async () => {
    server = await startDebianPostgres(15);
    await migrate(server.url);
    client = new pg.Client({ connectionString: server.url });
    await client.connect();
    dataDir = await mkdtemp(path.join(tmpdir(), "mooring-doctor-"));
    env = {
      DATABASE_URL: server.url,
      DATA_DIR: dataDir,
      SECRET_KEY: generateRootKey(),
      PORT: String(await freePort()),
      DNS_RESOLVERS: "127.0.0.1:9",
    };
  });
  after(async () => {
    await client.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("finds a role that row security does not bind", async () => {
    assert.equal((await findFinding("roles", env)).status, "ok");
    await client.query("alter role mooring_api bypassrls");
    const { status, detail, fix } = await findFinding("roles", env);
    await client.query("alter role mooring_api nobypassrls");
    assert.equal(status, "fail");
    assert.match(detail, /row security does not bind mooring_api: tenants would see each other/);
    assert.equal(fix, "alter role mooring_api nosuperuser nobypassrls;");
  });

  it("finds a role that a restore has left out", async () => {
    await client.query("alter role mooring_worker rename to mooring_lost");
    const { status, detail, fix } = await findFinding("roles", env);
    await client.query("alter role mooring_lost rename to mooring_worker");
    assert.deepEqual([status, detail], ["fail", "there is no role mooring_worker"]);
    assert.match(fix ?? "", /^create role mooring_worker nologin/);
  });
});
