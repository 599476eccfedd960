import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Holding, memoryResolver, records } from "../../../../test/support/memory-resolver.ts";
import { type CaaIssuer, caaAllows } from "./issuance.ts";

const ourIssuer: CaaIssuer = { issuers: ["ca.example"], methods: ["http-01", "tls-alpn-01"] };

function allows(recursive: Holding, issuer: CaaIssuer = ourIssuer) {
  const resolver = memoryResolver({ zone: "acme.example", servers: {}, recursive });
  return caaAllows(resolver, "a.shop.acme.example", issuer, new AbortController().signal);
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
});
