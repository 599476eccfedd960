import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PromiseRecord } from "../../packages/testing/src/processes/soak.ts";

/** A test file that has ended. */
export interface EndedFile {
  readonly file: string;
  readonly isPassed: boolean;
  readonly ms: number;
}

export interface SoakProgress {
  readonly directory: string;
  /** The files that are left to run. */
  readonly files: readonly string[];
}

/**
 * The progress of a soak of this tree. `--resume` leaves out what has passed on the same tree;
 * without it the soak starts over.
 */
export function openSoak(
  directory: string,
  tree: string,
  files: readonly string[],
  isResumed: boolean,
): SoakProgress {
  const stored = path.join(directory, "tree");
  const isSame = existsSync(stored) && readFileSync(stored, "utf8") === tree;
  if (isResumed && !isSame && existsSync(stored)) {
    console.log("the tree has changed since the soak that was interrupted: it starts over");
  }
  if (!isResumed || !isSame) rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(stored, tree);
  const passed = new Set(readEnded(directory).flatMap((one) => (one.isPassed ? [one.file] : [])));
  const left = files.filter((file) => !passed.has(file));
  if (left.length < files.length) {
    console.log(`${files.length - left.length} of ${files.length} files have passed before`);
  }
  writeFileSync(path.join(directory, "total"), String(files.length));
  return { directory, files: left };
}

/** Where the results are; that they were written does not make it another tree. */
const resultsFile = "bench/README.md";

/** What is checked out, with what was changed since, without the results. */
export function describeTree(cwd = "."): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 });
  const hash = createHash("sha256");
  const files = git("ls-tree", "-r", "HEAD").split("\n");
  hash.update(files.filter((line) => !line.endsWith(`\t${resultsFile}`)).join("\n"));
  hash.update(git("diff", "HEAD", "--", ".", `:(exclude)${resultsFile}`));
  for (const file of git("ls-files", "--others", "--exclude-standard").split("\n")) {
    if (file !== "") hash.update(`${file}\0`).update(readFileSync(path.join(cwd, file)));
  }
  return hash.digest("hex");
}

export const recordsFile = (directory: string): string => path.join(directory, "files.jsonl");

export function readEnded(directory: string): readonly EndedFile[] {
  return readLines<EndedFile>(recordsFile(directory));
}

function readLines<T>(file: string): readonly T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as T);
}

const row = /^\| (G\d+) ([^|]*)\|.*$/gm;

/** The document with the rows of the promises that were shown. */
export function withPromises(document: string, records: readonly PromiseRecord[]): string {
  const newest = new Map(records.map((record) => [record.promise, record]));
  return document.replaceAll(row, (line, promise: string, title: string) => {
    const record = newest.get(promise);
    if (record === undefined) return line;
    const cells = [record.size, record.result, record.machine, record.date];
    return `| ${promise} ${title}| ${cells.map((one) => one.replaceAll("|", "/")).join(" | ")} |`;
  });
}

/** Writes what was shown into the table of bench/README.md, and prints it. */
export function publishPromises(directory: string, readme: string): void {
  const records = readLines<PromiseRecord>(path.join(directory, "promises.jsonl"));
  if (records.length === 0) return;
  writeFileSync(readme, withPromises(readFileSync(readme, "utf8"), records));
  console.log(`\npromise, size, result, machine; also in ${readme}`);
  for (const { promise, size, result, machine } of records) {
    console.log(`${promise}: ${size}: ${result} (${machine})`);
  }
}
