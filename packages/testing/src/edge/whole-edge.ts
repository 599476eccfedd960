import { type RunningEdge, startEdge } from "../../../edge/src/process/start-edge.ts";
import { freePort } from "../processes/free-port.ts";
import { wholeEdgeStarted, wholeEdgesReplaced } from "./accelerator/whole-edges.ts";

type EdgeParts = Parameters<typeof startEdge>[0];

const running = new Set<string>();

/** All that `mooring serve edge` starts, in the process of the test. */
export async function startWholeEdge(parts: EdgeParts): Promise<RunningEdge> {
  const replaced = wholeEdgesReplaced();
  if (replaced === null) return startEdge(parts);
  const { startForcedPromotion } = await import("./accelerator/forced-promotion.ts");
  const { settings } = parts;
  const port = settings.EDGE_HTTPS_PORT || (await freePort());
  // A directory has one accelerator.
  const shared = settings.DATA_DIR;
  const directory = running.has(shared) ? `${shared}/${port}` : shared;
  running.add(directory);
  const edge = await startEdge(
    {
      ...parts,
      settings: {
        ...settings,
        DATA_DIR: directory,
        EDGE_HTTPS_PORT: port,
        EDGE_ACCELERATOR: "haproxy",
        EDGE_ACCELERATOR_NAMES: replaced.names,
      },
    },
    startForcedPromotion,
  );
  wholeEdgeStarted(port, directory);
  return {
    ...edge,
    async close() {
      await edge.close();
      running.delete(directory);
    },
  };
}
