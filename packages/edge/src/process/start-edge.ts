import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createCdnFinder } from "@mooring/dns/lookup";
import { createGuard } from "@mooring/egress";
import type { Clock } from "@mooring/postgres";
import { createVault, type Vault } from "@mooring/vault";
import { Registry } from "prom-client";
import { acceleratorPaths } from "../accelerator/paths.ts";
import { type RunningAccelerator, startAccelerator } from "../accelerator/process/supervisor.ts";
import { createRequestRates } from "../accelerator/rates.ts";
import { type RunningPromotion, startPromotion } from "../accelerator/start-promotion.ts";
import { startAsserter } from "../assertion/asserter.ts";
import { createKeySnapshot } from "../assertion/signing-keys.ts";
import { createDiskCache } from "../certificates/serve/disk-cache.ts";
import {
  createSource,
  type RunningSource,
  type SourceParts,
} from "../certificates/serve/source.ts";
import { defaultLimits, limitsFrom } from "../config/limits.ts";
import type { EdgeParts } from "../config/settings.ts";
import type { EdgeFeed } from "../feed/feed.ts";
import { openPostgresFeed } from "../feed/postgres/feed.ts";
import type { KnownHosts } from "../hosts/view/known-hosts.ts";
import { type ListenerOptions, type Listeners, startListeners } from "../listen/listeners.ts";
import { createSupervisorRegistry } from "../metrics/cluster-metrics.ts";
import {
  type CertificateStats,
  createCertificateStats,
  createEdgeRegistry,
  type MetricSources,
} from "../metrics/metrics.ts";
import { type Health, type RunningOperational, startOperational } from "../metrics/operational.ts";
import { startOriginReporter } from "../origin-health/reporter.ts";
import { createOriginGuard, ownEndpoints } from "../proxy/origin/guard.ts";
import { createOriginTls } from "../proxy/origin/tls.ts";
import { createOwnershipTokens, createProbeAnswers } from "../proxy/response/probe.ts";
import { createLocalLimiter } from "../rules/rate-limiter.ts";
import { createRequestRules } from "../rules/request-rules.ts";
import { createOcspStaples, type OcspStaples } from "../tls/ocsp/staples.ts";
import { startTicketSecrets } from "../tls/ticket-secrets.ts";
import { noTraffic } from "../traffic/counts.ts";
import { startTrafficReporter } from "../traffic/reporter.ts";
import { startPresence } from "./presence.ts";

export interface RunningEdge {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** The metrics of this process. */
  readonly metrics: Registry;
  /** Releases leases, completes what is in flight within `EDGE_DRAIN`, and cuts the rest. */
  close(): Promise<void>;
}

/**
 * What an edge seals and opens; `mooring secrets export --for edge` gives it the keys for exactly
 * these.
 */
export const edgePurposes = [
  "certificate_key",
  "acme_account",
  "local_ca",
  "assertion_signing",
  "origin_client_key",
  "ticket_key",
] as const;

function startReporters({ settings, log }: EdgeParts, feed: EdgeFeed, process: string) {
  const { clock } = feed;
  return {
    origins: startOriginReporter({ feed: feed.origins, clock, log }),
    traffic: settings.TRAFFIC
      ? startTrafficReporter({ feed: feed.traffic, clock, log, process })
      : null,
  };
}

