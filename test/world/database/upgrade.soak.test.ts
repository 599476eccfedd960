import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { promisify } from "node:util";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  type Made,
  openCaller,
  openSession,
  proofRecord,
  putZone,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import { createEmptyDatabase, type TestDatabase } from "@mooring/testing/database/database";
import { freePort } from "@mooring/testing/processes/free-port";
import { type PreviousRelease, previousRelease } from "@mooring/testing/processes/previous-release";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";
import { openDatabase } from "../../../packages/control/src/db/engine/pool.ts";
import { moveArchived } from "../../../packages/control/src/db/queries/connections/archived-connections.ts";
import { generateRootKey } from "../../../packages/control/src/index.ts";

const execute = promisify(execFile);
const current = path.resolve(import.meta.dirname, "../../../packages/cli/src/main.ts");
const roundsAfter = 40;

/**
 * An upgrade as operators do it: migrate while the previous release serves, start the new one
 * beside it, end the old one. Every request on the way is answered.
 */
describe("the previous release on the new schema", () => {
  it("serves through the migration and after it, beside the new one", async (test) => {
    const previous = await previousRelease();
    if (typeof previous === "string") {
      test.diagnostic(`not run: ${previous}`);
      return;
    }
    test.after(() => previous.remove());
    test.diagnostic(`${previous.name}; other packages as installed here`);
    await upgrade(test, previous);
  });
});

async function upgrade(test: TestContext, previous: PreviousRelease): Promise<void> {
  const world = await openWorld(test);
  const old = (...args: readonly string[]) => mooring(previous.main, world.env, args);
  await old("migrate");
  const { keys } = JSON.parse(await old("tenants", "create", "Acme", "--json")) as {
    keys: { test: string };
  };
  const oldApi = await world.serve(previous.main, "api");
  await world.serve(previous.main, "worker");
  const caller = await openCaller(oldApi, keys.test);
  const flow = requestFlow(caller);

  await flow.rounds(5);
  const migrating = mooring(current, world.env, ["migrate", "--json"]);
  await flow.whilst(migrating);
  const { applied } = JSON.parse(await migrating) as { applied: readonly unknown[] };
  await flow.rounds(roundsAfter);
  await flow.settled();

  const newApi = await world.serve(current, "api");
  await world.serve(current, "worker");
  const beside = requestFlow({ ...caller, base: newApi });
  await Promise.all([flow.rounds(10), beside.rounds(10)]);
  await Promise.all([flow.settled(), beside.settled()]);
  assert.deepEqual([...flow.refused, ...beside.refused], []);
  const session = await openSession(world.database.url);
  await readMoved(session, world.database.url, caller, flow.first());
  const broken = await brokenInvariants(session);
  await session.end();
  assert.deepEqual(broken, []);
  test.diagnostic(
    `${flow.answered() + beside.answered()} requests over ${applied.length} new migrations, none refused`,
  );
}

interface World {
  readonly database: TestDatabase;
  readonly env: Readonly<Record<string, string>>;
  /** Starts a process of a release; resolves with its address when it is ready. */
  serve(main: string, role: "api" | "worker"): Promise<string>;
}

async function openWorld(test: TestContext): Promise<World> {
  const database = await createEmptyDatabase();
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-upgrade-"));
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    SECRET_KEY: generateRootKey(),
    BASE_URL: "http://api.mooring.example",
    DNS_RESOLVERS: "127.0.0.1:9",
    LOG_LEVEL: "warn",
    RATE_LIMITS: "general=100000:100000,check=100000:100000,tokens=100000:100000",
  };
  const children: ChildProcess[] = [];
  test.after(async () => {
    for (const child of children) {
      const ended = child.exitCode === null ? once(child, "close") : null;
      child.kill("SIGTERM");
      await ended;
    }
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });
  return {
    database,
    env,
    async serve(main, role) {
      const port = await freePort();
      const child = spawn(process.execPath, [main, "serve", role], {
        env: { PATH: process.env["PATH"], ...env, PORT: String(port) },
        stdio: ["ignore", "ignore", "inherit"],
      });
      children.push(child);
      const base = `http://127.0.0.1:${port}`;
      if (role === "api") await until(() => isWell(base), `${main} ready`);
      return base;
    },
  };
}

