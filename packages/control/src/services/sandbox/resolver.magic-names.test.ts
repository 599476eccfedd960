import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { caaAllows, checkRecords, isProxyAddress, proveTxt } from "@mooring/dns";
import { edge, record, sandbox, signal, start } from "@mooring/testing/control/sandbox";

describe("magic names", () => {
  const target = edge.cname;

  it("stall: shows the ownership TXT and nothing else, wildcards included", async () => {
    const { ask } = sandbox({
      "acme.test": [
        `stall.acme.test CNAME ${target}`,
        `*.acme.test CNAME ${target}`,
        `www.stall.acme.test CNAME ${target}`,
        "_service-challenge.stall.acme.test TXT proof",
        `plain.acme.test CNAME ${target}`,
      ],
      "b.test": [`*.b.test CNAME ${target}`],
    });
    assert.equal(await ask("stall.acme.test", "CNAME"), "NOERROR");
    assert.equal(await ask("www.stall.acme.test", "A"), "NXDOMAIN");
    assert.equal(await ask("stall.b.test", "CNAME"), "NXDOMAIN");
    assert.deepEqual(await ask("plain.acme.test", "CNAME"), [`plain.acme.test ${target}`]);
    assert.deepEqual(await ask("_service-challenge.stall.acme.test", "TXT"), [
      "_service-challenge.stall.acme.test proof",
    ]);
  });

  it("drift: answers a foreign address 10 s after live, until the zone is written again", async () => {
    const lines = [`drift.acme.test CNAME ${target}`];
    const { ask, live, advance, write } = sandbox({ "acme.test": lines });
    const right = [`drift.acme.test ${target}`];
    advance(60_000);
    assert.deepEqual(await ask("drift.acme.test", "CNAME"), right);
    live.set("drift.acme.test", new Date(start.getTime() + 60_000));
    advance(9_999);
    assert.deepEqual(await ask("drift.acme.test", "CNAME"), right);
    write("acme.test", lines);
    advance(1);
    assert.equal(await ask("drift.acme.test", "CNAME"), "NOERROR");
    assert.deepEqual(await ask("drift.acme.test", "A"), ["drift.acme.test 203.0.113.9"]);
    write("acme.test", lines);
    assert.deepEqual(await ask("drift.acme.test", "CNAME"), right);
    advance(3_600_000);
    assert.deepEqual(await ask("drift.acme.test", "CNAME"), right);
  });

  it("caa: forbids every issuer, beside whatever the name has", async () => {
    const zones = { "acme.test": [`caa.acme.test CNAME ${target}`] };
    const { resolver, ask } = sandbox(zones);
    const issuer = { issuers: ["ca.example"] };
    const verdict = await caaAllows(resolver, "caa.acme.test", issuer, signal);
    assert.equal(verdict.outcome, "forbidden");
    assert.deepEqual(await ask("caa.acme.test", "CNAME"), [`caa.acme.test ${target}`]);
    const unwritten = await caaAllows(sandbox().resolver, "caa.b.test", issuer, signal);
    assert.equal(unwritten.outcome, "forbidden");
  });

  it("caa: forbids until the name or its zone has a CAA record, as a customer is asked to add", async () => {
    const issuer = { issuers: ["ca.example"] };
    const judge = async (line: string) => {
      const zones = { "acme.test": [`caa.acme.test CNAME ${target}`, line] };
      return (await caaAllows(sandbox(zones).resolver, "caa.acme.test", issuer, signal)).outcome;
    };
    assert.equal(await judge('acme.test CAA 0 issue "ca.example"'), "allowed");
    assert.equal(await judge('acme.test CAA 0 issue "another.example"'), "forbidden");
  });

  it("proxied: shows the proxy's addresses and hides the CNAME, once there is one", async () => {
    const { resolver, ask } = sandbox({ "acme.test": [`proxied.acme.test CNAME ${target}`] });
    const check = await checkRecords(resolver, [record(`proxied.acme.test CNAME ${target}`)], {
      edgeAddresses: [],
      now: start,
      signal,
    });
    assert.equal(check.records[0]?.outcome, "mismatch");
    const observed = check.records[0]?.observedValues ?? [];
    assert.ok(observed.length === 2 && observed.every(isProxyAddress), observed.join());
    assert.equal(await ask("proxied.acme.test", "CNAME"), "NOERROR");
    assert.equal(await sandbox().ask("proxied.b.test", "A"), "NXDOMAIN");
  });

  it("dnssec: is bogus to every resolver, so that nothing is proven", async () => {
    const name = "_service-challenge.dnssec.acme.test";
    const { resolver, resolve } = sandbox({ "acme.test": [`${name} TXT v`] });
    const proof = await proveTxt(resolver, { name, value: "v", randomLabel: "r", signal });
    assert.deepEqual([proof.outcome, proof.reason], ["unknown", "dnssec_bogus"]);
    assert.equal(await resolve("dnssec.acme.test", "A"), "bogus");
    assert.equal(await resolve("acme.test", "SOA").then(Array.isArray), true);
  });

  it("slow: answers records 20 s late, those of a wildcard too", async () => {
    const { ask, advance } = sandbox({
      "acme.test": ["slow.acme.test A 192.0.2.1"],
      "b.test": ["*.b.test A 192.0.2.1"],
    });
    advance(19_999);
    assert.equal(await ask("slow.acme.test", "A"), "NXDOMAIN");
    assert.equal(await ask("slow.b.test", "A"), "NXDOMAIN");
    assert.deepEqual(await ask("quick.b.test", "A"), ["quick.b.test 192.0.2.1"]);
    advance(1);
    assert.deepEqual(await ask("slow.acme.test", "A"), ["slow.acme.test 192.0.2.1"]);
    assert.deepEqual(await ask("slow.b.test", "A"), ["slow.b.test 192.0.2.1"]);
  });
});
