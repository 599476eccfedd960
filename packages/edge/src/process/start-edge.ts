import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createGuard } from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import { assertConfined, type Listener, listen, startDatabaseClock } from "@mooring/postgres";
import { createVault, type Vault } from "@mooring/vault";
import type pg from "pg";
import { Registry } from "prom-client";
import { type Asserter, startAsserter } from "../assertion/asserter.ts";
import { createKeySnapshot } from "../assertion/signing-keys.ts";
import { createBudget } from "../certificates/budget.ts";
import type { Delegation } from "../certificates/delegation.ts";
import { createDiskCache } from "../certificates/disk-cache.ts";
import { type IssueLoop, startIssueLoop } from "../certificates/issue-loop.ts";
import { createIssuers } from "../certificates/issuers.ts";
import { createPermission, type Permission, type Preflight } from "../certificates/preflight.ts";
import { createSource, type RunningSource, type SourceParts } from "../certificates/source.ts";
import { defaultLimits, limitsFrom } from "../config/limits.ts";
import type { EdgeParts } from "../config/settings.ts";
import { originsChannel } from "../db/origin-health.ts";
import { openPool } from "../db/pool.ts";
import { startPresence } from "../db/presence.ts";
import { ticketKeysChannel } from "../db/ticket-keys.ts";
import { isSandbox } from "../hosts/host.ts";
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
import { createOriginTls } from "../proxy/origin-tls.ts";
import { createOcspStaples, type OcspStaples } from "../tls/ocsp-staples.ts";
import { startTicketSecrets, type TicketSecrets } from "../tls/ticket-secrets.ts";
import { type ListenerOptions, type Listeners, startListeners } from "./listeners.ts";
import { type Health, type RunningOperational, startOperational } from "./operational.ts";
import { validationOf } from "./validation.ts";

export interface RunningEdge {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** The metrics of this process. */
  readonly metrics: Registry;
  /** Releases leases, completes what is in flight within `EDGE_DRAIN`, and cuts the rest. */
  close(): Promise<void>;
}

const pollMs = 5_000;
const snapshotIntervalMs = 30_000;
/** Database connections of all workers of a machine together; each gets at least two. */
const totalConnections = 16;
const singleProcessConnections = 8;

/** What an edge seals and opens; `mooring secrets export --for edge` gives it the keys for exactly these. */
export const edgePurposes = [
  "certificate_key",
  "acme_account",
  "local_ca",
  "assertion_signing",
  "origin_client_key",
  "ticket_key",
] as const;

/** Starts an edge process: known hosts, certificates, listeners. */
export async function startEdge(parts: EdgeParts): Promise<RunningEdge> {
  const { settings, log, worker } = parts;
  const pool = poolOf(parts);
  const measured = await startDatabaseClock(pool, { mayStartWithoutDatabase: true });
  const clock = parts.clock ?? measured;
  const vault = createVault(parts.rootKeys, { purposes: edgePurposes });
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
  const { preflight, delegation } = validationOf(parts, { pool, clock });
  const issuing = { hosts, permission, preflight, stats, delegation };
  const loop = issueLoop(parts, { pool, vault, clock, ...issuing });
  const base = { pool, vault, clock, log };
  const tickets = settings.EDGE_SESSION_TICKETS ? await startTicketSecrets(base) : null;
  const staples = staplesOf(parts, clock, stats);
  const ondemand = { permission, leadsHere: beyondSandbox(preflight), wake: loop.wake };
  const tls = { disk, staples, ticketSecrets: tickets?.current ?? null, parkedMs: waitOf(parts) };
  const certificates = sourceOf({ ...base, ...ondemand, ...tls, hosts }, hosts);
  const origins = startOriginReporter({ pool, clock, log });
  const subscription = subscribe(parts, { hosts, certificates, loop, origins, tickets });
  const saveHosts = async (): Promise<void> => {
    const set = isSnapshotWriter ? hosts.current() : null;
    if (set) await snapshot.save(set, hosts.revision());
  };
  const timers = [
    setInterval(() => catchUp(parts, hosts), pollMs),
    setInterval(() => void saveHosts(), snapshotIntervalMs),
  ];
  const asserter = await asserterOf(parts, { pool, vault, clock, directory });
  const shared = { hosts, certificates, assertion: asserter.sign, outcomes: origins.outcomes };
  const listeners = await openPorts(parts, vault, shared);
  void saveHosts();
  const presence = startPresence({ ...base, hosts, port: listeners.httpsPort });
  const metrics = registryOf(listeners, stats, hosts);
  let isDraining = false;
  const operational = await startInternalPort(parts, metrics, () => isDraining);
  return {
    httpPort: listeners.httpPort,
    httpsPort: listeners.httpsPort,
    metrics,
    async close() {
      isDraining = true;
      const stopped = loop.stop();
      await delay(settings.EDGE_DRAIN_DELAY);
      // Until the last exchange is over, released hosts must be seen and requests be signed for.
      await Promise.all([listeners.close(), operational?.close()]);
      await stopped;
      for (const timer of timers) clearInterval(timer);
      asserter.stop();
      for (const one of [tickets, staples]) one?.stop();
      await subscription.close();
      await Promise.all([origins.stop(), presence.stop()]);
      await saveHosts();
      measured.stop();
      await pool.end();
    },
  };
}

/** How long a handshake waits for its certificate. */
function waitOf({ settings, limits }: EdgeParts): number {
  return { ...defaultLimits, ...limitsFrom(settings), ...limits }.parkedMs;
}

