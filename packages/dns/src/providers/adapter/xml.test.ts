import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProviderError } from "./errors.ts";
import { child, childrenOf, escapeXml, parseXml, textAt } from "./xml.ts";

describe("parseXml", () => {
  it("reads elements, attributes, text, CDATA and entities", () => {
    const source =
      '<?xml version="1.0"?><!-- hi --><a x="1 &amp; 2" y=\'z\'><b>one &lt;&#65;&#x42;</b><b/><c><![CDATA[<raw>]]></c></a>';
    const root = parseXml(source);
    assert.deepEqual(root.attributes, { x: "1 & 2", y: "z" });
    assert.deepEqual(
      childrenOf(root, "b").map(({ text }) => text),
      ["one <AB", ""],
    );
    assert.equal(textAt(root, "c"), "<raw>");
    assert.equal(child(root, "b", "none"), null);
    assert.throws(() => textAt(root, "none"), ProviderError);
  });

  it("refuses what is not well-formed, a document type, and an unknown entity", () => {
    const bad = [
      "",
      "<a>",
      "<a></b>",
      "</a>",
      "<a/><b/>",
      "<a",
      '<a x="1>',
      "<!DOCTYPE a><a/>",
      "<a>&x;</a>",
      "<a>&#9999999;</a>",
      "text",
    ];
    for (const source of bad) assert.throws(() => parseXml(source), ProviderError, source);
  });

  it("gives back what was escaped", () => {
    const text = `<"&'>`;
    assert.equal(parseXml(`<a>${escapeXml(text)}</a>`).text, text);
  });
});
