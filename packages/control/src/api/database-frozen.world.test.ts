import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { connect, openCaller } from "@mooring/testing/clients/connecting";
import {
  type DedicatedApp,
  type DedicatedPostgres,
  startDedicatedApp,
  startDedicatedPostgres,
} from "@mooring/testing/control/database-faults";
import { call } from "@mooring/testing/control/http";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";

const run = promisify(execFile);
const withinSeconds = 5;

interface CurlAnswer {
  readonly status: number;
  readonly seconds: number;
  readonly retryAfter: number;
}

/** A request by curl, which measures it too. */
async function curl(url: string, key: string, body?: object): Promise<CurlAnswer> {
  const { stdout } = await run("curl", [
    "--silent",
    "--max-time",
    "30",
    "--output",
    "/dev/null",
    "--write-out",
    "%{http_code} %{time_total} %header{retry-after}",
    "--header",
    `authorization: Bearer ${key}`,
    ...(body === undefined ? [] : ["--json", JSON.stringify(body)]),
    url,
  ]);
  const [status, seconds, retryAfter] = stdout.split(" ").map(Number);
  return { status: status ?? 0, seconds: seconds ?? 0, retryAfter: retryAfter ?? 0 };
}

/** Requests at once, and the slowest of those that were sent meanwhile and need no database. */
interface Burst {
  readonly answers: readonly CurlAnswer[];
  readonly machineSeconds: number;
}

/** `usualSeconds` is what the machine needs for the same requests while the database answers. */
function assertAway({ answers, machineSeconds }: Burst, usualSeconds: number): void {
  const delay = usualSeconds + machineSeconds;
  for (const { status, seconds, retryAfter } of answers) {
    assert.equal(status, 503);
    assert.ok(seconds < withinSeconds + delay, `${seconds} s on a machine that needs ${delay} s`);
    assert.ok(retryAfter >= 1 && retryAfter <= 10, `Retry-After: ${retryAfter}`);
  }
}

function keepFailed(burst: Burst): Burst {
  const isFailed = ({ status }: CurlAnswer) => status !== 200 && status !== 201;
  return { ...burst, answers: burst.answers.filter(isFailed) };
}

function slowest({ answers }: Burst): number {
  return Math.max(...answers.map(({ seconds }) => seconds));
}

/** The API on the server, with requests of each kind and a count of what must not be lost. */
class Shop {
  readonly app: DedicatedApp;
  readonly #server: DedicatedPostgres;
  readonly #applicationId: string;
  readonly acknowledged: string[] = [];

  constructor(app: DedicatedApp, server: DedicatedPostgres, applicationId: string) {
    this.app = app;
    this.#server = server;
    this.#applicationId = applicationId;
  }

  static async open(server: DedicatedPostgres): Promise<Shop> {
    const app = await startDedicatedApp(server.url);
    const caller = await openCaller(app.api.url, app.first.keys.test);
    return new Shop(app, server, caller.applicationId);
  }

