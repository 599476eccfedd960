import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { mailboxProviders } from "./presets.ts";
import { isSpf, parseSpf, type SpfTerm, spfTermKey } from "./spf.ts";
import { mergeSpf } from "./spf-merge.ts";

const qualifier = fc.constantFrom("", "+", "-", "~", "?");
const host = fc.constantFrom(
  "_spf.google.com",
  "icloud.com",
  "mail.acme.example",
  "%{i}._spf.%{d}",
  "X.example.",
);
const mechanism = fc.oneof(
  fc.tuple(qualifier, fc.constantFrom("a", "mx", "ptr", "all", "a/24", "mx//64")),
  fc.tuple(
    qualifier,
    fc.tuple(fc.constantFrom("include", "exists", "a", "mx"), host).map((parts) => parts.join(":")),
  ),
  fc.tuple(qualifier, fc.constantFrom("ip4:192.0.2.0/24", "ip6:2001:db8::/32", "ip4:198.51.100.1")),
);
const modifier = fc.constantFrom("redirect=_spf.acme.example", "exp=e.acme.example", "x-tag=1");
const term = fc.oneof(
  { weight: 5, arbitrary: mechanism.map((parts) => parts.join("")) },
  { weight: 1, arbitrary: modifier },
);
const spaces = fc.constantFrom(" ", " ", "  ");
const record = fc
  .tuple(
    fc.constantFrom("v=spf1", "V=SPF1"),
    fc.array(fc.tuple(spaces, term), { maxLength: 9 }),
    fc.constantFrom("", " "),
  )
  .map(([version, terms, rest]) => `${version}${terms.flat().join("")}${rest}`);
const otherTexts = fc.array(fc.constantFrom("v=spf10 x", "google-site-verification=abc", "hello"));
const wanted = fc.constantFrom(...mailboxProviders.map(({ spf }) => spf));

function splitTerms(text: string): readonly SpfTerm[] {
  const parsed = parseSpf(text);
  assert.ok(parsed.ok, text);
  return parsed.terms;
}

/** The terms that a receiver ever comes to. */
function alive(terms: readonly SpfTerm[]): readonly SpfTerm[] {
  const end = terms.findIndex(({ name }) => name === "all");
  return end === -1 ? terms : terms.slice(0, end);
}

describe("the law of merging SPF", () => {
  it("preserves every term, its qualifier and its order, and adds the wanted one where it counts", () => {
    fc.assert(
      fc.property(record, otherTexts, wanted, (text, others, add) => {
        const { outcome, value } = mergeSpf([...others, text], [add]);
        if (value === null) {
          assert.equal(outcome, "manual");
          return;
        }
        const [before, after] = [splitTerms(text), splitTerms(value)];
        const texts = after.map((one) => one.text);
        const at = texts.indexOf(add);
        const rest = outcome === "noop" ? texts : texts.toSpliced(at, 1);
        assert.deepEqual(
          rest,
          before.map((one) => one.text),
        );
        const own = alive(after).filter((one) => spfTermKey(one) === add);
        assert.ok(own.length > 0 && own.every((one) => one.qualifier === "+"));
        assert.equal(isSpf(value), true);
        assert.equal(value.length - text.length, outcome === "noop" ? 0 : add.length + 1);
      }),
      { numRuns: propertyRuns(50_000) },
    );
  });

  it("is done once: merging the result again changes nothing", () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 2 }), otherTexts, wanted, (texts, others, add) => {
        const { outcome, value } = mergeSpf([...texts, ...others], [add]);
        if (value === null) return;
        assert.ok(texts.length < 2, "two records are never made one, nor one made two");
        assert.equal(outcome === "create", texts.length === 0);
        const again = mergeSpf([...others, value], [add]);
        assert.deepEqual([again.outcome, again.value], ["noop", value]);
      }),
      { numRuns: propertyRuns(20_000) },
    );
  });
});
