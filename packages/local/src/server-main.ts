#!/usr/bin/env node
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { isNewEnough } from "@mooring/cli/oldest-node";

/**
 * `mooring-server`, the program of the package `@mooring/server`. Without arguments it runs the
 * whole product on this machine, as `npm start` does in a clone; with arguments it is the command
 * line. The package also installs it as `mooring`, which is the command line alone.
 *
 * The Node that starts it may be an older one: then it runs itself on the Node that npm has
 * installed with it. So this module loads nothing else before that is known.
 */
const args = process.argv.slice(2);
const program = process.argv[1] ?? "";
const isStart = args.every((arg) => arg === "--json") && basename(program) !== "mooring";

if (!isNewEnough(process.versions.node)) {
  const { runOnOwnNode } = await import("./own-node.ts");
  process.exitCode = await runOnOwnNode([program, ...args]);
} else {
  const { enableCompileCache } = await import("node:module");
  enableCompileCache(
    fileURLToPath(new URL("../../../node_modules/.cache/mooring", import.meta.url)),
  );
  process.exitCode = await (isStart ? start() : runCommands());
}

async function start(): Promise<number> {
  const { listenForEnd } = await import("@mooring/cli/process-control");
  const end = listenForEnd();
  const { runLocal } = await import("./run-local.ts");
  return runLocal(args, end);
}

async function runCommands(): Promise<number> {
  const { runCommandLine } = await import("@mooring/cli/command-line");
  return runCommandLine(args);
}
