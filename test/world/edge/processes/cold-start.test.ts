import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { loopbackAddress, visitFrom } from "@mooring/testing/clients/many-clients";
import { visit } from "@mooring/testing/clients/visit";
import { type Stock, stockEdge } from "@mooring/testing/edge/stocked-edge";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";

const count = proofSize(2_000, 50_000);
const visited = proofSize(20, 500);
const isSoak = count === 50_000;
const withinMs = 5_000;
const residentMost = 300e6;

/** An edge that has never run, in front of a database full of certificates. */
describe("a cold start", () => {
  let stock: Stock;
  let edge: EdgeProcess | null = null;
  before(async () => {
    stock = await stockEdge(count);
  });
  after(async () => {
    await edge?.signal("SIGKILL");
    await stock.close();
  });

  it(`with ${count} certificates serves the first host at once, and reads the others as they are visited`, async (t) => {
    const { names, root } = stock;
    const startedAt = performance.now();
    edge = await startEdgeProcess({ ...stock.env, EDGE_WORKERS: "2" });
    const { httpsPort } = edge;
    const first = names[0] ?? "";
    const page = await visit(httpsPort, first, root);
    const firstMs = Math.round(performance.now() - startedAt);
    assert.deepEqual([page.status, page.body], [200, first]);
    for (let index = 1; index < visited; index += 1) {
      const name = names[Math.floor((index * count) / visited)] ?? "";
      const from = loopbackAddress(index);
      // Retried, since a busy edge refuses some handshakes.
      await until(async () => (await visitFrom(from, httpsPort, name, root)) === 200);
    }
    const { metric } = edge;
    await until(async () => (await metric("mooring_edge_hosts")) === count);
    const resident = edge.resident();
    const megabytes = resident.map((bytes) => Math.round(bytes / 1e6));
    t.diagnostic(`first page after ${firstMs} ms, ${megabytes.join(" and ")} MB resident`);
    const files = readdirSync(path.join(stock.directory, "edge", "certificates"));
    assert.equal(files.length, visited);
    assert.deepEqual(stock.calls(), { ask: 0, acme: 0 });
    if (!isSoak) return;
    assert.ok(firstMs <= withinMs, `${firstMs} ms`);
    assert.ok(Math.max(...resident) <= residentMost, `${megabytes} MB`);
    recordPromise(
      "G25",
      `${count} certificates, two processes`,
      `first page after ${firstMs} ms (promise 5 s), ${Math.max(...megabytes)} MB (promise 300)`,
    );
  });
});
