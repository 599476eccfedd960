import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { KeptHosts } from "./kept-hosts.ts";
import type { KnownHosts } from "./known-hosts.ts";

const tries = 5;
const betweenMs = 1_000;

/** Loads the hosts, and where the database stays away takes the set of the last day from disk. */
export async function loadFirst(
  hosts: KnownHosts,
  parts: { readonly kept: KeptHosts; readonly clock: Clock; readonly log: Log },
): Promise<"database" | "disk"> {
  const { kept, clock, log } = parts;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await hosts.load();
      return "database";
    } catch (error) {
      const set = kept.load(clock.now());
      if (set) {
        hosts.restore(set);
        log.warn({ err: error, hosts: hosts.size }, "database away, serving what was known");
        return "disk";
      }
      if (attempt >= tries) throw error;
      await delay(betweenMs);
    }
  }
}