/**
 * Starts an edge process: known hosts, certificates, listeners. `promote` is another way to promote
 * names to the accelerator, for tests.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the parts of a process, in their order
export async function startEdge(
  parts: EdgeParts,
  promote: typeof startPromotion = startPromotion,
): Promise<RunningEdge> {
  const { settings, log, worker } = parts;
  const vault = createVault(parts.rootKeys, { purposes: edgePurposes });
  const stats = createCertificateStats();
  const feed = await openFeed(parts, { vault, stats });
  const { clock, hosts } = feed;
  const directory = path.join(settings.DATA_DIR, "edge");
  const disk = createDiskCache(directory, log);
  const from = await feed.loadHosts(directory);
  const isFirst = worker === undefined || worker.index === 0;
  if (isFirst && from === "source") disk.sweep((name) => hosts.get(name) !== null);
  const base = { vault, clock, log };
  const keys = { ...base, keys: feed.keys };
  const tickets = settings.EDGE_SESSION_TICKETS ? await startTicketSecrets(keys) : null;
  const staples = createStaples(parts, clock, stats);
  const tls = {
    disk,
    staples,
    ticketSecrets: tickets?.current ?? null,
    parkedMs: findParkedMs(parts),
  };
  const certificates = openSource({ ...base, ...tls, feed: feed.certificates, hosts }, hosts);
  const id = randomUUID();
  const { origins, traffic } = startReporters(parts, feed, id);
  let promotion: RunningPromotion | null = null;
  feed.follow({
    certificate(hostname) {
      certificates.forget(hostname);
      promotion?.certificateChanged(hostname);
    },
    everyCertificate() {
      certificates.forgetAll();
      promotion?.certificateChanged();
    },
    ticketKeys: () => void tickets?.refresh(),
    origins: (payload) => origins.notified(payload),
  });
  const asserter = await startAsserter({
    ...keys,
    snapshot: createKeySnapshot(directory, log),
    issuer: settings.BASE_URL,
  });
  const isPromoting = isFirst && isAccelerated(parts);
  const rates = isPromoting
    ? createRequestRates(traffic?.counts ?? noTraffic, 1 / (worker?.of ?? 1))
    : null;
  const counts = rates?.counts ?? traffic?.counts;
  const shared = {
    hosts,
    certificates,
    assertion: asserter.sign,
    probeAnswers: createProbeAnswers(vault, clock),
    ownershipTokens: createOwnershipTokens(vault),
    outcomes: origins.outcomes,
    ...(counts === undefined ? {} : { traffic: counts }),
    rules: createRequestRules({ clock, limiter: worker?.limiter ?? createLocalLimiter() }),
  };
  const listeners = await openPorts(parts, vault, shared);
  const accelerator = await startOwnAccelerator(parts);
  if (rates !== null) {
    promotion = await promote({
      ...promotionParts(parts, { hosts, certificates, clock }),
      assertion: asserter.sign,
      outcomes: origins.outcomes,
      stats: listeners.stats,
      rates,
    });
    hosts.onRemoved((hostname) => promotion?.removed(hostname));
  }
  const port = listeners.httpsPort;
  const presence = startPresence({ feed: feed.presence, clock, log, hosts, port, id });
  const metrics = createRegistry(listeners, { certificates: stats, feed, traffic, promotion });
  let isDraining = false;
  const operational = await startInternalPort(parts, metrics, {
    isDraining: () => isDraining,
    acceleratorRestarts: () => accelerator?.restarts() ?? 0,
  });
  return {
    httpPort: listeners.httpPort,
    httpsPort: listeners.httpsPort,
    metrics,
    async close() {
      isDraining = true;
      const drained = feed.drain();
      await delay(settings.EDGE_DRAIN_DELAY);
      await promotion?.stop();
      // Until the last exchange has ended, released hosts must be seen and requests be signed for.
      await Promise.all([accelerator?.close(), listeners.close(), operational?.close()]);
      promotion?.close();
      await drained;
      for (const one of [asserter, tickets, staples]) one?.stop();
      // Last minute first: a process that has left owes nothing.
      await traffic?.stop();
      await Promise.all([origins.stop(), presence.stop()]);
      await feed.close();
    },
  };
}

function isAccelerated({ settings }: EdgeParts): boolean {
  return settings.EDGE_ACCELERATOR === "haproxy";
}

/** Only for an edge of one process: several have one accelerator, which their parent starts. */
async function startOwnAccelerator(parts: EdgeParts): Promise<RunningAccelerator | null> {
  const { settings, worker, limits = {}, log, handover } = parts;
  if (!isAccelerated(parts) || worker !== undefined) return null;
  const socket = await handover?.take("https");
  const inherited = socket != null && "fd" in socket ? { inherited: Number(socket.fd) } : {};
  return startAccelerator({ settings, limits, log, workers: 1, ...inherited });
}

function promotionParts(
  parts: EdgeParts,
  {
    hosts,
    certificates,
    clock,
  }: {
    readonly hosts: KnownHosts;
    readonly certificates: RunningSource;
    readonly clock: Clock;
  },
) {
  const { settings, log } = parts;
  return {
    hosts,
    log,
    certificate: certificates.opened,
    now: () => clock.now(),
    paths: acceleratorPaths(settings.DATA_DIR),
    guard: createOriginGuard(settings),
    isOwn: ownEndpoints(settings),
    limits: { ...defaultLimits, ...limitsFrom(settings), ...parts.limits },
    accessLog: createAccessLog(parts).accessLog,
    areStapled: settings.EDGE_OCSP,
    most: settings.EDGE_ACCELERATOR_NAMES,
  };
}

/** Where an accelerator passes on what it does not serve. */
function acceleratedListeners(parts: EdgeParts): Pick<ListenerOptions, "accelerated"> {
  const { settings, worker } = parts;
  if (!isAccelerated(parts)) return {};
  const paths = acceleratorPaths(settings.DATA_DIR);
  mkdirSync(paths.directory, { recursive: true, mode: 0o700 });
  const index = worker?.index ?? 0;
  return {
    accelerated: {
      tls: paths.tls(index),
      decrypted: paths.decrypted(index),
      publicPort: settings.EDGE_HTTPS_PORT,
    },
  };
}

