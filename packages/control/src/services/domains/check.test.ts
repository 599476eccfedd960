import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { domainChecksAt, joinMessages } from "@mooring/testing/control/domain-check";
import {
  type Behaviour,
  SERVFAIL,
  SILENCE,
  startScriptedDns,
} from "@mooring/testing/dns/scripted-dns";
import { a, aaaa, answerFrom, cname, ns, txt } from "@mooring/testing/dns/scripted-zone";
import type { Answer } from "dns-packet";

/** A zone at a provider, with its servers' addresses. */
function zoneAt(servers: readonly string[], ...records: readonly Answer[]): readonly Answer[] {
  const delegation = servers.flatMap((host) => [ns("acme.example", host), a(host, "127.0.0.1")]);
  return [...delegation, a("edge.mooring.example", "192.0.2.10"), ...records];
}

const desec = ["ns1.desec.io", "ns2.desec.org"];
const cloudflare = ["ann.ns.cloudflare.com", "bob.ns.cloudflare.com"];

function caa(name: string, value: string): Answer {
  return { name, type: "CAA", ttl: 60, data: { flags: 0, tag: "issue", value } };
}

describe("a domain check", () => {
  it("reports provider, nameserver and parts of a clean subdomain, without warnings", async (t) => {
    const dns = await domainChecksAt(t, answerFrom(zoneAt(desec)));
    const { guide, ...check } = await dns.check("shop.acme.example");
    assert.deepEqual(guide.ways, ["token", "manual"]);
    assert.equal(guide.panel?.url, "https://desec.io/domains/acme.example");
    assert.deepEqual(
      { ...check, manifest: check.manifest?.slug, provider: check.provider?.name },
      {
        hostname: "shop.acme.example",
        parts: {
          registrableDomain: "acme.example",
          subdomain: "shop",
          publicSuffix: "example",
          kind: "subdomain",
        },
        registered: true,
        provider: "deSEC",
        manifest: "desec",
        domainConnect: false,
        nameserver: "ns1.desec.io",
        zone: "acme.example",
        conflicts: [],
        dnssec: "unsigned",
        caaAllows: true,
        warnings: [],
        inUse: null,
      },
    );
  });

  it("finds every conflicting record at the zone's own servers", async (t) => {
    const zone = zoneAt(
      desec,
      a("acme.example", "203.0.113.5"),
      aaaa("acme.example", "2001:db8:f::5", 3_600),
      a("acme.example", "192.0.2.10"),
      txt("acme.example", "stays"),
    );
    const dns = await domainChecksAt(t, answerFrom(zone));
    const { conflicts, warnings } = await dns.check("acme.example");
    assert.deepEqual(conflicts, [
      { host: "acme.example", type: "A", value: "203.0.113.5", ttl: 60, priority: null },
      { host: "acme.example", type: "AAAA", value: "2001:db8:f::5", ttl: 3_600, priority: null },
    ]);
    assert.match(joinMessages(warnings), /^Remove the AAAA record 2001:db8:f::5 at acme\.example/m);
    assert.match(
      joinMessages(warnings),
      /^Keep the A and AAAA records of acme\.example up to date/m,
    );
  });

  it("checks every name of an application's template", async (t) => {
    const zone = zoneAt(desec, cname("www.shop.acme.example", "old.host.example"));
    const dns = await domainChecksAt(t, answerFrom(zone));
    const record = { ttl: null, priority: null };
    const template = [
      { ...record, host: "@", type: "A", value: "{{edge_ipv4}}" },
      { ...record, host: "www", type: "CNAME", value: "{{edge_cname}}" },
    ];
    const { conflicts } = await dns.check("shop.acme.example", { template });
    assert.deepEqual(
      conflicts.map(({ host, value }) => [host, value]),
      [["www.shop.acme.example", "old.host.example"]],
    );
  });

  it("reports a domain as unregistered only when DNS does", async (t) => {
    const dns = await domainChecksAt(t, answerFrom(zoneAt(desec)));
    const missing = await dns.check("shop.nowhere.example");
    assert.equal(missing.registered, false);
    assert.match(joinMessages(missing.warnings), /^Register nowhere\.example first/);
    const failing = await domainChecksAt(t, () => SERVFAIL);
    const unknown = await failing.check("shop.acme.example");
    assert.deepEqual([unknown.registered, unknown.provider, unknown.caaAllows], [true, null, null]);
    assert.match(
      joinMessages(unknown.warnings),
      /^Check the nameservers of acme\.example .*servfail/m,
    );
    assert.doesNotMatch(joinMessages(unknown.warnings), /^Check again/m);
  });

  it("names the exact CAA record that is missing, and where", async (t) => {
    const zone = zoneAt(desec, caa("acme.example", "digicert.com"));
    const dns = await domainChecksAt(t, answerFrom(zone));
    const check = await dns.check("shop.acme.example");
    assert.equal(check.caaAllows, false);
    assert.match(
      joinMessages(check.warnings),
      /^Add the record acme\.example CAA 0 issue "letsencrypt\.org": .*0 issue "digicert\.com"/m,
    );
    const both = [...zone, caa("acme.example", "letsencrypt.org")];
    const allowing = await domainChecksAt(t, answerFrom(both));
    assert.equal((await allowing.check("shop.acme.example")).caaAllows, true);
  });

  it("ignores the CAA of the platform that the CNAME points to now", async (t) => {
    const zone = zoneAt(
      desec,
      cname("shop.acme.example", "old.host.example"),
      caa("old.host.example", "digicert.com"),
    );
    const dns = await domainChecksAt(t, answerFrom(zone));
    assert.equal((await dns.check("shop.acme.example")).caaAllows, true);
    const edge = [...zoneAt(desec), caa("edge.mooring.example", "digicert.com")];
    const forbidding = await domainChecksAt(t, answerFrom(edge));
    assert.equal((await forbidding.check("shop.acme.example")).caaAllows, false);
  });

  it("distinguishes a proxied name from one that is flattened to the edge", async (t) => {
    const proxied = zoneAt(cloudflare, a("acme.example", "104.16.1.1"));
    const dns = await domainChecksAt(t, answerFrom(proxied));
    const hidden = await dns.check("acme.example");
    assert.equal(hidden.provider?.slug, "cloudflare");
    const refused = await dns.check("acme.example", { proxied: "refuse" });
    assert.match(joinMessages(refused.warnings), /^Switch the proxy off for acme\.example/m);
    assert.match(joinMessages(hidden.warnings), /^Leave acme\.example behind Cloudflare/m);
    const flattened = zoneAt(cloudflare, a("acme.example", "192.0.2.10"));
    const open = await domainChecksAt(t, answerFrom(flattened));
    const check = await open.check("acme.example");
    assert.deepEqual([check.conflicts, check.warnings], [[], []]);
  });

  it("reports records of the name itself as conflicts, and a wildcard's not", async (t) => {
    const answer = answerFrom(zoneAt(desec));
    const dns = await domainChecksAt(t, (question): Behaviour => {
      const { name, type } = question;
      const isCovered = name.endsWith(".acme.example") && !name.endsWith(".own.acme.example");
      return type === "A" && isCovered ? { answers: [a(name, "203.0.113.9")] } : answer(question);
    });
    const covered = await dns.check("shop.acme.example");
    assert.deepEqual(covered.conflicts, []);
    assert.match(
      joinMessages(covered.warnings),
      /^Add all records for shop\.acme\.example together: a wildcard/m,
    );
    const real = await dns.check("own.acme.example");
    assert.deepEqual(
      real.conflicts.map(({ value }) => value),
      ["203.0.113.9"],
    );
    assert.doesNotMatch(joinMessages(real.warnings), /wildcard/);
  });

  it("warns of several providers, of none, and of deceptive letters", async (t) => {
    const mixed = await domainChecksAt(
      t,
      answerFrom(zoneAt(["ns1.desec.io", "ann.ns.cloudflare.com"])),
    );
    const check = await mixed.check("shop.acme.example");
    assert.deepEqual([check.provider, check.manifest], [null, null]);
    assert.match(
      joinMessages(check.warnings),
      /every DNS provider.*deSEC.*Cloudflare|Cloudflare.*deSEC/m,
    );
    const vanity = await domainChecksAt(t, answerFrom(zoneAt(["ns1.acme.example"])));
    const unknown = await vanity.check("shop.acme.example");
    assert.deepEqual([unknown.provider, unknown.warnings], [null, []]);
    const odd = await vanity.check("xn--pple-43d.acme.example");
    assert.match(joinMessages(odd.warnings), /xn--pple-43d\.acme\.example.*mixes letters/);
  });

  it("names the zone that counts when a subdomain is delegated", async (t) => {
    const zone = zoneAt(
      desec,
      ns("shop.acme.example", "ann.ns.cloudflare.com"),
      a("ann.ns.cloudflare.com", "127.0.0.1"),
    );
    const dns = await domainChecksAt(t, answerFrom(zone));
    const check = await dns.check("shop.acme.example");
    assert.equal(check.provider?.slug, "cloudflare");
    assert.match(joinMessages(check.warnings), /^Add the records in the zone shop\.acme\.example/m);
    assert.deepEqual(check.conflicts, []);
  });
});

