import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import { measuredCore, otherCore, type Pinned, startPinned } from "./support/pinned.ts";
import { line, median, perSecond } from "./support/report.ts";
import { numberIn, runProgram } from "./support/run-program.ts";

const zone = "v.mooring.example";
const names = 1_000;
const inFlight = 100;
const rounds = 5;
/** Answers a second that one core has to give. */
const requiredPerSecond = 20_000;

interface Measured {
  readonly rate: number;
  /**
   * By second of processor time of the server, which does not depend on other work on the machine.
   */
  readonly byCpuSecond: number;
}

/**
 * TXT questions by dnsperf to our name server and to Knot, each alone on one core; `size` is
 * seconds a round.
 */
export async function benchNameServer(size: number | null): Promise<void> {
  const seconds = size ?? 5;
  execFileSync("/usr/bin/taskset", ["--cpu-list", "--pid", String(otherCore), String(process.pid)]);
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-bench-"));
  const questions = path.join(directory, "questions");
  const lines = Array.from({ length: names }, (_, at) => `h${at}.${zone} TXT\n`);
  await writeFile(questions, lines.join(""));
  const port = await freePort();
  const servers = { ours: ["127.0.4.2", ours], Knot: ["127.0.4.3", knot] } as const;
  const running = new Map<string, Pinned>();
  const found = new Map<string, Measured[]>();
  try {
    for (const [name, [address, start]] of Object.entries(servers)) {
      running.set(name, await start(directory, address, port));
      await until(() => answers(address, port, questions), `${name} answers`);
    }
    // Interleaved, so that other load on the machine affects both alike; the first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, [address]] of Object.entries(servers)) {
        const before = running.get(name)?.cpuSeconds() ?? 0;
        const rate = await dnsperf(address, port, questions, seconds);
        const used = (running.get(name)?.cpuSeconds() ?? 0) - before;
        const measured = { rate, byCpuSecond: (rate * seconds) / used };
        if (round > 0) found.set(name, [...(found.get(name) ?? []), measured]);
      }
    }
  } finally {
    await Promise.all([...running.values()].map((server) => server.stop()));
    await rm(directory, { recursive: true, force: true });
  }
  report(found);
}

function report(found: ReadonlyMap<string, readonly Measured[]>): void {
  const of = (name: string, what: keyof Measured): number =>
    median((found.get(name) ?? []).map((one) => one[what]));
  line("", "ours", "Knot", "ours ÷ Knot");
  for (const [title, what] of [
    ["answers", "rate"],
    ["by second of processor time", "byCpuSecond"],
  ] as const) {
    const [mine, theirs] = [of("ours", what), of("Knot", what)];
    line(title, perSecond(mine), perSecond(theirs), (mine / theirs).toFixed(2));
  }
  const isMet = of("ours", "byCpuSecond") >= requiredPerSecond;
  line(`${perSecond(requiredPerSecond)} of one core`, isMet ? "met" : "missed");
}

async function ours(_directory: string, address: string, port: number): Promise<Pinned> {
  const main = path.join(import.meta.dirname, "name-server-main.ts");
  const args = [main, address, String(port), zone, String(names)];
  return startPinned(measuredCore, [process.execPath, ...args]);
}

/** One worker, as ours has one thread. */
async function knot(directory: string, address: string, port: number): Promise<Pinned> {
  const file = path.join(directory, "zone");
  const value = "AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKK";
  const records = Array.from({ length: names }, (_, at) => `h${at} 1 TXT "${value}"`);
  const soa = `@ 3600 SOA ns1.mooring.example. hostmaster.${zone}. 1 3600 600 86400 5`;
  const head = [`$ORIGIN ${zone}.`, soa, "@ 3600 NS ns1.mooring.example."];
  await writeFile(file, `${[...head, ...records].join("\n")}\n`);
  const config = path.join(directory, "knot.conf");
  await writeFile(
    config,
    `server:
  rundir: "${directory}"
  listen: ${address}@${port}
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
database:
  storage: "${directory}"
zone:
  - domain: ${zone}
    file: "${file}"
    storage: "${directory}"
`,
  );
  return startPinned(measuredCore, ["/usr/sbin/knotd", "-c", config]);
}

async function answers(address: string, port: number, questions: string): Promise<boolean> {
  const output = await runProgram("/usr/bin/dnsperf", [
    "-s",
    address,
    "-p",
    String(port),
    "-d",
    questions,
    "-n",
    "1",
    "-q",
    "1",
    "-t",
    "1",
  ]);
  return /NOERROR/.test(output);
}

async function dnsperf(
  address: string,
  port: number,
  questions: string,
  seconds: number,
): Promise<number> {
  const output = await runProgram("/usr/bin/dnsperf", [
    "-s",
    address,
    "-p",
    String(port),
    "-d",
    questions,
    "-l",
    String(seconds),
    "-T",
    "1",
    "-c",
    "4",
    "-q",
    String(inFlight),
  ]);
  return numberIn(output, /Queries per second:\s+([\d.]+)/);
}
