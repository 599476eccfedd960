import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { run } from "./run.ts";
import {
  acceleratedEdge,
  chooseAccelerated,
  judgeAccelerated,
  reportVariable,
  skipArguments,
} from "./test/accelerator/accelerated-files.ts";
import { notAccelerated } from "./test/accelerator/not-accelerated.ts";
import { startDatabaseServer } from "./test/database-server.ts";
import type { FailedFileReport } from "./test/failed-files.ts";
import { decide, runsAlone } from "./test/flaky-policy.ts";
import { type LeftOut, leaveOut, neededPrograms } from "./test/needed-programs.ts";
import { processorSeconds } from "./test/processor-time.ts";
import { readQuarantine } from "./test/quarantine.ts";
import { type RunOptions, runAlone, runFiles } from "./test/run-files.ts";
import { describeTree, openSoak, publishPromises } from "./test/soak-progress.ts";
import {
  canInstall,
  ensurePrograms,
  findMissing,
  installCommand,
  soakPrograms,
  worldPrograms,
} from "./test/system-packages.ts";
import { chooseFiles, fileTier, listTestFiles, type Tier } from "./test/tiers.ts";
import { measureWaitFactor } from "./test/wait-factor.ts";

/**
 * Runs the tests of a tier, on one PostgreSQL with a migrated template database that each file
 * copies.
 *
 *     npm test                           static checks and the quick tier
 *     npm test -- packages/dns           the files whose path contains that, or of that area
 *     npm run test:world -- edge         the world tier, here of one area
 *     npm run test:world -- edge --accelerator=haproxy
 *                                        the tests of the edge with HAProxy in front of it, and
 *                                        every name promoted
 *     npm run test:soak                  all tiers in their long form, and the *.soak.test.ts files
 *     npm run test:soak -- --resume      what the interrupted soak of the same tree has left
 *     npm run test:pg15                  the quick tier on Debian's PostgreSQL 15
 *
 * `--no-check` skips the static checks, `--times` prints the processor time of each file,
 * `--concurrency=N` sets how many processes run at once.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: "string", default: "quick" },
    check: { type: "boolean" },
    times: { type: "boolean", default: false },
    postgres: { type: "string", default: "embedded" },
    resume: { type: "boolean", default: false },
    concurrency: { type: "string" },
    accelerator: { type: "string" },
  },
  allowNegative: true,
});
const tier = values.tier as Tier;
const isAccelerated = values.accelerator === "haproxy";
/**
 * Everyday files wait a third of their time, for timers, databases and DNS. In the soak they are at
 * work all the time.
 */
const usualConcurrency = availableParallelism() + (tier === "soak" ? 0 : 1);
/** The world tier runs after `npm test`, which has checked already. */
const isChecked = values.check ?? tier !== "world";
const testTimeoutMs = tier === "soak" ? 7_200_000 : 300_000;

/** Survives an interruption, and is not part of the tree. */
const soakDir = path.resolve(".data/soak");

/** A signal ends the command that runs; the database server is stopped after it. */
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => interrupted.abort(new Error(`interrupted by ${signal}`)));
}
const { signal } = interrupted;

async function main(): Promise<number> {
  const all = isAccelerated
    ? chooseAccelerated(listTestFiles(), positionals)
    : chooseFiles(listTestFiles(), tier, positionals);
  if (all.length === 0) {
    console.error(`no test file of the ${tier} tier matches ${positionals.join(" ")}`);
    return 1;
  }
  const chosen =
    tier === "soak" ? openSoak(soakDir, describeTree(), all, values.resume).files : all;
  if (chosen.length === 0) {
    console.log("every file has passed on this tree");
    return 0;
  }
  const built = await run("node", ["scripts/build.ts"], {}, signal);
  // A part of the tests can run while the bundles cannot be built.
  if (built !== 0 && positionals.length === 0) return 1;
  if (isChecked && (await run("node", ["scripts/check.ts"], {}, signal)) !== 0) return 1;
  const { runnable, leftOut } = preparePrograms(chosen);
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-test-"));
  const concurrency = Number(values.concurrency ?? usualConcurrency);
  const factor = await measureWaitFactor(concurrency);
  console.log(`waits are ${factor} times as long as on an idle machine`);
  const database = await startDatabaseServer(values.postgres === "15" ? "15" : "embedded");
  try {
    const options = {
      directory,
      env: { ...environment(factor), ...database.env },
      concurrency,
      testTimeoutMs: testTimeoutMs * factor,
      signal,
    };
    return await (isAccelerated ? runAccelerated(runnable, options) : runTier(runnable, options));
  } finally {
    serverSeconds = database.processorSeconds();
    await database.stop();
    if (tier === "soak") publishPromises(soakDir, "bench/README.md");
    rmSync(directory, { recursive: true, force: true });
    reportLeftOut(leftOut);
  }
}

