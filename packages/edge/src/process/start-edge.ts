import path from "node:path";
import { createNetworkResolver } from "@mooring/dns";
import type { Clock } from "@mooring/postgres";
import { assertConfined, type Listener, listen, startDatabaseClock } from "@mooring/postgres";
import { createVault, type Vault } from "@mooring/vault";
import type pg from "pg";
import { Registry } from "prom-client";
import { type Asserter, startAsserter } from "../assertion/asserter.ts";
import { createKeySnapshot } from "../assertion/signing-keys.ts";
import { createBudget } from "../certificates/budget.ts";
import { createDiskCache } from "../certificates/disk-cache.ts";
import { type IssueLoop, startIssueLoop } from "../certificates/issue-loop.ts";
import { createIssuers } from "../certificates/issuers.ts";
import { createPermission, createPreflight, type Permission } from "../certificates/preflight.ts";
import { createSource, type RunningSource } from "../certificates/source.ts";
import type { EdgeParts } from "../config/settings.ts";
import { originsChannel } from "../db/origin-health.ts";
import { openPool } from "../db/pool.ts";
import { createHostSnapshot } from "../hosts/host-snapshot.ts";
import { createKnownHosts, type KnownHosts, loadHosts } from "../hosts/known-hosts.ts";
import { createSupervisorRegistry } from "../metrics/cluster-metrics.ts";
import {
  type CertificateStats,
  createCertificateStats,
  createEdgeRegistry,
} from "../metrics/metrics.ts";
import { type OriginReporter, startOriginReporter } from "../origin-health/reporter.ts";
import { createOriginGuard } from "../proxy/origin-guard.ts";
import { type ListenerOptions, type Listeners, startListeners } from "./listeners.ts";
import { type Health, type RunningOperational, startOperational } from "./operational.ts";

export interface RunningEdge {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** The metrics of this process. */
  readonly metrics: Registry;
  /** Completes the requests in flight and releases leases, within 10 seconds. */
  close(): Promise<void>;
}

const pollMs = 5_000;
const snapshotIntervalMs = 30_000;
/** Database connections of all workers of a machine together; each gets at least two. */
const totalConnections = 16;
const singleProcessConnections = 8;

/** Starts an edge process: known hosts, certificates, listeners. */
export async function startEdge(parts: EdgeParts): Promise<RunningEdge> {
  const { settings, log, worker } = parts;
  const pool = poolOf(parts);
  const measured = await startDatabaseClock(pool, { mayStartWithoutDatabase: true });
  const clock = parts.clock ?? measured;
  const vault = createVault(parts.rootKeys, {
    purposes: ["certificate_key", "acme_account", "local_ca", "assertion_signing"],
  });
  const directory = path.join(settings.DATA_DIR, "edge");
  const disk = createDiskCache(directory, log);
  const snapshot = createHostSnapshot(directory, log);
  const hosts = createKnownHosts(pool, log, clock);
  const isSnapshotWriter = worker === undefined || worker.index === 0;
  const from = await loadHosts(hosts, { snapshot, clock, log });
  if (isSnapshotWriter && from === "database") disk.sweep((name) => hosts.get(name) !== null);
  await assertConfined(pool, {
    onUnreachable: (error) => log.warn({ err: error }, "database role not checked"),
  });
  const permission = createPermission(settings.ASK_URL, fetch);
  const stats = createCertificateStats();
  const loop = issueLoop(parts, { pool, vault, clock, hosts, permission, stats });
  const certificates = createSource({ pool, vault, clock, permission, log, disk, wake: loop.wake });
  hosts.onRemoved((hostname) => {
    certificates.forget(hostname);
    disk.drop(hostname);
  });
  const origins = startOriginReporter({ pool, clock, log });
  const subscription = subscribe(parts, { hosts, certificates, loop, origins });
  const saveHosts = async (): Promise<void> => {
    const set = isSnapshotWriter ? hosts.current() : null;
    if (set) await snapshot.save(set, hosts.revision());
  };
  const timers = [
    setInterval(() => catchUp(parts, hosts), pollMs),
    setInterval(() => void saveHosts(), snapshotIntervalMs),
  ];
  const asserter = await asserterOf(parts, { pool, vault, clock, directory });
  const { outcomes } = origins;
  const shared = { hosts, certificates, assertion: asserter.sign, outcomes };
  const listeners = await openPorts(parts, shared);
  void saveHosts();
  const metrics = createEdgeRegistry({
    stats: listeners.stats,
    certificates: stats,
    hosts: () => hosts.size,
  });
  const operational = await startInternalPort(parts, metrics);
  return {
    httpPort: listeners.httpPort,
    httpsPort: listeners.httpsPort,
    metrics,
    async close() {
      for (const timer of timers) clearInterval(timer);
      asserter.stop();
      await Promise.all([
        listeners.close(),
        operational?.close(),
        subscription.close(),
        loop.stop(),
      ]);
      await origins.stop();
      await saveHosts();
      measured.stop();
      await pool.end();
    },
  };
}