async function isWell(base: string): Promise<boolean> {
  return fetch(`${base}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function mooring(
  main: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<string> {
  const options = { env: { PATH: process.env["PATH"], ...env } };
  return (await execute(process.execPath, [main, ...args], options)).stdout;
}

/**
 * The previous release shows a connection that this one has moved to the archived ones, and does
 * not lose it.
 */
async function readMoved(
  session: pg.Client,
  url: string,
  caller: Caller,
  { id, hostname }: Made,
): Promise<void> {
  const { base, key } = caller;
  assert.equal((await archive(caller, id)).status, 200);
  const paths = [`/${id}`, "?state=archived", `?hostname=${hostname}`, `?q=${hostname}`];
  const read = async (): Promise<readonly string[]> => {
    const answers = [...paths, `/${id}/events`].map(
      async (path) => (await call(base, `/v1/connections${path}`, { key })).text,
    );
    return await Promise.all(answers);
  };
  const before = await read();
  const worker = openDatabase({ url, role: "mooring_worker" });
  assert.equal(await worker.transaction((tx) => moveArchived(tx, new Date(), 10)), 1);
  await worker.close();
  const { rows } = await session.query("select id from archived_connections");
  assert.deepEqual(rows, [{ id }]);
  assert.deepEqual(await read(), before);
  assert.equal((await archive(caller, id)).status, 200);
  assert.deepEqual(await read(), before);
}

/** The usual requests of a tenant; records every unexpected answer. */
function requestFlow(caller: Caller) {
  const { base, key, applicationId } = caller;
  const refused: string[] = [];
  const made: Made[] = [];
  let count = 0;
  const ask = async (route: string, body?: unknown, method?: string): Promise<void> => {
    const options = { key, ...(body === undefined ? {} : { body }), ...(method ? { method } : {}) };
    const answer = await call(base, route, options);
    count += 1;
    if (answer.status >= 300) refused.push(`${method ?? ""} ${route}: ${answer.text}`);
  };
  const round = async (): Promise<void> => {
    const zone = freshZone();
    const connection = await connect(caller, `www.${zone}`);
    made.push(connection);
    count += 1;
    await Promise.all([
      ask(`/v1/connections/${connection.id}`),
      ask("/v1/connections?limit=5"),
      ask("/v1/applications"),
      ask(`/v1/applications/${applicationId}`, { name: "Shop" }, "PATCH"),
      ask("/v1/tokens", { application_id: applicationId }),
      ask("/v1/webhook-endpoints", {
        application_id: applicationId,
        url: "https://hooks.example/",
      }),
      ask("/v1/domains:check", { domain: `www.${zone}` }),
      ask("/v1/usage"),
      ask("/v1/events"),
    ]);
    await putZone(caller, zone, [proofRecord(connection), toEdge(connection)]);
    await ask(`/v1/connections/${connection.id}/verify`, undefined, "POST");
    await ask(`/v1/connections/${connection.id}/events`);
  };
  return {
    refused,
    answered: () => count,
    first(): Made {
      const [connection] = made;
      assert.ok(connection);
      return connection;
    },
    async rounds(times: number): Promise<void> {
      for (let index = 0; index < times; index += 1) await round();
    },
    async whilst(work: Promise<unknown>): Promise<void> {
      let hasEnded = false;
      const end = work.finally(() => {
        hasEnded = true;
      });
      while (!hasEnded) await round();
      await end;
    },
    /** Workers take each connection as far as possible without an edge. */
    async settled(): Promise<void> {
      for (const { id, hostname } of made) {
        await until(async () => {
          return (await get(caller, id)).json()["state"] === "issuing_cert";
        }, `${hostname} issuing_cert`);
      }
    },
  };
}
