import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Holding, memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { type Behaviour, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, ns, txt } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { createNetworkResolver } from "../resolve/network-resolver.ts";
import type { Resolver } from "../resolve/resolver.ts";
import { proveCname, proveTxt, type TxtProof } from "./txt-proof.ts";

const challengeName = "_service-challenge.shop.acme.example";
const challengeValue = "service-verify=token";
const expectedText = records(`${challengeName} 60 TXT ${challengeValue}`);
const otherText = records(`${challengeName} 60 TXT service-verify=other`);
const withoutText = records("acme.example 60 A 192.0.2.1");

function prove(resolver: Resolver): Promise<TxtProof> {
  const { signal } = new AbortController();
  return proveTxt(resolver, {
    name: challengeName,
    value: challengeValue,
    randomLabel: "r4nd0m",
    signal,
  });
}

function proveWith(...holdings: readonly Holding[]): Promise<TxtProof> {
  const servers = Object.fromEntries(
    holdings.map((holding, index) => [`ns${index + 1}.acme.example`, holding]),
  );
  return prove(memoryResolver({ zone: "acme.example", servers }));
}

describe("proveTxt", () => {
  const cases: readonly (readonly [string, readonly Holding[], string, string | undefined])[] = [
    ["all servers agree", [expectedText, expectedText, expectedText], "match", undefined],
    ["the only server of a delegation agrees", [expectedText], "match", undefined],
    [
      "one of three is away and two agree",
      [expectedText, "timeout", expectedText],
      "match",
      undefined,
    ],
    [
      "only one of two answers, though rightly",
      [expectedText, "timeout"],
      "unknown",
      "dns_timeout",
    ],
    [
      "only one of two answers, and it is empty",
      [withoutText, "servfail"],
      "unknown",
      "dns_servfail",
    ],
    ["one of two is stale", [expectedText, withoutText], "partial", undefined],
    ["one of two has an old value", [expectedText, otherText], "partial", undefined],
    [
      "one of three is stale and one away",
      [expectedText, "lame", withoutText],
      "partial",
      undefined,
    ],
    ["no server has it", [withoutText, withoutText], "absent", undefined],
    ["all have another value", [otherText, otherText], "mismatch", undefined],
    ["some have another value and some none", [otherText, withoutText], "mismatch", undefined],
    ["all fail", ["servfail", "refused"], "unknown", "dns_servfail"],
    ["all are silent", ["timeout", "unreachable"], "unknown", "dns_timeout"],
    ["the delegation is empty", [], "unknown", "dns_timeout"],
  ];
  for (const [situation, holdings, outcome, reason] of cases) {
    test(`says ${outcome} when ${situation}`, async () => {
      const proof = await proveWith(...holdings);
      assert.deepEqual([proof.outcome, proof.reason], [outcome, reason]);
      assert.equal(proof.servers.length, holdings.length);
    });
  }

  test("asks by TCP only, and lists each value once", async () => {
    const both = [...expectedText, ...otherText];
    const servers = { "ns1.acme.example": both, "ns2.acme.example": both };
    const resolver = memoryResolver({ zone: "acme.example", servers });
    const proof = await prove(resolver);
    assert.equal(proof.outcome, "match");
    assert.deepEqual(proof.observed, [challengeValue, "service-verify=other"]);
    assert.ok(resolver.asked.every((question) => question.endsWith(" tcp")));
  });

  test("refuses a value that a CNAME leads to", async () => {
    const alias = records(
      `${challengeName} 60 CNAME evil.acme.example`,
      `evil.acme.example 60 TXT ${challengeValue}`,
    );
    const proof = await proveWith(alias, alias);
    assert.deepEqual([proof.outcome, proof.reason], ["mismatch", "cname"]);
    const dangling = records(`${challengeName} 60 CNAME absent.other.example`);
    assert.equal((await proveWith(dangling, dangling)).outcome, "mismatch");
  });

  test("refuses a wildcard that gives the value, but minds no other wildcard", async () => {
    const wildcard = records(`*.shop.acme.example 60 TXT ${challengeValue}`);
    const proof = await proveWith(wildcard, wildcard);
    assert.deepEqual([proof.outcome, proof.reason], ["mismatch", "wildcard"]);
    const beside = [...expectedText, ...records("*.shop.acme.example 60 TXT v=spf1")];
    assert.equal((await proveWith(beside, beside)).outcome, "match");
  });

  test("is unknown when the query for a wildcard fails", async () => {
    const servers = { "ns1.acme.example": expectedText };
    const resolver = memoryResolver({ zone: "acme.example", servers });
    const proof = await prove({
      ...resolver,
      askServer: async (server, name, type, options) =>
        name === challengeName
          ? resolver.askServer(server, name, type, options)
          : { outcome: "failed", reason: "servfail" },
    });
    assert.deepEqual([proof.outcome, proof.reason], ["unknown", "dns_servfail"]);
  });

  test("is unknown when the zone cannot be found, with the reason", async () => {
    const broken = (zoneFailure: "bogus" | "timeout" | "servfail") =>
      prove(memoryResolver({ zone: "acme.example", servers: {}, zoneFailure }));
    assert.equal((await broken("bogus")).reason, "dnssec_bogus");
    assert.equal((await broken("timeout")).reason, "dns_timeout");
    assert.equal((await broken("servfail")).reason, "dns_servfail");
    const unrelated = await prove(memoryResolver({ zone: "other.example", servers: {} }));
    assert.deepEqual([unrelated.outcome, unrelated.reason], ["absent", "not_registered"]);
  });
});

