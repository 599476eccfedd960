import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { paint, safeText, shorten, shownWidth } from "./paint.ts";
import { formatFields, formatTable } from "./table.ts";

describe("safeText", () => {
  it("passes our colours where they are wanted, and removes them elsewhere", () => {
    const text = `${paint("green", "ok")} then`;
    assert.equal(safeText(text, true), text);
    assert.equal(safeText(text, false), "ok then");
  });

  it("removes control sequences from the text of others", () => {
    const title = "\u001b]0;owned\u0007";
    assert.equal(safeText(title, true), "\uFFFD]0;owned\uFFFD");
    assert.equal(safeText("a\u001b[2Jb\rc\u202Ed", true), "a\uFFFD[2Jb\uFFFDc\uFFFDd");
    assert.equal(safeText("\u001b[8mhidden", true), "\uFFFD[8mhidden");
  });

  it("never passes a control character but our colours and line breaks", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const left = stripVTControlCharacters(safeText(text, true)).replaceAll("\n", "");
        assert.doesNotMatch(left, /\p{Cc}/u);
      }),
    );
  });
});

describe("shorten", () => {
  it("counts terminal columns, not characters", () => {
    assert.equal(shownWidth(paint("red", "abc")), 3);
    assert.equal(shownWidth("日本"), 4);
    assert.equal(shownWidth("e\u0301"), 1);
  });

  it("never exceeds the width", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 1, max: 40 }),
        (text, width) => {
          assert.ok(shownWidth(shorten(text, width)) <= width);
        },
      ),
    );
  });
});

describe("formatTable", () => {
  const columns = [
    { heading: "ID", cell: (row: readonly string[]) => row[0] ?? "" },
    { heading: "NAME", cell: (row: readonly string[]) => row[1] ?? "", isElastic: true },
  ];
  const rows = [
    ["0192-a", "a name that is rather long for this"],
    ["0192-bb", "short"],
  ];

  it("aligns columns and cuts nothing without a width", () => {
    const lines = stripVTControlCharacters(formatTable(columns, rows, null)).split("\n");
    assert.deepEqual(lines, [
      "ID       NAME",
      "0192-a   a name that is rather long for this",
      "0192-bb  short",
    ]);
  });

  it("cuts only elastic columns to fit a width", () => {
    const lines = stripVTControlCharacters(formatTable(columns, rows, 24)).split("\n");
    assert.equal(lines[1], "0192-a   a name that is…");
    assert.ok(lines.every((line) => shownWidth(line) <= 24));
  });

  it("leaves out fields without a value", () => {
    const text = formatFields([
      ["Id", "1"],
      ["Provider", null],
      ["State", "live"],
    ]);
    assert.equal(stripVTControlCharacters(text), "Id     1\nState  live");
  });
});
