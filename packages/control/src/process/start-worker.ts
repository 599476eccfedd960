import { repeatEvery, runLeaseLoop } from "@mooring/postgres";
import { type Config, databaseUrl } from "../config/config.ts";
import { countWorkers } from "../db/queries/operator/worker-sessions.ts";
import { sweepEndedContests } from "../services/connections/contest.ts";
import { moveArchived } from "../services/connections/move-archived.ts";
import { sweepTokens } from "../services/connections/reach.ts";
import { sweepDomainConnect } from "../services/domain-connect/grant.ts";
import { listenForDue } from "../services/due-listener.ts";
import { sweepIdempotency } from "../services/idempotency.ts";
import { refreshSignIns } from "../services/oauth/retained.ts";
import {
  sweepHostChanges,
  sweepOriginHealth,
  sweepValidation,
} from "../services/operator/internal.ts";
import { removeTenants } from "../services/operator/remove-tenants.ts";
import { sweepLogs } from "../services/operator/retention.ts";
import { sweepEndedSignIns } from "../services/people/sign-in.ts";
import type { Runtime } from "../services/runtime.ts";
import { sweepShares } from "../services/share/links.ts";
import { sweepStatusPages } from "../services/share/status-links.ts";
import { runEndpointJobs } from "../services/webhooks/endpoint-jobs.ts";
import { sealPlainUrls } from "../services/webhooks/endpoints.ts";
import { checkConnections } from "../workers/check-connections.ts";
import { checkSendingDomains } from "../workers/check-sending.ts";
import { deliverWebhooks } from "../workers/deliver-webhooks.ts";
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

interface ScheduledSweep {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (runtime: Runtime) => Promise<unknown>;
  /** Also when the worker starts. */
  readonly startNow?: boolean;
}

/** Every worker process runs each of them; each is safe to run twice at the same time. */
const scheduledSweeps: readonly ScheduledSweep[] = [
  { name: "sweep-idempotency", everyMs: 600_000, run: sweepIdempotency },
  { name: "sweep-domain-connect", everyMs: 3_600_000, run: sweepDomainConnect },
  { name: "refresh-sign-ins", everyMs: 30_000, run: refreshSignIns },
  { name: "sweep-host-changes", everyMs: 3_600_000, run: sweepHostChanges },
  { name: "sweep-validation", everyMs: 3_600_000, run: sweepValidation },
  { name: "sweep-contests", everyMs: 3_600_000, run: sweepEndedContests },
  { name: "sweep-origin-health", everyMs: 3_600_000, run: sweepOriginHealth },
  { name: "sweep-shares", everyMs: 3_600_000, run: sweepShares },
  { name: "sweep-status-links", everyMs: 3_600_000, run: sweepStatusPages },
  { name: "sweep-tokens", everyMs: 3_600_000, run: sweepTokens },
  { name: "sweep-sign-ins", everyMs: 3_600_000, run: sweepEndedSignIns },
  { name: "seal-webhook-urls", everyMs: 3_600_000, run: sealPlainUrls, startNow: true },
  { name: "endpoint-jobs", everyMs: 1_000, run: runEndpointJobs },
  { name: "sweep-logs", everyMs: 3_600_000, run: sweepLogs },
  { name: "move-archived", everyMs: 3_600_000, run: moveArchived },
  { name: "remove-tenants", everyMs: 1_000, run: removeTenants },
];

/** The worker process: the lease loops and the scheduled sweeps. */
export async function startWorker(
  config: Config,
  options: WorkerOptions = {},
): Promise<RunningWorkers> {
  const url = databaseUrl(config);
  let [workers, checksPutOff] = [1, 0];
  const opened = await openRuntime(config, {
    url,
    role: "mooring_worker",
    name: "worker",
    processes: () => workers,
    ...options,
  });
  const { runtime } = opened;
  const countAll = async (): Promise<void> => {
    workers = Math.max(1, await runtime.system(countWorkers));
  };
  const loopOptions = { ...runtime, leaseMs: options.leaseMs };
  const loops = [
    runLeaseLoop(
      checkConnections(runtime, () => {
        checksPutOff += 1;
      }),
      loopOptions,
    ),
    runLeaseLoop(deliverWebhooks(runtime), loopOptions),
    runLeaseLoop(checkSendingDomains(runtime), loopOptions),
  ];
  const listener = listenForDue(runtime, url, (table) => {
    for (const loop of loops) loop.wake(table);
  });
  const jobs = [
    ...scheduledSweeps,
    { name: "count-workers", everyMs: 15_000, run: countAll, startNow: true },
  ];
  const sweeps = jobs.map(({ name, everyMs, run, startNow = false }) =>
    repeatEvery(everyMs, () => run(runtime), {
      startNow,
      onError: (error) => runtime.log.warn({ err: error, job: name }, "scheduled job failed"),
    }),
  );
  const port = config.workerInternalPort;
  const health =
    port === null
      ? null
      : await startWorkerListener(loops, {
          host: config.host,
          port,
          checksPutOff: () => checksPutOff,
        });
  runtime.log.info({ workers: loops.length }, "worker started");
  return {
    internalPort: health?.port ?? null,
    async close() {
      await health?.close();
      await Promise.all(sweeps.map((sweep) => sweep.stop()));
      await listener.close();
      await Promise.all(loops.map((loop) => loop.stop()));
      await opened.close();
    },
  };
}
