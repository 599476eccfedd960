import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startTestApp } from "@mooring/testing/control/app";
import { until } from "@mooring/testing/processes/until";
import { countWorkers } from "../db/queries/operator/worker-sessions.ts";
import { startWorker } from "./start-worker.ts";
import { startWorkerListener } from "./worker-listener.ts";

const anyPort = { host: "127.0.0.1", port: 0 };

describe("a worker's private listener", () => {
  it("reports that its loops check for work, and how many rows are running", async () => {
    const app = await startTestApp({ WORKER_INTERNAL_PORT: "0" });
    const worker = await startWorker(app.config, { log: app.operator.log });
    const base = `http://127.0.0.1:${worker.internalPort}`;
    const health = await fetch(`${base}/healthz`);
    assert.deepEqual([health.status, await health.json()], [200, { status: "ok" }]);
    const metrics = await (await fetch(`${base}/metrics`)).text();
    assert.match(metrics, /^mooring_worker_running\{worker="check-connections"\} 0$/m);
    assert.match(metrics, /^mooring_worker_last_claim_seconds\{worker="deliver-webhooks"\} \d/m);
    assert.equal((await fetch(`${base}/v1/connections`)).status, 404);
    await worker.close();
    await app.close();
  });

  it("is one of as many workers as share what DNS servers may be asked", async () => {
    const app = await startTestApp();
    const start = () => startWorker(app.config, { log: app.operator.log });
    const [first, second] = [await start(), await start()];
    const count = () => app.operator.system(countWorkers);
    await until(async () => (await count()) === 2, "both are counted");
    await second.close();
    await until(async () => (await count()) === 1, "the one that is left");
    await first.close();
    await app.close();
  });

  it("answers 503 with the loop that has not claimed for too long", async () => {
    const loop = (name: string, lastClaimAt: number) => ({
      name,
      running: () => 0,
      lastClaimAt: () => lastClaimAt,
      wake: () => undefined,
      stop: async () => undefined,
    });
    const now = performance.now();
    const loops = [loop("check-connections", now - 16_000), loop("deliver-webhooks", now)];
    const listener = await startWorkerListener(loops, { ...anyPort, checksPutOff: () => 3 });
    const health = await fetch(`http://127.0.0.1:${listener.port}/healthz`);
    const body = { status: "unavailable", stuck: ["check-connections"] };
    assert.deepEqual([health.status, await health.json()], [503, body]);
    const metrics = await fetch(`http://127.0.0.1:${listener.port}/metrics`);
    assert.match(await metrics.text(), /^mooring_worker_checks_put_off_total 3$/m);
    await listener.close();
  });
});
