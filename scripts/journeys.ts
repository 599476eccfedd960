import path from "node:path";
import { run } from "./run.ts";
import { neededPrograms } from "./test/needed-programs.ts";
import { ensurePrograms } from "./test/system-packages.ts";
import { measureWaitFactor } from "./test/wait-factor.ts";

/**
 * `npm run journeys [-- part of a name]`: an end customer, support and an evaluating developer walk
 * through one running instance, in Chromium. Prints each step. Exits with 1 when one of them stops,
 * and says where.
 */
const root = path.resolve(import.meta.dirname, "..");
const main = path.join(root, "scripts/journeys/main.ts");

async function walkAll(args: readonly string[]): Promise<number> {
  ensurePrograms(neededPrograms("scripts/journeys/main.ts"));
  const built = await run(process.execPath, [path.join(root, "scripts/build.ts")]);
  if (built !== 0) return built;
  const factor = await measureWaitFactor();
  return run(process.execPath, [main, ...args], { TEST_WAIT_FACTOR: String(factor) });
}

process.exitCode = await walkAll(process.argv.slice(2));
