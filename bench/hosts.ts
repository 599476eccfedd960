import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { answerTo, clientHello, loopbackAddress } from "@mooring/testing/clients/many-clients";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { until } from "@mooring/testing/processes/until";
import { HostNode } from "../packages/edge/src/hosts/store/host-node.ts";
import {
  type BenchDatabase,
  benchZone,
  largeServer,
  openBenchDatabase,
} from "./support/bench-database.ts";
import { line, median } from "./support/report.ts";

const archives = 5;
/** Handshakes for one check; enough that the kernel gives some to each process. */
const handshakes = 12;
/** A TLS record with the fatal alert unrecognized_name. */
const alert = "15030300020270";
const lookups = 200_000;

/**
 * The known hosts of an edge of two processes: from nothing to ready, from its store on disk to
 * ready, the memory of a process, and how long a released name is served; then what a lookup costs.
 */
export async function benchHosts(only: number | null): Promise<void> {
  const rows = only ?? 2_000_000;
  const database = await openBenchDatabase(largeServer);
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-hosts-"));
  try {
    await database.fill(rows);
    // A log with an entry, as every database in use has one.
    await database.session.query("insert into host_changes (hostname) values ($1)", [benchName(1)]);
    line(`${rows.toLocaleString("en")} hosts, two processes`, "", "aim");
    const env = { ...database.env, DATA_DIR: directory, EDGE_WORKERS: "2" };
    const cold = await startMeasured(env, "ready from nothing", "30 s");
    reportMemory("memory of a process, loaded from nothing", cold);
    await cold.signal("SIGTERM");
    const edge = await startMeasured(env, "ready from a warm disk", "3 s");
    await reportArchives(database, edge);
    reportMemory("memory of a process, from a warm disk", edge);
    await edge.signal("SIGTERM");
    line("store on disk", `${Math.round(measureStoreBytes(directory) / 1e6)} MB`);
    reportLookups(directory, rows);
    line("load average at the end", loadavg()[0]?.toFixed(1) ?? "?");
  } finally {
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const benchName = (number: number): string => `h${number}.${benchZone}`;

async function startMeasured(
  env: Readonly<Record<string, string>>,
  title: string,
  aim: string,
): Promise<EdgeProcess> {
  const startedAt = performance.now();
  const edge = await startEdgeProcess(env);
  line(title, seconds(performance.now() - startedAt), aim);
  return edge;
}

function reportMemory(title: string, edge: EdgeProcess): void {
  const megabytes = edge.resident().map((bytes) => Math.round(bytes / 1e6));
  line(title, megabytes.map((one) => `${one} MB`).join(", "), "250 MB");
}

async function reportArchives({ session }: BenchDatabase, edge: EdgeProcess): Promise<void> {
  const took: number[] = [];
  let client = 0;
  for (let number = 1; number <= archives; number += 1) {
    const hello = clientHello(benchName(number * 100));
    await session.query("delete from claims where hostname = $1", [benchName(number * 100)]);
    const releasedAt = performance.now();
    const isRefused = async (): Promise<boolean> => {
      const answers = Array.from({ length: handshakes }, () => {
        client += 1;
        return answerTo(edge.httpsPort, loopbackAddress(client), hello);
      });
      return (await Promise.all(answers)).every((answer) => answer === alert);
    };
    await until(isRefused, "the refusal of a released name");
    took.push(performance.now() - releasedAt);
  }
  const [middle, longest] = [median(took), Math.max(...took)].map(seconds);
  line("released, until all processes refuse it", `${middle}, at most ${longest}`, "2 s");
}

/** In this process, by the store that the edge has left. */
function reportLookups(directory: string, rows: number): void {
  const quiet = (): undefined => undefined;
  const node = new HostNode({
    clock: { now: () => new Date() },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    onWriting: quiet,
    endsByAge: false,
  });
  node.open(path.join(directory, "edge"));
  const measure = (title: string, name: (index: number) => string): void => {
    const names = Array.from({ length: lookups }, (_, index) => name(index));
    let found = 0;
    const startedAt = performance.now();
    for (const one of names) if (node.view.get(one) !== null) found += 1;
    const microseconds = ((performance.now() - startedAt) * 1_000) / lookups;
    line(title, `${microseconds.toFixed(2)} µs`, `${found} known`);
  };
  measure("lookup, unknown name", (index) => `x${index}.unknown.example`);
  measure("lookup, any known name, from disk", (index) => benchName(1 + ((index * 7_919) % rows)));
  measure("lookup, a recent name", (index) => benchName(1 + (index % 1_000)));
  const filter = node.view.filter()?.toBytes().length ?? 0;
  line("filter in memory", `${((filter * 8) / rows).toFixed(1)} bits a name`);
  node.close();
}

function measureStoreBytes(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.includes(".sqlite"))
    .map((entry) => statSync(path.join(entry.parentPath, entry.name)).size)
    .reduce((total, size) => total + size, 0);
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
