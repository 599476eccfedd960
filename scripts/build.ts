import path from "node:path";
import { buildPart } from "./build/part.ts";
import { buildParts } from "./build/parts.ts";

/**
 * `npm run build`: the browser bundles, the guide and the API reference, each only when its inputs
 * changed.
 */
const root = path.resolve(import.meta.dirname, "..");

await Promise.all(
  buildParts.map(async (part) => {
    const startedAt = performance.now();
    try {
      const outcome = await buildPart(root, part);
      const took = ((performance.now() - startedAt) / 1_000).toFixed(1);
      if (outcome === "built") console.log(`built ${part.name} (${took} s)`);
    } catch (error) {
      console.error(`the build of ${part.name} failed:`, error);
      process.exitCode = 1;
    }
  }),
);