  get #key(): string {
    return this.app.first.keys.test;
  }

  read(): Promise<CurlAnswer> {
    return curl(`${this.app.api.url}/v1/applications`, this.#key);
  }

  write(): Promise<CurlAnswer> {
    const name = `app-${randomBytes(6).toString("hex")}`;
    return curl(`${this.app.api.url}/v1/applications`, this.#key, { name });
  }

  /** As many as the pool has connections, and more, of each kind. */
  async burst(): Promise<Burst> {
    const { url } = this.app.api;
    const each = Array.from({ length: 10 }, () => [this.read(), this.write()]).flat();
    const sent = Promise.all([curl(`${url}/healthz`, this.#key), ...each]);
    let hasEnded = false;
    const over = sent.finally(() => {
      hasEnded = true;
    });
    let machineMs = 0;
    await until(async () => {
      const startedAt = performance.now();
      await call(url, "/v1/applications", { key: "none" });
      machineMs = Math.max(machineMs, performance.now() - startedAt);
      return hasEnded;
    }, "the end of the burst");
    return { answers: await over, machineSeconds: machineMs / 1_000 };
  }

  /** Creates a connection, whose event is an outbox row of the same transaction. */
  async create(): Promise<void> {
    const hostname = `www.${randomBytes(6).toString("hex")}.test`;
    const caller = {
      base: this.app.api.url,
      key: this.#key,
      applicationId: this.#applicationId,
    };
    this.acknowledged.push((await connect(caller, hostname)).id);
  }

  async isBack(): Promise<boolean> {
    return (await call(this.app.api.url, "/v1/applications", { key: this.#key })).status === 200;
  }

  /** What was answered and is not there, or has no event. */
  async lost(): Promise<readonly string[]> {
    const client = new pg.Client({ connectionString: this.#server.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ connection_id: string }>(
        "select connection_id from events where type = 'domain.added'",
      );
      const stored = new Set(rows.map((row) => row.connection_id));
      return this.acknowledged.filter((id) => !stored.has(id));
    } finally {
      await client.end();
    }
  }
}

describe("a database that no longer answers", () => {
  let server: DedicatedPostgres;
  let shop: Shop;
  before(async () => {
    server = await startDedicatedPostgres();
    shop = await Shop.open(server);
  });
  after(async () => {
    server.thaw();
    await shop.app.close();
    await server.close();
  });

  it(`(all of it frozen) is 503 within ${withinSeconds} seconds, and nothing is lost`, async () => {
    await Promise.all(Array.from({ length: 10 }, () => shop.create()));
    const usual = slowest(await shop.burst());
    await server.freeze("all");
    assertAway(await shop.burst(), usual);
    assertAway(await shop.burst(), usual);
    server.thaw();
    await until(() => shop.isBack(), "back to normal");
    await shop.create();
    assert.deepEqual(await shop.lost(), []);
  });

  it("(its sessions frozen) is 503 within the time, then replaced by new sessions", async () => {
    const usual = slowest(await shop.burst());
    await server.freeze("sessions");
    assertAway(keepFailed(await shop.burst()), usual);
    await until(() => shop.isBack(), "new sessions");
    server.thaw();
    await shop.create();
    assert.deepEqual(await shop.lost(), []);
  });
});

describe("a database whose disk is full", () => {
  it(`is 503 within ${withinSeconds} seconds, and recovers when there is room again`, async (t) => {
    const directory = await mkdtemp(path.join(tmpdir(), "mooring-full-"));
    try {
      await run("mount", ["-t", "tmpfs", "-o", "size=512m,mode=755", "tmpfs", directory]);
    } catch {
      await rm(directory, { recursive: true });
      t.skip("mounting a file system of its own needs root");
      return;
    }
    await chmod(directory, 0o755);
    const server = await startDedicatedPostgres(directory);
    const shop = await Shop.open(server);
    try {
      await shop.create();
      const usual = slowest(await shop.burst());
      const { bavail, bsize } = await statfs(directory);
      const ballast = path.join(directory, "ballast");
      await writeFile(ballast, Buffer.alloc(bavail * bsize)).catch(() => undefined);
      // The current file of the log still has room: writes succeed until it is full.
      const isFull = async (): Promise<boolean> => {
        const failed = keepFailed(await shop.burst());
        assertAway(failed, usual);
        return failed.answers.length > 0;
      };
      await fillLog(server);
      await until(isFull, "the disk is full");
      await rm(ballast);
      // A server that could not even recover has ended, and is started again by who supervises it.
      await server.start();
      await until(() => shop.isBack(), "back to normal");
      await shop.create();
      assert.deepEqual(await shop.lost(), []);
    } finally {
      await shop.app.close();
      await server.stop();
      await run("umount", [directory]);
      await rm(directory, { recursive: true });
    }
  });
});

/** Writes until the server refuses, because there is no room for another file. */
async function fillLog(server: DedicatedPostgres): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  client.on("error", () => undefined); // the server may end over it
  await client.connect();
  try {
    await client.query("create table filler (bytes text)");
    for (let count = 0; count < 200; count += 1) {
      await client.query("insert into filler select repeat(md5(random()::text), 30000)");
    }
    assert.fail("the disk did not become full");
  } catch (error) {
    assert.ok(!(error instanceof assert.AssertionError), String(error));
  } finally {
    await client.end().catch(() => undefined);
  }
}
