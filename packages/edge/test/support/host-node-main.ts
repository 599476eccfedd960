import { createInterface } from "node:readline";
import type { Host } from "../../src/hosts/host.ts";
import { HostNode } from "../../src/hosts/host-node.ts";
import { silent } from "./edge-database.ts";

/**
 * `host-node-main.ts DIRECTORY`: a process of a machine whose feed has one name. For each line of its input it prints
 * the epoch of that name, or `null`; it adds and removes names with a `+` or `-` before them.
 */
const [directory = ""] = process.argv.slice(2);

function hostOf(hostname: string): Host {
  return {
    ...{ hostname, epoch: 1, environment: "live", connectionId: "connection", own: null },
    ...{ applicationId: "application", tenantId: "tenant", registrableDomain: "example" },
  };
}

async function fill(): Promise<void> {
  node.beginRound();
  node.write([{ hostname: "first.example", host: hostOf("first.example") }]);
  await node.endRound();
  await node.confirm(new Date(), "place");
}

const node: HostNode = new HostNode({
  ...{ clock: { now: () => new Date() }, endsByAge: false, log: silent },
  onWriting: () => void setImmediate(() => void fill()),
});
node.open(directory);
process.stdout.write("open\n");
for await (const line of createInterface({ input: process.stdin })) {
  const hostname = line.replace(/^[+-]/, "");
  if (line.startsWith("+")) node.write([{ hostname, host: hostOf(hostname) }]);
  if (line.startsWith("-")) node.write([{ hostname, host: null }]);
  process.stdout.write(`${node.view.get(hostname)?.epoch ?? null}\n`);
}
node.close();