describe("proveCname", () => {
  const name = "shop.acme.example";
  const target = "abcdefghijklmnopqrstuvwxyz.edge.example";
  const own = records(`${name} 60 CNAME ${target}`);
  const others = records(`${name} 60 CNAME bcdefghijklmnopqrstuvwxyza.edge.example`);
  const shared = records(`${name} 60 CNAME edge.example`);
  const address = records(`${name} 60 A 192.0.2.1`);
  const cases: readonly (readonly [string, readonly Holding[], string, string | undefined])[] = [
    ["all servers agree", [own, own], "match", undefined],
    ["one of two has another's target", [own, others], "partial", undefined],
    ["one of two has none", [own, address], "partial", undefined],
    ["only one of two answers, though rightly", [own, "timeout"], "unknown", "dns_timeout"],
    ["both have another's target", [others, others], "mismatch", undefined],
    ["both have the shared name", [shared, shared], "mismatch", undefined],
    ["the name has addresses", [address, address], "absent", undefined],
    [
      "a wildcard gives it",
      [records(`*.acme.example 60 CNAME ${target}`), records(`*.acme.example 60 CNAME ${target}`)],
      "mismatch",
      "wildcard_answer",
    ],
    [
      "a wildcard has it beside the name",
      [
        [...own, ...records(`*.acme.example 60 CNAME ${target}`)],
        [...own, ...records(`*.acme.example 60 CNAME ${target}`)],
      ],
      "mismatch",
      "wildcard_answer",
    ],
    [
      "a wildcard has another value",
      [[...own, ...records("*.acme.example 60 CNAME elsewhere.example")]],
      "match",
      undefined,
    ],
    [
      "a name in between has it",
      [records(`${name} 60 CNAME mid.acme.example`, `mid.acme.example 60 CNAME ${target}`)],
      "mismatch",
      undefined,
    ],
    ["a server gives two", [[...own, ...others]], "mismatch", undefined],
  ];
  for (const [situation, holdings, outcome, reason] of cases) {
    test(`says ${outcome} when ${situation}`, async () => {
      const servers = Object.fromEntries(
        holdings.map((holding, index) => [`ns${index + 1}.acme.example`, holding]),
      );
      const resolver = memoryResolver({ zone: "acme.example", servers });
      const { signal } = new AbortController();
      const proof = await proveCname(resolver, {
        name,
        value: target,
        randomLabel: "r4nd0m",
        signal,
      });
      assert.deepEqual([proof.outcome, proof.reason], [outcome, reason]);
      assert.ok(resolver.asked.every((question) => question.endsWith(" CNAME tcp")));
    });
  }

  for (const [transport, outcome] of [
    ["tcp", "match"],
    ["udp", "mismatch"],
  ] as const) {
    test(`is a ${outcome} when the servers give the target over ${transport} only`, async () => {
      const serving = (holding: Holding) =>
        memoryResolver({ zone: "acme.example", servers: { ns1: holding, ns2: holding } });
      const [right, wrong] = [serving(own), serving(others)];
      const resolver: Resolver = {
        ...right,
        askServer: (server, asked, type, options) =>
          (options.transport === transport ? right : wrong).askServer(server, asked, type, options),
      };
      const { signal } = new AbortController();
      const expected = { name, value: target, randomLabel: "r4nd0m", signal };
      assert.equal((await proveCname(resolver, expected)).outcome, outcome);
    });
  }

  test("proves nothing at the apex of a zone: its servers may be somebody else's", async () => {
    // A service that has a zone for validation alone may answer so, and NXDOMAIN beside.
    for (const apex of [name, `_acme-challenge.${name}`]) {
      const holding = records(`${apex} 60 CNAME ${target}`);
      const servers = { "ns1.validator.example": holding, "ns2.validator.example": holding };
      const resolver = memoryResolver({ zone: apex, servers });
      const { signal } = new AbortController();
      const expected = { name: apex, value: target, randomLabel: "r4nd0m", signal };
      const proof = await proveCname(resolver, expected);
      assert.deepEqual([apex, proof.outcome], [apex, "absent"]);
    }
  });
});

