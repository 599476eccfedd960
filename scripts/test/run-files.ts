import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { run } from "../run.ts";
import type { FailedFileReport } from "./failed-files.ts";
import { type Group, groupFiles } from "./groups.ts";
import { readTimes, timesTable, timesVariable } from "./times.ts";

export interface RunOptions {
  /** For generated files and reports; removed by the caller. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** The processes that run at once. */
  readonly concurrency: number;
  readonly testTimeoutMs: number;
  /** Further arguments of Node. */
  readonly nodeArguments?: readonly string[];
  readonly signal: AbortSignal;
}

export interface RunResult {
  readonly code: number;
  readonly failed: readonly FailedFileReport[];
}

/** Runs quick files in shared processes, and every other file in a process of its own. */
export async function runFiles(
  files: { readonly shared: readonly string[]; readonly alone: readonly string[] },
  options: RunOptions & { readonly hasTimes: boolean },
): Promise<RunResult> {
  const groups = groupFiles(
    files.shared,
    path.join(options.directory, "groups"),
    options.concurrency,
  );
  const list = [...groups.map(({ file }) => file), ...files.alone];
  const record = path.join(options.directory, "times");
  const times = options.hasTimes
    ? { env: { [timesVariable]: record }, args: ["--import", "./scripts/test/record-process.ts"] }
    : { env: {}, args: [] };
  const { code, failed } = await nodeTest(list, {
    ...options,
    env: { ...options.env, ...times.env },
    args: times.args,
  });
  if (options.hasTimes) {
    const members = new Map(groups.map((group) => [group.file, group.members]));
    console.log(`\n${timesTable(readTimes(record), members)}`);
  }
  return { code, failed: failed.flatMap((report) => namedByMembers(report, groups)) };
}

/** Runs the files one by one; returns those that passed. */
export async function runAlone(files: readonly string[], options: RunOptions): Promise<string[]> {
  const { failed } = await nodeTest(files, { ...options, concurrency: 1, args: [] });
  const names = new Set(failed.map(({ file }) => file));
  return files.filter((file) => !names.has(file));
}

/** When a shared process ends early, any of its members can be the cause. */
function namedByMembers(
  report: FailedFileReport,
  groups: readonly Group[],
): readonly FailedFileReport[] {
  const group = groups.find(({ file }) => path.resolve(file) === path.resolve(report.file));
  return group?.members.map((file) => ({ ...report, file })) ?? [report];
}

const soakReporter = [
  "--test-reporter=./scripts/test/soak-reporter.ts",
  "--test-reporter-destination=stdout",
];

async function nodeTest(
  files: readonly string[],
  options: RunOptions & { readonly args: readonly string[] },
): Promise<RunResult> {
  const report = path.join(options.directory, "failed-files");
  mkdirSync(options.directory, { recursive: true });
  rmSync(report, { force: true });
  const code = await run(
    "node",
    [
      ...options.args,
      ...(options.nodeArguments ?? []),
      "--test",
      `--test-concurrency=${options.concurrency}`,
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      "--test-reporter=./scripts/test/failed-files.ts",
      `--test-reporter-destination=${report}`,
      ...(options.env["SOAK_DIR"] === undefined ? [] : soakReporter),
      `--test-timeout=${Math.round(options.testTimeoutMs)}`,
      ...files,
    ],
    options.env,
    options.signal,
  );
  const lines = existsSync(report) ? readFileSync(report, "utf8").split("\n").filter(Boolean) : [];
  const reports = lines.map((line) => JSON.parse(line) as FailedFileReport);
  const failed = new Map<string, FailedFileReport>();
  for (const { file, output } of reports) {
    const name = path.relative(".", path.resolve(file));
    failed.set(name, { file: name, output: `${failed.get(name)?.output ?? ""}${output}` });
  }
  return { code, failed: [...failed.values()] };
}
