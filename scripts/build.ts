import path from "node:path";
import { buildPart } from "./build-part.ts";
import { buildParts } from "./build-parts.ts";

/** `npm run build`: the browser bundles and the documents, each only when something has changed. */
const root = path.resolve(import.meta.dirname, "..");

for (const part of buildParts) {
  const startedAt = performance.now();
  const outcome = await buildPart(root, part);
  const took = ((performance.now() - startedAt) / 1_000).toFixed(1);
  if (outcome === "built") console.log(`built ${part.name} (${took} s)`);
}
