import { repeatEvery, runLeaseLoop } from "@mooring/postgres";
import { type Config, databaseUrl } from "../config/config.ts";
import { countWorkers } from "../db/queries/operator/worker-sessions.ts";
import { admitWaiting } from "../services/billing/admission.ts";
import { sweepEndedContests } from "../services/connections/contest.ts";
import { sweepLeftBehind } from "../services/connections/left-behind/watch.ts";
import { moveArchived } from "../services/connections/move-archived.ts";
import { sweepTokens } from "../services/connections/reach.ts";
import { countEndedDays } from "../services/connections/summary.ts";
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
import { createBootstrapSource } from "../services/registrations/bootstrap.ts";
import { emptyCounts } from "../services/registrations/check.ts";
import { enrolDomains } from "../services/registrations/enrol.ts";
import type { Runtime } from "../services/runtime.ts";
import { sweepShares } from "../services/share/links.ts";
import { sweepStatusPages } from "../services/share/status-links.ts";
import { keepTrafficPartitions, rankTraffic, rollTrafficDays } from "../services/traffic/upkeep.ts";
import { listTransparencyLogs } from "../services/transparency/due-logs.ts";
import { reportForeign, sweepTransparency } from "../services/transparency/report-foreign.ts";
import { runEndpointJobs } from "../services/webhooks/endpoint-jobs.ts";
import { sealPlainUrls } from "../services/webhooks/endpoints.ts";
import { checkConnections } from "../workers/check-connections.ts";
import { checkRegistrations } from "../workers/check-registrations.ts";
import { checkSendingDomains } from "../workers/check-sending.ts";
import { deliverWebhooks } from "../workers/deliver-webhooks.ts";
import { readTransparencyLogs } from "../workers/read-transparency-logs.ts";
import { watchLeftBehind } from "../workers/watch-left-behind.ts";
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
  {
    name: "count-days",
    everyMs: 600_000,
    run: (runtime) => countEndedDays(runtime),
    startNow: true,
  },
  { name: "sweep-tokens", everyMs: 3_600_000, run: sweepTokens },
  { name: "sweep-sign-ins", everyMs: 3_600_000, run: sweepEndedSignIns },
  { name: "seal-webhook-urls", everyMs: 3_600_000, run: sealPlainUrls, startNow: true },
  { name: "endpoint-jobs", everyMs: 1_000, run: runEndpointJobs },
  { name: "admit-waiting", everyMs: 2_000, run: admitWaiting },
  { name: "sweep-logs", everyMs: 3_600_000, run: sweepLogs },
  { name: "sweep-left-behind", everyMs: 3_600_000, run: sweepLeftBehind, startNow: true },
  { name: "move-archived", everyMs: 3_600_000, run: moveArchived },
  {
    name: "enrol-domains",
    everyMs: 60_000,
    run: (runtime) => enrolDomains(runtime),
    startNow: true,
  },
  { name: "list-transparency-logs", everyMs: 600_000, run: listTransparencyLogs, startNow: true },
  { name: "report-foreign", everyMs: 15_000, run: reportForeign },
  { name: "sweep-transparency", everyMs: 3_600_000, run: sweepTransparency },
  { name: "remove-tenants", everyMs: 1_000, run: removeTenants },
  {
    name: "traffic-partitions",
    everyMs: 3_600_000,
    run: keepTrafficPartitions,
    startNow: true,
  },
  { name: "traffic-days", everyMs: 600_000, run: rollTrafficDays },
  { name: "traffic-tops", everyMs: 60_000, run: (runtime) => rankTraffic(runtime) },
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
  const registrations = { bootstrap: createBootstrapSource(), counts: emptyCounts() };
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
    runLeaseLoop(checkRegistrations(runtime, registrations), loopOptions),
    runLeaseLoop(readTransparencyLogs(runtime), loopOptions),
    runLeaseLoop(watchLeftBehind(runtime), loopOptions),
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
          rdapQuestions: registrations.counts,
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
