import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { connect, proofRecord, putZone, toEdge } from "@mooring/testing/clients/connecting";
import { visit } from "@mooring/testing/clients/visit";
import { call, textOf } from "@mooring/testing/control/http";
import { imageEnvironment } from "@mooring/testing/deploy/compose";
import {
  findProcesses,
  type LocalProduct,
  makeDataDir,
  productPorts,
  removeDataDir,
  startCommand,
} from "@mooring/testing/local/local-product";
import { freePort } from "@mooring/testing/processes/free-port";
import { runShell } from "@mooring/testing/processes/run-shell";
import { until } from "@mooring/testing/processes/until";

const rootKey = `k1:${createHash("sha256").update("one-container").digest("base64")}`;

/**
 * docs/one-container.md: the environment and command of the image's target `one`, without Docker.
 */
describe("one container", () => {
  let dataDir = "";
  let copy = "";
  let restored = "";
  let env: Readonly<Record<string, string>> = {};
  let base = "";
  let keys = { test: "", live: "" };
  let applicationId = "";
  let product: LocalProduct;
  const mooring = (args: readonly string[], directory = dataDir): LocalProduct =>
    startCommand(args, { dataDir: directory, env: { ...env, DATA_DIR: directory } });

  async function createKey(environment: string): Promise<string> {
    const owner = ["--tenant", "Default", "--environment", environment, "--name", "mine"];
    const command = mooring(["keys", "create", ...owner]);
    await command.ended;
    return new RegExp(`sk_${environment}_[0-9A-Za-z]{46}`).exec(command.output())?.[0] ?? "";
  }

  before(async () => {
    [dataDir, copy, restored] = [await makeDataDir(), await makeDataDir(), await makeDataDir()];
    const internal = ["INTERNAL_PORT", "WORKER_INTERNAL_PORT", "EDGE_INTERNAL_PORT"];
    const image = imageEnvironment("one");
    for (const name of internal) assert.ok(image[name], `${name} is not set in the image`);
    env = {
      ...image,
      ...(await productPorts()),
      ...Object.fromEntries(
        await Promise.all(internal.map(async (one) => [one, String(await freePort())])),
      ),
      SECRET_KEY: rootKey,
      BASE_URL: "https://connect.example.com",
      EDGE_CNAME: "edge.example.com",
      EDGE_IPV4: "192.0.2.10",
      ACME_DIRECTORY_URL: "http://127.0.0.1:9/directory",
      DNS_RESOLVERS: "127.0.0.1:9",
      EGRESS_ALLOW: "127.0.0.1/32",
    };
    base = `http://[::1]:${env["PORT"]}`;
  });
  after(async () => {
    for (const directory of [dataDir, copy, restored]) {
      for (const pid of await findProcesses(directory)) process.kill(pid, "SIGKILL");
      await until(async () => (await findProcesses(directory)).length === 0);
      await removeDataDir(directory);
    }
  });

  it("is up with its own PostgreSQL, and prints neither keys nor a way in", async (context) => {
    const startedAt = performance.now();
    product = mooring(["serve", "all"]);
    await product.waitFor(/Mooring is up\.[\s\S]*\/healthz\n/);
    context.diagnostic(`up after ${Math.round(performance.now() - startedAt)} ms`);
    assert.doesNotMatch(product.output(), /sk_(?:test|live)_|\/console\/link\//);
    assert.match(product.output(), /keys create .*\n.*console link/);
    keys = { test: await createKey("test"), live: await createKey("live") };
    assert.equal((await call(base, "/v1/applications", { key: keys.live })).status, 200);
    assert.equal((await stat(path.join(dataDir, "postgres", "data"))).isDirectory(), true);
    await assert.rejects(readFile(path.join(dataDir, "secret-key")), { code: "ENOENT" });
  });

  it("answers on IPv4 and IPv6, and has /internal on the private listener only", async () => {
    for (const host of ["127.0.0.1", "[::1]"]) {
      const ask = "/internal/ask?domain=a.example";
      assert.equal((await fetch(`http://${host}:${env["PORT"]}/healthz`)).status, 200);
      assert.equal((await fetch(`http://${host}:${env["PORT"]}${ask}`)).status, 404);
      assert.notEqual((await fetch(`http://${host}:${env["INTERNAL_PORT"]}${ask}`)).status, 404);
    }
  });

  it("brings a domain live over TLS", async (t) => {
    const origin = createServer((_, response) => response.end("hello from the origin"));
    t.after(() => origin.close());
    await once(origin.listen(0, "127.0.0.1"), "listening");
    const address = origin.address();
    const port = typeof address === "object" ? address?.port : 0;
    const made = await call(base, "/v1/applications", {
      key: keys.test,
      body: { name: "Shop", origin_url: `http://127.0.0.1:${port}` },
    });
    applicationId = textOf(made, "id");
    const caller = { base, key: keys.test, applicationId };
    const connection = await connect(caller, "www.one.test");
    await putZone(caller, "one.test", [
      proofRecord(connection),
      toEdge(connection, "edge.example.com"),
    ]);
    await until(async () => {
      const answer = await call(base, `/v1/connections/${connection.id}`, { key: keys.test });
      return textOf(answer, "state") === "live";
    });
    const ca = await (await fetch(`${base}/sandbox/ca.pem`)).text();
    const page = await visit(Number(env["EDGE_HTTPS_PORT"]), "www.one.test", ca);
    assert.equal(page.body, "hello from the origin");
  });

  it("lets an operator use mooring beside it", async () => {
    const listed = mooring(["tenants", "list"]);
    assert.equal((await listed.ended).code, 0, listed.output());
    assert.match(listed.output(), /Default/);
  });

  it("writes a backup while it runs", async () => {
    const backup = mooring(["backup", path.join(copy, "mooring.backup")]);
    assert.equal((await backup.ended).code, 0, backup.output());
  });

  it("stops everything on SIGTERM within the documented time, the database last", async (context) => {
    const startedAt = performance.now();
    product.child.kill("SIGTERM");
    assert.deepEqual(await product.ended, { code: 0, signal: null });
    const elapsedMs = performance.now() - startedAt;
    context.diagnostic(`stopped in ${Math.round(elapsedMs)} ms`);
    assert.ok(elapsedMs < 30_000);
    assert.deepEqual(await findProcesses(dataDir), []);
    const log = await readFile(path.join(dataDir, "postgres", "postgres.log"), "utf8");
    assert.match(log.trimEnd().split("\n").at(-1) ?? "", /database system is shut down/);
  });

  async function continuesIn(directory: string): Promise<void> {
    product = mooring(["serve", "all"], directory);
    await product.waitFor(/Mooring is up\./);
    const found = await call(base, `/v1/applications/${applicationId}`, { key: keys.test });
    assert.equal(found.status, 200);
    product.child.kill("SIGTERM");
    assert.deepEqual(await product.ended, { code: 0, signal: null });
  }

  it("continues from the backup in a new volume, with the same keys", async () => {
    const restore = mooring(["restore", path.join(copy, "mooring.backup")], restored);
    assert.equal((await restore.ended).code, 0, restore.output());
    await continuesIn(restored);
  });

  it("continues on a copy of its volume, with the same keys", async () => {
    // With owners and modes, as in the documentation.
    const { code, stderr } = await runShell(
      `rm '${copy}'/* && tar -C '${dataDir}' -cf - . | tar -C '${copy}' -xpf -`,
    );
    assert.equal(code, 0, stderr);
    await continuesIn(copy);
  });

  it("refuses to start in production without the root key, and writes none", async () => {
    const refused = startCommand(["serve", "all"], { dataDir, env: { ...env, SECRET_KEY: "" } });
    assert.equal((await refused.ended).code, 78);
    assert.match(refused.output(), /SECRET_KEY: required when NODE_ENV=production/);
    await assert.rejects(readFile(path.join(dataDir, "secret-key")), { code: "ENOENT" });
  });
});
