import assert from "node:assert/strict";
import { chown, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { runCli } from "@mooring/testing/cli/run-cli";
import { call, textOf } from "@mooring/testing/control/http";
import {
  childNamed,
  findProcesses,
  type LocalProduct,
  makeDataDir,
  productPorts,
  removeDataDir,
  startProduct,
  startProgram,
} from "@mooring/testing/local/local-product";
import { freePort } from "@mooring/testing/processes/free-port";
import { runShell } from "@mooring/testing/processes/run-shell";
import { until } from "@mooring/testing/processes/until";

const up = /Mooring is up\.[\s\S]*\n {2}curl .*\n/;

describe("npm start", () => {
  let dataDir = "";
  let port = 0;
  let base = "";
  let key = "";
  let applicationId = "";
  let product: LocalProduct;
  let ports: Readonly<Record<string, string>> = {};
  const start = (env: Readonly<Record<string, string>> = {}): LocalProduct =>
    startProduct({ dataDir, env: { ...ports, ...env } });

  before(async () => {
    dataDir = await makeDataDir();
    ports = await productPorts();
    port = Number(ports["PORT"]);
    base = `http://127.0.0.1:${port}`;
  });
  after(async () => {
    for (const pid of await findProcesses(dataDir)) process.kill(pid, "SIGKILL");
    await until(async () => (await findProcesses(dataDir)).length === 0);
    await removeDataDir(dataDir);
  });

  it("prints the address, the docs and two keys that work", async () => {
    product = start();
    const [banner] = await product.waitFor(up);
    assert.match(banner, new RegExp(`Address {3}http://localhost:${port}\n`));
    assert.match(banner, new RegExp(`Docs {6}http://localhost:${port}/docs\n`));
    assert.match(banner, new RegExp(`Demo {6}http://localhost:${port}/demo\n`));
    const link =
      /Console {3}(http:\/\/localhost:\d+\/console\/link\/\S+)\n/.exec(banner)?.[1] ?? "";
    const signedIn = await fetch(link, { method: "POST", redirect: "manual" });
    assert.equal(signedIn.status, 303);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    assert.match(cookie, /^mooring=/);
    const session = await call(base, "/v1/session", { headers: { cookie } });
    assert.equal(textOf(session, "role"), "owner");
    assert.match(banner, new RegExp(`Root CA {3}${dataDir}/sandbox-ca\\.pem\n`));
    key = /sk_test_[0-9A-Za-z]{46}/.exec(banner)?.[0] ?? "";
    const liveKey = /sk_live_[0-9A-Za-z]{46}/.exec(banner)?.[0] ?? "";
    for (const one of [key, liveKey]) {
      assert.equal((await call(base, "/v1/applications", { key: one })).status, 200);
    }
    const made = await call(base, "/v1/applications", { key, body: { name: "First" } });
    assert.equal(made.status, 201);
    applicationId = textOf(made, "id");
  });

  it("is where a console link of another shell leads, whatever its port", async () => {
    const args = ["console", "link", "--tenant", "Default", "--role", "owner", "--json"];
    const made = await runCli(args, { DATA_DIR: dataDir });
    assert.equal(made.code, 0, made.stderr);
    const link = String(made.json()["url"]);
    assert.ok(link.startsWith(`http://localhost:${port}/console/link/`), link);
    assert.equal((await fetch(link, { method: "POST", redirect: "manual" })).status, 303);
  });

  it("prints lines that connect a domain and open it when they are pasted", async () => {
    const lines = product.output().match(/^ {2}(export|ZONE=|TARGET=|curl) ?.*$/gm) ?? [];
    assert.equal(lines.length, 5);
    const { code, stdout, stderr } = await runShell(lines.join("\n"));
    assert.equal(code, 0, stderr);
    assert.match(stdout, /<h1>Welcome to www\.hello-\d+\.test<\/h1>/);
    assert.match(stdout, /The edge vouches for it: www\.hello-\d+\.test, test environment/);
  });

  it("serves what browsers get, whether or not it was built before", async () => {
    for (const page of ["/sdk/v1/widget.js", "/console/", "/docs/quick-start", "/docs/scalar.js"]) {
      const answer = await fetch(base + page);
      assert.equal(answer.status, 200, `${page}: ${await answer.text()}`);
    }
  });

  it("writes its secrets for its own user only", async () => {
    for (const name of ["secret-key", "database-url", "demo.json"]) {
      assert.equal((await stat(path.join(dataDir, name))).mode & 0o777, 0o600);
    }
  });

  it("names the process that has the port, and does not disturb the running start", async () => {
    const second = start();
    const { code } = await second.ended;
    const holder = await childNamed(dataDir, "api");
    assert.equal(code, 69);
    assert.match(second.output(), new RegExp(`port ${port} is taken by process ${holder} `));
    assert.match(second.output(), /choose another port with PORT=/);
    assert.equal((await call(base, "/healthz")).status, 200);
  });

  it("refuses a second start on the same data, and does not stop the database of the first", async () => {
    const second = start(await productPorts());
    const { code } = await second.ended;
    assert.equal(code, 69);
    assert.match(second.output(), /already running/);
    assert.equal((await call(base, "/v1/applications", { key })).status, 200);
  });

  it("restarts a crashed process, and reports it", async () => {
    const before = await childNamed(dataDir, "api");
    process.kill(before, "SIGKILL");
    await product.waitFor(/api ended unexpectedly \(signal SIGKILL\); starting it again in 0\.1 s/);
    await product.waitFor(/again in 0\.1 s\n(.*\n)*?api is ready/);
    assert.notEqual(await childNamed(dataDir, "api"), before);
    assert.equal((await call(base, "/v1/applications", { key })).status, 200);
  });

  it("ends everything on Ctrl-C, with exit code 0", async () => {
    product.child.kill("SIGINT");
    assert.deepEqual(await product.ended, { code: 0, signal: null });
    assert.deepEqual(await findProcesses(dataDir), []);
  });

  it("is up again with the same data, the demo, and no keys shown", async (context) => {
    const startedAt = performance.now();
    product = start();
    await product.waitFor(up);
    context.diagnostic(`up after ${Math.round(performance.now() - startedAt)} ms`);
    assert.doesNotMatch(product.output(), /sk_(test|live)_/);
    const demo = await fetch(`${base}/demo`);
    assert.match(await demo.text(), /Harbour, a demo of Mooring/);
    assert.match(
      product.output(),
      /npx @mooring\/server keys create --tenant Default --environment test/,
    );
    const found = await call(base, `/v1/applications/${applicationId}`, { key });
    assert.equal(found.status, 200);
    product.child.kill("SIGTERM");
    assert.deepEqual(await product.ended, { code: 0, signal: null });
  });

  it("leaves no process behind when it is killed, and loses nothing", async () => {
    product = start();
    await product.waitFor(up);
    const children = [await childNamed(dataDir, "api"), await childNamed(dataDir, "worker")];
    const made = await call(base, "/v1/applications", { key, body: { name: "Late" } });
    product.child.kill("SIGKILL");
    await product.ended;
    const killedAt = performance.now();
    await until(async () => {
      const left = await findProcesses(dataDir);
      return !children.some((pid) => left.includes(pid));
    });
    assert.ok(performance.now() - killedAt < 40_000);

    product = start();
    await product.waitFor(up);
    assert.match(product.output(), /PostgreSQL was running already/);
    const late = await call(base, `/v1/applications/${textOf(made, "id")}`, { key });
    assert.equal(late.status, 200);
    product.child.kill("SIGTERM");
    assert.deepEqual(await product.ended, { code: 0, signal: null });
    assert.deepEqual(await findProcesses(dataDir), []);
  });

  it("refuses a root key that is not this database's", async () => {
    const wrong = start({ SECRET_KEY: `k1:${Buffer.alloc(32, "wrong").toString("base64")}` });
    const { code } = await wrong.ended;
    assert.equal(code, 78);
    assert.match(
      wrong.output(),
      /SECRET_KEY: this database holds values sealed under the root key/,
    );
    assert.deepEqual(await findProcesses(dataDir), []);
  });

  it("starts again after a change under a watching Node, over the same server", async () => {
    const sources = path.join(dataDir, "sources");
    await mkdir(sources);
    product = startProduct({
      dataDir,
      env: ports,
      nodeArgs: [`--watch-path=${sources}`],
    });
    await product.waitFor(up);
    assert.match(product.output(), /PostgreSQL is ready/);
    await writeFile(path.join(sources, "changed.ts"), "");
    await product.waitFor(/up\.[\s\S]*PostgreSQL was running already[\s\S]*Mooring is up\./);
    assert.equal((await call(base, "/v1/applications", { key })).status, 200);
    product.child.kill("SIGINT");
    await product.ended;
    await until(async () => (await findProcesses(dataDir)).length === 0);
  });

  it("leaves no server when Ctrl-C comes while a watching Node ends it for a change", async () => {
    const sources = path.join(dataDir, "sources");
    product = startProduct({
      dataDir,
      env: ports,
      nodeArgs: [`--watch-path=${sources}`],
    });
    await product.waitFor(up);
    await writeFile(path.join(sources, "changed-again.ts"), "");
    await product.waitFor(/Restarting/);
    product.child.kill("SIGINT");
    await product.ended;
    await until(async () => (await findProcesses(dataDir)).length === 0);
  });
});

describe("npm start that fails", () => {
  let dataDir = "";
  before(async () => {
    dataDir = await makeDataDir();
  });
  after(() => removeDataDir(dataDir));

  it("reports each invalid variable in a separate line", async () => {
    const bad = startProduct({ dataDir, env: { PORT: "many", RECHECK_INTERVAL: "soon" } });
    const { code } = await bad.ended;
    assert.equal(code, 78);
    assert.match(bad.output(), /^mooring: PORT: .+$/m);
    assert.match(bad.output(), /^mooring: RECHECK_INTERVAL: .+$/m);
    assert.equal(bad.output().trim().split("\n").length, 2);
  });

  it("wants SECRET_KEY in production, and makes none itself", async () => {
    const refused = startProduct({ dataDir, env: { NODE_ENV: "production" } });
    const { code } = await refused.ended;
    assert.equal(code, 78);
    assert.match(refused.output(), /SECRET_KEY: required when NODE_ENV=production/);
    await assert.rejects(readFile(path.join(dataDir, "secret-key")), { code: "ENOENT" });
  });

  it("says so at a low priority too, although its build cannot have one 10 lower", async () => {
    const env = { NODE_ENV: "production" };
    const command = ["-n", "15", "npm", "run", "start"];
    const refused = startProgram("nice", command, { dataDir, env });
    const { code } = await refused.ended;
    assert.match(refused.output(), /SECRET_KEY: required when NODE_ENV=production/);
    assert.equal(code, 78);
  });

  it("says when DATABASE_URL cannot be reached", async () => {
    const nowhere = `postgres://someone:hidden-word@127.0.0.1:${await freePort()}/mooring`;
    const env = { DATABASE_URL: nowhere, ...(await productPorts()) };
    const refused = startProduct({ dataDir, env });
    const { code } = await refused.ended;
    assert.equal(code, 69);
    assert.match(refused.output(), /DATABASE_URL: nothing listens at 127\.0\.0\.1:\d+: start/);
    assert.doesNotMatch(refused.output(), /hidden-word/);
  });

  it("says when the data directory belongs to another version of PostgreSQL", async () => {
    const data = path.join(dataDir, "postgres", "data");
    await mkdir(data, { recursive: true });
    await writeFile(path.join(data, "PG_VERSION"), "14\n");
    if (process.getuid?.() === 0) await chown(data, 65_534, 65_534);
    const refused = startProduct({ dataDir, env: await productPorts() });
    const { code } = await refused.ended;
    assert.equal(code, 78);
    assert.match(refused.output(), /was made by PostgreSQL 14/);
  });
});
