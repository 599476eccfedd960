/** The edge plane's surface: start it, and know where it keeps its secrets. */
export {
  accountKeyContext,
  assertionKeyContext,
  certificateKeyContext,
  localCaContext,
  orderKeyContext,
} from "./certificates/seal.ts";
export type { EdgeParts, EdgeSettings, EdgeWorker } from "./config/settings.ts";
export {
  type ClusterFigures,
  createClusterFigures,
  figuresEveryMs,
  figuresMessage,
} from "./metrics/cluster-metrics.ts";
export { type RunningOperational, startOperational } from "./process/operational.ts";
export { type RunningEdge, startEdge } from "./process/start-edge.ts";