describe("a domain check whose servers are slow", () => {
  it("returns what is known when its budget ends, and says that something is missing", async (t) => {
    const answer = answerFrom(zoneAt(desec));
    const dns = await domainChecksAt(t, (question) =>
      ["CAA", "DS", "MX"].includes(question.type) ? SILENCE : answer(question),
    );
    const started = performance.now();
    const check = await dns.check("shop.acme.example", { budgetMs: 1_500 });
    assert.ok(performance.now() - started < 8_000);
    assert.equal(check.provider?.slug, "desec");
    assert.deepEqual([check.dnssec, check.caaAllows], ["unknown", null]);
    assert.match(joinMessages(check.warnings), /^Check again shortly/m);
  });

  it("returns a result even when no server answers", async (t) => {
    const dns = await domainChecksAt(t, () => SILENCE);
    const check = await dns.check("shop.acme.example", { budgetMs: 100 });
    assert.deepEqual(
      [check.registered, check.provider, check.nameserver, check.dnssec, check.conflicts],
      [true, null, null, "unknown", []],
    );
  });

  const twoServers = [
    ns("acme.example", "ns1.desec.io"),
    ns("acme.example", "ns2.desec.org"),
    a("ns1.desec.io", "127.0.0.9"),
    a("ns2.desec.org", "127.0.0.1"),
    a("edge.mooring.example", "192.0.2.10"),
    a("shop.acme.example", "203.0.113.5"),
  ];

  it("asks another server of the zone when the first is unreachable", async (t) => {
    const dns = await domainChecksAt(t, answerFrom(twoServers));
    const check = await dns.check("shop.acme.example");
    assert.deepEqual(
      check.conflicts.map(({ value }) => value),
      ["203.0.113.5"],
    );
    assert.deepEqual(check.warnings, []);
  });

  it("asks another server of the zone when the first does not answer", async (t) => {
    const dns = await domainChecksAt(t, answerFrom(twoServers, { soa: "acme.example" }));
    const { port } = dns.server;
    const silent = await startScriptedDns({ address: "127.0.0.9", port, behave: () => SILENCE });
    t.after(() => silent.stop());
    const check = await dns.check("shop.acme.example");
    assert.ok(silent.seen.length > 0);
    assert.deepEqual(
      check.conflicts.map(({ value }) => value),
      ["203.0.113.5"],
    );
    assert.deepEqual(check.warnings, []);
  });
});

it("a second check within seconds uses the cached zone, a later one does not", async (t) => {
  const dns = await domainChecksAt(t, answerFrom(zoneAt(desec)));
  const lookups = () =>
    dns.server.seen.filter(
      ({ type, name, recursionDesired }) =>
        recursionDesired && type === "NS" && name.endsWith("acme.example"),
    ).length;
  await dns.check("shop.acme.example");
  const first = lookups();
  assert.ok(first > 0);
  await dns.check("shop.acme.example");
  assert.equal(lookups(), first);
  dns.clock.advance(10_001);
  await dns.check("shop.acme.example");
  assert.ok(lookups() > first);
});
