import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SERVFAIL, SILENCE, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { scriptedResolver, valuesOf } from "@mooring/testing/dns/scripted-resolver";
import { a, answerFrom, cname, ns } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { createNetworkResolver } from "./network-resolver.ts";

const { signal } = new AbortController();
const zone = "acme.example";

describe("a resolver that reuses answers", () => {
  const records = [
    ns(zone, `ns1.${zone}`, 3_600),
    a(`ns1.${zone}`, "127.0.0.1", 600),
    cname(`www.${zone}`, "edge.example", 60),
    cname("alias.example", "far.example", 30),
    a("far.example", "192.0.2.1", 3_600),
  ];

  async function start(t: Parameters<typeof scriptedResolver>[0]) {
    let nowMs = Date.parse("2026-11-15T12:00:00Z");
    let fault = false;
    const right = answerFrom(records, { soa: zone });
    const { resolver, server } = await scriptedResolver(
      t,
      (question) => (fault ? SERVFAIL : right(question)),
      { now: () => new Date(nowMs) },
    );
    const reuse = resolver.reuse?.bind(resolver);
    assert.ok(reuse);
    const asked = async (run: () => Promise<unknown>): Promise<number> => {
      const before = server.seen.length;
      await run();
      return server.seen.length - before;
    };
    return {
      resolver,
      reuse,
      asked,
      later: (seconds: number) => {
        nowMs += seconds * 1_000;
      },
      break: (isBroken: boolean) => {
        fault = isBroken;
      },
    };
  }

  test("asks for a zone once while the TTL of its NS set and its addresses lasts", async (t) => {
    const { reuse, asked, later } = await start(t);
    const find = () => asked(() => reuse("ttl").findZone(zone, signal));
    // NS, A and AAAA; the absence of the AAAA counts for its negative TTL of 30 s.
    assert.deepEqual([await find(), await find()], [3, 0]);
    later(31);
    assert.equal(await find(), 1);
    later(600);
    assert.equal(await find(), 2);
    later(3_600);
    assert.equal(await find(), 3);
  });

  test("uses for one check only what was answered since it began", async (t) => {
    const { reuse, resolver, asked, later } = await start(t);
    await resolver.findZone(zone, signal);
    later(1);
    const fresh = reuse("now");
    assert.equal(await asked(() => fresh.findZone(zone, signal)), 3);
    assert.equal(await asked(() => fresh.findZone(zone, signal)), 0);
    assert.equal(await asked(() => resolver.findZone(zone, signal)), 3, "the plain one never");
  });

  test("takes what others have asked afresh", async (t) => {
    const { reuse, resolver, asked } = await start(t);
    await resolver.findZone(zone, signal);
    assert.equal(await asked(() => reuse("ttl").findZone(zone, signal)), 0);
  });

  test("finds one server with two questions, and none from memory when the TTL has ended", async (t) => {
    const { reuse, asked, later } = await start(t);
    const server = () => reuse("ttl").pickServer(zone, signal);
    assert.deepEqual(await server(), { host: `ns1.${zone}`, addresses: ["127.0.0.1"] });
    assert.equal(await asked(server), 0);
    later(601);
    assert.equal(await asked(server), 1);
    assert.equal(await reuse("ttl").pickServer(`www.${zone}`, signal), null);
  });

  test("never reuses what a server of the zone answers, nor a failure", async (t) => {
    const { reuse, asked, break: spoil } = await start(t);
    const server = await reuse("ttl").pickServer(zone, signal);
    assert.ok(server);
    const ask = () =>
      reuse("ttl").askServer(server, `www.${zone}`, "CNAME", { signal, transport: "udp" });
    assert.deepEqual([await asked(ask), await asked(ask)], [1, 1]);
    spoil(true);
    assert.equal(valuesOf(await reuse("ttl").resolve("far.example", "A", signal)), "servfail");
    spoil(false);
    assert.deepEqual(valuesOf(await reuse("ttl").resolve("far.example", "A", signal)), [
      "192.0.2.1",
    ]);
  });

  test("goes by the least TTL of a chain", async (t) => {
    const { reuse, asked, later } = await start(t);
    const resolve = () => asked(() => reuse("ttl").resolve("alias.example", "A", signal));
    assert.deepEqual([await resolve(), await resolve()], [1, 0]);
    later(31);
    assert.equal(await resolve(), 1);
  });
});

describe("several recursive resolvers", () => {
  test("share the names, and one that is silent is asked last for a while", async (t) => {
    const port = await freePort();
    let isSilent = false;
    const behave = answerFrom([]);
    const start = (address: string, silence: () => boolean) =>
      startScriptedDns({
        address,
        port,
        behave: (question) =>
          silence()
            ? SILENCE
            : { ...behave(question), rcode: 0, answers: [a(question.name, "192.0.2.1")] },
      });
    const servers = [
      await start("127.0.0.1", () => isSilent),
      await start("127.0.0.2", () => false),
      await start("127.0.0.3", () => false),
    ];
    t.after(() => Promise.all(servers.map((server) => server.stop())));
    let nowMs = 0;
    const resolver = createNetworkResolver({
      resolvers: servers.map((_, index) => `127.0.0.${index + 1}:${port}`),
      clock: { nowMs: () => nowMs },
      limits: { attemptTimeoutMs: 200, udpAttempts: 1 },
    });
    const names = Array.from({ length: 60 }, (_, index) => `name-${index}.example`);
    const askAll = async (): Promise<readonly number[]> => {
      const before = servers.map(({ seen }) => seen.length);
      for (const name of names) {
        assert.equal((await resolver.resolve(name, "A", signal)).outcome, "records");
      }
      return servers.map(({ seen }, index) => seen.length - (before[index] ?? 0));
    };
    const first = await askAll();
    assert.equal(
      first.reduce((sum, count) => sum + count),
      names.length,
    );
    assert.ok(
      first.every((count) => count >= 10),
      first.join(" "),
    );
    assert.deepEqual(await askAll(), first, "each name goes to the same one");
    isSilent = true;
    const [silent = 0] = await askAll();
    assert.equal(silent, 1, "it is asked once, and not again");
    isSilent = false;
    nowMs = 60_000;
    assert.deepEqual(await askAll(), first);
  });
});
