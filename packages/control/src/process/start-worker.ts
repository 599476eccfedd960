import { type Config, databaseUrl } from "../config/config.ts";
import { sweepDomainConnect } from "../services/domain-connect/sweep.ts";
import { sweepIdempotency } from "../services/idempotency/sweep.ts";
import { sweepHostChanges } from "../services/internal/sweep-host-changes.ts";
import { sweepShares } from "../services/share/sweep.ts";
import { sweepWebhookLog } from "../services/webhooks/sweep.ts";
import { listenForDue } from "../services/work/wake-ups.ts";
import { checkConnections } from "../workers/check-connections.ts";
import { deliverWebhooks } from "../workers/deliver-webhooks.ts";
import { startWorker as startLoop } from "../workers/due.ts";
import { startSchedule } from "../workers/schedule.ts";
import { openRuntime, type RuntimeOptions } from "./open-runtime.ts";
import { startWorkerListener } from "./worker-listener.ts";

export interface WorkerOptions extends RuntimeOptions {
  /** After how long without an extension other workers claim the rows; 30 seconds by default. */
  readonly leaseMs?: number;
}

export interface RunningWorkers {
  /** Where health and metrics are, when WORKER_INTERNAL_PORT is set. */
  readonly internalPort: number | null;
  /** Finishes or releases the rows in flight; within 10 seconds. */
  close(): Promise<void>;
}

/** The worker process: the lease loops and the scheduled sweeps. */
export async function startWorker(
  config: Config,
  options: WorkerOptions = {},
): Promise<RunningWorkers> {
  const url = databaseUrl(config);
  const opened = await openRuntime(config, {
    url,
    role: "mooring_worker",
    name: "worker",
    ...options,
  });
  const { runtime } = opened;
  const parts = { ...runtime, leaseMs: options.leaseMs };
  const loops = [
    startLoop(checkConnections(runtime), parts),
    startLoop(deliverWebhooks(runtime), parts),
  ];
  const listener = listenForDue(runtime, url, (table) => {
    for (const loop of loops) loop.wake(table);
  });
  const schedule = startSchedule(
    [
      { name: "sweep-idempotency", everyMs: 600_000, run: () => sweepIdempotency(runtime) },
      { name: "sweep-domain-connect", everyMs: 3_600_000, run: () => sweepDomainConnect(runtime) },
      { name: "sweep-host-changes", everyMs: 3_600_000, run: () => sweepHostChanges(runtime) },
      { name: "sweep-shares", everyMs: 3_600_000, run: () => sweepShares(runtime) },
      { name: "sweep-webhook-log", everyMs: 3_600_000, run: () => sweepWebhookLog(runtime) },
    ],
    runtime.log,
  );
  const port = config.workerInternalPort;
  const health =
    port === null ? null : await startWorkerListener(loops, { host: config.host, port });
  runtime.log.info({ workers: loops.length }, "worker started");
  return {
    internalPort: health?.port ?? null,
    async close() {
      await health?.close();
      schedule.stop();
      await listener.close();
      await Promise.all(loops.map((loop) => loop.stop()));
      await opened.close();
    },
  };
}
