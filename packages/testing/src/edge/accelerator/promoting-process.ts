import { processKinds } from "../../../../cli/src/operator/serve/processes.ts";

/**
 * Preloaded into `mooring serve edge` by `npm run test:world -- edge --accelerator=haproxy`: its
 * names are promoted when a test is about to visit them.
 */
Object.assign(processKinds, {
  edge: {
    ...processKinds.edge,
    async start(config: Parameters<typeof processKinds.edge.start>[0]) {
      const { startEdgeProcess } = await import(
        "../../../../cli/src/operator/serve/edge-process.ts"
      );
      const { startEdge } = await import("../../../../edge/src/process/start-edge.ts");
      const { startForcedPromotion } = await import("./forced-promotion.ts");
      return startEdgeProcess(config, (parts) => startEdge(parts, startForcedPromotion));
    },
  },
});
