import { setTimeout as delay } from "node:timers/promises";
import type { DiskCache } from "../certificates/disk-cache.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { KnownHosts } from "./known-hosts.ts";

const tries = 5;
const betweenMs = 1_000;

/** Loads the hosts, and where the database stays away takes the set of the last day from disk. */
export async function loadFirst(
  hosts: KnownHosts,
  parts: { readonly disk: DiskCache; readonly clock: Clock; readonly log: Log },
): Promise<void> {
  const { disk, clock, log } = parts;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await hosts.load();
      disk.saveHosts(hosts.all(), clock.now());
      return;
    } catch (error) {
      const kept = disk.loadHosts(clock.now());
      if (kept) {
        log.warn({ err: error, hosts: kept.length }, "database away, serving what was known");
        hosts.restore(kept);
        return;
      }
      if (attempt >= tries) throw error;
      await delay(betweenMs);
    }
  }
}