async function openFeed(
  parts: EdgeParts,
  shared: { readonly vault: Vault; readonly stats: CertificateStats },
): Promise<EdgeFeed> {
  const { databaseUrl } = parts;
  if (parts.settings.EDGE_FEED === "nats") {
    // Loaded only where it is used: its libraries take memory in every process.
    const { openNatsFeed } = await import("../feed/nats/feed.ts");
    return openNatsFeed(parts, shared.vault);
  }
  if (databaseUrl === null) throw new Error("an edge that reads PostgreSQL needs its URL");
  return openPostgresFeed({ ...parts, databaseUrl }, shared);
}

/** How long a handshake waits for its certificate. */
function findParkedMs({ settings, limits }: EdgeParts): number {
  return { ...defaultLimits, ...limitsFrom(settings), ...limits }.parkedMs;
}

function createRegistry(
  { stats }: Listeners,
  sources: Pick<MetricSources, "certificates" | "traffic" | "promotion"> & {
    readonly feed: EdgeFeed;
  },
): ReturnType<typeof createEdgeRegistry> {
  const { certificates, traffic = null, promotion = null } = sources;
  const { hosts, replica } = sources.feed;
  return createEdgeRegistry({ stats, certificates, hosts, replica, traffic, promotion });
}

/** The certificates of known hosts; a name that is released or claimed again loses its own. */
function openSource(parts: SourceParts, hosts: KnownHosts): RunningSource {
  const certificates = createSource(parts);
  hosts.onRemoved((hostname) => {
    certificates.forget(hostname);
    parts.disk.drop(hostname);
  });
  return certificates;
}

/** Who brings an own certificate chooses its responder, so private addresses are not asked. */
function createStaples(
  { settings, log, random = Math.random }: EdgeParts,
  clock: Clock,
  { ocsp }: CertificateStats,
): OcspStaples | null {
  if (!settings.EDGE_OCSP) return null;
  const { EGRESS_ALLOW: allow, EGRESS_RESOLVERS: nameServers } = settings;
  const guard = createGuard({ allow, nameServers });
  return createOcspStaples({ guard, clock, log, random, stats: ocsp });
}

async function openPorts(
  parts: EdgeParts,
  vault: Vault,
  shared: Pick<
    ListenerOptions,
    | "hosts"
    | "certificates"
    | "assertion"
    | "probeAnswers"
    | "ownershipTokens"
    | "outcomes"
    | "traffic"
    | "rules"
  >,
): Promise<Listeners> {
  const { settings, log, worker } = parts;
  const { EDGE_HOST: host } = settings;
  const handover = worker?.handover ?? parts.handover;
  let listening: readonly number[] = [];
  const listeners = await startListeners({
    ...shared,
    originGuard: createOriginGuard(settings, () => listening),
    originTlsOf: createOriginTls(vault),
    log,
    ...createAccessLog(parts),
    metricApplications: settings.EDGE_METRICS_APPLICATIONS,
    loopId: settings.EDGE_CNAME,
    front: {
      proxyProtocolFrom: settings.EDGE_PROXY_PROTOCOL ? settings.EDGE_PROXY_PROTOCOL_FROM : null,
      trustedProxies: settings.EDGE_TRUSTED_PROXIES,
      findCdn: createCdnFinder(settings.EDGE_CDN_RANGES),
      healthChecksFrom: settings.EDGE_HEALTH_CHECKS_FROM,
    },
    http: { host, port: settings.EDGE_HTTP_PORT },
    https: { host, port: settings.EDGE_HTTPS_PORT },
    ...acceleratedListeners(parts),
    ...(handover === undefined ? {} : { handover }),
    limits: { ...limitsFrom(settings), drainMs: settings.EDGE_DRAIN, ...parts.limits },
  });
  listening = [listeners.httpPort, listeners.httpsPort];
  return listeners;
}

function createAccessLog({ settings, log }: EdgeParts): Pick<ListenerOptions, "accessLog"> {
  const level = settings.EDGE_ACCESS_LOG;
  return level === "off" ? {} : { accessLog: (line) => log[level](line, "request") };
}

/** Only for an edge of one process: workers send their metrics to the process that started them. */
async function startInternalPort(
  { settings, worker }: EdgeParts,
  metrics: Registry,
  own: { readonly isDraining: () => boolean; readonly acceleratorRestarts: () => number },
): Promise<RunningOperational | null> {
  const { EDGE_HOST: host, EDGE_INTERNAL_PORT: port } = settings;
  if (port === null || worker !== undefined) return null;
  const health = (): Health => ({
    status: own.isDraining() ? "draining" : "ok",
    workers: 1,
    serving: 1,
  });
  const supervisor = createSupervisorRegistry({ ...own, health, restarts: () => 0 });
  const metricsText = (): Promise<string> => Registry.merge([supervisor, metrics]).metrics();
  return startOperational({ host, port }, { health, metricsText });
}
