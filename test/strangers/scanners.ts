import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { longestWaitMs } from "@mooring/testing/processes/until";
import type { StrangerCase } from "./cases.ts";
import { frontUrl } from "./clients.ts";
import { type Front, hostname } from "./fronts.ts";

function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const options = {
    env: { PATH: process.env["PATH"], TERM: "dumb", ...env },
    timeout: longestWaitMs,
  };
  return new Promise((resolve) => {
    execFile(command, args, options, (_error, stdout, stderr) => resolve(`${stdout}\n${stderr}`));
  });
}

async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-scanner-"));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface Finding {
  readonly id: string;
  readonly severity: string;
  readonly finding: string;
}

/** What testssl finds: the protocols that are offered, and every weakness. */
function testssl(front: Front, read: (findings: readonly Finding[]) => string): Promise<string> {
  return withDirectory(async (directory) => {
    const report = path.join(directory, "report.json");
    const target = `${hostname}:${front.port}`;
    const where = ["--ip", "127.0.0.1", "--nodns", "none", "--jsonfile", report, target];
    const quiet = ["--quiet", "--color", "0", "--warnings", "off"];
    const output = await run("testssl", [...quiet, "-p", "-U", ...where], { HOME: directory });
    try {
      return read(JSON.parse(await readFile(report, "utf8")) as Finding[]);
    } catch {
      return `failed: ${output.slice(-200)}`;
    }
  });
}

const protocols = ["SSLv2", "SSLv3", "TLS1", "TLS1_1", "TLS1_2", "TLS1_3"];

function offered(findings: readonly Finding[]): string {
  return findings
    .filter(({ id, finding }) => protocols.includes(id) && finding.startsWith("offered"))
    .map(({ id }) => id)
    .join(" ");
}

function weaknesses(findings: readonly Finding[]): string {
  const bad = findings.filter(({ severity }) => /^(LOW|MEDIUM|HIGH|CRITICAL)$/.test(severity));
  return bad.map(({ id }) => id).join(" ") || "none";
}

const slowKinds = {
  "slow heads (slowloris)": ["-H"],
  "slow bodies": ["-B", "-s", "4096"],
  "slow reading": ["-X", "-w", "1", "-y", "10", "-n", "1", "-z", "1"],
} as const;

/** 200 slow clients for 15 seconds, while slowhttptest itself asks whether others are served. */
function slowhttptest(front: Front, kind: readonly string[]): Promise<string> {
  return withDirectory(async (directory) => {
    const hosts = path.join(directory, "hosts");
    await writeFile(hosts, `127.0.0.1 ${hostname}\n`);
    const [wrapper = ""] = globSync("/usr/lib/*/libnss_wrapper.so");
    const load = ["-c", "200", "-r", "100", "-i", "2", "-l", "15", "-p", "5"];
    const args = [...kind, ...load, "-u", frontUrl(front, "/length")];
    const output = await run("slowhttptest", args, {
      LD_PRELOAD: wrapper,
      NSS_WRAPPER_HOSTS: hosts,
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it colours its output.
    const plain = output.replace(/\x1b\[[0-9;]*[A-Za-z]/g, "");
    const answers = [...plain.matchAll(/service available:\s+(YES|NO)/g)].map(([, one]) => one);
    if (answers.length === 0) return `failed: ${plain.slice(-200)}`;
    return answers.includes("NO") ? "others are not served" : "others are served";
  });
}

/** Scanners and attackers by others; each takes a minute, so they run in the soak. */
export const scannerCases: readonly StrangerCase[] = [
  {
    client: "testssl",
    name: "the protocols that are offered",
    run: (front) => testssl(front, offered),
  },
  { client: "testssl", name: "weaknesses", run: (front) => testssl(front, weaknesses) },
  ...Object.entries(slowKinds).map(([name, kind]) => ({
    client: "slowhttptest",
    name,
    run: (front: Front) => slowhttptest(front, kind),
  })),
];
