import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  connect,
  get,
  readState,
  verify,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { codeOf } from "@mooring/testing/control/http";
import { takeovers } from "@mooring/testing/control/takeover-table";
import { openStage, playTakeover, type Stage } from "@mooring/testing/control/takeovers";
import { withoutLimits } from "@mooring/testing/control/world";
import { startBindRecursive } from "@mooring/testing/dns/bind-recursive";
import { type DnsServer, startBind, startKnot } from "@mooring/testing/dns/dns-servers";
import { freePort } from "@mooring/testing/processes/free-port";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";

const zone = "left.example";
const operatorZone = "mooring.example";
const edge = `edge.${operatorZone}`;
const [ns1, ns2, resolver] = ["127.0.18.1", "127.0.18.2", "127.0.18.3"];
const delegation = ["@ NS ns1", "@ NS ns2", `ns1 A ${ns1}`, `ns2 A ${ns2}`].join("\n");
const ours = ["edge A 192.0.2.7", "*.edge A 192.0.2.7", `v NS ns1`].join("\n");

describe("take-over of names in a zone on Knot and BIND", () => {
  let life: LifecycleApp;
  let stage: Stage;
  let servers: readonly DnsServer[] = [];
  const started: { stop(): Promise<void> }[] = [];
  before(async () => {
    const port = await freePort();
    const zones = { [zone]: delegation, [operatorZone]: `${delegation}\n${ours}` };
    servers = [
      await startKnot({ address: ns1, port, zones }),
      await startBind({ address: ns2, port, zones }),
    ];
    started.push(...servers);
    const forwards = { [zone]: [ns1, ns2], [operatorZone]: [ns1, ns2] };
    const options = { address: resolver, port, authoritativePort: port, zones: forwards };
    started.push(await startBindRecursive(options));
    life = await startLifecycle({
      env: {
        DNS_RESOLVERS: `${resolver}:${port}`,
        DNS_AUTHORITATIVE_PORT: String(port),
        EDGE_CNAME: edge,
        EDGE_IPV4: "192.0.2.7",
        EDGE_TARGETS: "unique",
        VALIDATION_ZONE: `v.${operatorZone}`,
        VALIDATION_NS: `ns1.${operatorZone}`,
        CONTEST_AFTER: "2h",
        ...withoutLimits,
      },
    });
    stage = await openStage(life, "live", { edge, publish });
  });
  after(async () => {
    await life.close();
    await Promise.all(started.map((server) => server.stop()));
  });

  const toText = ({ host, type, value }: ZoneLine): string =>
    `${host}. ${type} ${type === "CNAME" ? `${value}.` : type === "TXT" ? `"${value}"` : value}`;
  const setAt = (server: DnsServer | undefined, ...lines: readonly string[]) =>
    server?.setZone(zone, [delegation, ...lines].join("\n"));

  async function publish(_zone: string, lines: readonly ZoneLine[]): Promise<void> {
    await Promise.all(servers.map((server) => setAt(server, ...lines.map(toText))));
  }

  for (const [index, [attempt, steps, holder]] of takeovers.entries()) {
    it(`ends with ${holder ?? "nobody"} when ${attempt}`, async () => {
      const hostname = `shop${index}.${zone}`;
      assert.equal(await playTakeover(stage, { zone, hostname }, steps), holder);
    });
  }

  it("does not happen while each of two has one of the servers", async () => {
    const { alice, bob } = stage.callers;
    const hostname = `split.${zone}`;
    const made = [await connect(alice, hostname), await connect(bob, hostname)] as const;
    const targets = [await get(alice, made[0].id), await get(bob, made[1].id)].map(
      (answer) => answer.json()["target"],
    );
    await setAt(servers[0], `split CNAME ${targets[0]}.`);
    await setAt(servers[1], `split CNAME ${targets[1]}.`);
    assert.equal(codeOf(await verify(alice, made[0].id)), "ownership_not_found");
    assert.equal(codeOf(await verify(bob, made[1].id)), "ownership_not_found");
    for (const { id } of made) assert.equal(await readState(life.session, id), "verifying");
    await setAt(servers[0], `split CNAME ${targets[1]}.`);
    assert.equal((await verify(bob, made[1].id)).status, 200);
    assert.equal(codeOf(await verify(alice, made[0].id)), "ownership_not_found");
  });

  it("does not happen by names that the zone makes up: DNAME, wildcards and what is between", async () => {
    const { bob } = stage.callers;
    const hostname = `shop.eu.${zone}`;
    const made = await connect(bob, hostname);
    const shown = (await get(bob, made.id)).json();
    const target = String(shown["target"]);
    const validation = shown["validation"] as { readonly target: string };
    const zones: readonly (readonly string[])[] = [
      [`eu DNAME ${edge}.`],
      [`* CNAME ${target}.`],
      [`* CNAME ${target}.`, "other A 192.0.2.1"],
      [`*.eu CNAME ${target}.`, "other.eu A 192.0.2.1"],
      // The name is there, without records of its own: no wildcard applies to it.
      [`*.eu CNAME ${target}.`, "below.shop.eu A 192.0.2.1"],
      [`* CNAME ${validation.target}.`],
      [`*.shop.eu CNAME ${validation.target}.`, "shop.eu A 192.0.2.7"],
      [`shop.eu DNAME v.${operatorZone}.`],
      [`_acme-challenge.shop.eu NS ns1.${operatorZone}.`],
    ];
    for (const lines of zones) {
      await Promise.all(servers.map((server) => setAt(server, ...lines)));
      const story = lines.join("; ");
      assert.equal(codeOf(await verify(bob, made.id)), "ownership_not_found", story);
      assert.equal(await readState(life.session, made.id), "pending_ownership", story);
    }
    const right = [`shop.eu CNAME ${target.toUpperCase()}.`, "* CNAME elsewhere.example."];
    await Promise.all(servers.map((server) => setAt(server, ...right)));
    assert.equal((await verify(bob, made.id)).status, 200);
  });
});
