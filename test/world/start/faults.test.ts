import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { call, textOf } from "@mooring/testing/control/http";
import { createTestDatabase } from "@mooring/testing/database/database";
import {
  findProcesses,
  type LocalProduct,
  makeDataDir,
  productPorts,
  removeDataDir,
  startProduct,
  startScript,
} from "@mooring/testing/local/local-product";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import { readPostmaster } from "../../../packages/embedded-postgres/src/postmaster.ts";

const up = /Mooring is up\.[\s\S]*\n {2}curl .*\n/;
const rootKey = `k1:${createHash("sha256").update("start-faults").digest("base64")}`;

/** The outcome of asking for a webhook endpoint at this URL. */
async function webhookTo(base: string, key: string, url: string): Promise<number> {
  const made = await call(base, "/v1/applications", { key, body: { name: `To ${url}` } });
  const body = { application_id: textOf(made, "id"), url };
  return (await call(base, "/v1/webhook-endpoints", { key, body })).status;
}

describe("npm start and faults of its machine", () => {
  let dataDir = "";
  let base = "";
  let key = "";
  let ports: Readonly<Record<string, string>> = {};
  let product: LocalProduct;
  const start = (env: Readonly<Record<string, string>> = {}): LocalProduct =>
    startProduct({ dataDir, env: { ...ports, ...env } });
  const refused = async (env: Readonly<Record<string, string>> = {}) => {
    const one = start(env);
    const { code } = await one.ended;
    assert.deepEqual(await findProcesses(dataDir), []);
    return { code, output: one.output() };
  };

  before(async () => {
    dataDir = await makeDataDir();
    ports = await productPorts();
    base = `http://127.0.0.1:${ports["PORT"]}`;
    product = start();
    const [banner] = await product.waitFor(up);
    key = /sk_test_[0-9A-Za-z]{46}/.exec(banner)?.[0] ?? "";
  });
  after(async () => {
    for (const pid of await findProcesses(dataDir)) process.kill(pid, "SIGKILL");
    await until(async () => (await findProcesses(dataDir)).length === 0);
    await removeDataDir(dataDir);
  });

  it("says that this machine may be a target, and allows no other private address", async () => {
    assert.match(product.output(), /private targets: webhooks and origins on this machine/);
    assert.equal(await webhookTo(base, key, "http://127.0.0.1:9999/hook"), 201);
    assert.equal(await webhookTo(base, key, "http://10.0.0.1:9999/hook"), 400);
    assert.equal(await webhookTo(base, key, "http://192.168.1.1:9999/hook"), 400);
  });

  it("starts its PostgreSQL again soon after each crash, however many there are, and loses nothing", async (context) => {
    const data = path.join(dataDir, "postgres", "data");
    const kills = 7;
    for (let kill = 1; kill <= kills; kill += 1) {
      const made = await call(base, "/v1/applications", { key, body: { name: `Before ${kill}` } });
      const { pid } = (await readPostmaster(data)) ?? assert.fail("there is no server");
      const killedAt = performance.now();
      process.kill(pid, "SIGKILL");
      await until(async () => {
        const answer = await call(base, `/v1/applications/${textOf(made, "id")}`, { key });
        if (answer.status === 200) return (await readPostmaster(data))?.pid !== pid;
        assert.equal(answer.status, 503);
        return false;
      });
      context.diagnostic(`served again ${Math.round(performance.now() - killedAt)} ms after`);
      const backAgain = new RegExp(`(?:is ready again \\(port[\\s\\S]*){${kill}}`);
      await product.waitFor(backAgain);
    }
    const pauses = [
      ...product.output().matchAll(/ended unexpectedly; starting it again in (\S+) s/g),
    ];
    assert.equal(pauses.length, kills);
    for (const [, seconds] of pauses) assert.ok(Number(seconds) <= 2, `${seconds} s`);
    product.child.kill("SIGTERM");
    assert.deepEqual(await product.ended, { code: 0, signal: null });
    assert.deepEqual(await findProcesses(dataDir), []);
  });

  it("refuses a lost secret-key before it writes another", async () => {
    const file = path.join(dataDir, "secret-key");
    const lost = await readFile(file, "utf8");
    await rm(file);
    const { code, output } = await refused();
    assert.equal(code, 78);
    assert.match(
      output,
      /^mooring: SECRET_KEY: .* sealed under the root key k.*secret-key is missing: restore/m,
    );
    await assert.rejects(stat(file), { code: "ENOENT" });
    await writeFile(file, lost, { mode: 0o600 });
  });

  it("says in one sentence that the password file is damaged, or not this database's", async () => {
    const file = path.join(dataDir, "postgres", "password");
    const right = await readFile(file, "utf8");
    await writeFile(file, "half a pass");
    const damaged = await refused();
    assert.equal(damaged.code, 78);
    assert.match(damaged.output, /^mooring: \S+password is damaged, .* restore it/m);
    assert.doesNotMatch(damaged.output, /half a pass|\n {4}at /);

    await writeFile(file, `${"x".repeat(32)}\n`);
    const wrong = await refused();
    assert.equal(wrong.code, 78);
    assert.match(wrong.output, /password does not contain the password of the database beside it/);
    assert.doesNotMatch(wrong.output, /xxxx|\n {4}at /);
    await writeFile(file, right);
  });

  it("in production refuses every private target, and says so", async () => {
    const secret = (await readFile(path.join(dataDir, "secret-key"), "utf8")).trim();
    const internal = String(await freePort());
    product = start({ NODE_ENV: "production", SECRET_KEY: secret, INTERNAL_PORT: internal });
    await product.waitFor(/Mooring is up\./);
    assert.match(product.output(), /private targets: refused, unless EGRESS_ALLOW/);
    assert.equal(await webhookTo(base, key, "http://127.0.0.1:9999/hook"), 400);
    product.child.kill("SIGTERM");
    assert.deepEqual(await product.ended, { code: 0, signal: null });
  });
});

