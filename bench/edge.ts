import { setTimeout as delay } from "node:timers/promises";
import { accelerated } from "./support/accelerated-front.ts";
import { type Front, largeBytes } from "./support/edge-fronts.ts";
import {
  type Flat,
  firstByteMs,
  loadFlat,
  loadSteady,
  type Steady,
  type Target,
  visitAll,
} from "./support/edge-load.ts";
import { type EdgeWorld, startEdgeWorld } from "./support/edge-world.ts";
import { frontColumns, line, median, ms, perSecond, reportRatio } from "./support/report.ts";
import { requirePrograms } from "./support/run-program.ts";
import { transferAll } from "./transfers.ts";

const certificates = 10_000;
const connections = 64;
const seconds = 4;
const rounds = 5;
const newNames = 11;

/**
 * Our edge, alone and behind its accelerator, Caddy and nginx, each on the same core, in front of
 * one origin; load and origin are on the other core. Memory is measured first, before any other
 * load.
 */
export async function benchEdge(only: number | null): Promise<void> {
  const count = only ?? certificates;
  requirePrograms(
    "/usr/bin/wrk",
    "/usr/bin/h2load",
    "/usr/bin/caddy",
    "/usr/sbin/nginx",
    "/usr/sbin/haproxy",
  );
  const world = await startEdgeWorld(count, newNames);
  try {
    line("", ...frontColumns);
    const used = await measureMemory(world);
    await benchFirstByte(world);
    // After that: it would order certificates of new names, too.
    const all = { ...world, fronts: [...world.fronts, await world.accelerated()] };
    const usedByAccelerated = await measureMemory({ ...all, fronts: all.fronts.slice(-1) });
    const title = `memory, ${count.toLocaleString("en")} certificates used`;
    reportRatio(title, [...used, ...usedByAccelerated], (value) => `${Math.round(value)} MiB`);
    const requests = await benchFlat(all, "requests, keep-alive, 1 KB", true);
    await benchFlat(all, "full handshakes, one request each", false);
    await benchSteady(all, Math.min(...requests) / 2);
    await transferAll(all, largeBytes);
    // Last: their idle processes would share the measured core.
    const resuming = { ...world, fronts: await world.resuming() };
    await benchFlat(resuming, "resumed handshakes, one request each", false);
  } finally {
    await world.close();
  }
}

async function measureMemory({ fronts, names }: EdgeWorld): Promise<readonly number[]> {
  const used: number[] = [];
  for (const front of fronts) {
    await visitAll(front, names);
    // The same time for each to release memory.
    await delay(5_000);
    used.push(front.memoryMib());
  }
  return used;
}

/** Only ours and Caddy: nginx orders no certificates. */
async function benchFirstByte(world: EdgeWorld): Promise<void> {
  const timesMs = world.fronts.slice(0, 2).map((): number[] => []);
  for (let round = 0; round < newNames; round += 1) {
    for (const [index, front] of world.fronts.slice(0, 2).entries()) {
      timesMs[index]?.push(await firstByteMs(front, await world.newName(front, round)));
    }
  }
  reportRatio("first byte on a new name, median", timesMs.map(median), ms);
}

/** Interleaved rounds, so that other load on the machine affects all alike; the first warms up. */
async function benchFlat(
  world: EdgeWorld,
  title: string,
  isKeepAlive: boolean,
): Promise<readonly number[]> {
  const results = world.fronts.map((): Flat[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, front] of world.fronts.entries()) {
      const options = { seconds, connections, isKeepAlive };
      const result = await served(world, front, () =>
        loadFlat(toTarget(world, front), front, options),
      );
      if (round > 0) results[index]?.push(result);
    }
  }
  const flat = results.map((all) => median(all.map((one) => one.perSecond)));
  reportRatio(title, flat, perSecond);
  // What a whole core would give: the better measure on a busy machine.
  const whole = results.map((all) => median(all.map((one) => one.perSecond / one.busy)));
  reportRatio("  by second of processor time", whole, perSecond);
  const busy = results.map((all) => median(all.map((one) => one.busy)));
  line("  share of its core that it used", ...busy.map((value) => value.toFixed(2)));
  return flat;
}

/** The same rate for all: half of what the slowest can give. */
async function benchSteady(world: EdgeWorld, rate: number): Promise<void> {
  const origin = { address: "127.0.0.1", port: world.originPort, isTls: false };
  const options = { seconds, connections, perSecond: rate };
  const p99s = [[], ...world.fronts.map((): number[] => [])] as number[][];
  for (let round = 0; round < rounds; round += 1) {
    p99s[0]?.push((await loadSteady({ ...origin, hostname: "127.0.0.1" }, options)).p99Ms);
    for (const [index, front] of world.fronts.entries()) {
      const work = (): Promise<Steady> => loadSteady(toTarget(world, front), options);
      p99s[index + 1]?.push((await served(world, front, work)).p99Ms);
    }
  }
  const [direct = 0, ...fronts] = p99s.map(median);
  const title = `p99 added at ${perSecond(rate)}`;
  reportRatio(
    title,
    fronts.map((value) => value - direct),
    ms,
  );
  line("  p99 of the origin alone", ms(direct));
}

/** With the name promoted where there is an accelerator, by which it must be served then. */
function served<T extends { readonly requests: number }>(
  { names }: EdgeWorld,
  front: Front,
  work: () => Promise<T>,
): Promise<T> {
  const requestsOf = ({ requests }: T): number => requests;
  return accelerated(front, names[0] ?? "", { requestsOf, work });
}

function toTarget({ names }: EdgeWorld, { address, port }: Front): Target {
  return { hostname: names[0] ?? "", address, port, isTls: true };
}
