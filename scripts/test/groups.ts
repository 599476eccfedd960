import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** A process of the quick tier and the files that run in it, one after the other. */
export interface Group {
  /** The generated file for `node --test`. */
  readonly file: string;
  readonly members: readonly string[];
}

/** Sources that need a process of their own, each with the reason. */
const aloneByText: readonly { readonly pattern: RegExp; readonly reason: string }[] = [
  {
    pattern: /memoryUsage\(|collectGarbage\(/,
    reason: "counts what the neighbours left in memory",
  },
  {
    pattern: /eventLoopUtilization|cpuUsage\(/,
    reason: "counts the processor time of its process",
  },
  { pattern: /mock\.timers/, reason: "stops the clock of its process" },
  { pattern: /process\.chdir\(|process\.env(\.\w+|\[[^\]]+\]) = /, reason: "changes its process" },
  { pattern: /process\.(on|once|exit|kill)\(/, reason: "uses the signals of its process" },
  { pattern: /from "node:cluster"/, reason: "forks its process" },
];

/** Files that cannot share a process although their text does not show it, each with the reason. */
const aloneByName: Readonly<Record<string, string>> = {};

/** Processes for each core: enough to balance, few enough to save the start of most. */
const groupsPerCore = 6;
const minGroupWeight = 60_000;

/**
 * Writes a file for each process that `node --test` is to start. Files of a package share processes
 * of about equal weight. `node --test` sorts by name, so that the names begin with a number, the
 * heaviest first.
 */
export function groupFiles(
  files: readonly string[],
  directory: string,
  concurrency: number,
): readonly Group[] {
  const sources = files.map((file) => ({ file, text: readFileSync(file, "utf8") }));
  const weights = new Map(sources.map(({ file, text }) => [file, weighFile(file, text)]));
  const plan = planGroups(
    weights,
    new Set(sources.filter(({ file, text }) => !canShare(file, text)).map(({ file }) => file)),
    concurrency,
  );
  mkdirSync(directory, { recursive: true });
  return plan.map((members, index) => {
    const number = String(index + 1).padStart(3, "0");
    const file = path.join(directory, `${number}-${packageName(members[0] ?? "")}.test.ts`);
    writeFileSync(file, generateSource(members));
    return { file, members };
  });
}

/** The members of each process, the heaviest process first. */
export function planGroups(
  weights: ReadonlyMap<string, number>,
  alone: ReadonlySet<string>,
  concurrency: number,
): readonly (readonly string[])[] {
  const weigh = (members: readonly string[]): number =>
    members.reduce((sum, file) => sum + (weights.get(file) ?? 0), 0);
  const files = [...weights.keys()];
  const target = Math.max(minGroupWeight, weigh(files) / (concurrency * groupsPerCore));
  const byPackage = Object.values(
    Object.groupBy(
      files.filter((file) => !alone.has(file)),
      packageName,
    ),
  ).map((members) => members ?? []);
  const shared = byPackage.flatMap((members) =>
    divide(members, Math.ceil(weigh(members) / target), weigh),
  );
  return [...shared, ...[...alone].map((file) => [file])].sort((a, b) => weigh(b) - weigh(a));
}

/**
 * Divides files into `count` lists of about equal weight: each next heaviest goes to the lightest
 * list.
 */
function divide(
  files: readonly string[],
  count: number,
  weigh: (members: readonly string[]) => number,
): readonly (readonly string[])[] {
  const lists = Array.from({ length: count }, (): string[] => []);
  for (const file of files.toSorted((a, b) => weigh([b]) - weigh([a]))) {
    const [lightest] = lists.toSorted((a, b) => weigh(a) - weigh(b));
    lightest?.push(file);
  }
  return lists.filter((list) => list.length > 0).map((list) => list.sort());
}

function canShare(file: string, text: string): boolean {
  return !(file in aloneByName) && !aloneByText.some(({ pattern }) => pattern.test(text));
}

/** The cost of a file grows with its text; a database costs as much as a long file. */
function weighFile(file: string, text: string): number {
  return text.length + (file.endsWith(".db.test.ts") ? 12_000 : 0);
}

function packageName(file: string): string {
  return file.split("/").slice(0, 2).join("-");
}

function generateSource(members: readonly string[]): string {
  const runner = pathToFileURL(path.resolve(import.meta.dirname, "members.ts")).href;
  return `import { runMembers } from ${JSON.stringify(runner)};\nawait runMembers(${JSON.stringify(members)});\n`;
}
