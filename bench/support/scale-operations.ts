import { randomUUID } from "node:crypto";
import type pg from "pg";
import { selectHeld } from "../../packages/control/src/db/queries/connections/claims.ts";
import { fillLeftBehind } from "../../packages/control/src/db/queries/left-behind/left-behind.ts";
import {
  selectBacklogs,
  selectInProgress,
  selectTimesToLive,
} from "../../packages/control/src/db/queries/operator/metrics.ts";
import {
  countParked,
  selectParked,
} from "../../packages/control/src/db/queries/operator/parked-rows.ts";
import { selectConcerned } from "../../packages/control/src/db/queries/transparency/foreign-certificates.ts";
import { watchedMs } from "../../packages/control/src/domain/connections/left-behind.ts";
import type { KeyActor } from "../../packages/control/src/domain/tenancy.ts";
import { getUsage } from "../../packages/control/src/services/billing/usage.ts";
import { deleteConnection } from "../../packages/control/src/services/connections/archive.ts";
import {
  checkLeased,
  dueConnections,
} from "../../packages/control/src/services/connections/checks/check.ts";
import { createConnection } from "../../packages/control/src/services/connections/create.ts";
import { moveArchived } from "../../packages/control/src/services/connections/move-archived.ts";
import {
  getConnection,
  listConnections,
} from "../../packages/control/src/services/connections/read.ts";
import { listTimeline } from "../../packages/control/src/services/connections/timeline.ts";
import { createContext, type ServiceContext } from "../../packages/control/src/services/context.ts";
import { listEvents } from "../../packages/control/src/services/events/events.ts";
import {
  createAsk,
  createRouting,
  sweepHostChanges,
} from "../../packages/control/src/services/operator/internal.ts";
import { sweepLogs } from "../../packages/control/src/services/operator/retention.ts";
import type { Runtime } from "../../packages/control/src/services/runtime.ts";
import { createBreakers } from "../../packages/control/src/services/webhooks/breakers.ts";
import { dueDeliveries } from "../../packages/control/src/services/webhooks/deliver.ts";
import {
  listDeliveries,
  replayAll,
} from "../../packages/control/src/services/webhooks/deliveries.ts";
import { runEndpointJobs } from "../../packages/control/src/services/webhooks/endpoint-jobs.ts";
import {
  deleteEndpoint,
  listEndpoints,
  updateEndpoint,
} from "../../packages/control/src/services/webhooks/endpoints.ts";
import { createBudget } from "../../packages/edge/src/certificates/budget/budget.ts";
import { checkExpiry } from "../../packages/edge/src/certificates/issue/upkeep.ts";
import { claimDueCertificates, loadCertificate } from "../../packages/edge/src/db/certificates.ts";
import {
  allHosts,
  hostChanges,
  hostsNamed,
  lastHostChange,
} from "../../packages/edge/src/db/hosts.ts";
import { claimDueRenewalInfo } from "../../packages/edge/src/db/renewal-info.ts";
import { createCertificateStats } from "../../packages/edge/src/metrics/metrics.ts";
import type { ScaleData, ScaleTenant } from "./scale-data.ts";

export interface ScaleWorld {
  readonly data: ScaleData;
  readonly api: Runtime;
  readonly worker: Runtime;
  readonly edge: pg.Pool;
}

/** Something that the product does often, or while somebody waits. */
export interface Operation {
  readonly name: string;
  readonly run: (world: ScaleWorld) => Promise<unknown>;
  /** Why a statement of it may cost more with more rows. */
  readonly exception?: string;
  /** It takes away what it needs, and none of its statements has a plan that is cached. */
  readonly isOnce?: true;
}

const never = new AbortController().signal;
const leaseMs = 30_000;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

function as({ api }: ScaleWorld, { tenantId, applicationId }: ScaleTenant): ServiceContext {
  const actor: KeyActor = {
    kind: "key",
    tenantId,
    environment: "live",
    keyId: "bench",
    applicationId,
    scopes: ["apps:admin", "connections:read", "connections:write", "webhooks:write"],
    role: null,
    isSuspended: false,
  };
  return createContext(api, actor, 60_000);
}

const after = ({ worker }: ScaleWorld, ms: number): Date =>
  new Date(worker.clock.now().getTime() + ms);

async function checkOne(world: ScaleWorld): Promise<void> {
  const { worker } = world;
  const rows = dueConnections(worker);
  const claimed = await rows.claim(worker.clock.now(), after(world, leaseMs), 1, []);
  for (const row of claimed) await checkLeased(worker, row, never);
}

