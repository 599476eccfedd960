import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mailNoteText, type SpfCost } from "@mooring/dns";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { countSpf, spfNotes } from "./observe-mail.ts";

const { signal } = new AbortController();

const noteTexts = (cost: SpfCost) => spfNotes(cost).map(mailNoteText);

function resolver(...lines: readonly string[]) {
  return memoryResolver({ zone: "acme.example", servers: {}, recursive: records(...lines) });
}

describe("counting an SPF record's lookups", () => {
  it("follows includes as receivers do, and reports the count", async () => {
    const dns = resolver(
      "one.example 60 TXT v=spf1 include:two.example a -all",
      "two.example 60 TXT v=spf1 ip4:192.0.2.1 -all",
      "one.example 60 A 192.0.2.1",
    );
    const cost = await countSpf(dns, "v=spf1 include:one.example -all", "acme.example", signal);
    assert.deepEqual([cost.lookups, cost.voids, cost.errors, cost.open], [3, 0, [], []]);
    assert.deepEqual(noteTexts(cost), ["The SPF record costs 3 of 10 lookups."]);
  });

  it("warns above ten lookups, of empty answers and of what voids the record", async () => {
    const many = Array.from({ length: 11 }, (_, index) => `a:h${index}.example`).join(" ");
    const dns = resolver("none.example 60 TXT hello");
    const cost = await countSpf(
      dns,
      `v=spf1 ${many} include:none.example -all`,
      "acme.example",
      signal,
    );
    const [first = "", second = "", third = ""] = noteTexts(cost);
    assert.match(first, /costs 12 of 10 lookups, and receivers refuse it/);
    assert.match(second, /^11 of the lookups find nothing/);
    assert.match(third, /names a domain without an SPF record/);
  });

  it("says “at least” when DNS does not answer, and stops at a record made to cost", async () => {
    const away = memoryResolver({ zone: "acme.example", servers: {}, recursive: "timeout" });
    const cost = await countSpf(away, "v=spf1 include:one.example -all", "acme.example", signal);
    assert.deepEqual(noteTexts(cost), ["The SPF record costs at least 1 of 10 lookups."]);
    const wide = Array.from({ length: 200 }, (_, index) => `include:w${index}.example`).join(" ");
    const endless = resolver(
      ...Array.from({ length: 200 }, (_, index) => `w${index}.example 60 TXT v=spf1 ${wide}`),
    );
    const capped = await countSpf(endless, `v=spf1 ${wide}`, "acme.example", signal);
    assert.match(noteTexts(capped)[0] ?? "", /receivers refuse it/);
  });
});
