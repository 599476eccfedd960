import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { pathToFileURL } from "node:url";
import { acceleratorPaths } from "../../../../edge/src/accelerator/paths.ts";
import { until } from "../../processes/until.ts";
import { gatePath } from "./forced-promotion.ts";
import { readStat } from "./haproxy-stat.ts";
import { fileVariable, testFile } from "./report.ts";
import type { WholeEdges } from "./whole-edges.ts";

const preloaded = pathToFileURL(`${import.meta.dirname}/promoting-process.ts`).href;
const names = 64;
const waitMs = 5_000;

/** Edges behind HAProxy; `promoted` is called with every name that a visit has found promoted. */
export function createPromotedProcesses(promoted: (hostname: string) => void): WholeEdges {
  const configurations = new Set<string>();
  // Also those of a test that failed before it stopped its edge, or killed it.
  process.on("exit", () => killLeft(configurations));
  return {
    names,
    env: {
      EDGE_ACCELERATOR: "haproxy",
      EDGE_ACCELERATOR_NAMES: String(names),
      // All visitors of a test come from one address.
      EDGE_NEW_CONNECTIONS_PER_ADDRESS: "1000",
      NODE_OPTIONS: `--import=${preloaded}`,
      TEST_ACCELERATED: process.env["TEST_ACCELERATED"] ?? "",
      [fileVariable]: testFile() ?? "",
    },
    started(dataDirectory) {
      configurations.add(acceleratorPaths(dataDirectory).configuration);
    },
    async connections(dataDirectory) {
      const rows = await readStat(acceleratorPaths(dataDirectory));
      const door = rows.find(({ pxname, svname }) => pxname === "door" && svname === "FRONTEND");
      return Number(door?.["scur"]);
    },
    async isPromoted(dataDirectory, hostname) {
      const gate = gatePath(acceleratorPaths(dataDirectory));
      let answer: string | null = null;
      // The process that promotes may be starting.
      await until(
        async () => {
          answer = await ask(gate, hostname);
          return answer !== null;
        },
        `${hostname} promoted`,
        waitMs,
      );
      if (answer === "promoted") promoted(hostname);
      return answer === "promoted";
    },
  };
}

/** Null where nobody answers in time. */
function ask(gate: string, hostname: string): Promise<string | null> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(gate);
    socket.setEncoding("utf8").setTimeout(waitMs, () => socket.destroy());
    socket.on("data", (text) => {
      answer += text;
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(answer === "" ? null : answer));
    socket.end(`${hostname}\n`);
  });
}

/** HAProxy outlives an edge that is killed, until the next one of the same directory starts. */
function killLeft(configurations: ReadonlySet<string>): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const parts = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
      if (parts.some((part) => configurations.has(part))) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has exited.
    }
  }
}
