import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { caaAllows, checkRecords, detectProvider, proveTxt } from "@mooring/dns";
import { edge, record, sandbox, shape, signal, start } from "@mooring/testing/control/sandbox";

describe("createSandboxResolver", () => {
  it("counts a zone that was never written as registered, empty and the sandbox's", async () => {
    const { resolver, ask } = sandbox();
    const found = await resolver.findZone("_service-challenge.shop.acme.test", signal);
    assert.ok(found.outcome === "found");
    assert.equal(found.zone, "acme.test");
    assert.equal(found.servers.length, 2);
    const hosts = found.servers.map(({ host }) => host);
    assert.equal(detectProvider(hosts).provider?.slug, "sandbox");
    assert.equal(await ask("acme.test", "TXT"), "NOERROR");
    assert.equal(await ask("shop.acme.test", "A"), "NXDOMAIN");
  });

  it("gives the named servers, sorted, at the delegation and in the zone", async () => {
    const { resolver, stored, write, ask } = sandbox();
    write("acme.test", []);
    const zone = stored.get("acme.test");
    assert.ok(zone);
    const nameservers = ["zoe.ns.cloudflare.com", "ada.ns.cloudflare.com"];
    stored.set("acme.test", { ...zone, nameservers });
    const found = await resolver.findZone("www.acme.test", signal);
    assert.ok(found.outcome === "found");
    const hosts = found.servers.map(({ host }) => host);
    assert.deepEqual(hosts, nameservers.toSorted());
    assert.equal(detectProvider(hosts).provider?.slug, "cloudflare");
    assert.deepEqual(
      await ask("acme.test", "NS"),
      nameservers.map((host) => `acme.test ${host}`),
    );
    const otherServer = { host: "a.ns.sandbox.test", addresses: ["192.0.2.1"] };
    const options = { signal, transport: "tcp" } as const;
    const refused = await resolver.askServer(otherServer, "acme.test", "A", options);
    assert.equal(shape(refused), "refused");
  });

  it("distinguishes names that do not exist from names without that type, with a negative TTL", async () => {
    const { resolver, ask } = sandbox({ "acme.test": ["a.deep.acme.test A 192.0.2.1"] });
    assert.equal(await ask("deep.acme.test", "A"), "NOERROR");
    assert.equal(await ask("a.deep.acme.test", "AAAA"), "NOERROR");
    assert.equal(await ask("b.deep.acme.test", "A"), "NXDOMAIN");
    assert.deepEqual(await ask("a.deep.acme.test", "A"), ["a.deep.acme.test 192.0.2.1"]);
    const absent = await resolver.resolve("none.acme.test", "A", signal);
    assert.ok(absent.outcome === "absent" && absent.negativeTtlSeconds === 60);
    const soa = await resolver.resolve("acme.test", "SOA", signal);
    assert.ok(soa.outcome === "records");
    assert.match(soa.records[0]?.value ?? "", / 60$/);
  });

  it("synthesises wildcards below the closest encloser only, owned by the name asked for", async () => {
    const { ask } = sandbox({
      "acme.test": ["*.acme.test A 192.0.2.1", "taken.acme.test TXT x", "x.sub.acme.test TXT y"],
    });
    assert.deepEqual(await ask("any.acme.test", "A"), ["any.acme.test 192.0.2.1"]);
    assert.deepEqual(await ask("a.b.acme.test", "A"), ["a.b.acme.test 192.0.2.1"]);
    assert.equal(await ask("any.acme.test", "TXT"), "NOERROR");
    assert.equal(await ask("taken.acme.test", "A"), "NOERROR");
    assert.equal(await ask("sub.acme.test", "A"), "NOERROR");
    assert.equal(await ask("y.sub.acme.test", "A"), "NXDOMAIN");
    assert.deepEqual(await ask("*.acme.test", "A"), ["*.acme.test 192.0.2.1"]);
  });

  it("follows CNAMEs, a server within its zone and a resolver wherever they point", async () => {
    const { ask, resolve } = sandbox({
      "acme.test": [
        "www.acme.test CNAME shop.acme.test",
        "shop.acme.test A 192.0.2.1",
        "away.acme.test CNAME b.other.test",
        "far.acme.test CNAME far.example",
        "edge.acme.test CNAME edge.service.example",
        "gone.acme.test CNAME none.acme.test",
        "a.acme.test CNAME b.acme.test",
        "b.acme.test CNAME a.acme.test",
      ],
      "other.test": ["b.other.test A 192.0.2.2"],
    });
    assert.deepEqual(await ask("www.acme.test", "A"), [
      "shop.acme.test 192.0.2.1",
      "via shop.acme.test",
    ]);
    assert.deepEqual(await ask("www.acme.test", "CNAME"), ["www.acme.test shop.acme.test"]);
    assert.deepEqual(await ask("away.acme.test", "A"), ["NOERROR", "via b.other.test"]);
    assert.deepEqual(await resolve("away.acme.test", "A"), [
      "b.other.test 192.0.2.2",
      "via b.other.test",
    ]);
    assert.deepEqual(await resolve("far.acme.test", "A"), [
      "farther.example 198.51.100.99",
      "via far.example farther.example",
    ]);
    assert.deepEqual(await resolve("edge.acme.test", "AAAA"), [
      "edge.service.example 2001:db8::7",
      "via edge.service.example",
    ]);
    assert.deepEqual(await resolve("gone.acme.test", "A"), ["NXDOMAIN", "via none.acme.test"]);
    assert.equal(await ask("a.acme.test", "A"), "cname_loop");
    assert.equal(await resolve("a.acme.test", "A"), "cname_loop");
  });

  it("answers an ALIAS, and a CNAME at the apex, as addresses of the name itself", async () => {
    const { ask, resolve } = sandbox({
      "acme.test": ["acme.test ALIAS edge.service.example", "acme.test MX 10 mx.acme.test"],
      "flat.test": ["flat.test CNAME www.flat.test", "www.flat.test A 192.0.2.3"],
      "self.test": ["self.test ALIAS x.self.test", "x.self.test ALIAS self.test"],
      "away.test": ["away.test ALIAS unknown.example"],
    });
    assert.deepEqual(await ask("acme.test", "A"), ["acme.test 198.51.100.7"]);
    assert.deepEqual(await resolve("acme.test", "AAAA"), ["acme.test 2001:db8::7"]);
    assert.equal(await ask("acme.test", "CNAME"), "NOERROR");
    assert.deepEqual(await ask("acme.test", "MX"), ["acme.test mx.acme.test"]);
    assert.deepEqual(await ask("flat.test", "A"), ["flat.test 192.0.2.3"]);
    assert.equal(await ask("flat.test", "CNAME"), "NOERROR");
    assert.equal(await ask("self.test", "A"), "servfail");
    assert.equal(await ask("away.test", "A"), "servfail");
  });

  it("answers a record only once it is visible", async () => {
    const { write, ask, advance } = sandbox();
    write("acme.test", ["shop.acme.test A 192.0.2.1"], 30_000);
    advance(29_999);
    assert.equal(await ask("shop.acme.test", "A"), "NXDOMAIN");
    advance(1);
    assert.deepEqual(await ask("shop.acme.test", "A"), ["shop.acme.test 192.0.2.1"]);
  });

  it("passes every other name to the outside resolver", async () => {
    const { resolver } = sandbox();
    assert.deepEqual(await resolver.findZone("shop.example", signal), { outcome: "unregistered" });
    const server = { host: "ns.example", addresses: [] };
    const options = { signal, transport: "udp" } as const;
    assert.equal(shape(await resolver.askServer(server, "shop.example", "A", options)), "timeout");
  });

  it("rejects with the signal's reason when aborted, also during a lookup", async () => {
    const aborted = AbortSignal.abort(new Error("aborted"));
    const { resolver } = sandbox();
    await assert.rejects(resolver.findZone("acme.test", aborted), /aborted/);
    await assert.rejects(resolver.resolve("acme.test", "A", aborted), /aborted/);
    const controller = new AbortController();
    const pending = resolver.findZone("acme.test", controller.signal);
    controller.abort(new Error("meanwhile"));
    await assert.rejects(pending, /meanwhile/);
  });
});

