import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mailNoteText } from "./notes.ts";
import { maxSpfLookups, type SpfCost, spfCost, spfQuestionKey } from "./spf-cost.ts";

type Zone = Readonly<Record<string, readonly string[] | null>>;

/** Asks what is open until nothing is, as a service would. */
function settle(record: string, zone: Zone): SpfCost {
  const answers = new Map<string, readonly string[] | null>();
  for (let round = 0; round < 50; round += 1) {
    const cost = spfCost(record, "acme.example", answers);
    if (cost.open.length === 0) return cost;
    for (const question of cost.open) {
      const key = spfQuestionKey(question);
      const known = zone[key];
      answers.set(key, known === undefined ? [] : known);
    }
  }
  throw new Error("never settles");
}

describe("the cost of an SPF record", () => {
  it("counts nested lookups and nothing that needs none", () => {
    const cost = settle(
      "v=spf1 ip4:192.0.2.1 a mx include:one.example exists:%{i}.x.example -all",
      {
        "A acme.example": ["192.0.2.1"],
        "MX acme.example": ["mail.acme.example"],
        "TXT one.example": ["v=spf1 include:two.example ip6:2001:db8::/32 ~all", "other"],
        "TXT two.example": ["v=spf1 a:three.example exp=e.example -all"],
        "A three.example": ["192.0.2.3"],
      },
    );
    assert.deepEqual([cost.lookups, cost.voids, cost.errors], [6, 0, []]);
    assert.equal(cost.isUncertain, true);
  });

  it("leaves out terms behind all, and a redirect beside it", () => {
    const cost = settle("v=spf1 -all include:one.example redirect=two.example", {});
    assert.deepEqual([cost.lookups, cost.errors], [0, []]);
    const redirected = settle("v=spf1 redirect=two.example mx", {
      "TXT two.example": ["v=spf1 -all"],
      "MX acme.example": ["x.example"],
    });
    assert.equal(redirected.lookups, 2);
  });

  it("sees the eleventh lookup", () => {
    const zone = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `TXT n${index}.example`,
        [`v=spf1 include:n${index + 1}.example -all`],
      ]),
    );
    assert.ok(settle("v=spf1 include:n1.example -all", zone).lookups > maxSpfLookups);
  });

  it("counts answers that are empty", () => {
    const cost = settle("v=spf1 a:one.example mx:two.example a:three.example -all", {});
    assert.deepEqual([cost.lookups, cost.voids], [3, 3]);
  });

  it("names what makes receivers refuse the record", () => {
    const { errors } = settle(
      "v=spf1 include:none.example include:two.example include:bad.example",
      {
        "TXT none.example": ["hello"],
        "TXT two.example": ["v=spf1 -all", "v=spf1 mx"],
        "TXT bad.example": ["v=spf1 nonsense"],
      },
    );
    assert.deepEqual(errors.map(mailNoteText), [
      "“include:none.example” names a domain without an SPF record.",
      "“include:two.example” names a domain with several SPF records.",
      "The SPF record of bad.example cannot be read: “nonsense” is not valid SPF.",
    ]);
  });

  it("ends for records that lead in a circle or grow without end", () => {
    const circle = settle("v=spf1 include:one.example -all", {
      "TXT one.example": ["v=spf1 include:acme.example -all"],
    });
    assert.match(circle.errors.map(mailNoteText).join(), /circle/);
    const wide = Array.from({ length: 12 }, (_, index) => `include:w${index}.example`).join(" ");
    const zone = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`TXT w${index}.example`, [`v=spf1 ${wide}`]]),
    );
    assert.ok(settle(`v=spf1 ${wide}`, zone).lookups > maxSpfLookups);
  });

  it("says so when something could not be asked", () => {
    const cost = settle("v=spf1 include:one.example -all", { "TXT one.example": null });
    assert.deepEqual([cost.lookups, cost.isUncertain, cost.errors], [1, true, []]);
  });
});
