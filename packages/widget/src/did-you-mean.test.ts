import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { didYouMean } from "./did-you-mean.ts";
import { toUnicode } from "./unicode-name.ts";

describe("did you mean", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["acme,com", "acme.com"],
    ["shop,acme,com", "shop.acme.com"],
    ["acme com", "acme.com"],
    ["my shop.com", "myshop.com"],
    ["acme. com", "acme.com"],
    ["acme..com", "acme.com"],
    ["acmecom", "acme.com"],
    ["wwwacme.com", "www.acme.com"],
    ["www,acme.com", "www.acme.com"],
    ["ww.acme.com", "www.acme.com"],
    ["http//acme.com", "acme.com"],
    ["htp://acme.con", "acme.com"],
    ["https;//acme.com/path", "acme.com"],
    ["jane@acme.com", "acme.com"],
    ["mailto:jane@acme.com", "acme.com"],
    ["acme.con", "acme.com"],
    ["acme.cmo", "acme.com"],
    ["acme.cm", "acme.com"],
    ["acme.comn", "acme.com"],
    ["acme.c0m", "acme.com"],
    ["acme.ccom", "acme.com"],
    ["acme.dom", "acme.com"],
    ["acme.con.br", "acme.com.br"],
    ["acme.nett", "acme.net"],
    ["acme.orh", "acme.org"],
    ["acme.co.ku", "acme.co.uk"],
    ["acme.ogr", "acme.org"],
    ["acme.couk", "acme.co.uk"],
    ["Grün,de", "grün.de"],
  ];
  for (const [typed, meant] of cases) {
    it(`asks about ${typed}`, () => assert.equal(didYouMean(typed), meant));
  }

  for (const fine of [
    "",
    "a",
    "acme",
    "acme.com",
    "Acme.com",
    "https://acme.com/path",
    "www.acme.com",
    "shop.acme.co.uk",
    "acme.co",
    "grün.de",
    "wwf.org",
    "telecom.example",
  ]) {
    it(`asks nothing about "${fine}"`, () => assert.equal(didYouMean(fine), null));
  }
});

describe("a name to be read", () => {
  it("is in Unicode, whatever the script", () => {
    assert.equal(toUnicode("shop.xn--grn-ioa.example"), "shop.grün.example");
    assert.equal(toUnicode("xn--fiq228c.xn--kpry57d"), "中文.台灣");
    assert.equal(toUnicode("xn--mgberp4a5d4ar"), "السعودية");
    assert.equal(toUnicode("xn--bcher-kva.ch"), "bücher.ch");
    assert.equal(toUnicode("acme.com"), "acme.com");
  });

  it("is the inverse of what the browser's URL parser does", () => {
    for (const name of ["grün.de", "straße.example", "例え.テスト", "мир.рф", "a-ü-b.example"]) {
      const ascii = new URL(`http://${name}/`).hostname;
      assert.equal(toUnicode(ascii), name);
    }
  });

  it("stays in ASCII where it may be read as another name", () => {
    assert.equal(toUnicode("xn--pple-43d.test"), "xn--pple-43d.test", "a Cyrillic letter in Latin");
    assert.equal(toUnicode("xn--80ak6aa92e.com"), "xn--80ak6aa92e.com", "аррӏе, all Cyrillic");
    assert.equal(toUnicode("xn--e1afmkfd.xn--p1ai"), "пример.рф");
  });

  it("stays as it is when a label cannot be decoded", () => {
    assert.equal(toUnicode("xn--.example"), "xn--.example");
    assert.equal(toUnicode("xn--a9999999999999.example"), "xn--a9999999999999.example");
  });
});
