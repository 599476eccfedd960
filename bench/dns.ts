import { Resolver as NodeResolver } from "node:dns/promises";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startKnot } from "@mooring/testing/dns/dns-servers";
import { freePort } from "@mooring/testing/processes/free-port";
import { createNetworkResolver } from "../packages/dns/src/index.ts";
import { line, median, perSecond } from "./support/report.ts";
import { numberIn, runProgram } from "./support/run-program.ts";

const zone = "acme.example";
const names = Array.from({ length: 1_000 }, (_, index) => `_service-challenge.h${index}.${zone}`);
const value = "service-verify=AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKK";
const inFlight = 64;
const seconds = 2;
const rounds = 9;

/** TXT questions a second to one Knot on loopback: our client, Node's own, and dnsperf. */
export async function benchDns(): Promise<void> {
  const [address, port] = ["127.0.4.1", await freePort()];
  const labels = names.map((name) => `${name.slice(0, -zone.length - 1)} TXT "${value}"`);
  const records = ["@ NS ns1", `ns1 A ${address}`, ...labels].join("\n");
  const knot = await startKnot({ address, port, zones: { [zone]: records } });
  try {
    const ways = { ...clients(address, port), dnsperf: () => dnsperf(address, port) };
    const rates = new Map<string, number[]>();
    // Interleaved, so that other load on the machine affects all alike; the first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [way, measure] of Object.entries(ways)) {
        const measured = await measure();
        if (round > 0) rates.set(way, [...(rates.get(way) ?? []), measured]);
      }
    }
    const of = (way: string): number => median(rates.get(way) ?? []);
    for (const way of Object.keys(ways)) line(way, perSecond(of(way)));
    line("ours by UDP ÷ Node's", (of("ours by UDP") / of("Node's resolveTxt")).toFixed(2));
    line("ours by UDP ÷ dnsperf", (of("ours by UDP") / of("dnsperf")).toFixed(2));
  } finally {
    await knot.stop();
  }
}

function clients(address: string, port: number): Readonly<Record<string, () => Promise<number>>> {
  const unlimited = { ratePerSecond: 1e9, burst: 1e9, maxInFlight: inFlight };
  const ours = createNetworkResolver({
    resolvers: [],
    authoritativePort: port,
    limits: { authoritative: unlimited },
  });
  const nodes = new NodeResolver({ timeout: 2_000, tries: 2 });
  nodes.setServers([`${address}:${port}`]);
  const server = { host: "ns1", addresses: [address] };
  const { signal } = new AbortController();
  const ask = async (name: string, transport: "udp" | "tcp"): Promise<void> => {
    const reply = await ours.askServer(server, name, "TXT", { signal, transport });
    if (reply.outcome !== "records" || reply.records[0]?.value !== value) {
      throw new Error(`${name}: ${JSON.stringify(reply)}`);
    }
  };
  return {
    "ours by UDP": () => rate((name) => ask(name, "udp")),
    "ours by TCP, as a proof asks": () => rate((name) => ask(name, "tcp")),
    "Node's resolveTxt": () =>
      rate(async (name) => {
        const [first] = await nodes.resolveTxt(name);
        if (first?.join("") !== value) throw new Error(`${name}: ${first}`);
      }),
  };
}

/** Answers a second with a fixed number of questions in flight. */
async function rate(ask: (name: string) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let done = 0;
  const asker = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      await ask(names[done % names.length] ?? "");
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, asker));
  return (done * 1_000) / (performance.now() - startedAt);
}

/** One thread with as many questions in flight: the most that the server can give. */
async function dnsperf(address: string, port: number): Promise<number> {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-bench-"));
  const file = path.join(directory, "names");
  await writeFile(file, names.map((name) => `${name} TXT\n`).join(""));
  try {
    const output = await runProgram("/usr/bin/dnsperf", [
      "-s",
      address,
      "-p",
      String(port),
      "-d",
      file,
      "-l",
      String(seconds),
      "-T",
      "1",
      "-c",
      "1",
      "-q",
      String(inFlight),
    ]);
    return numberIn(output, /Queries per second:\s+([\d.]+)/);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
