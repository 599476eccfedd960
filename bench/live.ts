import { call } from "@mooring/testing/control/http";
import {
  type CachingWorld,
  startCachingWorld,
  toTheEdge,
} from "@mooring/testing/dns/caching-world";
import { line, median } from "./support/report.ts";

const defaultRounds = 15;

/**
 * From "the record is right at the authoritative servers" to `live`, behind a resolver that
 * remembers for half an hour that the name does not exist, or its old address. Knot, BIND and
 * Pebble.
 */
export async function benchLive(size: number | null): Promise<void> {
  const addresses = { knot: "127.0.13.1", cache: "127.0.13.2", caResolver: "127.0.13.3" };
  const world = await startCachingWorld(addresses);
  try {
    for (const old of ["no such name", "an old address"] as const) {
      const elapsed: number[] = [];
      for (let round = 0; round < (size ?? defaultRounds); round += 1) {
        // Without it a tenant's budget would be what is measured.
        await world.forgetBudget();
        elapsed.push(
          await goLive(world, `${old === "no such name" ? "new" : "old"}-${round}`, old),
        );
      }
      const worst = Math.max(...elapsed);
      line(`resolver remembers ${old}`, `${median(elapsed)} ms, at most ${worst} ms`);
    }
  } finally {
    await world.close();
  }
}

async function goLive(
  world: CachingWorld,
  label: string,
  old: "no such name" | "an old address",
): Promise<number> {
  if (old === "an old address") await world.add(`${label} 1800 A 127.0.0.77`);
  const { id, hostname } = await world.prove(label);
  await world.askCache(hostname);
  await world.replace(label, toTheEdge(label));
  const rightAt = performance.now();
  const { base, key } = world.caller;
  // As the widget does every few seconds.
  await call(base, `/v1/connections/${id}/records:check`, { key, method: "POST" });
  await world.timeUntil(id, "live");
  return Math.round(performance.now() - rightAt);
}
