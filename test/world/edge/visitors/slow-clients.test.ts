import assert from "node:assert/strict";
import { fork } from "node:child_process";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { measureVisits, openServed, openVisit, percentile } from "@mooring/testing/clients/visit";
import { untilPromoted } from "@mooring/testing/edge/accelerator/whole-edges";
import { type Stock, stockEdge } from "@mooring/testing/edge/stocked-edge";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { quantile, recordPromise } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";

const connections = proofSize(200, 5_000);
const isSoak = connections === 5_000;
const visits = proofSize(100, 2_000);
const residentMost = 512e6;
/** Some are always between a close by the edge and their return. */
const share = 0.9;
const main = path.resolve(
  import.meta.dirname,
  "../../../../packages/testing/src/clients/slow-clients-main.ts",
);

/** One byte a second of handshakes, heads and bodies, from clients that come back when closed. */
describe("very slow clients", () => {
  let stock: Stock;
  let edge: EdgeProcess;
  before(async () => {
    stock = await stockEdge(10);
    edge = await startEdgeProcess({
      ...stock.env,
      EDGE_WORKERS: "1",
      // More than the visits; the promise is about the slow ones.
      EDGE_REQUESTS_PER_CONNECTION: "10000",
    });
  });
  after(async () => {
    await edge.signal("SIGKILL");
    await stock.close();
  });

  async function measure(hostname: string): Promise<readonly number[]> {
    const visitor = await openServed(() => openVisit(edge.httpsPort, hostname, stock.root));
    const took = await measureVisits(visitor, visits);
    visitor.close();
    return took;
  }

  it(`${connections} at once delay nobody else, and cost little memory`, async (t) => {
    const [hostname = "", attacked = ""] = stock.names;
    const quiet = await measure(hostname);
    const about = { port: edge.httpsPort, hostname: attacked, ca: stock.root, connections };
    await untilPromoted(edge.httpsPort, attacked);
    const attack = fork(main, [JSON.stringify(about)]);
    try {
      const areThere = async (): Promise<boolean> =>
        (await edge.connections()) >= connections * share;
      await until(areThere, "the slow clients");
      const beside = await measure(hostname);
      const open = await edge.connections();
      const resident = Math.max(...edge.resident());
      const [before, during] = [quantile(quiet, 0.99), quantile(beside, 0.99)];
      const text =
        `p99 of others ${percentile(quiet, 0.99)} → ${percentile(beside, 0.99)} ms, ` +
        `${Math.round(resident / 1e6)} MB resident`;
      t.diagnostic(`${open} connections at the edge; ${text}`);
      if (!isSoak) return;
      assert.ok(resident <= residentMost, text);
      assert.ok(during < 2 * before, text);
      recordPromise("G20", `${connections} slow clients`, `${text} (promise 2 times, 512 MB)`);
    } finally {
      attack.kill();
    }
  });
});
