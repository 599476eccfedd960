import { Counter, Gauge, Registry } from "prom-client";
import type { RuleName } from "../rules/request-rules.ts";
import { noTraffic, type TrafficCounts } from "../traffic/counts.ts";
import {
  type ApplicationStats,
  type ApplicationTable,
  createApplicationTable,
} from "./applications.ts";
import { createCounters, createGauges, prefix } from "./collected-values.ts";
import {
  createHandshakeTimes,
  type HandshakeRefusal,
  type HandshakeTimes,
  handshakeLabels,
} from "./handshakes.ts";
import { CollectedHistogram } from "./histogram.ts";
import { createOcspStats, type OcspStats } from "./ocsp.ts";

/** Why a connection was refused; `small_reads` also after it carried requests. */
export type ConnectionRefusal =
  | HandshakeRefusal
  | "address_limit"
  | "process_limit"
  | "proxy_header"
  | "small_reads"
  | "overloaded";

/** The counters and gauges of one process, as plain numbers: they change with every request. */
export interface EdgeStats {
  connections: number;
  parked: number;
  /** Requests that wait in the queue. */
  waiting: number;
  handshakes: number;
  requests: number;
  originErrors: number;
  originRetries: number;
  shed: number;
  /** Responses that were ended because of what the origin sent instead of content. */
  readonly wasteful: Record<"informational" | "framing", number>;
  readonly refused: Record<ConnectionRefusal, number>;
  /** Requests that the edge answered itself instead of the origin, by status. */
  readonly answered: Map<number, number>;
  /** Requests that a rule of the tenant ended. */
  readonly ruled: Record<RuleName, number>;
  readonly applications: ApplicationTable;
  readonly handshakeTimes: HandshakeTimes;
  /** By connection: never a metric. */
  readonly traffic: TrafficCounts;
}

/** What happened to certificates in this process since its start, and the health of all of them. */
export interface CertificateStats {
  issued: number;
  renewed: number;
  failed: number;
  /** Orders postponed because the budget was used up. */
  held: number;
  /** Requests to CAs for renewal information. */
  asked: number;
  /** Requests to OCSP responders, by result. */
  readonly ocsp: OcspStats;
  /** As last read from the database; the same for all edges. */
  health: CertificateHealth;
  /** The same, for each CA. */
  budgets: readonly BudgetLeft[];
}

/** What is left at a CA. */
export interface BudgetLeft {
  readonly directory: string;
  readonly orders: number;
  readonly ordersLimit: number;
  /** Names that wait for their first order. */
  readonly waiting: number;
  readonly heldUntil: Date | null;
  readonly heldFor: "ca_rate_limited" | "ca_unavailable" | null;
}

export interface CertificateHealth {
  readonly served: number;
  /** A quarter of the lifetime or less is left. */
  readonly nearEnd: number;
  readonly expired: number;
  /** The earliest expiry among valid certificates; null when there is none. */
  readonly soonestEnd: Date | null;
}

/** Applications with numbers of their own, unless set. */
export const defaultSlots = 50;

export function createStats(slots = defaultSlots, traffic = noTraffic): EdgeStats {
  return {
    connections: 0,
    parked: 0,
    waiting: 0,
    handshakes: 0,
    requests: 0,
    originErrors: 0,
    originRetries: 0,
    shed: 0,
    wasteful: { informational: 0, framing: 0 },
    refused: {
      malformed_hello: 0,
      no_server_name: 0,
      unknown_name: 0,
      hello_timeout: 0,
      handshake_failed: 0,
      handshake_timeout: 0,
      certificate_unavailable: 0,
      parked_limit: 0,
      address_limit: 0,
      process_limit: 0,
      proxy_header: 0,
      small_reads: 0,
      overloaded: 0,
    },
    answered: new Map(),
    ruled: { network: 0, maintenance: 0, rate_limit: 0, basic_auth: 0 },
    applications: createApplicationTable(slots),
    handshakeTimes: createHandshakeTimes(),
    traffic,
  };
}

export function createCertificateStats(): CertificateStats {
  return {
    issued: 0,
    renewed: 0,
    failed: 0,
    held: 0,
    asked: 0,
    ocsp: createOcspStats(),
    health: { served: 0, nearEnd: 0, expired: 0, soonestEnd: null },
    budgets: [],
  };
}

interface KnownHostsSource {
  readonly size: number;
  isInMemory(): boolean;
  takeovers(): number;
}

