import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import {
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
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import { createTestDatabase, type TestDatabase } from "@mooring/testing/database/database";
import {
  type ServedProduct,
  serveProduct,
  startApiProcess,
  startEdgeProcess,
  startWorkerProcess,
} from "@mooring/testing/processes/mooring-serve";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";
import { generateRootKey } from "../../../packages/control/src/index.ts";

const execute = promisify(execFile);
const main = path.resolve(import.meta.dirname, "../../../packages/cli/src/main.ts");
const parts = ["api", "worker", "edge"] as const;

/** As `docs/self-hosting.md` describes it: "From one login to several". */
describe("from one login to several", () => {
  const suffix = randomBytes(4).toString("hex");
  const secretKey = generateRootKey();
  let database: TestDatabase;
  let directory = "";
  let product: ServedProduct;
  let caller: Caller;
  const running: { signal(name: "SIGTERM"): Promise<number | null> }[] = [];
  before(async () => {
    database = await createTestDatabase();
    directory = await mkdtemp(path.join(tmpdir(), "mooring-logins-"));
    product = await serveProduct({ DATABASE_URL: database.url, SECRET_KEY: secretKey });
    caller = await openCaller(product.base, product.keys?.test ?? "");
  });
  after(async () => {
    for (const one of running) await one.signal("SIGTERM");
    await product.stop();
    const admin = new pg.Client({ connectionString: database.url });
    await admin.connect();
    for (const part of parts) await admin.query(`drop role if exists ${part}_${suffix}`);
    await admin.end();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  const loginUrl = (part: (typeof parts)[number]): string => {
    const url = new URL(database.url);
    Object.assign(url, { username: `${part}_${suffix}`, password: `secret-${suffix}` });
    return url.toString();
  };

  async function mooring(args: readonly string[], env: Readonly<Record<string, string>>) {
    const all = { PATH: process.env["PATH"], SECRET_KEY: secretKey, ...env };
    return (await execute(process.execPath, [main, ...args], { env: all })).stdout.trim();
  }

  /** No process is given `DATABASE_URL`, and the edge no root key. */
  async function startOwn(): Promise<Caller> {
    const urls = {
      DATABASE_URL_API: loginUrl("api"),
      DATABASE_URL_WORKER: loginUrl("worker"),
      DATABASE_URL_EDGE: loginUrl("edge"),
    };
    await mooring(["migrate"], { DATABASE_URL: database.url, ...urls });
    const edgeKeys = await mooring(["secrets", "export", "--for", "edge"], {});
    const common = {
      DATA_DIR: directory,
      BASE_URL: product.base,
      DNS_RESOLVERS: "127.0.0.1:9",
      LOG_LEVEL: "warn",
    };
    const root = { ...common, SECRET_KEY: secretKey };
    const api = await startApiProcess({ ...root, DATABASE_URL_API: urls.DATABASE_URL_API });
    running.push(api);
    const worker = { ...root, DATABASE_URL_WORKER: urls.DATABASE_URL_WORKER };
    running.push(await startWorkerProcess(worker));
    const edge = {
      ...common,
      ASK_URL: `${api.base}/internal/ask`,
      DATABASE_URL_EDGE: urls.DATABASE_URL_EDGE,
      SECRET_KEY_EDGE: edgeKeys,
    };
    running.push(await startEdgeProcess(edge));
    return { ...caller, base: api.base };
  }

  async function begin(through: Caller): Promise<Made> {
    const zone = freshZone();
    const made = await connect(through, `www.${zone}`);
    await putZone(through, zone, [proofRecord(made), toEdge(made)]);
    return made;
  }

  const reachLive = (through: Caller, { id, hostname }: Made): Promise<void> =>
    until(async () => {
      return (await get(through, id)).json()["state"] === "live";
    }, `${hostname} live`);

  it("has both at work beside each other, and then each process with its own alone", async () => {
    const own = await startOwn();
    const before = await Promise.all([begin(caller), begin(own)]);
    await Promise.all(before.map((made, index) => reachLive(index === 0 ? own : caller, made)));
    await product.stop();
    await reachLive(own, await begin(own));
    const session = await openSession(database.url);
    const broken = await brokenInvariants(session);
    await session.end();
    assert.deepEqual(broken, []);
  });
});
