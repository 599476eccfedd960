import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createNetworkResolver, type Resolver } from "@mooring/dns";
import { desired } from "@mooring/testing/control/diagnosis/facts";
import { codesOf, diagnoseWith } from "@mooring/testing/control/diagnosis/scripted-world";
import { domainChecks, joinMessages } from "@mooring/testing/control/domain-check";
import { type DnsServer, startKnot } from "@mooring/testing/dns/dns-servers";
import { freePort } from "@mooring/testing/processes/free-port";

const zone = "acme.example";
const delegation = "@ NS ns1\nns1 A 127.36.0.1\n@ A 192.0.2.10\n@ AAAA 2001:db8::10";

describe("HTTPS records that Knot serves", () => {
  let knot: DnsServer;
  let resolver: Resolver;
  before(async () => {
    const port = await freePort();
    knot = await startKnot({ address: "127.36.0.1", port, zones: { [zone]: delegation } });
    resolver = createNetworkResolver({
      resolvers: [`127.36.0.1:${port}`],
      authoritativePort: port,
      limits: { authoritative: { ratePerSecond: 1_000, burst: 1_000, maxInFlight: 32 } },
    });
  });
  after(() => knot.stop());

  const check = async (record: string, hostname = zone) => {
    await knot.setZone(zone, `${delegation}\n${record}`);
    const { conflicts, warnings } = await domainChecks(resolver).check(hostname);
    return { conflicts: conflicts.filter(({ type }) => type === "HTTPS"), warnings };
  };

  it("conflict when they point to another target, address or port, or need a key (ECH)", async () => {
    const { conflicts, warnings } = await check(
      "@ 300 HTTPS 1 . alpn=h2,h3 ipv4hint=203.0.113.5 ipv6hint=2001:db8:f::5",
    );
    const value = ". alpn=h2,h3 ipv4hint=203.0.113.5 ipv6hint=2001:db8:f::5";
    assert.deepEqual(conflicts, [{ host: zone, type: "HTTPS", value, ttl: 300, priority: 1 }]);
    assert.match(joinMessages(warnings), /^Remove the HTTPS record 1 \. alpn=h2,h3 /m);
    for (const [record, expected] of [
      ["@ HTTPS 0 old.example.net.", "old.example.net"],
      ["@ HTTPS 1 old.example.net. alpn=h2", "old.example.net alpn=h2"],
      ["@ HTTPS 1 . port=8443", ". port=8443"],
      ["@ HTTPS 1 . ech=AEX+DQBB", ". ech=AEX+DQBB"],
    ] as const) {
      const found = await check(record);
      assert.deepEqual(
        found.conflicts.map((conflict) => conflict.value),
        [expected],
      );
    }
  });

  it("do not conflict when they point where the name's addresses do", async () => {
    for (const record of [
      "@ HTTPS 1 . alpn=h2",
      "@ HTTPS 1 . alpn=h2 ipv4hint=192.0.2.10 ipv6hint=2001:db8::10",
      "@ HTTPS 1 acme.example. alpn=h2",
    ]) {
      assert.deepEqual((await check(record)).conflicts, [], record);
    }
  });

  it("conflict with a CNAME in any case: it must be alone", async () => {
    const { conflicts } = await check("www HTTPS 1 . alpn=h2", `www.${zone}`);
    assert.equal(conflicts.length, 1);
  });

  it("are a finding of their own, beside records that are right", async () => {
    await knot.setZone(zone, `${delegation}\n@ HTTPS 1 . ipv4hint=203.0.113.5`);
    const desiredRecords = [
      desired("A", "192.0.2.10", zone),
      desired("AAAA", "2001:db8::10", zone),
    ];
    const connection = { hostname: zone, desiredRecords, state: "live" } as const;
    const diagnosis = await diagnoseWith(resolver, { connection });
    assert.ok(codesOf(diagnosis).includes("https_leftover"), codesOf(diagnosis).join(" "));
    assert.ok(!codesOf(diagnosis).includes("record_conflict"));
    const finding = diagnosis.findings.find(({ code }) => code === "https_leftover");
    assert.deepEqual(finding?.evidence, [`${zone}: HTTPS 1 . ipv4hint=203.0.113.5`]);
  });
});
