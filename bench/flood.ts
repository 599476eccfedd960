import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { loadSteady, type Target } from "./support/edge-load.ts";
import { startEdgeWorld } from "./support/edge-world.ts";
import { otherCore, type Pinned, startPinned } from "./support/pinned.ts";
import { line, median, ms, perSecond } from "./support/report.ts";

const floodPerSecond = 5_000;
const requestsPerSecond = 200;
const connections = 8;
const seconds = 6;
const rounds = 5;
const main = path.join(import.meta.dirname, "flood-main.ts");

/**
 * Latency of a known host with and without a flood of handshakes for unknown names on the edge's
 * core. The rounds are interleaved, so that other load on the machine affects both alike.
 */
export async function benchFlood(only: number | null): Promise<void> {
  const rate = only ?? floodPerSecond;
  const world = await startEdgeWorld(10, 1);
  try {
    const [ours] = world.fronts;
    if (ours === undefined) throw new Error("no edge");
    const { address, port } = ours;
    const target: Target = { hostname: world.names[0] ?? "", address, port, isTls: true };
    const options = { seconds, connections, perSecond: requestsPerSecond };
    const quiet: Latency[] = [];
    const flooded: Latency[] = [];
    const refused: number[] = [];
    const before = await afterWarmUp(ours, target, rate);
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(await loadSteady(target, options));
      const flood = await startFlood(target, rate);
      flooded.push(await loadSteady(target, options));
      refused.push(await flood.stop());
    }
    line(`${requestsPerSecond} requests/s to a known host`, "p50", "p99");
    const [calm, busy] = [report("alone", quiet), report("in the flood", flooded)];
    line("in the flood ÷ alone", ...busy.map((value, at) => (value / (calm[at] ?? 0)).toFixed(2)));
    line("refused", perSecond(median(refused)));
    line("memory", `${Math.round(ours.memoryMib() - before)} MiB more`);
  } finally {
    await world.close();
  }
}

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

function report(title: string, all: readonly Latency[]): readonly number[] {
  const latencies = [median(all.map((one) => one.p50Ms)), median(all.map((one) => one.p99Ms))];
  line(title, ...latencies.map(ms));
  return latencies;
}

/** The memory of the edge after one round with both loads. */
async function afterWarmUp(ours: Pinned, target: Target, rate: number): Promise<number> {
  const flood = await startFlood(target, rate);
  await loadSteady(target, { seconds, connections, perSecond: requestsPerSecond });
  await flood.stop();
  return ours.memoryMib();
}

/** Resolves when the flood runs; `stop` returns how many were refused a second. */
async function startFlood(
  { address, port }: Target,
  rate: number,
): Promise<{ stop(): Promise<number> }> {
  const args = [main, address, String(port), String(rate)];
  // With a lower priority than the load and the origin on that core, so that those wait only for
  // the edge.
  const pinned = startPinned(otherCore, ["nice", "-n", "19", process.execPath, ...args]);
  const count = (): number => Number(/refused (\d+)\s*$/.exec(pinned.output())?.[1] ?? 0);
  while (count() === 0) await delay(50);
  const [from, startedAt] = [count(), performance.now()];
  return {
    async stop() {
      const perSecond = ((count() - from) * 1_000) / (performance.now() - startedAt);
      await pinned.stop();
      return perSecond;
    },
  };
}