/** As many as a worker has in its slots, by claims as large as its own. */
async function extendAll(world: ScaleWorld): Promise<void> {
  const rows = dueConnections(world.worker);
  const leased = new Map<string, number>();
  for (let claims = 0; claims < 2; claims += 1) {
    const claimed = await rows.claim(world.worker.clock.now(), after(world, leaseMs), 32, []);
    for (const { id, lease } of claimed) leased.set(id, lease);
  }
  await rows.extend(leased, after(world, leaseMs));
}

/** The next page of a list, from the page before. */
async function secondPage<T extends { readonly nextCursor: string | null }>(
  list: (query: { limit: number; cursor?: string }) => Promise<T>,
): Promise<void> {
  const { nextCursor } = await list({ limit: 50 });
  if (nextCursor !== null) await list({ limit: 50, cursor: nextCursor });
}

const workerOperations: readonly Operation[] = [
  {
    name: "claim of due connections, beside the backlog",
    run: (world) =>
      dueConnections(world.worker).claim(world.worker.clock.now(), after(world, leaseMs), 32, []),
  },
  { name: "heartbeat of the checks of a worker", run: extendAll },
  { name: "check of a live connection", run: checkOne },
  {
    name: "claim of due deliveries",
    run: (world) =>
      dueDeliveries(
        world.worker,
        createBreakers(() => Date.now()),
      ).claim(world.worker.clock.now(), after(world, leaseMs), 32, []),
  },
  {
    name: "metrics: backlogs",
    exception: "a scrape joins all endpoints once, which are as many as tenants",
    run: ({ worker }) => worker.transaction((tx) => selectBacklogs(tx, worker.clock.now())),
  },
  {
    name: "metrics: in progress",
    run: ({ worker }) => worker.transaction((tx) => selectInProgress(tx, worker.clock.now())),
  },
  {
    name: "metrics: times to live",
    exception: "the median of at most ten thousand rows needs them in order",
    run: ({ worker }) => worker.transaction((tx) => selectTimesToLive(tx, worker.clock.now())),
  },
  { name: "parked rows", run: ({ worker }) => worker.transaction((tx) => selectParked(tx, 100)) },
  {
    name: "metrics: parked rows",
    run: ({ worker }) => worker.transaction((tx) => countParked(tx)),
  },
  {
    name: "sweep of the logs",
    exception: "logs are read by block ranges, and a small one is a single range",
    run: ({ worker }) => sweepLogs(worker),
  },
  { name: "sweep of host changes", run: ({ worker }) => sweepHostChanges(worker) },
  {
    name: "connections that certificates for a name and a wildcard concern",
    run: ({ worker, data }) => {
      const { hostname } = data.large;
      const wildcard = `*${hostname.slice(hostname.indexOf("."))}`;
      return worker.transaction((tx) => selectConcerned(tx, [hostname, wildcard]));
    },
  },
  {
    name: "piece of archived connections to watch",
    run: ({ worker }) => {
      const now = worker.clock.now();
      const after = { archivedAt: new Date(now.getTime() - watchedMs), id: randomUUID() };
      return worker.transaction((tx) => fillLeftBehind(tx, after, now, 100));
    },
  },
  { name: "move of archived connections", run: ({ worker }) => moveArchived(worker) },
];

