import assert from "node:assert/strict";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
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
import { isLetIn } from "@mooring/testing/clients/visit";
import { call } from "@mooring/testing/control/http";
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import {
  type DebianPrograms,
  debianPrograms,
  initDatabase,
} from "@mooring/testing/database/postgres-debian";
import { readDocBlocks } from "@mooring/testing/processes/doc-blocks";
import { freePort } from "@mooring/testing/processes/free-port";
import { type ServedProduct, serveProduct } from "@mooring/testing/processes/mooring-serve";
import { until } from "@mooring/testing/processes/until";
import { generateRootKey } from "../../../packages/control/src/index.ts";

const secretKey = generateRootKey();
const section = "## Recovery to a point in time";
const publicUrl = "http://api.mooring.example";

/**
 * pg_basebackup and archived WAL, as the runbook describes it: back to the moment before a mistake.
 */
describe("a database that is restored to a point in time", () => {
  let programs: DebianPrograms;
  let product: ServedProduct | null = null;
  let caller: Caller;
  const running = new Set<string>();
  before(async () => {
    programs = await debianPrograms(15);
  });
  after(async () => {
    await product?.stop();
    for (const data of running) await stopServer(data);
    await rm(programs.directory, { recursive: true, force: true });
  });

  async function startServer(name: string, settings: Readonly<Record<string, string>>) {
    const [data, port] = [join(programs.directory, name), await freePort()];
    await programs.startServer(data, port, settings);
    running.add(data);
    return `postgres://postgres@127.0.0.1:${port}`;
  }

  async function stopServer(data: string): Promise<void> {
    running.delete(data);
    await programs.run("pg_ctl", ["-D", data, "-w", "-t", "60", "-m", "fast", "stop"]);
  }

  async function serve(url: string): Promise<ServedProduct> {
    const env = { DATABASE_URL: url, SECRET_KEY: secretKey, BASE_URL: publicUrl };
    product = await serveProduct(env);
    return product;
  }

  async function untilState(made: Made, state: string): Promise<void> {
    await until(async () => {
      return (await get(caller, made.id)).json()["state"] === state;
    }, `${made.hostname} ${state}`);
  }

  async function goLive(): Promise<Made> {
    const zone = freshZone();
    const made = await connect(caller, `www.${zone}`);
    await putZone(caller, zone, [proofRecord(made), toEdge(made)]);
    await untilState(made, "live");
    return made;
  }

  async function untilServed(
    { httpsPort, base }: ServedProduct,
    { hostname }: Made,
  ): Promise<void> {
    const ca = (await call(base, "/sandbox/ca.pem")).text;
    await until(() => isLetIn(httpsPort, hostname, { ca }), `${hostname} served`);
  }

  it("has what was committed until then, and continues", async () => {
    const wal = join(programs.directory, "wal");
    await mkdir(wal);
    // The server runs as another user.
    await chmod(wal, 0o777);
    await programs.run("initdb", initDatabase(join(programs.directory, "data")));
    const server = await startServer("data", await settings(0));
    const admin = await openSession(`${server}/postgres`);
    await admin.query("create database mooring");
    const first = await serve(`${server}/mooring`);
    caller = await openCaller(first.base, first.keys?.test ?? "");
    const before = await goLive();
    await takeBaseBackup(`${server}/postgres`);

    const between = await goLive();
    const pending = await connect(caller, `www.${freshZone()}`);
    const session = await openSession(`${server}/mooring`);
    // A worker that ended while it had the row: the lease has ended long before anybody restores.
    await session.query(
      "update connection_checks set leased_until = clock_timestamp() + interval '1 second' where connection_id = $1",
      [pending.id],
    );
    const { rows } = await session.query<{ at: string }>("select clock_timestamp()::text as at");
    await session.end();
    const target = rows[0]?.at ?? "";
    // The mistake.
    for (const made of [before, between]) {
      assert.equal((await archive(caller, made.id)).status, 200);
    }
    const after = await goLive();
    await admin.query("select pg_switch_wal()");
    await admin.end();
    await first.stop();
    await stopServer(join(programs.directory, "data"));

    const restored = await startRestored(target);
    const second = await serve(`${restored}/mooring`);
    caller = { ...caller, base: second.base };
    for (const made of [before, between]) {
      await untilState(made, "live");
      await untilServed(second, made);
    }
    assert.equal((await get(caller, after.id)).status, 404, "made after the point in time");
    await putZone(caller, pending.hostname.slice("www.".length), [
      proofRecord(pending),
      toEdge(pending),
    ]);
    await untilState(pending, "live");
    // The name that is unknown now can be connected again.
    const again = await connect(caller, after.hostname);
    assert.notEqual(again.id, after.id);
    const found = await openSession(`${restored}/mooring`);
    assert.deepEqual(await brokenInvariants(found), []);
    await found.end();
  });

  const inFolder = (text: string): string => text.replaceAll("/backup/", `${programs.directory}/`);

  /** The settings of the runbook, in a folder of this test. */
  async function settings(block: 0 | 1): Promise<Readonly<Record<string, string>>> {
    const blocks = await readDocBlocks("operations.md", section, "ini");
    const lines = inFolder(blocks[block] ?? "")
      .trim()
      .split("\n");
    assert.ok(lines.length > 1);
    return Object.fromEntries(lines.map((line) => line.split(" = ", 2)));
  }

  async function takeBaseBackup(adminUrl: string): Promise<void> {
    const [line = ""] = await readDocBlocks("operations.md", section, "sh");
    const [program = "", ...args] = inFolder(line)
      .trim()
      .replace('"$ADMIN_URL"', adminUrl)
      .split(" ");
    await programs.run(program, args);
  }

  async function startRestored(target: string): Promise<string> {
    await writeFile(join(programs.directory, "base", "recovery.signal"), "");
    return startServer("base", { ...(await settings(1)), recovery_target_time: `'${target}'` });
  }
});