/** Where one process's metrics are read from when they are collected. */
export interface MetricSources {
  readonly stats: EdgeStats;
  readonly certificates: CertificateStats;
  readonly hosts: KnownHostsSource;
  /** Null where there is no replica. */
  readonly replica?: (() => ReplicaState) | null;
  /** Null where nothing is counted. */
  readonly traffic?: TrafficBatches | null;
  /** Null in a process that promotes nothing. */
  readonly promotion?: PromotedNames | null;
}

interface PromotedNames {
  readonly size: number;
  lostLines(): number;
}

interface TrafficBatches {
  readonly waiting: () => number;
  readonly dropped: () => number;
}

interface ReplicaState {
  readonly isUsed: boolean;
  readonly lagMs: number | null;
}

/**
 * The metrics of one process. Values are read from the sources on collection, so a request costs no
 * more than the increment of some numbers. Labels are fixed lists and a bounded number of
 * application ids, never a hostname.
 */
export function createEdgeRegistry(sources: MetricSources): Registry {
  const { stats, certificates, hosts, replica, traffic, promotion } = sources;
  const registry = new Registry();
  const gauge = createGauges(registry);
  const counter = createCounters(registry);
  addHosts(registry, hosts);
  gauge("resident_bytes", "Resident memory of all processes", () => process.memoryUsage.rss());
  gauge("connections", "Open connections of clients", () => stats.connections);
  gauge("parked_handshakes", "Handshakes that wait for a certificate", () => stats.parked);
  gauge("waiting_requests", "Requests that wait for others of their host", () => stats.waiting);
  counter("handshakes_total", "Completed TLS handshakes", () => stats.handshakes);
  counter("requests_total", "Requests received", () => stats.requests);
  counter("origin_errors_total", "Requests that failed at the origin", () => stats.originErrors);
  counter("origin_retries_total", "Requests sent to an origin again", () => stats.originRetries);
  counter("shed_total", "Requests rejected because of overload", () => stats.shed);
  counter(
    "wasteful_responses_total",
    "Responses that were ended because of what the origin sent instead of content",
    () => stats.wasteful,
    "reason",
  );
  counter("refused_total", "Connections that were refused", () => stats.refused, "reason");
  counter(
    "answered_total",
    "Requests that the edge answered itself",
    () => Object.fromEntries(stats.answered),
    "status",
  );
  counter(
    "ruled_total",
    "Requests that the rules of an application or a connection ended",
    () => stats.ruled,
    "rule",
  );
  counter(
    "ocsp_total",
    "Requests to OCSP responders, by result",
    () => certificates.ocsp,
    "result",
  );
  gauge(
    "traffic_batches_waiting",
    "Batches of traffic counts that were not received yet and are sent again",
    () => traffic?.waiting() ?? 0,
  );
  counter(
    "traffic_batches_dropped_total",
    "Batches of traffic counts that were dropped because too many waited",
    () => traffic?.dropped() ?? 0,
  );
  addPromotion(registry, promotion ?? null);
  addReplica(gauge, replica ?? (() => ({ isUsed: false, lagMs: null })));
  addHandshakes(registry, stats.handshakeTimes);
  addApplications(registry, stats.applications);
  addCertificates(registry, certificates);
  return registry;
}

/**
 * The metrics of a process that obtains certificates and serves nobody, under the names of the
 * edge's.
 */
export function createIssuerRegistry({
  certificates,
  hosts,
}: Pick<MetricSources, "certificates" | "hosts">): Registry {
  const registry = new Registry();
  const gauge = createGauges(registry);
  addHosts(registry, hosts);
  gauge("resident_bytes", "Resident memory of all processes", () => process.memoryUsage.rss());
  addCertificates(registry, certificates);
  return registry;
}

function addHosts(registry: Registry, hosts: KnownHostsSource): void {
  const gauge = createGauges(registry);
  // Every process knows the same hosts.
  gauge("hosts", "Claimed hostnames", () => hosts.size, "max");
  gauge(
    "hosts_in_memory",
    "Processes that hold all hosts in memory because their store cannot be written",
    () => Number(hosts.isInMemory()),
  );
  createCounters(registry)(
    "host_store_takeovers_total",
    "Times that a process went on writing the host store for one that stood still",
    () => hosts.takeovers(),
  );
}

function addPromotion(registry: Registry, promotion: PromotedNames | null): void {
  const help = "Names that are promoted to the accelerator";
  createGauges(registry)("accelerator_names", help, () => promotion?.size ?? 0);
  createCounters(registry)(
    "accelerator_lines_lost_total",
    "Requests that the accelerator served and that are not counted, because their lines were lost",
    () => promotion?.lostLines() ?? 0,
  );
}

