import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Holding, memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { type CaaIssuer, caaAllows } from "./caa.ts";

const ourIssuer: CaaIssuer = { issuers: ["ca.example"], methods: ["http-01", "tls-alpn-01"] };

function allows(
  recursive: Holding,
  issuer: CaaIssuer = ourIssuer,
  hostname = "a.shop.acme.example",
) {
  const resolver = memoryResolver({ zone: "acme.example", servers: {}, recursive });
  return caaAllows(resolver, hostname, issuer, new AbortController().signal);
}

describe("caaAllows", () => {
  const cases: readonly (readonly [string, readonly string[], string, string | null])[] = [
    ["no record anywhere", [], "allowed", null],
    [
      "our CA at the name",
      ['a.shop.acme.example 60 CAA 0 issue "ca.example"'],
      "allowed",
      "a.shop.acme.example",
    ],
    [
      "our CA in capitals with a parameter",
      ['acme.example 60 CAA 0 issue "CA.example; x=y"'],
      "allowed",
      "acme.example",
    ],
    [
      "another CA at an ancestor",
      ['acme.example 60 CAA 0 issue "other.example"'],
      "forbidden",
      "acme.example",
    ],
    ["no issuer", ['acme.example 60 CAA 0 issue ";"'], "forbidden", "acme.example"],
    [
      "only a rule for wildcards",
      ['acme.example 60 CAA 0 issuewild ";"'],
      "allowed",
      "acme.example",
    ],
    ["an unknown tag", ['acme.example 60 CAA 0 future "x"'], "allowed", "acme.example"],
    [
      "an unknown critical tag",
      ['acme.example 60 CAA 128 future "x"', 'acme.example 60 CAA 0 issue "ca.example"'],
      "forbidden",
      "acme.example",
    ],
    [
      "a known critical tag",
      ['acme.example 60 CAA 128 issue "ca.example"'],
      "allowed",
      "acme.example",
    ],
    [
      "one of several",
      ['acme.example 60 CAA 0 issue "other.example"', 'acme.example 60 CAA 0 issue "ca.example"'],
      "allowed",
      "acme.example",
    ],
    [
      "a nearer set that overrules a farther",
      ['shop.acme.example 60 CAA 0 issue "ca.example"', 'acme.example 60 CAA 0 issue ";"'],
      "allowed",
      "shop.acme.example",
    ],
    [
      "our method",
      ['acme.example 60 CAA 0 issue "ca.example; validationmethods=dns-01,http-01"'],
      "allowed",
      "acme.example",
    ],
    [
      "another method only",
      ['acme.example 60 CAA 0 issue "ca.example; validationmethods=dns-01"'],
      "forbidden",
      "acme.example",
    ],
    [
      "a set behind a CNAME",
      ["a.shop.acme.example 60 CNAME t.other.example", 't.other.example 60 CAA 0 issue ";"'],
      "forbidden",
      "a.shop.acme.example",
    ],
  ];
  for (const [situation, lines, outcome, name] of cases) {
    test(`says ${outcome} for ${situation}`, async () => {
      const verdict = await allows(records(...lines));
      assert.deepEqual([verdict.outcome, verdict.name], [outcome, name]);
    });
  }

  test("is unknown when a lookup on the way fails", async () => {
    assert.deepEqual(await allows("servfail"), { outcome: "unknown", name: "a.shop.acme.example" });
  });

  /** The parameter that forbids, or the methods that are left. */
  async function parameter(value: string, issuer: CaaIssuer = ourIssuer, tag = "issue") {
    const verdict = await allows(records(`acme.example 60 CAA 0 ${tag} "${value}"`), issuer);
    if (verdict.outcome === "unknown") return "unknown";
    return verdict.outcome === "allowed" ? verdict.methods : verdict.reason.by;
  }

  const account = "https://ca.example/acct/1";
  const known: CaaIssuer = { ...ourIssuer, accountUri: async () => account };

  test("respects the account that a record names", async () => {
    assert.equal(await parameter(`ca.example; accounturi=${account}`, known), null);
    assert.equal(await parameter(`ca.example; accounturi=${account}0`, known), "accounturi");
    const twice = `ca.example; accounturi=${account}; accounturi=${account}`;
    assert.equal(await parameter(twice, known), "accounturi");
    const several = { ...known, accountUri: async () => ["https://other.example/1", account] };
    assert.equal(await parameter(`ca.example; accounturi=${account}`, several), null);
  });

  test("does not ask for the account where no record names one, nor judge an unknown one", async () => {
    const asked: CaaIssuer = { ...ourIssuer, accountUri: () => assert.fail("not needed") };
    assert.equal(await parameter("ca.example", asked), null);
    const unknown: CaaIssuer = { ...ourIssuer, accountUri: async () => null };
    assert.equal(await parameter(`ca.example; accounturi=${account}`, unknown), null);
  });

  test("leaves the methods that a record names, and says which parameter forbids", async () => {
    assert.deepEqual(await parameter("ca.example; validationmethods=HTTP-01"), ["http-01"]);
    assert.deepEqual(await parameter("ca.example ; validationmethods = dns-01, http-01"), [
      "http-01",
    ]);
    assert.equal(await parameter("ca.example; validationmethods=dns-01"), "validationmethods");
    assert.equal(await parameter("ca.example; validationmethods=dns-01; x=y"), "validationmethods");
    assert.equal(await parameter("other.example; validationmethods=http-01"), "issue");
    const verdict = await allows(
      records(
        'acme.example 60 CAA 0 issue "ca.example; validationmethods=dns-01"',
        'acme.example 60 CAA 0 issue "ca.example; validationmethods=tls-alpn-01"',
      ),
    );
    assert.deepEqual(verdict.outcome === "allowed" && verdict.methods, ["tls-alpn-01"]);
  });

  test("follows issuewild for a wildcard, and issue where there is none", async () => {
    const wild = async (...lines: string[]) =>
      (await allows(records(...lines), ourIssuer, "*.acme.example")).outcome;
    const [ours, none] = [
      'acme.example 60 CAA 0 issue "ca.example"',
      'acme.example 60 CAA 0 issuewild ";"',
    ];
    assert.equal(await wild(ours), "allowed");
    assert.equal(await wild(ours, none), "forbidden");
    assert.equal(
      await wild('acme.example 60 CAA 0 issue ";"', 'acme.example 60 CAA 0 issuewild "ca.example"'),
      "allowed",
    );
  });
});