describe("checks with the sandbox resolver", () => {
  const challenge = "_service-challenge.shop.acme.test";
  const expected = { name: challenge, value: "service-verify=x", randomLabel: "r4nd0m", signal };
  const options = { edgeAddresses: ["198.51.100.7", "2001:db8::7"], now: start, signal };

  it("proves ownership by the exact TXT and by nothing else", async () => {
    const prove = async (...lines: readonly string[]) => {
      const { outcome, reason } = await proveTxt(
        sandbox({ "acme.test": lines }).resolver,
        expected,
      );
      return [outcome, reason];
    };
    assert.deepEqual(await prove(`${challenge} TXT service-verify=x`), ["match", undefined]);
    assert.deepEqual(await prove(`${challenge} TXT other`), ["mismatch", undefined]);
    assert.deepEqual(await prove(), ["absent", undefined]);
    assert.deepEqual(await prove("*.shop.acme.test TXT service-verify=x"), [
      "mismatch",
      "wildcard",
    ]);
    assert.deepEqual(
      await prove(`${challenge} CNAME t.acme.test`, "t.acme.test TXT service-verify=x"),
      ["mismatch", "cname"],
    );
  });

  it("finds the records of a subdomain and of a flattened apex, and a foreign address", async () => {
    const check = async (requested: string, ...lines: readonly string[]) => {
      const { resolver } = sandbox({ "acme.test": lines });
      const { records } = await checkRecords(resolver, [record(requested)], options);
      return records[0]?.outcome;
    };
    const cname = `shop.acme.test CNAME ${edge.cname}`;
    assert.equal(await check(cname, cname), "match");
    assert.equal(await check(cname, `*.acme.test CNAME ${edge.cname}`), "match");
    assert.equal(await check(cname), "absent");
    assert.equal(await check(cname, "shop.acme.test CNAME wrong.example"), "mismatch");
    const alias = `acme.test ALIAS ${edge.cname}`;
    assert.equal(await check(alias, alias), "match");
    assert.equal(await check(alias, `acme.test CNAME ${edge.cname}`), "match");
    assert.equal(await check(alias, "acme.test A 198.51.100.7"), "match");
    assert.equal(await check(alias, "acme.test A 192.0.2.66"), "mismatch");
  });

  it("reads CAA up to the top-level domain and through the CNAME to the edge", async () => {
    const { resolver } = sandbox({ "acme.test": [`shop.acme.test CNAME ${edge.cname}`] });
    const issuer = { issuers: ["ca.example"] };
    assert.equal((await caaAllows(resolver, "shop.acme.test", issuer, signal)).outcome, "allowed");
    const strict = sandbox({ "acme.test": ['acme.test CAA 0 issue "other.example"'] });
    const verdict = await caaAllows(strict.resolver, "shop.acme.test", issuer, signal);
    assert.equal(verdict.outcome, "forbidden");
  });
});
