import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Halves the time to start. The cache is inside the installation: cached code is as trusted as
// code.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/mooring", import.meta.url)));
const [first, ...rest] = process.argv.slice(2);
if (first === "demo") {
  const { runDemo } = await import("./demo/run-demo.ts");
  process.exitCode = await runDemo(rest[0]);
} else {
  const { listenForEnd } = await import("@mooring/cli/process-control");
  const end = listenForEnd();
  const { runLocal } = await import("./run-local.ts");
  process.exitCode = await runLocal(process.argv.slice(2), end);
}
