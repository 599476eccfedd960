import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { generateRootKey } from "@mooring/control";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { freePort } from "@mooring/testing/processes/free-port";
import { patientEdge } from "@mooring/testing/processes/mooring-serve";
import { until } from "@mooring/testing/processes/until";

const root = path.resolve(import.meta.dirname, "../../..");
const main = path.join(root, "packages/cli/src/main.ts");
const manager = path.join(root, "packages/testing/src/deploy/service-manager.py");

/** Connects for each request, one after the other, until it is stopped; nothing may fail. */
function startVisitor(port: number, visitPath: string) {
  let isStopped = false;
  let answered = 0;
  const failures: string[] = [];
  const visit = async (): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    get({ host: "127.0.0.1", port, path: visitPath, agent: false }, (response) => {
      response.resume().on("end", resolve).on("error", reject);
    }).on("error", reject);
    await promise.then(
      () => {
        answered += 1;
      },
      (error: NodeJS.ErrnoException) => failures.push(error.code ?? error.message),
    );
  };
  const ended = (async () => {
    while (!isStopped) await visit();
  })();
  return {
    answered: () => answered,
    failures,
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

describe("sockets of a service manager", () => {
  let database: TestDatabase;
  let dataDir = "";
  let env: Record<string, string | undefined> = {};
  const children: ChildProcess[] = [];
  before(async () => {
    database = await createTestDatabase();
    dataDir = await mkdtemp(path.join(tmpdir(), "mooring-sockets-"));
    env = {
      PATH: process.env["PATH"],
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      SECRET_KEY: generateRootKey(),
      LOG_LEVEL: "warn",
      EDGE_WORKERS: "2",
      EDGE_DRAIN: "2s",
      ...patientEdge,
      EDGE_NEW_CONNECTIONS_PER_ADDRESS: "1000000",
      DNS_RESOLVERS: "127.0.0.1:9",
    };
  });
  after(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** `serve NAME` under the service manager; counts how often it was started and was ready. */
  function manage(name: string, sockets: Readonly<Record<string, number>>, own: object) {
    const named = Object.entries(sockets).map(([socket, port]) => `${socket}=${port}`);
    const command = [process.execPath, main, "serve", name];
    const child = spawn("python3", [manager, ...named, "--", ...command], {
      env: { ...env, ...own },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    const count = (what: string) => output.split(`${what}`).length - 1;
    return { child, count, ready: (times: number) => until(() => count(" is ready") >= times) };
  }

  it("lose no connection to the API while it restarts", async () => {
    const [port, internal] = [await freePort(), await freePort()];
    const own = { PORT: String(port), INTERNAL_PORT: String(internal) };
    const api = manage("api", { api: port, "api-internal": internal }, own);
    await api.ready(1);
    const visitors = [startVisitor(port, "/healthz"), startVisitor(internal, "/metrics")];
    await until(() => visitors.every((one) => one.answered() > 5));
    for (const restarts of [1, 2]) {
      api.child.kill("SIGUSR1");
      await api.ready(restarts + 1);
      const before = visitors.map((one) => one.answered());
      await until(() => visitors.every((one, at) => one.answered() > (before[at] ?? 0) + 5));
    }
    await Promise.all(visitors.map((one) => one.stop()));
    assert.equal(api.count("started"), 3);
    assert.deepEqual(
      visitors.flatMap(({ failures }) => failures),
      [],
    );
  });

  it("lose no connection to an edge while it restarts or its processes are replaced", async () => {
    const [http, https] = [await freePort(), await freePort()];
    const own = { EDGE_HTTP_PORT: String(http), EDGE_HTTPS_PORT: String(https) };
    const edge = manage("edge", { "edge-http": http, "edge-https": https }, own);
    await edge.ready(1);
    const visitor = startVisitor(http, "/");
    await until(() => visitor.answered() > 5);
    const more = () => {
      const before = visitor.answered();
      return until(() => visitor.answered() > before + 50);
    };
    edge.child.kill("SIGHUP");
    await more();
    edge.child.kill("SIGUSR1");
    await edge.ready(2);
    await more();
    await visitor.stop();
    assert.deepEqual(visitor.failures, []);
  });

  it("are taken from systemd's own program", async () => {
    const port = await freePort();
    const own = { PORT: String(port) };
    const listen = ["-l", `127.0.0.1:${port}`, "--fdname=api"];
    const passed = Object.entries({ ...env, ...own }).map(([name, value]) => `-E${name}=${value}`);
    const command = [process.execPath, main, "serve", "api"];
    const child = spawn("/usr/bin/systemd-socket-activate", [...listen, ...passed, ...command], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    children.push(child);
    // It starts the command at the first connection, which waits for it.
    let health = 0;
    const ask = () =>
      fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: "close" } }).then(
        ({ status }) => status,
        () => 0,
      );
    await until(async () => {
      health = await ask();
      return health !== 0;
    }, "an answer");
    assert.equal(health, 200);
  });
});