function addReplica(gauge: ReturnType<typeof createGauges>, replica: () => ReplicaState): void {
  const used = "Processes that read hosts and certificates from the database's replica";
  gauge("replica_used", used, () => (replica().isUsed ? 1 : 0));
  const behind = "How far the replica is behind the primary; -1 where that is not known";
  gauge("replica_lag_seconds", behind, () => (replica().lagMs ?? -1_000) / 1_000, "max");
}

function addCertificates(registry: Registry, certificates: CertificateStats): void {
  createCounters(registry)(
    "certificates_total",
    "Certificate events in this process",
    () => {
      const { issued, renewed, failed, held, asked } = certificates;
      return { issued, renewed, failed, held, asked };
    },
    "outcome",
  );
  addCertificateHealth(createGauges(registry), certificates);
  addBudgets(registry, certificates);
}

function addHandshakes(registry: Registry, times: HandshakeTimes): void {
  new CollectedHistogram({
    name: `${prefix}handshake_seconds`,
    help: "From an accepted connection to the end of its TLS handshake, by result",
    labelNames: ["result", "resumed"],
    registry,
    read: () =>
      Object.entries(times).map(([result, counts]) => [handshakeLabels(result), counts] as const),
  });
}

/** Of HTTPS requests only: on the other port there are redirects and challenges. */
function addApplications(registry: Registry, applications: ApplicationTable): void {
  addApplicationCounters(registry, applications);
  const times = (
    name: string,
    help: string,
    read: (stats: ApplicationStats) => ApplicationStats["requestTimes"],
  ): void => {
    new CollectedHistogram({
      name: `${prefix}application_${name}`,
      help,
      labelNames: ["application"],
      registry,
      read: () =>
        [...applications.entries()].map(([application, stats]) => [{ application }, read(stats)]),
    });
  };
  times(
    "request_seconds",
    "From the head of an HTTPS request to the end of its response, by application",
    ({ requestTimes }) => requestTimes,
  );
  times(
    "origin_seconds",
    "From the start of forwarding to the head of the origin's response, by application",
    ({ originTimes }) => originTimes,
  );
}

function addApplicationCounters(registry: Registry, applications: ApplicationTable): void {
  new Counter({
    name: `${prefix}application_requests_total`,
    help: "HTTPS requests by application and class of the status; none for a lost client",
    labelNames: ["application", "status"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [application, { requests }] of applications.entries()) {
        for (const [status, count] of Object.entries(requests)) {
          this.inc({ application, status }, count);
        }
      }
    },
  });
  new Counter({
    name: `${prefix}application_body_bytes_total`,
    help: "Bytes of bodies and WebSockets, by application and direction",
    labelNames: ["application", "direction"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [application, { sentBytes, receivedBytes }] of applications.entries()) {
        this.inc({ application, direction: "sent" }, sentBytes);
        this.inc({ application, direction: "received" }, receivedBytes);
      }
    },
  });
}

/** Processes read the health at different times; the highest value is reported. */
function addCertificateHealth(
  gauge: ReturnType<typeof createGauges>,
  certificates: CertificateStats,
): void {
  const seconds = (date: Date | null): number => Math.floor((date?.getTime() ?? 0) / 1_000);
  const add = (name: string, help: string, read: (health: CertificateHealth) => number): void =>
    gauge(`certificates_${name}`, help, () => read(certificates.health), "max");
  add("served", "Valid certificates", ({ served }) => served);
  add("near_end", "Certificates with a quarter of their lifetime left", ({ nearEnd }) => nearEnd);
  add("expired", "Expired certificates", ({ expired }) => expired);
  add("soonest_end_seconds", "Earliest expiry, in seconds since 1970; 0 without one", (health) =>
    seconds(health.soonestEnd),
  );
}

/** One value for each configured CA. */
function addBudgets(registry: Registry, certificates: CertificateStats): void {
  const add = (name: string, help: string, read: (budget: BudgetLeft) => number): void => {
    new Gauge({
      name: prefix + name,
      help,
      aggregator: "max",
      labelNames: ["ca"],
      registers: [registry],
      collect() {
        for (const budget of certificates.budgets) this.set({ ca: budget.directory }, read(budget));
      },
    });
  };
  const seconds = (date: Date | null): number => Math.floor((date?.getTime() ?? 0) / 1_000);
  add("ca_orders_left", "New orders that the CA takes now", ({ orders }) => orders);
  add("ca_orders_limit", "New orders that the CA takes in 3 hours", (one) => one.ordersLimit);
  add("ca_names_waiting", "Names that wait for their first order", ({ waiting }) => waiting);
  add(
    "ca_held_until_seconds",
    "When the CA takes orders again, in seconds since 1970; 0 now",
    (one) => seconds(one.heldUntil),
  );
}