describe("proveTxt over the network", () => {
  const goodZone = answerFrom([txt(challengeName, challengeValue)], { soa: "acme.example" });
  const delegation = answerFrom([
    ...[1, 2, 3].flatMap((n) => [
      ns("acme.example", `ns${n}.acme.example`),
      a(`ns${n}.acme.example`, `127.0.2.${n}`),
    ]),
  ]);

  async function proveAgainst(
    t: { after(clean: () => unknown): void },
    behaviours: readonly ((question: { name: string; type: string }) => Behaviour)[],
    tcp: "on" | "refused" = "on",
    attemptTimeoutMs = 8_000,
  ): Promise<TxtProof> {
    const port = await freePort();
    for (const [index, behave] of [delegation, ...behaviours].entries()) {
      const server = await startScriptedDns({ address: `127.0.2.${index}`, port, behave, tcp });
      t.after(() => server.stop());
    }
    return prove(
      createNetworkResolver({
        resolvers: [`127.0.2.0:${port}`],
        authoritativePort: port,
        limits: { attemptTimeoutMs, udpAttempts: 1 },
      }),
    );
  }

  test("names the odd one of three servers: stale, or lame", async (t) => {
    const stale = answerFrom([a("acme.example", "192.0.2.1")], { soa: "acme.example" });
    const lame = () => ({ authoritative: false, authorities: [ns("example", "ns.example")] });
    const proof = await proveAgainst(t, [goodZone, stale, lame]);
    assert.equal(proof.outcome, "partial");
    assert.deepEqual(
      proof.servers.map(({ server, outcome, reason }) => [server, outcome, reason]),
      [
        ["ns1.acme.example", "match", undefined],
        ["ns2.acme.example", "absent", undefined],
        ["ns3.acme.example", "unknown", "lame"],
      ],
    );
  });

  test("takes UDP with 0x20 where TCP is refused", async (t) => {
    const proof = await proveAgainst(t, [goodZone, goodZone, goodZone], "refused");
    assert.equal(proof.outcome, "match");
  });

  test("never verifies by forged UDP answers", async (t) => {
    const forged =
      (mangle: "id" | "question_case" | "other_source_port") =>
      (question: { name: string; type: string }) => ({ ...goodZone(question), mangle });
    const forgers = [forged("id"), forged("question_case"), forged("other_source_port")];
    const proof = await proveAgainst(t, forgers, "refused", 500);
    assert.deepEqual([proof.outcome, proof.observed], ["unknown", []]);
  });

  test("never verifies by a record of another owner", async (t) => {
    const unrelated = () => ({
      answers: [txt("evil.example", challengeValue)],
      additionals: [txt(challengeName, challengeValue)],
    });
    const proof = await proveAgainst(t, [unrelated, unrelated, unrelated]);
    assert.deepEqual([proof.outcome, proof.observed], ["unknown", []]);
  });
});
