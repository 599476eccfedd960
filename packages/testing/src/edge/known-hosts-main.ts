import { createInterface } from "node:readline";
import { openPool } from "../../../edge/src/db/pool.ts";
import { createKnownHosts } from "../../../edge/src/hosts/view/known-hosts.ts";
import { silent } from "./edge-database.ts";

/**
 * `known-hosts-main.ts DIRECTORY URL`: a process of a machine with the known hosts of a database,
 * which it polls. For each line of its input it prints the epochs of the names in it, or `null`;
 * for an empty one how many hosts there are, and for a `?` how often it has taken over the store.
 */
const [directory = "", url = ""] = process.argv.slice(2);
const pollMs = 50;

const pool = openPool(url, () => undefined);
const hosts = createKnownHosts({ pool, log: silent, clock: { now: () => new Date() } });
await hosts.start(directory);
const poll = (): void => {
  hosts
    .catchUp()
    .catch(() => undefined) // the next one has what this one has not
    .finally(() => setTimeout(poll, pollMs));
};
poll();
process.stdout.write("open\n");
for await (const line of createInterface({ input: process.stdin })) {
  const epochs = line.split(" ").map((name) => String(hosts.get(name)?.epoch ?? null));
  const numbers: Readonly<Record<string, number>> = { "": hosts.size, "?": hosts.takeovers() };
  process.stdout.write(`${numbers[line] ?? epochs.join(" ")}\n`);
}
await hosts.close();
await pool.end();
