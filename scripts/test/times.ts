import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { type ProcessorSeconds, processorSeconds } from "./processor-time.ts";

/** What a test file took, in seconds. */
export interface FileTimes extends ProcessorSeconds {
  readonly file: string;
  readonly wall: number;
}

type Start = Omit<FileTimes, "file">;

const shownFiles = 30;
/** The variable that names the file of the records; unset when times are not recorded. */
export const timesVariable = "TEST_TIMES_FILE";

export function startTimes(): Start {
  return { ...processorSeconds(), wall: performance.now() / 1_000 };
}

/** Records what this process took since `start` for a test file. */
export function recordTimes(file: string, start: Start): void {
  const record = process.env[timesVariable];
  if (record === undefined) return;
  const now = startTimes();
  const times: FileTimes = {
    file,
    own: now.own - start.own,
    children: now.children - start.children,
    wall: now.wall - start.wall,
  };
  appendFileSync(record, `${JSON.stringify(times)}\n`);
}

export function readTimes(record: string): readonly FileTimes[] {
  if (!existsSync(record)) return [];
  const lines = readFileSync(record, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as FileTimes);
}

/**
 * The dearest files first. `groups` names the members of each process that is shared: what is left
 * of it without its members is the start of the process.
 */
export function timesTable(
  records: readonly FileTimes[],
  groups: ReadonlyMap<string, readonly string[]>,
): string {
  const members = new Map(records.filter(({ file }) => !groups.has(file)).map((r) => [r.file, r]));
  const starts = records.flatMap((record): readonly FileTimes[] => {
    const inside = groups.get(record.file);
    if (inside === undefined) return [];
    return [inside.reduce((rest, file) => subtract(rest, members.get(file)), record)];
  });
  const start = { file: `start of ${starts.length} shared processes`, ...sum(starts) };
  const rows = [...members.values(), ...(starts.length > 0 ? [start] : [])].sort(
    (a, b) => b.own + b.children - a.own - a.children,
  );
  const total = { file: `total of ${members.size} files`, ...sum(rows) };
  return [
    "processor      own children     wall  file (seconds)",
    ...[...rows.slice(0, shownFiles), total].map(formatLine),
  ].join("\n");
}

function subtract(rest: FileTimes, part: FileTimes | undefined): FileTimes {
  if (part === undefined) return rest;
  return {
    file: rest.file,
    own: Math.max(0, rest.own - part.own),
    children: Math.max(0, rest.children - part.children),
    wall: Math.max(0, rest.wall - part.wall),
  };
}

function sum(rows: readonly Start[]): Start {
  const add = (key: keyof Start) => rows.reduce((total, row) => total + row[key], 0);
  return { own: add("own"), children: add("children"), wall: add("wall") };
}

function formatLine({ file, own, children, wall }: FileTimes): string {
  const columns = [own + children, own, children, wall].map((value) => value.toFixed(2));
  const [all = "", ...rest] = columns;
  return `${all.padStart(9)} ${rest.map((text) => text.padStart(8)).join(" ")}  ${file}`;
}
