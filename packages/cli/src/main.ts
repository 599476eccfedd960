#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Halves the time to start. The cache is inside the installation: cached code is as trusted as
// code.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/mooring", import.meta.url)));
const { runCommand } = await import("./program.ts");
const { endWithReader } = await import("./output.ts");
const { operatorCommands } = await import("./operator/operator-commands.ts");
endWithReader();
process.exitCode = await runCommand(process.argv.slice(2), operatorCommands);
