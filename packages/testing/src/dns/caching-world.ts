import assert from "node:assert/strict";
import { createNetworkResolver, type Reply } from "../../../dns/src/index.ts";
import { type AcmeWorld, edgeName, startAcmeWorld } from "../acme/world.ts";
import { connect, type Made, readState, verify } from "../clients/connecting.ts";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";
import { startBindRecursive } from "./bind-recursive.ts";
import { type DnsServer, startKnot } from "./dns-servers.ts";

export const cachingZone = "acme.example";
const edgeZone = "mooring.example";
/** What many providers have: a cache may remember for half an hour that a name does not exist. */
export const negativeTtlSeconds = 1_800;

/**
 * Product and Pebble behind real DNS: Knot has the zones, the operator's resolver is a caching
 * BIND, and the CA's resolver is a BIND that caches nothing.
 */
export interface CachingWorld extends AcmeWorld {
  /** Adds lines to the zone of the end customer; resolves when Knot answers with them. */
  add(...lines: readonly string[]): Promise<void>;
  /** Replaces the lines of one name. */
  replace(label: string, line: string): Promise<void>;
  /** Asks the operator's resolver, which remembers what it answers. */
  askCache(name: string): Promise<Reply>;
  /** Creates a connection and proves ownership; its records are awaited afterwards. */
  prove(label: string): Promise<Made>;
  /** Waits for the state without making checks due, and returns how long it took. */
  timeUntil(id: string, state: string): Promise<number>;
}

export async function startCachingWorld(addresses: {
  readonly knot: string;
  readonly cache: string;
  readonly caResolver: string;
}): Promise<CachingWorld> {
  const port = await freePort();
  let lines: readonly string[] = ["@ NS ns1", `ns1 A ${addresses.knot}`];
  const edge = ["@ NS ns1", `ns1 A ${addresses.knot}`, "edge A 127.0.0.1"].join("\n");
  const knot: DnsServer = await startKnot({
    address: addresses.knot,
    port,
    negativeTtlSeconds,
    zones: { [cachingZone]: lines.join("\n"), [edgeZone]: edge },
  });
  const zones = { [cachingZone]: [addresses.knot], [edgeZone]: [addresses.knot] };
  const recursive = { port, authoritativePort: port, zones };
  const [cache, uncached] = await Promise.all([
    startBindRecursive({ ...recursive, address: addresses.cache }),
    startBindRecursive({ ...recursive, address: addresses.caResolver, isCaching: false }),
  ]);
  const resolver = `${addresses.cache}:${port}`;
  const caResolver = `${addresses.caResolver}:${port}`;
  const world = await startAcmeWorld({ dns: { resolver, caResolver, authoritativePort: port } });
  const client = createNetworkResolver({ resolvers: [resolver] });
  const write = async (next: readonly string[]): Promise<void> => {
    lines = next;
    await knot.setZone(cachingZone, lines.join("\n"));
  };
  const add = (...more: readonly string[]): Promise<void> => write([...lines, ...more]);
  return {
    ...world,
    add,
    replace: (label, line) =>
      write([...lines.filter((each) => !each.startsWith(`${label} `)), line]),
    askCache: (name) => client.resolve(name, "A", new AbortController().signal),
    async prove(label) {
      const made = await connect(world.caller, `${label}.${cachingZone}`);
      await add(`_service-challenge.${label} TXT "${made.challenge}"`);
      const answer = await verify(world.caller, made.id);
      assert.equal(answer.status, 200, answer.text);
      await until(async () => (await readState(world.life.session, made.id)) === "propagating");
      return made;
    },
    async timeUntil(id, state) {
      const startedAt = performance.now();
      const isThere = async (): Promise<boolean> =>
        (await readState(world.life.session, id)) === state;
      await until(isThere, `${state} behind a caching resolver`);
      return Math.round(performance.now() - startedAt);
    },
    async close() {
      await world.close();
      await Promise.all([knot.stop(), cache.stop(), uncached.stop()]);
    },
  };
}

export function toTheEdge(label: string): string {
  return `${label} CNAME ${edgeName}.`;
}
