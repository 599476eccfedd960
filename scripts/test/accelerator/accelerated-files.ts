import { readFileSync } from "node:fs";
import { fileArea } from "../tiers.ts";
import { type NotAccelerated, notAccelerated } from "./not-accelerated.ts";

/** Preloaded into the files that run: their edges are behind HAProxy then. */
export const acceleratedEdge = "./packages/testing/src/edge/accelerator/promoted-edge.ts";
/** Names the file to which each test file adds what it has shown. */
export const reportVariable = "TEST_ACCELERATED";

const areas = new Set(["edge", "strangers"]);
/** Cut-overs are about visitors who come to an edge by a change of records. */
const alsoAbout = /^test\/world\/validation\/cutover/;

/** Whether the command is about a file: it runs, or the table says why it does not. */
export function isCovered(file: string): boolean {
  if (file.endsWith(".soak.test.ts")) return false;
  if (file.startsWith("test/")) return areas.has(fileArea(file)) || alsoAbout.test(file);
  return fileArea(file) === "edge" && startsEdge(readFileSync(file, "utf8"));
}

/** Whether a test of a package starts an edge; other tests are about single parts of it. */
function startsEdge(text: string): boolean {
  return /\bstartTestEdge\(/.test(text);
}

/** The files that a command with `--accelerator=haproxy` runs, of all that start an edge. */
export function chooseAccelerated(files: readonly string[], parts: readonly string[]): string[] {
  const whole = new Set(notAccelerated.filter(({ test }) => test === undefined).map(fileOf));
  return files
    .filter((file) => !whole.has(file) && isCovered(file))
    .filter((file) => parts.length === 0 || parts.some((part) => isPart(file, part)));
}

function fileOf({ file }: NotAccelerated): string {
  return file;
}

function isPart(file: string, part: string): boolean {
  return part === "edge" || fileArea(file) === part || file.includes(part);
}

/** The arguments of Node that leave out single tests: it compares names after those of suites. */
export function skipArguments(): readonly string[] {
  return notAccelerated.flatMap(({ test }) =>
    test === undefined ? [] : [`--test-skip-pattern=/ ${escapePattern(test)}$/`],
  );
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

interface Shown {
  readonly file: string;
  readonly promoted: readonly string[];
  readonly served: number;
}

/** What the files have shown, and those of them that had no name promoted. */
export function judgeAccelerated(
  files: readonly string[],
  report: string,
): { readonly lines: readonly string[]; readonly unproved: readonly string[] } {
  const shown = report
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Shown);
  const byFile = files.map((file) => {
    const own = shown.filter((one) => one.file === file);
    const promoted = new Set(own.flatMap((one) => one.promoted)).size;
    const served = own.reduce((sum, one) => sum + one.served, 0);
    return { file, promoted, served };
  });
  return {
    lines: byFile.map(
      ({ file, promoted, served }) =>
        `accelerated: ${file}: ${promoted} names promoted, ${served} requests by HAProxy`,
    ),
    unproved: byFile.filter(({ promoted }) => promoted === 0).map(({ file }) => file),
  };
}