/** Installs what the files need, or leaves out those that need what cannot be installed here. */
function preparePrograms(files: readonly string[]): ReturnType<typeof leaveOut> {
  if (tier === "quick") return { runnable: files, leftOut: [] };
  const isWhole = positionals.length === 0;
  const all = tier === "soak" ? [...worldPrograms, ...soakPrograms] : worldPrograms;
  const named = isAccelerated ? [...files, acceleratedEdge] : files;
  const needed = isWhole && !isAccelerated ? all : [...new Set(named.flatMap(neededPrograms))];
  const missing = findMissing(needed);
  if (missing.length === 0) return { runnable: files, leftOut: [] };
  if (canInstall()) {
    ensurePrograms(needed);
    return { runnable: files, leftOut: [] };
  }
  console.log(`programs are missing; on Debian, as root: ${installCommand(missing)}`);
  return leaveOut(files, missing);
}

function environment(factor: number): Readonly<Record<string, string>> {
  return {
    TEST_WAIT_FACTOR: String(factor),
    // From the cache of compiled code a process starts in half the time.
    NODE_COMPILE_CACHE: path.resolve("node_modules/.cache/mooring-test"),
    // Debian's servers are in /usr/sbin, which an ordinary user's path lacks.
    PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin`,
    ...(tier === "soak" ? { SOAK: "1", SOAK_DIR: soakDir } : {}),
  };
}

/** Fails, too, when a file had no name promoted: it would have tested the Node edge alone. */
async function runAccelerated(files: readonly string[], options: RunOptions): Promise<number> {
  const report = path.join(options.directory, "accelerated");
  writeFileSync(report, "");
  const code = await runTier(files, {
    ...options,
    env: { ...options.env, [reportVariable]: report },
    // A test that fails leaves its HAProxy running.
    nodeArguments: ["--import", acceleratedEdge, "--test-force-exit", ...skipArguments()],
  });
  const { lines, unproved } = judgeAccelerated(files, readFileSync(report, "utf8"));
  console.log(`\n${lines.join("\n")}`);
  for (const { file, test, reason } of notAccelerated) {
    console.log(`left out: ${file}${test === undefined ? "" : `, "${test}"`}: ${reason}`);
  }
  for (const file of unproved) console.log(`FAILED: ${file} had no name promoted`);
  return unproved.length > 0 ? 1 : code;
}

async function runTier(files: readonly string[], options: RunOptions): Promise<number> {
  const mayShare = tier !== "soak" && !isAccelerated;
  const shared = files.filter((file) => mayShare && fileTier(file) === "quick");
  const alone = files.filter((file) => !shared.includes(file));
  const first = await runFiles({ shared, alone }, { ...options, hasTimes: values.times });
  if (first.code === 0 || first.failed.length === 0) return first.code;
  console.log(`\nrunning ${first.failed.length} failed files again, one by one`);
  const passed = new Map<string, number>();
  let remaining: readonly string[] = first.failed.map(({ file }) => file);
  for (let round = 1; round <= runsAlone[tier] && remaining.length > 0; round += 1) {
    remaining = await runAlone(remaining, options);
    for (const file of remaining) passed.set(file, round);
  }
  return report(first.failed, passed);
}

/** Names the failed files, and prints what flaky ones printed in the whole run. */
function report(failed: readonly FailedFileReport[], passed: ReadonlyMap<string, number>): number {
  const quarantined = new Set(readQuarantine().map(({ file }) => file));
  const { verdicts, isFailure, reason } = decide(
    tier,
    failed.map(({ file }) => ({ file, passedAlone: passed.get(file) ?? 0 })),
    quarantined,
  );
  for (const { file } of verdicts.filter(({ verdict }) => verdict === "FLAKY")) {
    const output = failed.find((one) => one.file === file)?.output ?? "";
    console.log(`\n--- FLAKY: ${file}: output of the whole run\n${output}---`);
  }
  for (const { file, verdict } of verdicts) console.log(`${verdict}: ${file}`);
  if (reason !== null) console.log(reason);
  return isFailure ? 1 : 0;
}

function reportLeftOut(leftOut: readonly LeftOut[]): void {
  for (const { file, needs } of leftOut) {
    console.log(`left out: ${file} (needs ${needs.join(", ")})`);
  }
}

const startedAt = performance.now();
/** The database server is no child of ours. */
let serverSeconds = 0;
process.exitCode = await main();
const { own, children } = processorSeconds();
const wall = (performance.now() - startedAt) / 1_000;
const processor = own + children + serverSeconds;
console.log(
  `${tier} tier: ${wall.toFixed(0)} s, processor ${processor.toFixed(0)} s (PostgreSQL ${serverSeconds.toFixed(0)} s)`,
);
