import path from "node:path";
import { acceleratorPaths } from "../../packages/edge/src/accelerator/paths.ts";
import { createRuntimeApi } from "../../packages/edge/src/accelerator/runtime/runtime-api.ts";
import { type Front, type FrontAccelerator, type FrontOptions, startOurs } from "./edge-fronts.ts";
import { firstByteMs } from "./edge-load.ts";

/** Our edge behind HAProxy, which it starts on the same core. */
export async function startAccelerated(
  options: FrontOptions,
  env: Readonly<Record<string, string>>,
): Promise<Front> {
  const dataDirectory = path.join(options.directory, options.address);
  const settings = { ...env, DATA_DIR: dataDirectory, EDGE_ACCELERATOR: "haproxy" };
  const front = await startOurs(options, settings);
  const paths = acceleratorPaths(dataDirectory);
  const api = createRuntimeApi(paths.admin);
  const accelerator: FrontAccelerator = {
    isPromoted: async (hostname) =>
      (await api.run(`get map ${paths.names} ${hostname}`)).includes("found=yes"),
    served: async () => readServed(await api.run("show stat")),
  };
  return { ...front, name: "accelerated", accelerator };
}

/** From HAProxy's statistics, which are CSV. */
function readServed(statistics: string): number {
  const [header = [], ...rows] = statistics.split("\n").map((row) => row.split(","));
  const [name = -1, part = -1, requests = -1] = ["# pxname", "svname", "stot"].map((title) =>
    header.indexOf(title),
  );
  return rows
    .filter((row) => row[part] === "BACKEND" && /^slot\d+$/.test(row[name] ?? ""))
    .reduce((before, row) => before + Number(row[requests]), 0);
}

const promotionMs = 60_000;
const visitsAtOnce = 50;

/**
 * The work with the name promoted, where the front has an accelerator. Fails unless HAProxy has
 * served every request that `requestsOf` counts by itself.
 */
export async function accelerated<T>(
  front: Front,
  hostname: string,
  options: {
    readonly requestsOf: (result: T) => number;
    readonly work: () => Promise<T>;
  },
): Promise<T> {
  const { accelerator } = front;
  const { requestsOf, work } = options;
  if (accelerator === undefined) return work();
  await promote(front, accelerator, hostname);
  const before = await accelerator.served();
  const result = await work();
  const [sent, wanted] = [(await accelerator.served()) - before, requestsOf(result)];
  if (!(wanted > 0 && sent >= wanted)) {
    throw new Error(`HAProxy has sent ${sent} of ${wanted} requests to the origin`);
  }
  return result;
}

/** Visits the name until it is busy enough. */
async function promote(
  front: Front,
  accelerator: FrontAccelerator,
  hostname: string,
): Promise<void> {
  const deadline = performance.now() + promotionMs;
  while (!(await accelerator.isPromoted(hostname))) {
    if (performance.now() > deadline) throw new Error(`${hostname} is not promoted`);
    for (let visit = 0; visit < visitsAtOnce; visit += 1) {
      await firstByteMs(front, hostname).catch((cause: unknown) => {
        throw new Error(`visit ${visit} of the accelerated edge failed:\n${front.output()}`, {
          cause,
        });
      });
    }
  }
}
