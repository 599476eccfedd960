import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { splitTxt } from "../presentation.ts";
import { mailNoteText } from "./notes.ts";
import { mergeSpf } from "./spf-merge.ts";

const google = "include:_spf.google.com";

interface Example {
  readonly texts: readonly string[];
  readonly add?: string;
  readonly outcome: string;
  readonly value: string | null;
  readonly note?: RegExp;
}

const examples: readonly Example[] = [
  { texts: [], outcome: "create", value: "v=spf1 include:_spf.google.com ~all" },
  {
    texts: ["v=spf1 include:servers.mcsv.net -all"],
    outcome: "merge",
    value: "v=spf1 include:servers.mcsv.net include:_spf.google.com -all",
  },
  {
    texts: ["v=spf1 INCLUDE:_spf.google.com. ~all"],
    outcome: "noop",
    value: "v=spf1 INCLUDE:_spf.google.com. ~all",
  },
  {
    texts: ["V=SPF1 +include:_spf.google.com +all"],
    outcome: "noop",
    value: "V=SPF1 +include:_spf.google.com +all",
    note: /“\+all”, which lets anybody send/,
  },
  {
    texts: ["v=spf1 ip4:192.0.2.10 redirect=_spf.host.example"],
    add: "include:spf.protection.outlook.com",
    outcome: "merge",
    value: "v=spf1 ip4:192.0.2.10 include:spf.protection.outlook.com redirect=_spf.host.example",
  },
  {
    texts: ["v=spf1 a mx include:zohomail.com"],
    outcome: "merge",
    value: "v=spf1 a mx include:zohomail.com include:_spf.google.com",
  },
  {
    texts: ["v=spf1 -all"],
    add: "include:icloud.com",
    outcome: "confirm",
    value: "v=spf1 include:icloud.com -all",
    note: /never sends mail/,
  },
  {
    texts: ["v=spf1 mx -all", "v=spf1 include:_spf.google.com ~all"],
    outcome: "manual",
    value: null,
    note: /2 SPF records/,
  },
  {
    texts: ["google-site-verification=abc", "v=spf1 mx ?all"],
    add: "include:spf.messagingengine.com",
    outcome: "merge",
    value: "v=spf1 mx include:spf.messagingengine.com ?all",
  },
  {
    texts: ["v=spf1 ?include:_spf.google.com ~all"],
    outcome: "manual",
    value: null,
    note: /“\?include:_spf\.google\.com”/,
  },
  { texts: ["v=spf10 x"], outcome: "create", value: "v=spf1 include:_spf.google.com ~all" },
  {
    texts: ["v=spf1 ip4:192.0.2.0/24 exp=explain._spf.%{d} -all"],
    add: "include:_spf.protonmail.ch",
    outcome: "merge",
    value: "v=spf1 ip4:192.0.2.0/24 exp=explain._spf.%{d} include:_spf.protonmail.ch -all",
  },
  {
    texts: ["v=spf1 ~all include:_spf.google.com"],
    outcome: "merge",
    value: "v=spf1 include:_spf.google.com ~all include:_spf.google.com",
    note: /is behind “all”/,
  },
  { texts: ["v=spf1"], outcome: "merge", value: "v=spf1 include:_spf.google.com" },
];

describe("merging SPF", () => {
  for (const [index, { texts, add = google, outcome, value, note }] of examples.entries()) {
    it(`example ${index + 1}: ${outcome} for ${texts.join(" and ") || "nothing"}`, () => {
      const merged = mergeSpf(texts, [add]);
      assert.deepEqual([merged.outcome, merged.value], [outcome, value]);
      const given = merged.notes.map(mailNoteText).join(" ");
      if (note === undefined) assert.equal(given, "");
      else assert.match(given, note);
    });
  }

  it("leaves what cannot be read to its owner, and shows the position", () => {
    const merged = mergeSpf(["v=spf1 include:x.example ip4:nonsense -all"], [google]);
    assert.deepEqual([merged.outcome, merged.value], ["manual", null]);
    assert.match(merged.notes.map(mailNoteText)[0] ?? "", /“ip4:nonsense” is not valid SPF/);
  });

  it("preserves odd spacing byte for byte", () => {
    assert.equal(
      mergeSpf(["v=spf1  mx   -all  "], [google]).value,
      `v=spf1  mx   ${google} -all  `,
    );
    assert.equal(mergeSpf(["v=spf1 mx  "], [google]).value, `v=spf1 mx ${google}  `);
  });

  it("warns of ptr and of dead terms", () => {
    assert.match(mergeSpf(["v=spf1 ptr -all"], [google]).notes.map(mailNoteText).join(), /“ptr”/);
    assert.match(
      mergeSpf(["v=spf1 -all mx"], [google]).notes.map(mailNoteText).join(),
      /have no effect/,
    );
    assert.equal(mergeSpf(["v=spf1 -all mx"], [google]).outcome, "merge");
  });

  it("splits a long value into strings of 255 bytes without adding anything", () => {
    const terms = Array.from({ length: 16 }, (_, index) => `ip4:198.51.${index}.0/24`);
    const { value } = mergeSpf([`v=spf1 ${terms.join(" ")} ~all`], [google]);
    assert.equal(value?.length, 329);
    const strings = splitTxt(value ?? "").map((bytes) => bytes.toString("utf8"));
    assert.deepEqual(
      strings.map(({ length }) => length),
      [255, 74],
    );
    assert.ok(strings[0]?.endsWith("ip4:198.51.") && strings[1]?.startsWith("13.0/24 "));
    assert.equal(mergeSpf([strings.join("")], [google]).outcome, "noop");
  });

  it("leaves a value that no longer fits one answer to a person", () => {
    const terms = Array.from({ length: 24 }, (_, index) => `ip4:198.51.${index}.0/24`);
    const merged = mergeSpf([`v=spf1 ${terms.join(" ")} ~all`], [google]);
    assert.equal(merged.outcome, "manual");
    assert.match(merged.notes.map(mailNoteText).join(), /has \d+ bytes/);
    assert.ok(merged.value?.includes(google));
  });

  it("adds nothing that could end or loosen the evaluation", () => {
    for (const term of ["all", "+all", "-include:x.example", "redirect=x.example", "nonsense"]) {
      assert.throws(() => mergeSpf([], [term]), /not a mechanism/);
    }
  });
});
