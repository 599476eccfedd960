import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { finish, runCli, spawnCli, untilOutput } from "@mooring/testing/cli/run-cli";
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestDatabase,
} from "@mooring/testing/database/database";
import { freePort } from "@mooring/testing/processes/free-port";

describe("mooring serve", () => {
  let database: TestDatabase;
  let dataDir = "";
  let env: Readonly<Record<string, string>> = {};

  before(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(path.join(tmpdir(), "mooring-serve-"));
    env = { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: "warn" };
  });
  after(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  for (const name of ["api", "worker"]) {
    it(`runs ${name} until SIGTERM, and ends with 0 within ten seconds`, async () => {
      const child = spawnCli(["serve", name], {
        ...env,
        PORT: String(await freePort()),
        EDGE_HTTP_PORT: "0",
        EDGE_HTTPS_PORT: "0",
      });
      const result = finish(child);
      await untilOutput(child);
      const askedAt = performance.now();
      child.kill("SIGTERM");
      const { code, stdout } = await result;
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`^${name} is ready\n`));
      assert.ok(performance.now() - askedAt < 10_000);
    });

    it(`ends ${name} when the channel to its parent closes`, async () => {
      const child = fork(path.resolve(import.meta.dirname, "../../main.ts"), ["serve", name], {
        env: { ...env, PORT: String(await freePort()), EDGE_HTTP_PORT: "0", EDGE_HTTPS_PORT: "0" },
        execArgv: [],
      });
      const ended = once(child, "exit");
      const [first] = await Promise.race([once(child, "message"), ended]);
      assert.deepEqual(first, { type: "ready" });
      child.disconnect();
      assert.deepEqual(await ended, [0, null]);
    });
  }

  it("says who has the port, and ends with 69 at once", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const { code, stderr } = await runCli(["serve", "api"], { ...env, PORT: port });
    server.close();
    assert.equal(code, 69);
    assert.match(stderr, new RegExp(`mooring: port ${port} is taken by process ${process.pid} `));
  });

  it("runs all processes over an existing database, and prints one document", async () => {
    const empty = await createEmptyDatabase();
    const port = await freePort();
    const child = spawnCli(["serve", "all", "--json"], {
      ...env,
      DATABASE_URL: empty.url,
      LOG_LEVEL: "info",
      DATA_DIR: path.join(dataDir, "all"),
      PORT: String(port),
      EDGE_HTTP_PORT: "0",
      EDGE_HTTPS_PORT: "0",
    });
    try {
      const result = finish(child);
      await untilOutput(child);
      const health = await fetch(`http://127.0.0.1:${port}/healthz`);
      assert.equal(health.status, 200);
      await health.arrayBuffer();
      child.kill("SIGTERM");
      const { code, json } = await result;
      assert.equal(code, 0);
      const { url, keys } = json() as { url: string; keys: { test: string } };
      assert.equal(url, `http://localhost:${port}`);
      assert.match(keys.test, /^sk_test_/);
    } finally {
      child.kill("SIGKILL");
      await empty.drop();
    }
  });
});
