import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import type { FuzzTarget } from "./target.ts";

export interface FuzzLimits {
  readonly seed: number;
  /**
   * Whether to end, by the count of the target and the milliseconds so far; asked after each round.
   */
  hasEnded(count: number, elapsedMs: number): boolean;
  /** Inputs of the past, tried first. */
  readonly stored: readonly unknown[];
  /** Of fast-check: the one input of the seed's round to repeat. */
  readonly path?: string;
  readonly report?: (line: string) => void;
}

export interface FuzzFailure {
  /** Of the round, with `path` the input's position in it. */
  readonly seed: number;
  readonly path: string | null;
  /** The smallest input that still fails. */
  readonly input: unknown;
  readonly error: unknown;
}

export interface FuzzOutcome {
  readonly count: number;
  readonly rounds: number;
  readonly elapsedMs: number;
  readonly grownBytes: number;
  readonly failure: FuzzFailure | null;
}

const inputsPerRound = 100;
/** One input; a target that takes longer hangs. */
const inputTimeoutMs = 60_000;
/** A failing input is made smaller for this long. */
const roundTimeoutMs = 60_000;
/** Caches and compiled code grow during the first rounds. */
const warmRounds = 5;
const reportEveryMs = 15_000;

/** Gives the target rounds of inputs until the limits say so, or the first input that does harm. */
export async function runTarget(
  target: FuzzTarget<unknown>,
  limits: FuzzLimits,
): Promise<FuzzOutcome> {
  const startedAt = performance.now();
  const memory = watchMemory(target);
  let [grownBytes, reportedAt] = [0, startedAt];
  for (let round = 0; ; round += 1) {
    const failure = await runRound(target, limits, round);
    if (round === warmRounds) memory.begin();
    if (round > warmRounds) grownBytes = memory.grown();
    const elapsedMs = performance.now() - startedAt;
    const outcome = { count: target.count(), rounds: round + 1, elapsedMs, grownBytes };
    if (failure !== null) return { ...outcome, failure };
    if (grownBytes > target.maxGrowthBytes) {
      return { ...outcome, failure: memoryFailure(limits.seed, memory.settled(), target) };
    }
    if (limits.path !== undefined || limits.hasEnded(outcome.count, elapsedMs)) {
      return { ...outcome, failure: null };
    }
    if (performance.now() - reportedAt > reportEveryMs) {
      reportedAt = performance.now();
      limits.report?.(`${outcome.count} in ${Math.round(elapsedMs / 1_000)} s`);
    }
  }
}

/** The round's seed follows from the first one, so that a round can be repeated alone. */
async function runRound(
  target: FuzzTarget<unknown>,
  { seed: firstSeed, stored, path }: FuzzLimits,
  round: number,
): Promise<FuzzFailure | null> {
  const seed = (firstSeed + round) | 0;
  await target.prepare?.(round);
  const property = fc.asyncProperty(target.inputs, (input) => target.attempt(input));
  const result = await fc.check(property, {
    seed,
    numRuns: path === undefined ? inputsPerRound : 1,
    timeout: inputTimeoutMs,
    interruptAfterTimeLimit: roundTimeoutMs,
    ...(path === undefined ? {} : { path }),
    ...(round === 0 && path === undefined ? { examples: stored.map((input) => [input]) } : {}),
  });
  if (result.failed) {
    const [input] = result.counterexample ?? [];
    return { seed, path: result.counterexamplePath, input, error: result.errorInstance };
  }
  try {
    await target.review?.();
    return null;
  } catch (error) {
    return { seed, path: null, input: null, error };
  }
}

function watchMemory(target: FuzzTarget<unknown>) {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const measure = (): number => {
    if (target.memoryBytes !== undefined) return target.memoryBytes();
    collect();
    return process.memoryUsage().rss;
  };
  let first = 0;
  return {
    begin: () => {
      first = measure();
    },
    grown: () => measure() - first,
    settled: () => measure() - first,
  };
}

function memoryFailure(seed: number, grown: number, target: FuzzTarget<unknown>): FuzzFailure {
  const mega = (bytes: number) => Math.round(bytes / 1_048_576);
  const text = `memory has grown by ${mega(grown)} MB, more than ${mega(target.maxGrowthBytes)} MB`;
  return { seed, path: null, input: null, error: new Error(text) };
}

/** What to say of a failure, with the command that repeats it. */
export function describeFailure(name: string, { seed, path, input, error }: FuzzFailure): string {
  const option = path === null ? "" : ` --path=${path}`;
  return [
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    `input: ${JSON.stringify(input)}`,
    `repeat: npm run fuzz -- ${name} --seed=${seed}${option}`,
  ].join("\n");
}
