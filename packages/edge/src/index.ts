/** The edge plane's surface: start it, and know where it keeps its secrets. */
export {
  accountKeyContext,
  certificateKeyContext,
  localCaContext,
  orderKeyContext,
} from "./certificates/seal.ts";
export type { EdgeParts, EdgeSettings } from "./settings.ts";
export { type RunningEdge, startEdge } from "./start-edge.ts";