describe("a start that cannot write", {
  skip: process.platform !== "linux",
}, () => {
  // No user may create a directory in sysfs, root included.
  const dataDir = "/sys/kernel/mooring";

  it("names the directory in one sentence, with the embedded database", async () => {
    const one = startProduct({ dataDir, env: await productPorts() });
    assert.equal((await one.ended).code, 78);
    assert.match(
      one.output(),
      /^mooring: Mooring cannot store its database in \/sys\/kernel\/mooring: .*DATA_DIR/m,
    );
    assert.doesNotMatch(one.output(), /\n {4}at /);
  });

  it("and with another database, where the key would be stored", async (t) => {
    const database = await createTestDatabase();
    t.after(() => database.drop());
    const env = { DATABASE_URL: database.url, ...(await productPorts()) };
    const one = startProduct({ dataDir, env });
    assert.equal((await one.ended).code, 78);
    assert.match(one.output(), /^mooring: DATA_DIR: \/sys\/kernel\/mooring cannot be written/m);
    assert.doesNotMatch(one.output(), /\n {4}at /);
  });
});

describe("a start whose build fails", () => {
  it("runs the product all the same, and says so", async (t) => {
    const dataDir = await makeDataDir();
    t.after(() => removeDataDir(dataDir));
    const script = `
      import { listenForEnd } from ${JSON.stringify(import.meta.resolve("../../../packages/cli/src/process-control.ts"))};
      import { runLocal } from ${JSON.stringify(import.meta.resolve("../../../packages/local/src/run-local.ts"))};
      process.exitCode = await runLocal([], listenForEnd(), Promise.resolve(1));`;
    const product = startScript(script, { dataDir, env: await productPorts() });
    await product.waitFor(/Mooring is up\./);
    assert.match(
      product.output(),
      /^.*the build failed, and its pages say so: see its output above/m,
    );
    product.child.kill("SIGTERM");
    assert.equal((await product.ended).code, 0);
    assert.deepEqual(await findProcesses(dataDir), []);
  });
});

describe("a start over a slow database", () => {
  it("survives first connections that take longer than a request would wait", async (t) => {
    const database = await createTestDatabase();
    t.after(() => database.drop());
    const dataDir = await makeDataDir();
    t.after(() => removeDataDir(dataDir));
    const slow = await startSlowRelay(database.url);
    t.after(() => slow.close());
    const env = { ...(await productPorts()), DATABASE_URL: slow.url, SECRET_KEY: rootKey };
    const product = startProduct({ dataDir, env });
    t.after(async () => {
      product.child.kill("SIGTERM");
      await product.ended;
    });
    await product.waitFor(/Mooring is up\./);
    // The migration's, and at least two of the pool: the first was given up.
    assert.ok(slow.delayed() >= 3, `${slow.delayed()} connections were slow`);
  });
});

const slowForMs = 6_000;
const delayMs = 1_600;

/**
 * A relay that at first passes nothing on for longer than a pool waits, counted from its first
 * connection.
 */
async function startSlowRelay(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let firstAt: number | null = null;
  let delayed = 0;
  const server = createServer((near) => {
    firstAt ??= performance.now();
    const isSlow = performance.now() - firstAt < slowForMs;
    if (isSlow) delayed += 1;
    sockets.add(near);
    near.on("error", () => near.destroy());
    setTimeout(
      () => {
        if (near.destroyed) return;
        const far = connect(Number(target.port), target.hostname);
        sockets.add(far);
        far.on("error", () => near.destroy());
        near.on("close", () => far.destroy());
        far.on("close", () => near.destroy());
        near.pipe(far).pipe(near);
      },
      isSlow ? delayMs : 0,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(typeof address === "object" ? address?.port : "");
  return {
    url: url.toString(),
    delayed: () => delayed,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
