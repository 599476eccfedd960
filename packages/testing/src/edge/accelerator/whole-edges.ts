/** What whole edges, in the test's process or in others, are started with instead. */
export interface WholeEdges {
  /** `EDGE_ACCELERATOR_NAMES`. */
  readonly names: number;
  /** Further settings of a `mooring serve edge`. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the name is promoted, once that is decided. Rejects when it is not in time. */
  isPromoted(dataDirectory: string, hostname: string): Promise<boolean>;
  /** Connections of visitors that are open. */
  connections(dataDirectory: string): Promise<number>;
  /** Called for every edge that serves. */
  started(dataDirectory: string): void;
}

let replacement: WholeEdges | null = null;
/** By public port. */
const edges = new Map<number, { readonly directory: string; readonly promoted: Set<string> }>();

/** From now on the whole edges of this process are others; see `promoted-edge.ts`. */
export function replaceWholeEdges(by: WholeEdges): void {
  replacement = by;
}

export function wholeEdgesReplaced(): WholeEdges | null {
  return replacement;
}

/** An edge serves at the port; what was there before is forgotten. */
export function wholeEdgeStarted(port: number, directory: string): void {
  if (replacement === null) return;
  edges.set(port, { directory, promoted: new Set() });
  replacement.started(directory);
}

/**
 * Before the first visit of a name: waits until visitors come to what is under test. Later visits
 * do not wait, so that a test sees what happens while names are released and processes end.
 */
export async function untilPromoted(port: number, hostname: string): Promise<void> {
  const edge = edges.get(port);
  if (edge === undefined || edge.promoted.has(hostname)) return;
  if (await replacement?.isPromoted(edge.directory, hostname)) edge.promoted.add(hostname);
}
