import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGuard, type Guard } from "@mooring/egress";
import { domainChecks } from "@mooring/testing/control/domain-check";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { listenHttps, listenTcp } from "@mooring/testing/egress/loopback";
import { checkHostname, detectForCreate } from "./check.ts";

const { signal } = new AbortController();
const loopback = createGuard({ allow: ["127.0.0.0/8"] });

interface Machine {
  /** The ports that it listens on, and where that is on this machine. */
  readonly ports: Readonly<Record<number, number>>;
  readonly servers?: readonly string[];
  readonly site?: string;
  readonly off?: readonly string[];
}

/** A zone on a machine of its own, whose address is that of the name servers in memory. */
function zoneOn({ ports, servers = ["ns1.host.example", "ns2.host.example"], ...rest }: Machine) {
  const { site = "192.0.2.80", off = [] } = rest;
  const held = records(`acme.example 60 A ${site}`);
  const resolver = memoryResolver({
    zone: "acme.example",
    servers: Object.fromEntries(servers.map((host) => [host, held])),
    recursive: held,
  });
  const { runtime: plain, clock } = domainChecks(resolver);
  const dialled: string[] = [];
  const dial: Guard["dial"] = ({ host, port, ...options }) => {
    dialled.push(`${host}:${port}`);
    const near = ports[port];
    if (near === undefined) return Promise.reject(new Error("nothing listens there"));
    return loopback.dial({ ...options, host: "127.0.0.1", port: near });
  };
  const runtime = {
    ...plain,
    config: { ...plain.config, providersOff: [...off] },
    egress: { ...plain.egress, dial },
  };
  const check = (hostname = "shop.acme.example", budgetMs = 30_000) =>
    checkHostname(runtime, { environment: "live", hostname, template: [], signal, budgetMs });
  return { runtime, clock, dialled, check };
}

function panelPage(headers: Readonly<Record<string, string | readonly string[]>>) {
  return listenHttps((_request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end("page");
  });
}

const everyPort = ["192.0.2.53:2083", "192.0.2.53:2222", "192.0.2.53:8443"];

describe("a web host without a known name", () => {
  for (const [slug, port, headers] of [
    ["cpanel", 2083, { server: "cpsrvd/11.112" }],
    ["cpanel", 2083, { "set-cookie": ["lang=en", "cprelogin=no; path=/"] }],
    ["plesk", 8443, { server: "sw-cp-server" }],
    ["directadmin", 2222, { server: "DirectAdmin Daemon v1.57.2" }],
  ] as const) {
    it(`is recognised by what ${slug} says at its port: ${JSON.stringify(headers)}`, async () => {
      await using panel = await panelPage(headers);
      const { check, dialled } = zoneOn({ ports: { [port]: panel.port } });
      const { provider, manifest, guide } = await check();
      assert.equal(provider?.slug, slug);
      assert.ok(manifest?.adapter);
      assert.ok(manifest.credentialFields.some(({ key }) => key === "server"));
      assert.ok(guide.token !== null && guide.panel !== null);
      assert.ok(guide.ways.includes(slug === "plesk" ? "api" : "token"));
      assert.deepEqual(dialled.toSorted(), everyPort);
    });
  }

  it("is asked once for all its zones, and again after an hour where nothing was found", async () => {
    await using other = await panelPage({ server: "nginx" });
    const { check, dialled, clock } = zoneOn({ ports: { 8443: other.port } });
    for (const name of ["a.acme.example", "b.acme.example", "acme.example"]) {
      assert.equal((await check(name)).provider, null);
    }
    assert.deepEqual(dialled.toSorted(), everyPort);
    clock.advance(3_600_000);
    await check();
    assert.equal(dialled.length, 2 * everyPort.length);
  });

  it("is not waited for, nor asked again, when it does not answer", async () => {
    await using silent = await listenTcp((socket) => socket.resume());
    const ports = { 2083: silent.port, 2222: silent.port, 8443: silent.port };
    const { check, dialled } = zoneOn({ ports });
    assert.equal((await check("shop.acme.example", 400)).provider, null);
    assert.equal((await check()).provider, null);
    assert.deepEqual(dialled.toSorted(), everyPort);
  });

  it("is left alone when its site is elsewhere, or its servers are known", async () => {
    for (const machine of [
      { ports: {}, site: "198.51.100.7" },
      { ports: {}, servers: ["ada.ns.cloudflare.com", "bob.ns.cloudflare.com"] },
      { ports: {}, servers: ["ada.ns.cloudflare.com", "ns1.host.example"] },
      { ports: {}, off: ["cpanel", "directadmin", "plesk"] },
    ]) {
      const { check, dialled } = zoneOn(machine);
      await check();
      assert.deepEqual(dialled, [], JSON.stringify(machine));
    }
  });

  it("is not asked at the port of a panel that is switched off", async () => {
    const { check, dialled } = zoneOn({ ports: {}, off: ["plesk"] });
    await check();
    assert.deepEqual(dialled.toSorted(), everyPort.slice(0, 2));
  });

  it("is never asked for a new connection, which takes what is known", async () => {
    await using panel = await panelPage({ server: "cpsrvd" });
    const { check, dialled, runtime } = zoneOn({ ports: { 2083: panel.port } });
    const detect = () => detectForCreate(runtime, "live", "shop.acme.example", signal);
    assert.deepEqual([(await detect()).provider, dialled], [null, []]);
    await check();
    const { provider, setupType } = await detect();
    assert.deepEqual([provider, setupType], ["cpanel", "automatic"]);
    assert.equal(dialled.length, everyPort.length);
  });

  it("is reached through the guard: no address inside is dialled", async () => {
    const { runtime } = zoneOn({ ports: {} });
    const dials: string[] = [];
    const connect = () => {
      dials.push("dialled");
      throw new Error("nothing may be opened");
    };
    const guarded = { ...runtime, egress: createGuard({ connect }) };
    // 192.0.2.0/24 is documentation space, which is refused as any address that is not public.
    const input = { environment: "live", hostname: "acme.example", template: [], signal } as const;
    assert.equal((await checkHostname(guarded, input)).provider, null);
    assert.deepEqual(dials, []);
  });
});

it("takes the customers of a known host to the panel that it has", async () => {
  const servers = ["dns1.namecheaphosting.com", "dns2.namecheaphosting.com"];
  const { check, dialled } = zoneOn({ ports: {}, servers });
  const { provider, manifest } = await check();
  assert.deepEqual([provider?.slug, manifest?.slug], ["cpanel", "cpanel"]);
  assert.match(provider?.name ?? "", /Namecheap/);
  assert.deepEqual(dialled, []);
});
