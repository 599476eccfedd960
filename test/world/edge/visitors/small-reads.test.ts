import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { measureVisits, openServed, openVisit, percentile } from "@mooring/testing/clients/visit";
import { untilPromoted } from "@mooring/testing/edge/accelerator/whole-edges";
import { type Stock, stockEdge } from "@mooring/testing/edge/stocked-edge";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { until } from "@mooring/testing/processes/until";

const connections = 100;
const pieces = 8_000;
const visits = 400;
const main = path.resolve(
  import.meta.dirname,
  "../../../../packages/testing/src/clients/small-reads-main.ts",
);

/**
 * A quarter each: heads and bodies of HTTP/1.1, frames and bodies of HTTP/2, all in pieces of one
 * byte.
 */
describe("a hundred connections with bytes in very many pieces", () => {
  let stock: Stock;
  let edge: EdgeProcess;
  before(async () => {
    stock = await stockEdge(10);
    // The connections wait until all are prepared, which takes long on a busy machine.
    edge = await startEdgeProcess({ ...stock.env, EDGE_WORKERS: "1", EDGE_KEEP_ALIVE: "10m" });
  });
  after(async () => {
    await edge.signal("SIGKILL");
    await stock.close();
  });

  it("are closed and counted, and others are served meanwhile", async (t) => {
    const [hostname = "", attacked = ""] = stock.names;
    const about = { port: edge.httpsPort, hostname: attacked, ca: stock.root, connections, pieces };
    await untilPromoted(edge.httpsPort, attacked);
    const attack = fork(main, [JSON.stringify(about)]);
    let open = 0;
    attack.on("message", (count: number) => {
      open = count;
    });
    await once(attack, "message");
    assert.equal(open, connections);
    const victim = await openServed(() => openVisit(edge.httpsPort, hostname, stock.root));
    const quiet = await measureVisits(victim, visits);
    const usedBefore = processorMs(edge);
    attack.send("go");
    const beside = await measureVisits(victim, visits);
    await until(() => open === 0, "all closed");
    const used = processorMs(edge) - usedBefore;
    t.diagnostic(
      `p50 ${percentile(quiet, 0.5)} → ${percentile(beside, 0.5)} ms, p99 ${percentile(quiet, 0.99)} → ` +
        `${percentile(beside, 0.99)} ms, longest ${percentile(quiet, 1)} → ${percentile(beside, 1)} ms; ` +
        `${used} ms of the processor, with ${visits} visits`,
    );
    const refused = 'mooring_edge_refused_total\\{reason="small_reads"\\}';
    assert.equal(await edge.metric(refused), connections);
    attack.kill();
    victim.close();
  });
});

/** What the processes that serve have used of the processor. */
function processorMs(edge: EdgeProcess): number {
  const workers = edge.workers();
  const ids = workers.length > 0 ? workers : [edge.pid];
  return ids.reduce((sum, id) => {
    const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) * 10;
  }, 0);
}
