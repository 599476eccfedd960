import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { checkRootKeys, generateRootKey, openRuntime, readConfig } from "@mooring/control";
import { callCli } from "@mooring/testing/cli/run-cli";
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from "@mooring/testing/database/database";
import { freePort } from "@mooring/testing/processes/free-port";
import pg from "pg";
import type { Finding } from "./checks/finding.ts";
import { examine } from "./doctor.ts";

describe("mooring doctor", () => {
  let database: TestDatabase;
  let dataDir = "";
  let good: Readonly<Record<string, string>> = {};
  const secretKey = generateRootKey();

  before(async () => {
    database = await createTestDatabase();
    const config = readConfig({ DATABASE_URL: database.url, SECRET_KEY: secretKey });
    const opened = await openRuntime(config, {
      url: database.url,
      role: "mooring_operator",
      name: "test",
    });
    await checkRootKeys(opened.runtime);
    await opened.close();
  });
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "mooring-doctor-"));
    good = {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      PORT: String(await freePort()),
      // The default ports may be those of another test.
      EDGE_HTTP_PORT: "0",
      EDGE_HTTPS_PORT: "0",
      DNS_RESOLVERS: `127.0.0.1:${await freePort()}`,
    };
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));
  after(() => database.drop());

  /** Examines a valid configuration with a change; returns the finding of one check. */
  async function diagnose(change: Readonly<Record<string, string>>, check: string) {
    const findings = await examine({ ...good, ...change });
    const finding = findings.find(
      (one) => one.check === check && (one.status !== "ok" || check !== "configuration"),
    );
    assert.ok(finding, JSON.stringify(findings));
    return { finding, findings };
  }

  /** The same by the command. */
  async function runDoctor(change: Readonly<Record<string, string>>): Promise<readonly Finding[]> {
    const { stdout, stderr, code } = await callCli(["doctor", "--json"], { ...good, ...change });
    assert.equal(stderr, "");
    const report = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
    assert.equal(code, report.ok ? 0 : 1);
    return report.findings;
  }

  it("finds nothing but the unresponsive resolver in a valid configuration", async () => {
    const findings = await runDoctor({});
    const bad = findings.filter((one) => one.status !== "ok").map((one) => one.check);
    assert.deepEqual(bad, ["dns_resolvers"]);
  });

  it("finds a database that does not answer", async () => {
    const url = `postgres://a:b@127.0.0.1:${await freePort()}/c`;
    const { finding } = await diagnose({ DATABASE_URL: url }, "database");
    assert.equal(finding.status, "fail");
    assert.match(finding.detail, /^nothing listens at 127\.0\.0\.1:/);
  });

  it("finds a user that the server refuses and a database that does not exist", async () => {
    const url = new URL(database.url);
    url.username = "nobody_here";
    const refused = await diagnose({ DATABASE_URL: url.toString() }, "database");
    assert.match(refused.finding.detail, /refuses the user or password/);
    const absent = new URL(database.url);
    absent.pathname = "/no_such_database";
    const missing = await diagnose({ DATABASE_URL: absent.toString() }, "database");
    assert.match(missing.finding.detail, /has no database called no_such_database/);
    assert.match(missing.finding.fix ?? "", /createdb no_such_database/);
  });

  it("finds a database that was never migrated", async () => {
    const empty = await createEmptyDatabase();
    try {
      const { finding } = await diagnose({ DATABASE_URL: empty.url }, "schema");
      assert.equal(finding.status, "fail");
      assert.match(finding.fix ?? "", /mooring migrate/);
    } finally {
      await empty.drop();
    }
  });

  it("finds a database that a newer release has migrated", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query("insert into schema_migrations values (9999, 'later', '', now())");
      const { finding } = await diagnose({}, "schema");
      assert.equal(finding.status, "fail");
      assert.match(finding.detail, /version 9999/);
    } finally {
      await client.query("delete from schema_migrations where version = 9999");
      await client.end();
    }
  });

  it("finds a login that may not act as the service's roles", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const user = `doctor_${database.name}`;
    try {
      await client.query(`create role ${user} login password 'doctor'`);
      await client.query(`grant select on schema_migrations to ${user}`);
      const url = new URL(database.url);
      url.username = user;
      url.password = "doctor";
      const { finding } = await diagnose({ DATABASE_URL: url.toString() }, "roles");
      assert.equal(finding.status, "fail");
      assert.match(finding.fix ?? "", new RegExp(`^grant mooring_api, .* to ${user};$`));
    } finally {
      await client.query(`drop owned by ${user}; drop role ${user}`);
      await client.end();
    }
  });

  it("finds a root key that is another database's, or cannot be read, or is missing", async () => {
    const wrong = await diagnose({ SECRET_KEY: generateRootKey() }, "secret_key");
    assert.equal(wrong.finding.status, "fail");
    assert.match(wrong.finding.detail, /sealed under the root key/);
    const garbled = await diagnose({ SECRET_KEY: "garbled" }, "secret_key");
    assert.match(garbled.finding.fix ?? "", /mooring secrets generate/);
    const none = await diagnose({ SECRET_KEY: "" }, "secret_key");
    assert.equal(none.finding.status, "fail");
    assert.match(none.finding.detail, /there is no root key here/);
  });

  it("finds a port that something else has", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const { finding } = await diagnose({ PORT: port }, "port");
    server.close();
    assert.match(finding.detail, new RegExp(`taken by process ${process.pid} `));
    assert.match(finding.fix ?? "", /PORT=/);
  });

  it("finds every invalid variable, and still checks the others", async () => {
    const change = { RECHECK_INTERVAL: "soon", LOG_LEVEL: "loud", BASE_URL: "http://localhost:1" };
    const { findings } = await diagnose(change, "configuration");
    const bad = findings.filter((one) => one.check === "configuration").map((one) => one.detail);
    assert.equal(bad.length, 2);
    assert.equal(findings.find((one) => one.check === "database")?.status, "ok");
    assert.equal(findings.find((one) => one.check === "base_url")?.status, "fail");
  });

  it("finds contradictions beside an invalid variable, and uses every valid one", async () => {
    const change = {
      LOG_LEVEL: "loud",
      NODE_ENV: "production",
      SECRET_KEY: "",
      EDGE_PROXY_PROTOCOL: "perhaps",
      EDGE_PROXY_PROTOCOL_FROM: "10.0.0.0/8",
      EGRESS_ALLOW: "10.1.0.0/16",
      ASK_URL: `http://127.0.0.1:${await freePort()}/internal/ask`,
      WORKER_INTERNAL_PORT: "0",
      HOST: "no-such-machine.invalid",
    };
    const findings = await examine({ ...good, ...change });
    const bad = findings.filter((one) => one.check === "configuration").map((one) => one.detail);
    assert.deepEqual(bad.map((detail) => detail.slice(0, detail.indexOf(":"))).sort(), [
      "EDGE_PROXY_PROTOCOL",
      "LOG_LEVEL",
      "SECRET_KEY",
    ]);
    const find = (check: string) => findings.find((one) => one.check === check);
    assert.match(find("private_targets")?.detail ?? "", /EGRESS_ALLOW opens 10\.1\.0\.0\/16$/);
    // The default of production, which the invalid variable must not hide.
    assert.match(find("ask_url")?.detail ?? "", /the API answers on 9090/);
    assert.match(find("worker_internal_port")?.fix ?? "", /^set HOST /);
    assert.equal(find("database")?.status, "ok");
    // On in production, by the file of the release.
    assert.match(find("rdap")?.detail ?? "", /bootstrap file of 2026-03-23, of the release$/);
  });

  it("finds secrets that others can read", async () => {
    const file = path.join(dataDir, "secret-key");
    await writeFile(file, `${secretKey}\n`);
    await chmod(file, 0o644);
    const { finding } = await diagnose({}, "data_dir");
    assert.equal(finding.fix, `chmod 600 ${file}`);
  });

  it("changes nothing", async () => {
    const findings = await runDoctor({ SECRET_KEY: "" });
    assert.equal(findings.find((one) => one.check === "data_dir")?.status, "ok");
    assert.deepEqual(await readdir(dataDir), []);
  });
});
