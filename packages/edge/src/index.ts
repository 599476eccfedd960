/** The edge plane's surface: start it, report its metrics, and re-seal its secrets. */

export { findHaproxy, type Haproxy } from "./accelerator/haproxy-program.ts";
export { staysRoot } from "./accelerator/haproxy-user.ts";
export { endLeftoverAccelerator } from "./accelerator/process/leftovers.ts";
export { type RunningAccelerator, startAccelerator } from "./accelerator/process/supervisor.ts";
export { inspectBudgets } from "./certificates/budget/inspect.ts";
export type { EdgeParts, EdgeSettings, EdgeWorker } from "./config/settings.ts";
export { assertionKeyContext } from "./db/assertion-keys.ts";
export { certificateKeyContext } from "./db/certificates.ts";
export { accountKeyContext, localCaContext } from "./db/issuer-keys.ts";
export { orderKeyContext } from "./db/orders.ts";
export { ticketKeyContext } from "./db/ticket-keys.ts";
export { drillChain, drillIssuer } from "./drill/drill-ca.ts";
export {
  type DrillKind,
  type DrillReport,
  drillKinds,
  runDrill,
} from "./drill/run-drill.ts";
export { inspectFeed } from "./feed/inspect-feed.ts";
export type { InspectedFeed } from "./feed/nats/inspect-stream.ts";
export { type InspectedReplica, inspectReplica } from "./feed/postgres/inspect-replica.ts";
export {
  createHeldListeners,
  createInheritedListeners,
  createListenerHandover,
  type HeldListeners,
  type ListenerHandover,
} from "./listen/listener-handover.ts";
export {
  type ClusterMetrics,
  createClusterMetrics,
  metricsIntervalMs,
  metricsMessage,
} from "./metrics/cluster-metrics.ts";
export { type RunningOperational, startOperational } from "./metrics/operational.ts";
export { type InspectedDelegation, inspectValidation } from "./nameserver/inspect-validation.ts";
export { edgePurposes, type RunningEdge, startEdge } from "./process/start-edge.ts";
export { type RunningIssuer, startIssuer } from "./process/start-issuer.ts";
export { createRateAllotter, createSharedLimiter } from "./rules/rate-limiter.ts";
