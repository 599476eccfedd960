import assert from "node:assert/strict";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { longBody, startRestartLoad, visitOnce } from "@mooring/testing/clients/restart-load";
import { type Stock, stockEdge } from "@mooring/testing/edge/stocked-edge";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import { acceleratorPaths } from "../../../../packages/edge/src/accelerator/paths.ts";
import { createRuntimeApi } from "../../../../packages/edge/src/accelerator/runtime/runtime-api.ts";

const replacements = proofSize(3, 20);
const perSecond = proofSize(100, 500);
const longAtOnce = proofSize(10, 50);
const longMs = 3_000;

/** `mooring serve edge` with two workers behind HAProxy; SIGHUP replaces all three. */
describe(`an accelerated edge that is replaced ${replacements} times under ${perSecond} requests/s`, () => {
  let stock: Stock;
  let origin: Server;
  let accelerated: Readonly<Record<string, string>>;
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
    accelerated = {
      ...stock.env,
      EDGE_WORKERS: "2",
      EDGE_DRAIN: "20s",
      EDGE_ACCELERATOR: "haproxy",
      EDGE_ACCELERATOR_NAMES: "4",
    };
    edge = await startEdgeProcess(accelerated);
  });
  after(async () => {
    await edge?.signal("SIGTERM");
    origin.closeAllConnections();
    origin.close();
    await stock.close();
  });

  it("fails no request, whether HAProxy or the Node edge serves it", async (t) => {
    const [hostname = ""] = stock.names;
    const paths = acceleratorPaths(stock.directory);
    const api = createRuntimeApi(paths.admin);
    const isPromoted = async (): Promise<boolean> => {
      const names = await api.run(`show map ${paths.names}`).catch(() => "");
      return names.includes(hostname);
    };
    const load = startRestartLoad({
      port: edge.httpsPort,
      hostname,
      ca: stock.root,
      perSecond,
      longAtOnce,
    });
    await until(() => load.counts().long >= longAtOnce, "the first long responses");
    for (let replacement = 0; replacement < replacements; replacement += 1) {
      await until(isPromoted, "the promotion of the name");
      await edge.replaceWorkers();
    }
    await until(isPromoted, "the last promotion");
    await load.stop();
    const { short, long, shed } = load.counts();
    const failed = load.failures.length;
    t.diagnostic(`${replacements} replacements at ${perSecond}/s`);
    t.diagnostic(`${short} short and ${long} long responses, ${shed} shed, ${failed} failed`);
    assert.equal(failed, 0, load.failures.join("\n"));
    assert.ok(short > 0 && long > longAtOnce);
    assert.equal(edge.workers().length, 2);
    assert.equal(edge.resident().length, 3, "the workers and one HAProxy");
    assert.equal((await edge.health()).body["status"], "ok");
    for (const metric of ["worker", "accelerator"]) {
      assert.equal(await edge.metric(`mooring_edge_${metric}_restarts_total`), 0);
    }
  });

  it("lets a successor of the whole edge have its ports while it completes its work", async () => {
    const [hostname = ""] = stock.names;
    const at = { port: edge.httpsPort, hostname, ca: stock.root };
    const visits = Array.from({ length: 5 }, () => visitOnce(at, "/long"));
    await until(() => underWay === visits.length, "the long responses");
    const ended = edge.signal("SIGTERM");
    const successor = await startEdgeProcess(
      {
        ...accelerated,
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
