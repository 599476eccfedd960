import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type AcmeWorld, startAcmeWorld, type WorldEdge } from "@mooring/testing/acme/world";
import { isLetIn, visit } from "@mooring/testing/clients/visit";
import { type DatabaseRelay, startRelay } from "@mooring/testing/database/relay";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { until } from "@mooring/testing/processes/until";

const hour = 3_600_000;
const tenDays = 864_000;

/** The control plane and the database are unavailable; known hosts are served for a day. */
describe("an edge without control plane and database", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-outage-"));
  let world: AcmeWorld;
  let relay: DatabaseRelay;
  let root = "";
  let hostname = "";
  const edges: WorldEdge[] = [];
  let child: EdgeProcess;
  const nowhere = "http://127.0.0.1:1/internal/ask";

  before(async () => {
    world = await startAcmeWorld({ certificateSeconds: tenDays });
    relay = await startRelay(world.life.app.databaseUrl);
    root = await world.pebble.root();
    hostname = (await world.goLive("known.acme.example")).hostname;
    await world.goLive("unseen.acme.example");
  });
  after(async () => {
    await child?.signal("SIGKILL");
    await Promise.all(edges.map((edge) => edge.close()));
    await relay.close();
    await world.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Retries when a busy edge sheds load with 503. */
  async function get(port: number): Promise<number> {
    for (;;) {
      const { status } = await visit(port, hostname, root);
      if (status !== 503) return status;
    }
  }
  const isIn = (port: number, name = hostname): Promise<boolean> =>
    isLetIn(port, name, { ca: root });

  async function startOne(): Promise<WorldEdge> {
    const folder = path.join(directory, "one");
    const edge = await world.another({ directory: folder, databaseUrl: relay.url });
    edges.push(edge);
    return edge;
  }

  const env = (): Readonly<Record<string, string>> => ({
    ...world.edgeEnv(path.join(directory, "child")),
    DATABASE_URL: relay.url,
    ASK_URL: nowhere,
    EDGE_WORKERS: "2",
  });

  it("serves known hosts from memory, and refuses unknown ones", async () => {
    const edge = await startOne();
    assert.equal(await get(edge.httpsPort), 200);
    child = await startEdgeProcess(env());
    // The worker that reads the certificate writes the file for all workers.
    assert.equal(await get(child.httpsPort), 200);
    relay.freeze();
    for (let visits = 0; visits < 12; visits += 1) {
      const startedAt = performance.now();
      const port = visits % 2 === 0 ? edge.httpsPort : child.httpsPort;
      assert.equal(await get(port), 200);
      assert.ok(performance.now() - startedAt < 5_000, "a frozen database delays no visitor");
      assert.equal(await isIn(port, "unknown.acme.example"), false);
    }
    relay.thaw();
    await relay.cut();
    for (const port of [edge.httpsPort, child.httpsPort]) {
      assert.equal(await get(port), 200);
      assert.equal(await isIn(port, "unknown.acme.example"), false);
    }
  });

  it("serves them from disk after all its processes were killed, also with several workers", async () => {
    await child.signal("SIGKILL");
    child = await startEdgeProcess(env());
    assert.equal(child.workers().length, 2);
    for (let visits = 0; visits < 8; visits += 1) assert.equal(await get(child.httpsPort), 200);
    assert.equal(await isIn(child.httpsPort, "unseen.acme.example"), false);
    assert.equal(await isIn(child.httpsPort, "unknown.acme.example"), false);
    const left = readdirSync(path.join(directory, "child", "edge", "certificates"));
    assert.deepEqual(left, [`${hostname}.json`]);
  });

  it("does so for a day after the last contact with the database, and no longer", async () => {
    const [running] = edges;
    assert.ok(running);
    world.life.app.clock.advance(23 * hour);
    const restarted = await startOne();
    for (const edge of [running, restarted]) assert.equal(await get(edge.httpsPort), 200);
    await edges.pop()?.close();
    const again = await startOne();
    // A restart from the files does not extend the day.
    world.life.app.clock.advance(1.5 * hour);
    for (const edge of [running, again]) await until(async () => !(await isIn(edge.httpsPort)));
    await assert.rejects(startOne(), /ECONNREFUSED|timeout|terminated/);
  });

  it("serves again as soon as the database is back", async () => {
    await relay.restore();
    for (const edge of edges.slice(0, 1)) await until(() => isIn(edge.httpsPort));
    assert.equal(await get(edges[0]?.httpsPort ?? 0), 200);
    await until(() => isIn(child.httpsPort, "unseen.acme.example"));
  });
});
