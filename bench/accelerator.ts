import path from "node:path";
import type { AcceleratorCosts, Cost } from "./accelerator-main.ts";
import { measuredCore } from "./support/pinned.ts";
import { line, ms } from "./support/report.ts";
import { requirePrograms, runProgram } from "./support/run-program.ts";

const sizes = [500, 2_000, 5_000];
const minutes = 3;
const main = path.join(import.meta.dirname, "accelerator-main.ts");

/**
 * What names cost that HAProxy serves, without any visit: promotion, the assertions of each minute,
 * and HAProxy's memory. The promoter and HAProxy are on the same core.
 */
export async function benchAccelerator(only: number | null): Promise<void> {
  requirePrograms("/usr/sbin/haproxy");
  line("", "promotion", "of it HAProxy", "assertions", "of it HAProxy", "idle", "HAProxy, a name");
  const { emptyMib: base } = await measure(1, 0);
  for (const names of only === null ? sizes : [only]) report(names, await measure(names), base);
}

async function measure(names: number, count = minutes): Promise<AcceleratorCosts> {
  const args = ["--cpu-list", String(measuredCore), process.execPath, main];
  const output = await runProgram("/usr/bin/taskset", [...args, String(names), String(count)]);
  return JSON.parse(output.trim().split("\n").at(-1) ?? "") as AcceleratorCosts;
}

function report(names: number, costs: AcceleratorCosts, baseMib: number): void {
  const { promotion, idle, promotedMib } = costs;
  const idleShare = (idle.promoter + idle.haproxy) / idle.elapsed;
  const whole = (cost: Cost): number => cost.promoter + cost.haproxy;
  // Of the minutes, which are short here, only what they cost beyond doing nothing.
  const assertions = whole(costs.minutes) - idleShare * costs.minutes.elapsed;
  const perMinute = (seconds: number): string => `${((seconds / minutes / 60) * 100).toFixed(2)} %`;
  line(
    `${names.toLocaleString("en")} names`,
    ms((whole(promotion) * 1_000) / names),
    ms((promotion.haproxy * 1_000) / names),
    perMinute(assertions),
    perMinute(costs.minutes.haproxy),
    `${(idleShare * 100).toFixed(2)} %`,
    `${(((promotedMib - baseMib) * 1_024) / names).toFixed(1)} KiB`,
  );
}
