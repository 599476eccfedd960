import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import type { Host } from "../../../edge/src/hosts/host.ts";
import { HostNode } from "../../../edge/src/hosts/store/host-node.ts";
import { silent } from "./edge-database.ts";

/**
 * `host-node-main.ts DIRECTORY`: a process of a machine whose feed has one name. For each line of
 * its input it prints the epoch of that name, or `null`; it adds and removes names with a `+` or
 * `-` before them, or prints the error. At a `!` it stands still in the middle of a write of its
 * store, until a SIGCONT.
 */
const [directory = ""] = process.argv.slice(2);

function makeHost(hostname: string): Host {
  return {
    hostname,
    epoch: 1,
    environment: "live",
    connectionId: "connection",
    own: null,
    applicationId: "application",
    tenantId: "tenant",
    registrableDomain: "example",
  };
}

async function fill(): Promise<void> {
  node.beginRound();
  node.write([{ hostname: "first.example", host: makeHost("first.example") }]);
  await node.endRound();
  await node.confirm(new Date(), "position");
}

const node: HostNode = new HostNode({
  clock: { now: () => new Date() },
  endsByAge: false,
  log: silent,
  onWriting: () => void setImmediate(() => void fill()),
});
function answer(line: string): string {
  const hostname = line.replace(/^[+-]/, "");
  try {
    if (line.startsWith("+")) node.write([{ hostname, host: makeHost(hostname) }]);
    if (line.startsWith("-")) node.write([{ hostname, host: null }]);
  } catch (error) {
    return String(error);
  }
  return String(node.view.get(hostname)?.epoch ?? null);
}

function standStill(): string {
  const folder = path.join(directory, "known-hosts");
  const number = readFileSync(path.join(folder, "current"), "utf8");
  const store = new DatabaseSync(path.join(folder, `${number}.sqlite`));
  store.exec("begin immediate; update hosts set round = round");
  process.kill(process.pid, "SIGSTOP");
  store.exec("commit");
  store.close();
  return "written";
}

node.open(directory);
process.stdout.write("open\n");
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${line === "!" ? standStill() : answer(line)}\n`);
}
node.close();