function registryOf(
  { stats }: Listeners,
  certificates: CertificateStats,
  hosts: KnownHosts,
): ReturnType<typeof createEdgeRegistry> {
  return createEdgeRegistry({ stats, certificates, hosts: () => hosts.size });
}

/** The certificates of known hosts; a name that is released or claimed again loses its own. */
function sourceOf(parts: SourceParts, hosts: KnownHosts): RunningSource {
  const certificates = createSource(parts);
  hosts.onRemoved((hostname) => {
    certificates.forget(hostname);
    parts.disk.drop(hostname);
  });
  return certificates;
}

/** Who brings an own certificate chooses its responder, so private addresses are not asked. */
function staplesOf(
  { settings, log, random = Math.random }: EdgeParts,
  clock: Clock,
  { ocsp }: CertificateStats,
): OcspStaples | null {
  if (!settings.EDGE_OCSP) return null;
  const { EGRESS_ALLOW: allow, EGRESS_RESOLVERS: nameServers } = settings;
  const guard = createGuard({ allow, nameServers });
  return createOcspStaples({ guard, clock, log, random, stats: ocsp });
}

/** Of the sandbox's DNS the control plane alone knows where a name leads; its checks make orders due. */
function beyondSandbox({ leadsHere }: Preflight): Preflight["leadsHere"] {
  return async (host, signal) => !isSandbox(host) && leadsHere(host, signal);
}

async function openPorts(
  parts: EdgeParts,
  vault: Vault,
  shared: Pick<ListenerOptions, "hosts" | "certificates" | "assertion" | "outcomes">,
): Promise<Listeners> {
  const { settings, log, worker } = parts;
  const { EDGE_HOST: host } = settings;
  let listening: readonly number[] = [];
  const listeners = await startListeners({
    ...shared,
    originGuard: createOriginGuard(settings, () => listening),
    originTlsOf: createOriginTls(vault),
    log,
    ...accessLogOf(parts),
    metricApplications: settings.EDGE_METRICS_APPLICATIONS,
    front: {
      proxyProtocolFrom: settings.EDGE_PROXY_PROTOCOL ? settings.EDGE_PROXY_PROTOCOL_FROM : null,
      trustedProxies: settings.EDGE_TRUSTED_PROXIES,
      healthChecksFrom: settings.EDGE_HEALTH_CHECKS_FROM,
    },
    http: { host, port: settings.EDGE_HTTP_PORT },
    https: { host, port: settings.EDGE_HTTPS_PORT },
    ...(worker === undefined ? {} : { handover: worker.handover }),
    limits: { ...limitsFrom(settings), drainMs: settings.EDGE_DRAIN, ...parts.limits },
  });
  listening = [listeners.httpPort, listeners.httpsPort];
  return listeners;
}

function poolOf({ databaseUrl, settings, log, worker }: EdgeParts): pg.Pool {
  const size = worker
    ? Math.max(2, Math.floor(totalConnections / worker.of))
    : singleProcessConnections;
  return openPool(databaseUrl, (error) => log.warn({ err: error }, "database connection lost"), {
    connections: size,
    pooler: settings.DATABASE_POOLER,
  });
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
  isDraining: () => boolean,
): Promise<RunningOperational | null> {
  const { EDGE_HOST: host, EDGE_INTERNAL_PORT: port } = settings;
  if (port === null || worker !== undefined) return null;
  const health = (): Health => ({
    status: isDraining() ? "draining" : "ok",
    workers: 1,
    serving: 1,
  });
  const supervisor = createSupervisorRegistry({ health, restarts: () => 0 });
  const metricsText = (): Promise<string> => Registry.merge([supervisor, metrics]).metrics();
  return startOperational({ host, port }, { health, metricsText });
}

function issueLoop(
  { settings, log, random = Math.random }: EdgeParts,
  shared: {
    readonly pool: pg.Pool;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly hosts: KnownHosts;
    readonly permission: Permission;
    readonly preflight: Preflight;
    readonly stats: CertificateStats;
    readonly delegation: Delegation | null;
  },
): IssueLoop {
  return startIssueLoop({
    ...shared,
    log,
    random,
    issuersFor: createIssuers(settings, { ...shared, random }),
    budget: createBudget(shared.pool, shared.clock, {
      directories: settings.ACME_DIRECTORY_URL,
      limits: settings.ISSUANCE_LIMITS,
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
    readonly tickets: TicketSecrets | null;
  },
): Listener {
  return listen({
    url: parts.databaseUrl,
    channels: [
      "mooring_hosts",
      "mooring_certificates",
      "mooring_due",
      originsChannel,
      ticketKeysChannel,
    ],
    applicationName: "mooring_edge_listen",
    role: "mooring_edge",
    onNotification: (channel, payload) => {
      if (channel === "mooring_hosts") targets.hosts.changed(payload);
      else if (channel === "mooring_certificates") targets.certificates.forget(payload);
      else if (channel === originsChannel) targets.origins.notified(payload);
      else if (channel === ticketKeysChannel) void targets.tickets?.refresh();
      else if (payload === "certificates") targets.loop.wake();
    },
    onConnected: () => {
      targets.certificates.forgetAll();
      catchUp(parts, targets.hosts);
    },
    onError: (error) =>
      parts.log.warn({ err: error }, "notifications interrupted, polling instead"),
  });
}

/** Reads changes that notifications may have missed; without the database the last set is used. */
function catchUp({ log }: EdgeParts, hosts: KnownHosts): void {
  hosts.catchUp().catch((error: unknown) => log.debug({ err: error }, "host changes not read"));
}
