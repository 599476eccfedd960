import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import scalar from "@scalar/fastify-api-reference";
import fastify from "fastify";

/**
 * The script of the API reference (Scalar), compressed once, as packages/control/src/api/docs serves it.
 * It is taken from Scalar's Fastify plugin: the plugin contains the script and installs in 17 MB, the
 * package that the script comes from in 287 MB.
 *
 *     node scripts/build/reference.ts
 */
const root = path.resolve(import.meta.dirname, "../..");
const referenceOutput = "packages/control/assets/docs/dist";

export async function buildReference(outDir = path.join(root, referenceOutput)): Promise<void> {
  const app = fastify();
  await app.register(scalar, { routePrefix: "/reference", configuration: { url: "/" } });
  const { statusCode, rawPayload } = await app.inject("/reference/js/scalar.js");
  await app.close();
  if (statusCode !== 200) throw new Error(`Scalar's script was answered with ${statusCode}`);
  mkdirSync(outDir, { recursive: true });
  // Renamed when complete: a running API may be reading the old file.
  const draft = path.join(outDir, `scalar.js.gz.${process.pid}.draft`);
  writeFileSync(draft, await promisify(gzip)(rawPayload));
  renameSync(draft, path.join(outDir, "scalar.js.gz"));
}

if (import.meta.main) {
  await buildReference();
  console.log(`the script of the API reference is in ${referenceOutput}`);
}
