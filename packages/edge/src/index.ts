/** The edge plane's surface: start it. */

export type { EdgeParts, EdgeSettings } from "./settings.ts";
export { type RunningEdge, startEdge } from "./start-edge.ts";
