import { spawn } from "node:child_process";
import { once } from "node:events";
import { enableCompileCache } from "node:module";
import { constants, getPriority, setPriority } from "node:os";
import path from "node:path";
import { type EndRequest, listenForEnd } from "../packages/cli/src/process-control.ts";

/**
 * `npm start`: runs the whole product in this process, and beside it builds what has changed of
 * what browsers get: the API does not wait for it, a request for such a page does. With `--watch`
 * (`npm run dev`) it runs the product under a watching Node, which starts it again after a change.
 *
 * package.json starts it with `exec`, because a shell between npm and this process would not pass
 * signals on. npm passes on SIGINT and SIGTERM; after any other end of npm this process is orphaned
 * and ends as well.
 */
const root = path.resolve(import.meta.dirname, "..");
const productMain = path.join(root, "packages/local/src/main.ts");

/** Of the build: on few cores the processes come first. */
const niceness = 10;

async function start(args: readonly string[], end: EndRequest): Promise<number> {
  const ended = new AbortController();
  const stop = AbortSignal.any([end.signal, ended.signal]);
  const built = runChild([path.join(root, "scripts/build.ts")], stop, niceness);
  const { runLocal } = await import("../packages/local/src/run-local.ts");
  const code = await runLocal(args, end, built);
  // A start that is refused, for a taken port for one, does not wait for the build.
  ended.abort();
  await built;
  return code;
}

async function watch(args: readonly string[], end: EndRequest): Promise<number> {
  const code = await runChild([path.join(root, "scripts/build.ts")], end.signal);
  if (code !== 0 || end.signal.aborted) return end.signal.aborted ? 0 : code;
  return runChild(
    [`--watch-path=${path.join(root, "packages")}`, productMain, ...args],
    end.signal,
  );
}

/**
 * Runs Node with these arguments until it exits or this process is asked to end. The child gets
 * SIGINT for every reason: a watching Node uses SIGTERM for a restart, which leaves PostgreSQL
 * running.
 */
async function runChild(args: readonly string[], signal: AbortSignal, nicer = 0): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  if (child.pid !== undefined && nicer > 0) {
    setPriority(child.pid, Math.min(getPriority() + nicer, constants.priority.PRIORITY_LOW));
  }
  const stop = (): void => void child.kill("SIGINT");
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const [code] = await once(child, "exit");
  signal.removeEventListener("abort", stop);
  return typeof code === "number" ? code : 1;
}

// Halves the time to start. The cache is inside the installation: cached code is as trusted as
// code.
enableCompileCache(path.join(root, "node_modules/.cache/mooring"));
const args = process.argv.slice(2);
const end = listenForEnd({ withParent: true });
const isWatch = args.includes("--watch");
const rest = args.filter((arg) => arg !== "--watch");
process.exitCode = await (isWatch ? watch(rest, end) : start(rest, end)).finally(end.release);
