import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { longBody, startRestartLoad, visitOnce } from "@mooring/testing/clients/restart-load";
import { type Stock, stockEdge } from "@mooring/testing/edge/stocked-edge";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";

const restarts = proofSize(1, 20);
const perSecond = proofSize(60, 500);
const longAtOnce = proofSize(10, 50);
const longMs = 3_000;

/** Proof G28: workers of an edge are replaced under load and no request fails. */
describe(`an edge whose workers are replaced ${restarts} times under ${perSecond} requests/s`, () => {
  let stock: Stock;
  let origin: Server;
  let edge: EdgeProcess;
  before(async () => {
    stock = await stockEdge(1);
    origin = createServer((request, response) => {
      if (request.url === "/long") void sendSlowly(response);
      else response.end(request.headers.host);
    });
    await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
    const { port } = origin.address() as AddressInfo;
    await stock.database.admin.query("update applications set origin_url = $1", [
      `http://127.0.0.1:${port}`,
    ]);
    edge = await startEdgeProcess({ ...stock.env, EDGE_WORKERS: "2" });
  });
  after(async () => {
    await edge.signal("SIGKILL");
    origin.closeAllConnections();
    origin.close();
    await stock.close();
  });

  it("fails none of them", async (t) => {
    const [hostname = ""] = stock.names;
    const load = startRestartLoad({
      port: edge.httpsPort,
      hostname,
      ca: stock.root,
      perSecond,
      longAtOnce,
    });
    await until(() => load.counts().long >= longAtOnce, "the first long responses");
    for (let restart = 0; restart < restarts; restart += 1) await edge.replaceWorkers();
    await load.stop();
    const { short, long, shed } = load.counts();
    t.diagnostic(`${short} short and ${long} long responses, ${shed} shed`);
    // On a machine that is too slow the edge refuses connections by itself, and counts them.
    const overloaded = await edge.metric('mooring_edge_refused_total\\{reason="overloaded"\\}');
    const failed = load.failures.length - Math.min(overloaded || 0, countRefused(load.failures));
    t.diagnostic(`${failed} failed, ${overloaded || 0} refused by overload`);
    assert.equal(failed, 0, load.failures.join("\n"));
    assert.ok(short > 0 && long > longAtOnce);
    assert.equal(edge.workers().length, 2);
    assert.deepEqual((await edge.health()).body["status"], "ok");
    assert.equal(await edge.metric("mooring_edge_worker_restarts_total"), 0);
    recordPromise(
      "G28",
      `${restarts} replacements at ${perSecond}/s, ${short} short and ${long} long responses`,
      `0 failed, ${shed} shed, ${overloaded || 0} refused by overload`,
    );
  });

  it("lets a successor of the whole edge have its ports while it completes its work", async () => {
    const [hostname = ""] = stock.names;
    const at = { port: edge.httpsPort, hostname, ca: stock.root };
    const visits = Array.from({ length: 5 }, () => visitOnce(at, "/long"));
    await until(() => underWay === visits.length, "the long responses");
    const ended = edge.signal("SIGTERM");
    const successor = await startEdgeProcess(
      {
        ...stock.env,
        EDGE_WORKERS: "2",
        EDGE_INTERNAL_PORT: String(edge.internalPort),
        DATA_DIR: `${stock.directory}/successor`,
      },
      [edge.httpPort, edge.httpsPort],
    );
    assert.equal((await visitOnce(at, "/")).status, 200);
    const answers = await Promise.all(visits);
    assert.equal(await ended, 0);
    edge = successor;
    assert.deepEqual(
      answers.map(({ body }) => body),
      visits.map(() => longBody),
    );
  });
});

/** The failures of connections that a busy edge refused with an alert. */
function countRefused(failures: readonly string[]): number {
  return failures.filter((failure) => /alert internal error/.test(failure)).length;
}

let underWay = 0;

async function sendSlowly(response: ServerResponse): Promise<void> {
  underWay += 1;
  response.on("close", () => {
    underWay -= 1;
  });
  for (const digit of longBody) {
    response.write(digit);
    await delay(longMs / longBody.length);
  }
  response.end();
}
