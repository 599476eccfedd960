import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isSpf, parseSpf, parseSpfTerm, spfTermKey } from "./spf.ts";

describe("an SPF record", () => {
  it("is distinguished from similar texts", () => {
    for (const text of ["v=spf1", "v=spf1 -all", "V=SPF1 mx"]) assert.ok(isSpf(text), text);
    for (const text of ["v=spf10 x", "v=spf2", " v=spf1", "spf1", "v=spf1\tmx", ""]) {
      assert.ok(!isSpf(text), text);
    }
  });

  it("is parsed into its terms, with their positions", () => {
    const parsed = parseSpf(
      "v=spf1  a:mail.example/24//64 ~include:x.example exp=e.%{d} x-y=1 -all ",
    );
    assert.ok(parsed.ok);
    assert.deepEqual(
      parsed.terms.map(({ name, qualifier, target, at }) => [name, qualifier, target, at]),
      [
        ["a", "+", "mail.example", 8],
        ["include", "~", "x.example", 30],
        ["exp", null, "e.%{d}", 49],
        [null, null, "1", 60],
        ["all", "-", "", 66],
      ],
    );
  });

  const good = [
    ..."a mx ptr all +all ?all a/24 a//64 a/24//64 mx:x.example/0 ptr:x.example".split(" "),
    ..."ip4:192.0.2.0/24 ip4:192.0.2.1 ip6:2001:db8::/32 ip6:::1 ip6:2001:db8::1".split(" "),
    ..."include:_spf.x.example include:x.example. exists:%{i}._spf.%{d2r} include:%{d}".split(" "),
    ..."redirect=_spf.x.example REDIRECT=x.example exp=e.x.example unknown=any/thing".split(" "),
    ..."INCLUDE:X.EXAMPLE -include:a-b.x-y exists:%%.x.example".split(" "),
  ];
  const bad = [
    ..."alll all:x.example include include: include:localhost include:x.example/24".split(" "),
    ..."ip4:192.0.2 ip4:192.0.2.1/33 ip4:192.0.2.1/024 ip6:192.0.2.1 ip6:::1/129 ip4".split(" "),
    ..."a/33 a//129 a: mx:x..1 ptr/24 exists foo foo:bar !all ++all redirect= redirect=x".split(
      " ",
    ),
    ..."include:%{z}.example include:%.example exp=%".split(" "),
    "include:ü.example",
    "a\tmx",
  ];
  for (const text of good) {
    it(`may say ${text}`, () => assert.notEqual(parseSpfTerm(text), null));
  }
  for (const text of bad) {
    it(`may not say ${text}`, () => {
      assert.equal(parseSpfTerm(text), null);
      assert.equal(parseSpf(`v=spf1 ${text} -all`).ok, false);
    });
  }

  it("is read in no time, however long it is made", () => {
    const long = `.${"a".repeat(60_000)}!`;
    const startedAt = performance.now();
    const parsed = parseSpf(`v=spf1 include:x${long} -all`);
    assert.ok(!parsed.ok && parsed.message.length < 300);
    assert.ok(performance.now() - startedAt < 2_000);
  });

  it("has redirect= and exp= at most once", () => {
    assert.equal(parseSpf("v=spf1 redirect=a.example redirect=b.example").ok, false);
    assert.equal(parseSpf("v=spf1 exp=a.example exp=b.example").ok, false);
    assert.equal(parseSpf("v=spf1 x=1 x=2 -all").ok, true);
  });

  it("knows two spellings of one mechanism as the same", () => {
    const key = (text: string) => {
      const term = parseSpfTerm(text);
      assert.ok(term);
      return spfTermKey(term);
    };
    assert.equal(key("+INCLUDE:_SPF.x.example."), key("include:_spf.x.example"));
    assert.equal(key("~a:x.example./24"), key("a:X.example/24"));
    assert.notEqual(key("a:x.example/24"), key("a:x.example/25"));
    assert.notEqual(key("include:x.example"), key("include:xx.example"));
  });
});