async function openPorts(
  parts: EdgeParts,
  shared: Pick<ListenerOptions, "hosts" | "certificates" | "assertion" | "outcomes">,
): Promise<Listeners> {
  const { settings, log, worker } = parts;
  const { EDGE_HOST: host } = settings;
  let listening: readonly number[] = [];
  const listeners = await startListeners({
    ...shared,
    originGuard: createOriginGuard(settings, () => listening),
    log,
    ...accessLogOf(parts),
    http: { host, port: settings.EDGE_HTTP_PORT },
    https: { host, port: settings.EDGE_HTTPS_PORT },
    isShared: worker !== undefined,
    ...(parts.limits ? { limits: parts.limits } : {}),
  });
  listening = [listeners.httpPort, listeners.httpsPort];
  return listeners;
}

function poolOf({ databaseUrl, log, worker }: EdgeParts): pg.Pool {
  const size = worker
    ? Math.max(2, Math.floor(totalConnections / worker.of))
    : singleProcessConnections;
  return openPool(
    databaseUrl,
    (error) => log.warn({ err: error }, "database connection lost"),
    size,
  );
}

function asserterOf(
  { settings, log }: EdgeParts,
  shared: {
    readonly pool: pg.Pool;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly directory: string;
  },
): Promise<Asserter> {
  const snapshot = createKeySnapshot(shared.directory, log);
  return startAsserter({ ...shared, log, snapshot, issuer: settings.BASE_URL });
}

function accessLogOf({ settings, log }: EdgeParts): Pick<ListenerOptions, "accessLog"> {
  const level = settings.EDGE_ACCESS_LOG;
  return level === "off" ? {} : { accessLog: (line) => log[level](line, "request") };
}

/** Only for an edge of one process: workers send their metrics to the process that started them. */
async function startInternalPort(
  { settings, worker }: EdgeParts,
  metrics: Registry,
): Promise<RunningOperational | null> {
  const { EDGE_HOST: host, EDGE_INTERNAL_PORT: port } = settings;
  if (port === null || worker !== undefined) return null;
  const health = (): Health => ({ status: "ok", workers: 1, serving: 1 });
  const supervisor = createSupervisorRegistry({ health, restarts: () => 0 });
  const metricsText = (): Promise<string> => Registry.merge([supervisor, metrics]).metrics();
  return startOperational({ host, port }, { health, metricsText });
}

function issueLoop(
  { settings, resolvers, caaNames, log, random = Math.random }: EdgeParts,
  shared: {
    readonly pool: pg.Pool;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly hosts: KnownHosts;
    readonly permission: Permission;
    readonly stats: CertificateStats;
  },
): IssueLoop {
  const resolver = createNetworkResolver({
    resolvers,
    authoritativePort: settings.DNS_AUTHORITATIVE_PORT,
  });
  return startIssueLoop({
    ...shared,
    log,
    random,
    issuersFor: createIssuers(settings, { ...shared, random }),
    budget: createBudget(shared.pool, shared.clock),
    preflight: createPreflight({
      resolver,
      edgeAddresses: [...settings.EDGE_IPV4, ...settings.EDGE_IPV6],
      edgeCname: settings.EDGE_CNAME,
      caaNames: (issuer) => caaNames(issuer.name),
    }),
  });
}

function subscribe(
  parts: EdgeParts,
  targets: {
    readonly hosts: KnownHosts;
    readonly certificates: RunningSource;
    readonly loop: IssueLoop;
    readonly origins: OriginReporter;
  },
): Listener {
  return listen({
    url: parts.databaseUrl,
    channels: ["mooring_hosts", "mooring_certificates", "mooring_due", originsChannel],
    applicationName: "mooring_edge_listen",
    role: "mooring_edge",
    onNotification: (channel, payload) => {
      if (channel === "mooring_hosts") targets.hosts.changed(payload);
      else if (channel === "mooring_certificates") targets.certificates.forget(payload);
      else if (channel === originsChannel) targets.origins.notified(payload);
      else if (payload === "certificates") targets.loop.wake();
    },
    onConnected: () => catchUp(parts, targets.hosts),
    onError: (error) =>
      parts.log.warn({ err: error }, "notifications interrupted, polling instead"),
  });
}

/** Reads changes that notifications may have missed; without the database the last set is used. */
function catchUp({ log }: EdgeParts, hosts: KnownHosts): void {
  hosts.catchUp().catch((error: unknown) => log.debug({ err: error }, "host changes not read"));
}
