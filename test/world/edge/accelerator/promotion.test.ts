import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type AcmeWorld, startAcmeWorld } from "@mooring/testing/acme/world";
import {
  isLetIn,
  type OpenVisit,
  openServed,
  openVisit,
  openVisitH2,
} from "@mooring/testing/clients/visit";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import { acceleratorPaths } from "../../../../packages/edge/src/accelerator/paths.ts";
import { createRuntimeApi } from "../../../../packages/edge/src/accelerator/runtime/runtime-api.ts";

/** Two seconds are promised; a busy machine gets more. */
const limitMs = proofSize(4_500, 2_000);

/** `mooring serve edge` with two workers behind HAProxy, and Pebble. */
describe("an accelerated edge", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-fast-"));
  const paths = acceleratorPaths(directory);
  const api = createRuntimeApi(paths.admin);
  const hostname = "www.acme.example";
  let world: AcmeWorld;
  let root = "";
  let edge: EdgeProcess;
  let id = "";

  const start = (): Promise<EdgeProcess> =>
    startEdgeProcess(
      {
        ...world.edgeEnv(directory),
        EDGE_ACCELERATOR: "haproxy",
        EDGE_ACCELERATOR_NAMES: "4",
        EDGE_WORKERS: "2",
        EDGE_DRAIN: "2s",
        EDGE_NEW_CONNECTIONS_PER_ADDRESS: "1000",
      },
      world.validated,
    );

  before(async () => {
    world = await startAcmeWorld({ edges: 0 });
    root = await world.pebble.root();
    edge = await start();
    id = (await world.goLive(hostname)).id;
  });
  after(async () => {
    await edge?.signal("SIGTERM");
    await world?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const visitBy = (way: typeof openVisit): Promise<OpenVisit> =>
    openServed(() => way(edge.httpsPort, hostname, root));

  async function isPromoted(): Promise<boolean> {
    return (await api.run(`show map ${paths.names}`)).includes(hostname);
  }

  /** Visits until the name is busy enough. */
  async function promote(): Promise<void> {
    const open = [await visitBy(openVisit), await visitBy(openVisit)];
    await until(async () => {
      for (let request = 0; request < 20; request += 1) {
        for (const [index, one] of open.entries()) {
          if ((await one.get()) === 200) continue;
          one.close();
          open[index] = await visitBy(openVisit);
        }
      }
      return isPromoted();
    }, "the promotion");
    for (const one of open) one.close();
  }

  it("gets its certificate through the door, and is promoted when it is busy", async () => {
    await promote();
    const one = await visitBy(openVisitH2);
    assert.equal(await one.get(), 200);
    one.close();
    const before = await edge.metric("mooring_edge_requests_total");
    const again = await visitBy(openVisit);
    for (let request = 0; request < 50; request += 1) assert.equal(await again.get(), 200);
    again.close();
    const counted = async (): Promise<boolean> =>
      (await edge.metric("mooring_edge_requests_total")) >= before + 50;
    await until(counted, "requests of HAProxy among the metrics");
  });

  it("answers nothing but pages while its workers are replaced, and promotes the name again", async () => {
    const open = [await visitBy(openVisit), await visitBy(openVisitH2)];
    process.kill(edge.pid, "SIGHUP");
    const ways = [openVisit, openVisitH2];
    await until(async () => {
      for (const [index, one] of open.entries()) {
        const status = await one.get();
        // A connection of a worker that left may be closed between two requests.
        if (status === null) open[index] = await visitBy(ways[index] ?? openVisit);
        else assert.equal(status, 200);
      }
      return edge.output().includes("edge workers are replaced");
    }, "workers replaced");
    for (const one of open) one.close();
    await promote();
  });

  it("serves again after kill -9 of the edge, whose HAProxy is left behind", async () => {
    await edge.signal("SIGKILL");
    edge = await start();
    const one = await visitBy(openVisit);
    assert.equal(await one.get(), 200);
    one.close();
    await promote();
  });

  it("refuses a promoted name soon after it is archived, also on open connections", async () => {
    const open = [await visitBy(openVisit), await visitBy(openVisitH2)];
    await world.archive(id);
    const isOut = async (): Promise<boolean> => {
      const statuses = await Promise.all(open.map((one) => one.get()));
      const isRefused = !(await isLetIn(edge.httpsPort, hostname, { ca: root }));
      return isRefused && statuses.every((status) => status === 421 || status === null);
    };
    await until(isOut, "the name refused", limitMs);
    assert.equal(await isPromoted(), false);
    for (const one of open) one.close();
  });
});
