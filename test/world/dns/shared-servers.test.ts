import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  issueCertificates,
  type Made,
  readState,
  verify,
} from "@mooring/testing/clients/connecting";
import { copyAsUnproven } from "@mooring/testing/control/backlog";
import { type SignedWorld, startSignedWorld } from "@mooring/testing/dns/signed-world";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import { createNetworkResolver } from "../../../packages/dns/src/index.ts";

const flood = proofSize(1_000, 10_000);
const each = proofSize(3, 10);
/** The promise, on a machine that does nothing else; one that runs other tests is allowed more. */
const factor = proofSize(8, 2);
const edge = "edge.mooring.example";
const edgeIpv4 = "192.0.2.7";
const unsigned = { records: "", algorithm: null } as const;
const nameZones = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}.example`);
const floodZones = nameZones("crowd", 10);
const rounds = { alone: nameZones("alone", each), beside: nameZones("beside", each) };

/** All zones are on the same two addresses of one knotd, as at any DNS provider. */
describe(`a name on the servers of ${flood} unproven names of another tenant`, () => {
  let world: SignedWorld;
  let life: LifecycleApp;
  let crowd: Caller;
  let victim: Caller;
  const made = new Map<string, Made>();
  before(async () => {
    const zones = [...floodZones, ...rounds.alone, ...rounds.beside];
    const own = { "mooring.example": { records: `edge A ${edgeIpv4}`, algorithm: null } };
    const all = Object.fromEntries(zones.map((zone) => [zone, unsigned] as const));
    world = await startSignedWorld("127.42.0", { ...all, ...own });
    const { everything, port, trustAnchors } = world;
    const resolvers = [`${everything}:${port}`];
    const resolver = createNetworkResolver({ resolvers, authoritativePort: port, trustAnchors });
    life = await startLifecycle({ resolver, env: { EDGE_CNAME: edge, EDGE_IPV4: edgeIpv4 } });
    crowd = await life.caller("Crowd", "live");
    victim = await life.caller("Victim", "live");
    for (const zone of [...rounds.alone, ...rounds.beside]) {
      made.set(zone, await connect(victim, `www.${zone}`));
    }
    await until(rest, "their checks to rest");
    const lines = [...made].map(([zone, { challenge }]) => [
      zone,
      `www CNAME ${edge}.\n_service-challenge.www TXT "${challenge}"`,
    ]);
    await world.setZones(Object.fromEntries(lines));
  });
  after(async () => {
    await life?.close();
    await world?.stop();
  });

  /** A check by the usual cadence would be the first to see the records. */
  async function rest(): Promise<boolean> {
    const { rowCount } = await life.session.query(
      `update connection_checks k set due_at = 'infinity' from connections c
       where k.connection_id = c.id and k.leased_until is null and c.state = 'pending_ownership'`,
    );
    return rowCount === made.size;
  }

  /** Milliseconds from the customer's "verify" until the name is live. */
  async function goLive(zone: string): Promise<number> {
    const id = made.get(zone)?.id ?? "";
    const startedMs = performance.now();
    assert.equal((await verify(victim, id)).status, 200);
    await until(async () => {
      await issueCertificates(life.session);
      await life.session.query(
        `update connection_checks k set due_at = now() from connections c
         where c.id = $1 and k.connection_id = c.id and c.state = 'issuing_cert' and k.leased_until is null`,
        [id],
      );
      await life.session.query("select pg_notify('mooring_due', 'connections')");
      return (await readState(life.session, id)) === "live";
    }, `${zone} to be live`);
    return performance.now() - startedMs;
  }

  async function measure(zones: readonly string[]): Promise<readonly number[]> {
    const times: number[] = [];
    for (const zone of zones) times.push(await goLive(zone));
    return times.toSorted((one, other) => one - other);
  }

  it(`goes live in at most ${factor} times the time that it needs alone`, async (t) => {
    // The first is for the caches of the processes.
    const alone = await measure(rounds.alone);
    const seed = await connect(crowd, `seed.${floodZones[0]}`);
    await life.reach(seed.id, "pending_ownership");
    await copyAsUnproven(life.session, seed.id, flood, floodZones);
    await life.session.query("select pg_notify('mooring_due', 'connections')");
    const before = await world.questions();
    const startedMs = performance.now();
    const beside = await measure(rounds.beside);
    const seconds = (performance.now() - startedMs) / 1_000;
    const asked = (await world.questions()).zones - before.zones;
    const show = (times: readonly number[]) => times.map(Math.round).join(", ");
    t.diagnostic(`ms to live: alone ${show(alone)}; beside ${flood} names ${show(beside)}`);
    t.diagnostic(`${asked} questions at the zones' two addresses in ${seconds.toFixed(1)} s`);
    const median = (times: readonly number[]) => times[Math.floor(times.length / 2)] ?? Number.NaN;
    assert.ok(median(beside) <= factor * median(alone), `${show(beside)} after ${show(alone)}`);
    // The limit of each address holds for all together.
    assert.ok(asked <= 2 * (60 + 20 * seconds), `${asked} questions in ${seconds} s`);
    const { rows } = await life.session.query<{ failed: number }>(
      `select count(*)::int as failed from connections
       where hostname like 'n%' and error_code in ('dns_timeout', 'dns_servfail')`,
    );
    assert.equal(rows[0]?.failed, 0, "what has waited says nothing about DNS");
  });
});
