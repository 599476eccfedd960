import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { generateRootKey } from "@mooring/control";
import { findFinding } from "@mooring/testing/cli/doctor";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import {
  type Behaviour,
  type ScriptedDns,
  type ScriptedQuestion,
  startScriptedDns,
} from "@mooring/testing/dns/scripted-dns";
import { freePort } from "@mooring/testing/processes/free-port";
import pg from "pg";

const edgeName = "edge.mooring.example";

describe("mooring doctor, on DNS, ACME and addresses", () => {
  let database: TestDatabase;
  let dns: ScriptedDns;
  let dataDir = "";
  let good: Readonly<Record<string, string>> = {};
  const servers: Server[] = [];
  const zone: { address: string; caa: string; targets: string | null } = {
    address: "192.0.2.10",
    caa: "letsencrypt.org",
    targets: null,
  };

  before(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(path.join(tmpdir(), "mooring-doctor-"));
    dns = await startScriptedDns({ address: "127.0.0.1", port: await freePort(), behave: answer });
    good = {
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRET_KEY: generateRootKey(),
      PORT: String(await freePort()),
      DNS_RESOLVERS: `${dns.address}:${dns.port}`,
      EDGE_CNAME: edgeName,
      EDGE_IPV4: zone.address,
    };
  });
  function answer({ name, type }: ScriptedQuestion): Behaviour {
    const isTarget = name.endsWith(`.${edgeName}`) && zone.targets !== null;
    if (isTarget && type === "A") {
      return { answers: [{ name, type, ttl: 60, data: zone.targets ?? "" }] };
    }
    if (isTarget) return { answers: [] };
    if (name !== edgeName) return { rcode: 3 };
    if (type === "A") return { answers: [{ name, type, ttl: 60, data: zone.address }] };
    if (type !== "CAA") return { answers: [] };
    const data = { flags: 0, tag: "issue" as const, value: zone.caa };
    return { answers: [{ name, type, ttl: 60, data }] };
  }
  after(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await dns.stop();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function serve(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const finding = (check: string, change: Readonly<Record<string, string>> = {}) =>
    findFinding(check, { ...good, ...change });

  it("finds an edge name without an address, and the record to add", async () => {
    const name = "absent.mooring.example";
    const { status, detail, fix } = await finding("edge_name", { EDGE_CNAME: name });
    assert.equal(status, "fail");
    assert.equal(detail, `${name} has no address in DNS`);
    assert.equal(fix, `add ${name} A 192.0.2.10`);
    assert.equal((await finding("edge_name")).status, "ok");
  });

  it("finds an edge name that does not resolve to the addresses of apex domains", async () => {
    const other = await finding("edge_name", { EDGE_IPV4: "127.0.0.1" });
    assert.equal(other.status, "fail");
    assert.match(
      other.detail,
      /resolves to 192\.0\.2\.10, and EDGE_IPV4 and EDGE_IPV6 say 127\.0\.0\.1/,
    );
    assert.equal(other.fix, "set EDGE_IPV4=192.0.2.10");
  });

  it("finds an edge name in production that resolves on this machine only", async () => {
    const local = { NODE_ENV: "production", EDGE_CNAME: "edge.localhost" };
    const { status, fix } = await finding("edge_name", local);
    assert.equal(status, "fail");
    assert.match(fix ?? "", /set EDGE_CNAME to a public name/);
  });

  it("finds targets that do not lead to the edge, and the record to add", async () => {
    const unique = { EDGE_TARGETS: "unique" };
    assert.equal((await finding("edge_targets")).status, "ok");
    const absent = await finding("edge_targets", unique);
    assert.equal(absent.status, "fail");
    assert.equal(absent.fix, `add *.${edgeName} CNAME ${edgeName}, or set EDGE_TARGETS=shared`);
    zone.targets = "203.0.113.9";
    const elsewhere = await finding("edge_targets", unique);
    assert.match(elsewhere.detail, /resolve to 203\.0\.113\.9, which is not the edge/);
    zone.targets = zone.address;
    assert.equal((await finding("edge_targets", unique)).status, "ok");
    zone.targets = null;
  });

  it("finds CAA at the edge name that would forbid every customer's certificate", async () => {
    const url = "https://acme-v02.api.letsencrypt.org/directory";
    assert.equal((await finding("edge_caa", { ACME_DIRECTORY_URL: url })).status, "ok");
    zone.caa = "other-ca.example";
    try {
      const { status, detail, fix } = await finding("edge_caa", { ACME_DIRECTORY_URL: url });
      assert.equal(status, "fail");
      assert.match(detail, /allows other-ca\.example, and certificates come from letsencrypt\.org/);
      assert.match(fix ?? "", /CAA 0 issue "letsencrypt\.org"/);
    } finally {
      zone.caa = "letsencrypt.org";
    }
  });

  it("finds an ACME directory that is unreachable, is something else, or needs an external account", async () => {
    const unreachable = `http://127.0.0.1:${await freePort()}/dir`;
    const away = await finding("acme", { ACME_DIRECTORY_URL: unreachable });
    assert.equal(away.status, "fail");
    assert.match(away.detail, /cannot be reached \(ECONNREFUSED\)/);
    const site = await serve((_, response) => response.end("<html>"));
    const page = await finding("acme", { ACME_DIRECTORY_URL: site });
    assert.match(page.detail, /answers 200 and is not an ACME directory/);
    const meta = { externalAccountRequired: true };
    const bound = await serve((_, response) =>
      response.end(JSON.stringify({ newOrder: "x", meta })),
    );
    const closed = await finding("acme", { ACME_DIRECTORY_URL: bound });
    assert.match(closed.fix ?? "", /set ACME_EAB_KID and ACME_EAB_KEY/);
    const keyed = { ACME_DIRECTORY_URL: bound, ACME_EAB_KID: "kid", ACME_EAB_KEY: "a2V5" };
    assert.equal((await finding("acme", keyed)).status, "ok");
    const lost = await finding("acme", { ACME_DIRECTORY_URL: bound, ACME_CA_FILE: "/none.pem" });
    assert.match(lost.detail, /ACME_CA_FILE cannot be read/);
  });

  it("finds a profile that the CA does not offer, and takes an external account for one directory", async () => {
    const meta = { externalAccountRequired: true, profiles: { classic: "", shortlived: "" } };
    const url = await serve((_, response) => response.end(JSON.stringify({ newOrder: "x", meta })));
    const bound = { ACME_DIRECTORY_URL: url, ACME_EABS: `${url}=kid:a2V5` };
    const wrong = await finding("acme", { ...bound, ACME_PROFILES: `${url}=tlsserver` });
    assert.equal(wrong.status, "fail");
    assert.match(wrong.detail, /the profile tlsserver; it offers classic, shortlived/);
    for (const profile of ["shortlived", "none"]) {
      const right = await finding("acme", { ...bound, ACME_PROFILES: `${url}=${profile}` });
      assert.equal(right.status, "ok", right.detail);
    }
  });

  it("says what is left of a CA's limits, how many names wait, and until when the CA asked to wait", async () => {
    const url = await serve((_, response) => response.end(JSON.stringify({ newOrder: "x" })));
    const change = {
      ACME_DIRECTORY_URL: url,
      ISSUANCE_LIMITS: JSON.stringify({ [url]: { orders_per_3h: 100 } }),
    };
    const full = await finding("ca_budget", change);
    assert.deepEqual(
      [full.status, full.detail],
      ["ok", `${url}: 100 of 100 new orders left, 0 names wait`],
    );
    const session = new pg.Client({ connectionString: database.url });
    await session.connect();
    try {
      await session.query(
        `insert into issuance_budget (name, arrives_at, held_until, held_for)
         values ($1, now() + interval '27 minutes', now() + interval '1 hour', 'ca_rate_limited')`,
        [`orders:${url}`],
      );
    } finally {
      await session.end();
    }
    const waiting = await finding("ca_budget", change);
    assert.equal(waiting.status, "warn");
    assert.match(waiting.detail, /: 8\d of 100 new orders left, .* the CA has asked to wait until/);
    assert.match(waiting.fix ?? "", /ISSUANCE_LIMITS/);
  });

  it("finds an ask URL on a wrong port, or where something else answers", async () => {
    const away = `http://127.0.0.1:${await freePort()}/internal/ask`;
    const wrong = await finding("ask_url", { ASK_URL: away });
    assert.equal(wrong.status, "fail");
    assert.equal(
      wrong.fix,
      `set ASK_URL to http://127.0.0.1:${good["PORT"]}/internal/ask, or leave it out`,
    );
    const site = await serve((_, response) => response.end("hello"));
    const port = new URL(site).port;
    const other = await finding("ask_url", { PORT: port });
    assert.match(other.detail, /is not Mooring's API/);
    const yes = await serve((_, response) => response.end('{"allow":true}'));
    const open = await finding("ask_url", { PORT: new URL(yes).port });
    assert.match(open.detail, /allows a name that is not connected/);
  });

  it("finds webhooks that may reach private addresses in production", async () => {
    const change = { NODE_ENV: "production", WEBHOOK_ALLOW_PRIVATE: "true" };
    const { status, fix } = await finding("private_targets", change);
    assert.equal(status, "warn");
    assert.match(fix ?? "", /take WEBHOOK_ALLOW_PRIVATE out of the environment/);
  });

  it("finds a schema that is one release behind", async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      "delete from schema_migrations where version = (select max(version) from schema_migrations) returning *",
    );
    try {
      const { status, detail, fix } = await finding("schema");
      assert.equal(status, "fail");
      assert.match(detail, /^the schema is at version \d+, version \d+ is needed$/);
      assert.equal(fix, "run `mooring migrate`");
    } finally {
      await client.query(
        "insert into schema_migrations select * from json_populate_record(null::schema_migrations, $1)",
        [JSON.stringify(rows[0])],
      );
      await client.end();
    }
  });

  it("finds a data directory that is a file, or that others can read secrets in", async () => {
    const file = path.join(dataDir, "file");
    await writeFile(file, "");
    const { status, detail } = await finding("data_dir", { DATA_DIR: file });
    assert.deepEqual([status, detail], ["fail", `${file} is not a directory`]);
    const secret = path.join(dataDir, "secret-key");
    await writeFile(secret, "x", { mode: 0o600 });
    await chmod(secret, 0o640);
    await chown(secret, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    assert.equal((await finding("data_dir")).fix, `chmod 600 ${secret}`);
    await rm(secret);
  });
});