const apiOperations: readonly Operation[] = [
  {
    name: "read of a connection",
    run: (world) => getConnection(as(world, world.data.large), world.data.large.connectionId),
  },
  {
    name: "list of connections",
    run: (world) => secondPage((query) => listConnections(as(world, world.data.large), query)),
  },
  {
    name: "list of connections by a rare state",
    run: (world) =>
      secondPage((query) =>
        listConnections(as(world, world.data.large), { ...query, state: "drifted" }),
      ),
  },
  {
    name: "list of archived connections",
    run: (world) =>
      secondPage((query) =>
        listConnections(as(world, world.data.large), { ...query, state: "archived" }),
      ),
  },
  {
    name: "list of connections by application, archived ones among them",
    run: (world) =>
      secondPage((query) =>
        listConnections(as(world, world.data.large), {
          ...query,
          application_id: world.data.large.applicationId,
        }),
      ),
  },
  {
    name: "read of an archived connection",
    run: (world) => getConnection(as(world, world.data.large), world.data.large.archivedId),
  },
  {
    name: "list of connections by hostname",
    run: (world) =>
      listConnections(as(world, world.data.large), {
        limit: 50,
        hostname: world.data.large.hostname,
      }),
  },
  {
    name: "list of the connections of a batch",
    run: (world) =>
      listConnections(as(world, world.data.large), { limit: 50, batch_id: randomUUID() }),
  },
  {
    name: "search of connections by a text without trigrams",
    run: (world) => listConnections(as(world, world.data.large), { limit: 50, q: "山田 商店" }),
  },
  {
    name: "list of a small tenant's connections",
    run: (world) => secondPage((query) => listConnections(as(world, world.data.small), query)),
  },
  {
    name: "list of events by a rare type",
    run: (world) => listEvents(as(world, world.data.large), { limit: 50, type: "domain.drift" }),
  },
  {
    name: "list of events",
    run: (world) => secondPage((query) => listEvents(as(world, world.data.large), query)),
  },
  {
    name: "list of deliveries",
    run: (world) =>
      secondPage((query) =>
        listDeliveries(as(world, world.data.large), world.data.large.endpointId, query),
      ),
  },
  {
    name: "list of endpoints",
    run: (world) => listEndpoints(as(world, world.data.large), { limit: 50 }),
  },
  {
    name: "timeline of a connection",
    run: (world) =>
      listTimeline(as(world, world.data.large), world.data.large.connectionId, { limit: 50 }),
  },
  { name: "usage", run: (world) => getUsage(as(world, world.data.large), {}) },
  {
    name: "held hostnames",
    run: (world) => as(world, world.data.large).read((tx) => selectHeld(tx)),
  },
  {
    name: "create of a connection",
    run: (world) =>
      createConnection(as(world, world.data.large), {
        application_id: world.data.large.applicationId,
        hostname: `new-${Date.now()}.scale.dev`,
      }),
  },
  {
    name: "archive of a connection",
    run: (world) =>
      deleteConnection(as(world, world.data.small), world.data.small.connectionId, {
        revertDns: false,
      }),
  },
  {
    name: "replay of a day",
    run: (world) =>
      replayAll(as(world, world.data.large), world.data.large.endpointId, {
        since: after(world, -86_400_000).toISOString(),
      }),
  },
  { name: "rest of the replay", run: ({ worker }) => runEndpointJobs(worker) },
  {
    name: "switch an endpoint off",
    run: (world) =>
      updateEndpoint(as(world, world.data.large), world.data.large.endpointId, { active: false }),
  },
  {
    name: "switch an endpoint on",
    run: (world) =>
      updateEndpoint(as(world, world.data.large), world.data.large.endpointId, { active: true }),
  },
  {
    name: "delete of an endpoint with a long log",
    isOnce: true,
    run: (world) => deleteEndpoint(as(world, world.data.large), world.data.large.endpointId),
  },
  {
    name: "ask",
    run: ({ api, data }) => createAsk(api)(data.large.hostname),
  },
  {
    name: "route",
    run: ({ api, data }) => createRouting(api)({ name: data.large.hostname, cdnLoop: undefined }),
  },
];

const edgeOperations: readonly Operation[] = [
  {
    name: "claim of first certificates",
    run: (world) =>
      claimDueCertificates(world.edge, "first", after(world, 0), after(world, leaseMs), 16),
  },
  {
    name: "claim of renewals",
    run: (world) =>
      claimDueCertificates(world.edge, "renewal", after(world, 0), after(world, leaseMs), 8),
  },
  {
    name: "claim of renewal information",
    run: (world) => claimDueRenewalInfo(world.edge, after(world, 0), after(world, 600_000), 20),
  },
  {
    name: "expiry, alarms and figures of certificates",
    run: ({ edge, worker }) =>
      checkExpiry({ pool: edge, clock: worker.clock, log: quiet, stats: createCertificateStats() }),
  },
  {
    name: "budget of orders",
    run: async ({ edge, worker }) => {
      const directories = ["https://ca.example"];
      const budget = createBudget(edge, worker.clock, { directories });
      await budget.sweep();
      await budget.left("https://ca.example");
    },
  },
  {
    name: "certificate of a handshake",
    run: ({ edge, data, worker }) =>
      loadCertificate(edge, data.large.hostname, 1, worker.clock.now()),
  },
  { name: "hosts by name", run: ({ edge, data }) => hostsNamed(edge, [data.large.hostname]) },
  {
    name: "first page of all hosts",
    run: async ({ edge }) => {
      for await (const _page of allHosts(edge)) return;
    },
  },
  {
    name: "changes of hosts",
    run: async ({ edge }) => hostChanges(edge, (await lastHostChange(edge)).id),
  },
];

export const operations: readonly Operation[] = [
  ...workerOperations,
  ...edgeOperations,
  ...apiOperations,
];
