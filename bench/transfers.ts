import { accelerated } from "./support/accelerated-front.ts";
import { type Front, largeBytes } from "./support/edge-fronts.ts";
import { type Flat, transfer } from "./support/edge-load.ts";
import { type EdgeWorld, startEdgeWorld } from "./support/edge-world.ts";
import { frontColumns, line, median, reportRatio } from "./support/report.ts";

const rounds = 3;

/** Large bodies alone, of 1 GiB or that many MiB. */
export async function benchTransfers(mebibytes: number | null): Promise<void> {
  const world = await startEdgeWorld(1, 0);
  try {
    line("", ...frontColumns);
    const fronts = [...world.fronts, await world.accelerated()];
    await transferAll({ ...world, fronts }, mebibytes === null ? largeBytes : mebibytes * 2 ** 20);
  } finally {
    await world.close();
  }
}

/** One large body in each direction over each protocol, in interleaved rounds. */
export async function transferAll(world: EdgeWorld, bytes: number): Promise<void> {
  for (const protocol of ["http1.1", "http2"] as const) {
    for (const direction of ["down", "up"] as const) {
      const results = world.fronts.map((): Flat[] => []);
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, front] of world.fronts.entries()) {
          results[index]?.push(await transferThrough(world, front, { bytes, protocol, direction }));
        }
      }
      const flat = results.map((all) => median(all.map((one) => one.perSecond)));
      reportRatio(`${bytes / 2 ** 20} MiB ${direction}, ${protocol}`, flat, megabytes);
      const whole = results.map((all) => median(all.map((one) => one.perSecond / one.busy)));
      reportRatio("  by second of processor time", whole, megabytes);
    }
  }
}

function transferThrough(
  { names }: EdgeWorld,
  front: Front,
  options: Parameters<typeof transfer>[2],
): Promise<Flat> {
  const { address, port } = front;
  const hostname = names[0] ?? "";
  return accelerated(front, hostname, {
    requestsOf: ({ requests }) => requests,
    work: () => transfer({ hostname, address, port, isTls: true }, front, options),
  });
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB/s`;
}
