import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

/** What the work below takes on an idle core of a machine like those of common clouds. */
const referenceMs = 300;
const maxFactor = 8;

/** A fixed piece of work: it prints how long it took. */
const work = `
  const { createHash } = require("node:crypto");
  const startedAt = performance.now();
  const block = Buffer.alloc(1 << 16);
  for (let round = 0; round < 800; round += 1) createHash("sha512").update(block).digest();
  let sum = 0;
  for (let step = 0; step < 42_000_000; step += 1) sum = (sum * 31 + step) % 65_521;
  console.log(performance.now() - startedAt + (sum < 0 ? 1 : 0));
`;

/**
 * How many times longer than on an idle machine tests may wait for a condition: measured by as many
 * processes at once as tests run in; by default one on each core. At least 1, at most 8.
 */
export async function measureWaitFactor(processes = availableParallelism()): Promise<number> {
  const run = promisify(execFile);
  const children = Array.from({ length: processes }, () => run(process.execPath, ["--eval", work]));
  const slowestMs = Math.max(...(await Promise.all(children)).map(({ stdout }) => Number(stdout)));
  return waitFactor(slowestMs);
}

export function waitFactor(tookMs: number): number {
  const factor = Math.min(maxFactor, Math.max(1, tookMs / referenceMs));
  return Math.round(factor * 10) / 10;
}
