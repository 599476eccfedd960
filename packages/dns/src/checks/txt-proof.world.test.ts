import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startBindRecursive } from "@mooring/testing/dns/bind-recursive";
import { type DnsServer, startBind, startKnot } from "@mooring/testing/dns/dns-servers";
import { freePort } from "@mooring/testing/processes/free-port";
import type { DnsRecord } from "../record.ts";
import { withoutCaches } from "../resolve/at-authority.ts";
import { createNetworkResolver } from "../resolve/network-resolver.ts";
import type { Resolver } from "../resolve/resolver.ts";
import { caaAllows } from "./caa.ts";
import { dnssecStatus } from "./dnssec.ts";
import { checkRecords } from "./records.ts";
import { proveCname, proveTxt } from "./txt-proof.ts";

const zoneName = "acme.example";
const challengeName = `_service-challenge.shop.${zoneName}`;
const challengeValue = "service-verify=AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKK";
const delegation = ["@ NS ns1", "@ NS ns2", "ns1 A 127.0.1.1", "ns2 A 127.0.1.2"].join("\n");

describe("with Knot and BIND as the zone's two servers and a validating BIND as resolver", () => {
  let knot: DnsServer;
  let bind: DnsServer;
  const started: { stop(): Promise<void> }[] = [];
  let resolver: Resolver;
  const { signal } = new AbortController();

  before(async () => {
    const port = await freePort();
    const zones = { [zoneName]: delegation, "broken.example": delegation };
    knot = await startKnot({ address: "127.0.1.1", port, zones });
    started.push(knot);
    bind = await startBind({ address: "127.0.1.2", port, zones });
    started.push(bind);
    const recursive = await startBindRecursive({
      address: "127.0.1.3",
      port,
      authoritativePort: port,
      zones: { [zoneName]: ["127.0.1.1", "127.0.1.2"], "broken.example": ["127.0.1.1"] },
      bogusZones: ["broken.example"],
    });
    started.push(recursive);
    resolver = createNetworkResolver({
      resolvers: [`127.0.1.3:${port}`],
      authoritativePort: port,
      limits: { authoritative: { ratePerSecond: 1_000, burst: 1_000, maxInFlight: 32 } },
    });
  });
  after(() => Promise.all(started.map((server) => server.stop())));

  const setBoth = (records: string) =>
    Promise.all(
      [knot, bind].map((server) => server.setZone(zoneName, `${delegation}\n${records}`)),
    );
  const prove = () =>
    proveTxt(resolver, {
      name: challengeName,
      value: challengeValue,
      randomLabel: "z9k2m4x7",
      signal,
    });

  test("finds the zone and both servers through the resolver", async () => {
    assert.deepEqual(await resolver.findZone(challengeName, signal), {
      outcome: "found",
      zone: zoneName,
      servers: [
        { host: `ns1.${zoneName}`, addresses: ["127.0.1.1"] },
        { host: `ns2.${zoneName}`, addresses: ["127.0.1.2"] },
      ],
    });
    assert.deepEqual(await resolver.findZone("www.unregistered.example", signal), {
      outcome: "unregistered",
    });
  });

  test("proves a value that both servers give, beside other values and in any chunks", async () => {
    const [head, tail] = [challengeValue.slice(0, 20), challengeValue.slice(20)];
    await setBoth(
      `_service-challenge.shop TXT "${head}" "${tail}"\n_service-challenge.shop TXT "x"`,
    );
    const proof = await prove();
    assert.equal(proof.outcome, "match");
    assert.deepEqual([...proof.observed].sort(), [challengeValue, "x"].sort());
  });

  test("calls it partial while one server is stale, and names it", async () => {
    await setBoth("");
    await bind.setZone(zoneName, `${delegation}\n_service-challenge.shop TXT "${challengeValue}"`);
    const proof = await prove();
    assert.equal(proof.outcome, "partial");
    assert.deepEqual(
      proof.servers.map(({ server, outcome }) => [server, outcome]),
      [
        [`ns1.${zoneName}`, "absent"],
        [`ns2.${zoneName}`, "match"],
      ],
    );
  });

  test("refuses a wildcard and a CNAME that give the very value", async () => {
    await setBoth(`*.shop TXT "${challengeValue}"`);
    const wildcard = await prove();
    assert.deepEqual([wildcard.outcome, wildcard.reason], ["mismatch", "wildcard"]);
    await setBoth(`_service-challenge.shop CNAME elsewhere\nelsewhere TXT "${challengeValue}"`);
    const alias = await prove();
    assert.deepEqual([alias.outcome, alias.reason], ["mismatch", "cname"]);
  });

  describe("a CNAME as proof", () => {
    const target = "abcdefghijklmnopqrstuvwxyz.edge.service.example";
    const proveAlias = (name = `shop.${zoneName}`, value = target) =>
      proveCname(resolver, { name, value, randomLabel: "z9k2m4x7", signal });
    const seen = async (name?: string) => {
      const { outcome, reason } = await proveAlias(name);
      return [outcome, reason];
    };

    test("is the exact name's own first hop, whatever its letters' case", async () => {
      await setBoth("shop CNAME ABCDEFGHIJKLMNOPQRSTUVWXYZ.Edge.Service.Example.");
      const proof = await proveAlias();
      assert.deepEqual([proof.outcome, proof.observed], ["match", [target]]);
      assert.ok(proof.servers.every(({ transport }) => transport === "tcp"));
    });

    test("is none where a wildcard gives it, of the parent or of the zone", async () => {
      await setBoth(`* CNAME ${target}.`);
      assert.deepEqual(await seen(), ["mismatch", "wildcard_answer"]);
      assert.deepEqual(await seen(`a.b.${zoneName}`), ["mismatch", "wildcard_answer"]);
      await setBoth(`*.eu CNAME ${target}.`);
      assert.deepEqual(await seen(`shop.eu.${zoneName}`), ["mismatch", "wildcard_answer"]);
      await setBoth(`* CNAME elsewhere.example.\nshop CNAME ${target}.`);
      assert.deepEqual(await seen(), ["match", undefined]);
    });

    test("is none while the servers disagree", async () => {
      await setBoth("shop CNAME bcdefghijklmnopqrstuvwxyza.edge.service.example.");
      assert.deepEqual(await seen(), ["mismatch", undefined]);
      await bind.setZone(zoneName, `${delegation}\nshop CNAME ${target}.`);
      assert.deepEqual(await seen(), ["partial", undefined]);
      await bind.setZone(zoneName, `${delegation}\nshop A 192.0.2.7`);
      assert.deepEqual(await seen(), ["mismatch", undefined]);
    });

    test("is none through somebody else's name, nor by a DNAME", async () => {
      await setBoth(`shop CNAME other\nother CNAME ${target}.`);
      assert.deepEqual(await seen(), ["mismatch", undefined]);
      await setBoth("eu DNAME edge.service.example.");
      assert.deepEqual(await seen(`shop.eu.${zoneName}`), ["mismatch", undefined]);
      const label = target.slice(0, target.indexOf("."));
      assert.deepEqual(await seen(`${label}.eu.${zoneName}`), ["mismatch", "wildcard_answer"]);
    });

    test("is not known in a zone with broken signatures", async () => {
      assert.deepEqual(await seen("shop.broken.example"), ["unknown", "dnssec_bogus"]);
    });
  });

  test("distinguishes absent from a wrong value", async () => {
    await setBoth("");
    assert.equal((await prove()).outcome, "absent");
    await setBoth('_service-challenge.shop TXT "service-verify=other"');
    const proof = await prove();
    assert.deepEqual([proof.outcome, proof.observed], ["mismatch", ["service-verify=other"]]);
  });

  test("sees records of every type exactly as they were asked for", async () => {
    const records: readonly Omit<DnsRecord, "ttl">[] = [
      { name: zoneName, type: "A", value: "192.0.2.1", priority: null },
      { name: zoneName, type: "AAAA", value: "2001:db8::1", priority: null },
      { name: `www.${zoneName}`, type: "CNAME", value: "edge.service.example", priority: null },
      { name: zoneName, type: "MX", value: "mail.acme.example", priority: 10 },
      { name: zoneName, type: "TXT", value: "v=spf1 -all", priority: null },
      { name: zoneName, type: "CAA", value: '0 issue "ca.example"', priority: null },
      { name: `_sip._tcp.${zoneName}`, type: "SRV", value: "5 5060 sip.acme.example", priority: 1 },
    ];
    await setBoth(
      [
        "@ A 192.0.2.1",
        "@ AAAA 2001:db8::1",
        "www CNAME edge.service.example.",
        "@ MX 10 mail",
        '@ TXT "v=spf1 " "-all"',
        '@ CAA 0 issue "ca.example"',
        "_sip._tcp SRV 1 5 5060 sip",
      ].join("\n"),
    );
    const now = new Date(0);
    const wanted = records.map((record) => ({ ...record, ttl: 60 }));
    const checked = await checkRecords(resolver, wanted, { edgeAddresses: [], now, signal });
    assert.deepEqual(
      checked.records.map(({ record, outcome }) => [record.type, outcome]),
      records.map(({ type }) => [type, "match"]),
    );
    assert.deepEqual(checked.visibleEverywhereBy, now);
    const allows = (issuer: string) => caaAllows(resolver, zoneName, { issuers: [issuer] }, signal);
    assert.equal((await allows("ca.example")).outcome, "allowed");
    assert.equal((await allows("other.example")).outcome, "forbidden");
  });

  test("reads the parameters of CAA as a real server sends them", async () => {
    const account = "https://ca.example/acct/1";
    await setBoth(
      [
        `@ CAA 0 issue "ca.example; accounturi=${account}; validationmethods=http-01"`,
        '@ CAA 128 issuewild "wild.example"',
      ].join("\n"),
    );
    const verdict = (hostname: string, uri: string) =>
      caaAllows(
        // BIND, the resolver, remembers the CAA records of the test before.
        withoutCaches(resolver),
        hostname,
        {
          issuers: ["ca.example"],
          methods: ["tls-alpn-01", "http-01"],
          accountUri: async () => uri,
        },
        signal,
      );
    const right = await verdict(zoneName, account);
    assert.deepEqual(right.outcome === "allowed" && right.methods, ["http-01"]);
    const wrong = await verdict(zoneName, `${account}2`);
    assert.equal(wrong.outcome === "forbidden" && wrong.reason.by, "accounturi");
    const wild = await verdict(`*.${zoneName}`, account);
    assert.equal(wild.outcome === "forbidden" && wild.reason.by, "issuewild");
  });

  test("repeats by TCP what does not fit into a datagram", async () => {
    const texts = Array.from({ length: 30 }, (_, index) => `big TXT "${index}-${"x".repeat(200)}"`);
    await setBoth(texts.join("\n"));
    for (const address of ["127.0.1.1", "127.0.1.2"]) {
      const server = { host: address, addresses: [address] };
      const options = { signal, transport: "udp" } as const;
      const reply = await resolver.askServer(server, `big.${zoneName}`, "TXT", options);
      assert.ok(reply.outcome === "records");
      assert.deepEqual([reply.records.length, reply.transport], [30, "tcp"]);
    }
  });

  test("calls a zone with broken signatures bogus, and proves nothing in it", async () => {
    assert.equal(await dnssecStatus(resolver, "broken.example", signal), "bogus");
    assert.equal(await dnssecStatus(resolver, zoneName, signal), "unsigned");
    const name = "_service-challenge.broken.example";
    const proof = await proveTxt(resolver, {
      name,
      value: challengeValue,
      randomLabel: "q1",
      signal,
    });
    assert.deepEqual([proof.outcome, proof.reason], ["unknown", "dnssec_bogus"]);
  });

  test("names the servers of a zone with broken signatures, for detection", async () => {
    const checked = await resolver.findZone("shop.broken.example", signal);
    assert.deepEqual(checked, { outcome: "failed", reason: "bogus" });
    const found = await resolver.findUncheckedZone?.("shop.broken.example", signal);
    assert.ok(found?.outcome === "found", JSON.stringify(found));
    assert.equal(found.zone, "broken.example");
    assert.ok(found.servers.length > 0);
  });
});

describe("a dynamic zone", () => {
  for (const [program, start, address] of [
    ["Knot", startKnot, "127.0.1.4"],
    ["BIND", startBind, "127.0.1.5"],
  ] as const) {
    test(`takes signed updates on ${program}, and they are visible at once`, async (t) => {
      const port = await freePort();
      const server = await start({
        address,
        port,
        zones: { [zoneName]: delegation },
        dynamic: true,
      });
      t.after(() => server.stop());
      await server.update(zoneName, [`update add ${challengeName}. 60 TXT "${challengeValue}"`]);
      const resolver = createNetworkResolver({ resolvers: [], authoritativePort: port });
      const { signal } = new AbortController();
      const asked = { host: address, addresses: [address] };
      const reply = await resolver.askServer(asked, challengeName, "TXT", {
        signal,
        transport: "tcp",
      });
      assert.ok(reply.outcome === "records");
      assert.deepEqual(
        reply.records.map(({ value }) => value),
        [challengeValue],
      );
    });
  }
});
