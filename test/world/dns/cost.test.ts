import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  hurry,
  issueCertificates,
  type Made,
  readState,
  verify,
} from "@mooring/testing/clients/connecting";
import { startKnot } from "@mooring/testing/dns/dns-servers";
import { type SignedWorld, startSignedWorld } from "@mooring/testing/dns/signed-world";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import type { Resolver } from "../../../packages/dns/src/index.ts";

const edge = "edge.mooring.example";
const edgeIpv4 = "192.0.2.7";
const hour = 3_600_000;
const net = "127.36.0";
/** Longer than the interval of checks, as most NS sets have it. */
const ttlSeconds = 4 * 3_600;
const count = proofSize(4, 20);
const rounds = proofSize(5, 24);

const kinds = {
  "an apex with addresses": {
    atZone: 3,
    routine: 4,
    prefix: "apex",
    label: "",
    leading: `@ A ${edgeIpv4}`,
    drifted: "@ A 192.0.2.66",
  },
  "a subdomain with a CNAME": {
    atZone: 2,
    routine: 3,
    prefix: "parent",
    label: "www",
    leading: `www CNAME ${edge}.`,
    drifted: "www A 192.0.2.66",
  },
} as const;

const nameZones = (prefix: string) =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}.example`);
const unsigned = { records: "", algorithm: null } as const;
const elsewhere = "@ NS ns3.example.\n@ A 192.0.2.66\nwww A 192.0.2.66";

/**
 * Root, `example`, the customers' zones and the resolver are four knotd that count what they are
 * asked.
 */
describe("a check of a live name", () => {
  let world: SignedWorld;
  before(async () => {
    const zones = Object.values(kinds).flatMap(({ prefix }) => nameZones(prefix));
    const names = zones.map((zone) => [zone, unsigned] as const);
    const own = { "mooring.example": { records: `edge A ${edgeIpv4}`, algorithm: null } };
    world = await startSignedWorld(net, { ...Object.fromEntries(names), ...own }, [], ttlSeconds);
  });
  after(() => world.stop());

  for (const [kind, { prefix, label, leading, drifted, atZone, routine }] of Object.entries(
    kinds,
  )) {
    describe(kind, () => {
      let life: LifecycleApp;
      let caller: Caller;
      let isReusing = true;
      const made = new Map<string, Made>();
      const zones = nameZones(prefix);
      const findId = (zone: string): string => made.get(zone)?.id ?? "";
      const withProof = (zone: string, lines: string): string => {
        const owner = ["_service-challenge", label].filter(Boolean).join(".");
        return `${lines}\n${owner} TXT "${made.get(zone)?.challenge}"`;
      };

      before(async () => {
        const asked = world.resolver({ now: () => life.app.clock.now() });
        const { reuse } = asked;
        const resolver: Resolver = {
          ...asked,
          get reuse() {
            return isReusing ? reuse : undefined;
          },
        };
        life = await startLifecycle({ resolver, env: { EDGE_CNAME: edge, EDGE_IPV4: edgeIpv4 } });
        caller = await life.caller("Acme", "live");
        for (const zone of zones) {
          made.set(zone, await connect(caller, [label, zone].filter(Boolean).join(".")));
        }
        const lines = zones.map((zone) => [zone, withProof(zone, leading)]);
        await world.setZones(Object.fromEntries(lines));
        for (const zone of zones) assert.equal((await verify(caller, findId(zone))).status, 200);
        await until(async () => {
          await issueCertificates(life.session);
          const states = new Set<string>();
          for (const zone of zones) states.add(await readState(life.session, findId(zone)));
          if (states.size === 1 && states.has("live")) return true;
          await hurry(life.session);
          return false;
        }, "all names live");
      });
      after(() => life.close());

      /** What every server was asked while each name was checked once. */
      async function questionsOfRound(afterMs = hour) {
        const before = await world.questions();
        await life.checkAll(afterMs);
        const after = await world.questions();
        const asked = (server: keyof typeof after) => after[server] - before[server];
        const [own, resolver] = [asked("zones"), asked("everything")];
        const above = asked("top") + asked("root");
        return { all: own + resolver + above, own, resolver, above };
      }

      const readMisses = async (zone: string) => {
        const { rows } = await life.session.query<{ misses: number; state: string }>(
          "select misses, state from connections where id = $1",
          [findId(zone)],
        );
        return `${rows[0]?.state} ${rows[0]?.misses}`;
      };

      const readError = async (zone: string) => {
        const { rows } = await life.session.query<{ error: string | null }>(
          "select error_code as error from connections where id = $1",
          [findId(zone)],
        );
        return rows[0]?.error;
      };

      it(`asks ${routine} questions, and once a day everything`, async (t) => {
        isReusing = false;
        await life.checkAll(hour);
        const without = await questionsOfRound();
        isReusing = true;
        // Before their time: everything is checked.
        const full = await questionsOfRound(1_000);
        const each: (typeof full)[] = [];
        for (let round = 0; round < rounds; round += 1) each.push(await questionsOfRound());
        // Each name has one full check a day: with fewer names than rounds, some rounds have none.
        const least = each.reduce((one, other) => (other.all < one.all ? other : one));
        const sum = each.reduce((total, { all }) => total + all, 0);
        const perName = (count: number) => (count / zones.length).toFixed(1);
        t.diagnostic(
          `${zones.length} names: a check without reuse asks ${perName(without.all)} questions; a full one ${perName(full.all)}; a routine one ${perName(least.all)}, of them ${perName(least.own)} at the zone's servers; ${perName(sum / rounds)} over ${rounds} hours`,
        );
        assert.equal(least.own, atZone * zones.length);
        // The steps of DNSSEC from the root to `example` are shared by all names.
        assert.ok(least.all <= routine * zones.length + 12, JSON.stringify(least));
        assert.ok(without.all > full.all && full.own >= 1.5 * least.own, JSON.stringify(full));
      });

      it("sees in a routine check that CAA forbids the next renewal, and that it allows it again", async () => {
        const zone = zones[0] ?? "";
        await life.checkAll(hour);
        await world.setZones({
          [zone]: withProof(zone, `${leading}\n@ CAA 0 issue "other.example"`),
        });
        await life.checkAll(hour);
        assert.equal(await readError(zone), "certificate_at_risk");
        await world.setZones({ [zone]: withProof(zone, leading) });
        // The cause must stay away for five seconds.
        for (const pauseMs of [hour, 6_000]) await life.checkAll(pauseMs);
        assert.equal(await readError(zone), null);
      });

      it("suspects a drift at once, and reports it with its confirmation", async () => {
        const zone = zones[0] ?? "";
        await life.checkAll(hour);
        await world.setZones({ [zone]: withProof(zone, drifted) });
        await life.checkAll(hour);
        assert.equal(await readMisses(zone), "live 1");
        await life.checkAll(61_000);
        assert.equal(await readMisses(zone), "drifted 0");
        await world.setZones({ [zone]: withProof(zone, leading) });
        await life.checkAll(300_000);
        assert.equal(await readMisses(zone), "live 0");
      });

      it("follows a zone that moves within the TTL of its NS set, though its old servers answer as before", async () => {
        const zone = zones[1] ?? "";
        const zonesMoved = { [zone]: elsewhere };
        const moved = await startKnot({ address: `${net}.6`, port: world.port, zones: zonesMoved });
        try {
          await life.checkAll(hour);
          await world.setZones({ [zone]: elsewhere }, ["everything"]);
          for (let checks = 0; (await readMisses(zone)) === "live 0"; checks += 1) {
            assert.ok(checks <= ttlSeconds / 3_600, "not found within the TTL");
            await life.checkAll(hour);
          }
        } finally {
          await moved.stop();
        }
      });

      it("finds the servers of now for somebody who asks", async () => {
        const zone = zones[2] ?? "";
        const zonesMoved = { [zone]: elsewhere };
        const moved = await startKnot({ address: `${net}.6`, port: world.port, zones: zonesMoved });
        try {
          await life.checkAll(hour);
          await world.setZones({ [zone]: elsewhere }, ["everything"]);
          assert.equal((await verify(caller, findId(zone))).status, 200);
          assert.equal(await readMisses(zone), "live 1");
        } finally {
          await moved.stop();
        }
      });
    });
  }
});
