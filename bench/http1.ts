import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "@mooring/testing/processes/free-port";
import { type Front, ready, startBenchOrigin } from "./support/edge-fronts.ts";
import { type Flat, loadFlat } from "./support/edge-load.ts";
import { measuredCore, otherCore, startPinned } from "./support/pinned.ts";
import { line, median, perSecond } from "./support/report.ts";

const connections = 64;
const seconds = 4;
const rounds = 5;
const bodyBytes = 1_024;
const address = "127.0.0.1";
const main = path.join(import.meta.dirname, "http1-main.ts");

/**
 * A plain HTTP/1.1 reverse proxy by our codec and by node:http with undici, each on the same core
 * in front of one origin; load and origin are on the other core. The size is the number of rounds.
 */
export async function benchHttp1(only: number | null): Promise<void> {
  execFileSync("/usr/bin/taskset", ["--cpu-list", "--pid", String(otherCore), String(process.pid)]);
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-bench-http1-"));
  const originPort = await freePort();
  const body = "x".repeat(bodyBytes);
  const origin = await startBenchOrigin({ directory, port: originPort, body });
  const fronts: Front[] = [];
  try {
    for (const [kind, name] of [
      ["codec", "our codec"],
      ["node", "node + undici"],
    ] as const) {
      const port = await freePort();
      const command = [
        process.execPath,
        main,
        kind,
        String(port),
        `http://${address}:${originPort}`,
      ];
      fronts.push(await ready({ ...startPinned(measuredCore, command), name, address, port }));
    }
    line("", ...fronts.map(({ name }) => name), "ours ÷ node");
    report(await measure(fronts, only ?? rounds));
  } finally {
    for (const { stop } of [...fronts, origin]) await stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Rounds alternate, so that other load of the machine affects both alike; the first warms up. */
async function measure(fronts: readonly Front[], count: number): Promise<readonly Flat[][]> {
  const results = fronts.map((): Flat[] => []);
  for (let round = 0; round <= count; round += 1) {
    for (const [index, front] of fronts.entries()) {
      const target = { hostname: address, address, port: front.port, isTls: false };
      const result = await loadFlat(target, front, { seconds, connections, isKeepAlive: true });
      if (round > 0) results[index]?.push(result);
    }
  }
  return results;
}

function report(results: readonly Flat[][]): void {
  const show = (title: string, measureOf: (one: Flat) => number): void => {
    const [ours = Number.NaN, node = Number.NaN] = results.map((all) => median(all.map(measureOf)));
    line(title, perSecond(ours), perSecond(node), (ours / node).toFixed(2));
  };
  show("requests, keep-alive, 1 KB", (one) => one.perSecond);
  show("  by second of processor time", (one) => one.perSecond / one.busy);
}
