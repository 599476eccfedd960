import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import path from "node:path";

/** What a proof has shown, for the table of promises in bench/README.md. */
export interface PromiseRecord {
  /** Its row in the table, such as G13. */
  readonly promise: string;
  readonly size: string;
  readonly result: string;
  readonly machine: string;
  readonly date: string;
}

/** Where a soak stores what it has shown; everyday runs have none. */
function soakDirectory(): string | null {
  return process.env["SOAK_DIR"] ?? null;
}

/** Records that a promise was shown at its stated size; everyday runs record nothing. */
export function recordPromise(promise: string, size: string, result: string): void {
  const directory = soakDirectory();
  if (directory === null) return;
  const load = loadavg()[0]?.toFixed(0);
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim()}, load ${load}`;
  const date = new Date().toISOString().slice(0, 10);
  const record: PromiseRecord = { promise, size, result, machine, date };
  appendFileSync(path.join(directory, "promises.jsonl"), `${JSON.stringify(record)}\n`);
}

/**
 * Runs rounds that do not need each other, and returns what each measured. A soak that was
 * interrupted continues with the first round that had not ended, with the measures of those that
 * had, and prints now and then how far it is.
 */
export async function soakRounds<T>(
  name: string,
  total: number,
  run: (round: number) => Promise<T>,
): Promise<readonly T[]> {
  const directory = soakDirectory();
  const file = directory === null ? null : path.join(directory, "rounds", `${name}.jsonl`);
  const measures = file === null ? [] : readMeasures<T>(file);
  if (file !== null) mkdirSync(path.dirname(file), { recursive: true });
  const first = measures.length;
  const startedAt = performance.now();
  let printedAt = startedAt;
  for (let round = first; round < total; round += 1) {
    const measure = await run(round);
    measures.push(measure);
    if (file === null) continue;
    appendFileSync(file, `${JSON.stringify(measure ?? null)}\n`);
    const now = performance.now();
    if (now - printedAt < 60_000) continue;
    printedAt = now;
    const left = ((now - startedAt) / (round + 1 - first)) * (total - round - 1);
    // biome-ignore lint/suspicious/noConsole: a soak of hours says how far it is.
    console.log(`${name}: ${round + 1} of ${total} rounds, about ${formatTime(left)} left`);
  }
  return measures;
}

function readMeasures<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as T);
}

/** The measure that `share` of all do not exceed, such as 0.99; at least the nearest rank. */
export function quantile(measures: readonly number[], share: number): number {
  const sorted = measures.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** A time as people say it: 40 s, 12 min, 3 h 5 min. */
export function formatTime(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 90_000) return `${Math.round(ms / 1_000)} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
