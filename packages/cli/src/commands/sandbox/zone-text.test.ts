import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CommandFailure } from "../explain.ts";
import { parseZoneText } from "./zone-text.ts";

const shown = (text: string) =>
  parseZoneText(text, "acme.test").map(({ host, type, value, ttl, priority }) =>
    [host, ttl ?? "-", type, priority ?? "-", value].join(" "),
  );

describe("parseZoneText", () => {
  it("reads hosts, times to live, classes and values in the orders that zone files use", () => {
    const text = `
$TTL 1h
@            IN SOA ns admin 1 2 3 4 5
@            IN NS  a.ns.sandbox.test.
             MX     10 mail
www  60  IN  CNAME  edge.localhost
api  IN  2m  A      192.0.2.1   ; the API
full.acme.test. AAAA 2001:db8::1
`;
    assert.deepEqual(shown(text), [
      "acme.test 3600 NS - a.ns.sandbox.test.",
      "acme.test 3600 MX 10 mail",
      "www.acme.test 60 CNAME - edge.localhost",
      "api.acme.test 120 A - 192.0.2.1",
      "full.acme.test 3600 AAAA - 2001:db8::1",
    ]);
  });

  it("joins the strings of a TXT record, and preserves quoted text", () => {
    assert.deepEqual(shown(`a TXT "v=spf1 include:x.example " "-all"`), [
      "a.acme.test - TXT - v=spf1 include:x.example -all",
    ]);
    assert.deepEqual(shown(`a TXT "semi;colon \\"quoted\\""`), [
      'a.acme.test - TXT - semi;colon "quoted"',
    ]);
    assert.deepEqual(shown("a TXT plain words"), ["a.acme.test - TXT - plain words"]);
    assert.deepEqual(shown('a CAA 0 issue "letsencrypt.org"'), [
      'a.acme.test - CAA - 0 issue "letsencrypt.org"',
    ]);
    assert.deepEqual(shown("_sip._tcp SRV 5 10 5060 sip.acme.test"), [
      "_sip._tcp.acme.test - SRV 5 10 5060 sip.acme.test",
    ]);
  });

  it("applies $ORIGIN", () => {
    assert.deepEqual(shown("$ORIGIN shop.acme.test.\nwww A 192.0.2.1"), [
      "www.shop.acme.test - A - 192.0.2.1",
    ]);
  });

  it("names the line that it does not understand", () => {
    const problems: readonly (readonly [string, RegExp])[] = [
      ["a HINFO x", /^line 1: there is no type HINFO/],
      ["a A 192.0.2.1\nb", /^line 2: a record is host type value/],
      ["a A", /^line 1: A has no value/],
      ["a MX ten mail", /^line 1: ten is no priority/],
      ['a TXT "open', /^line 1: a quotation mark is not closed/],
      ["a SRV ( 1", /^line 1: write each record on one line/],
      ["$INCLUDE other", /^line 1: \$INCLUDE is not understood/],
    ];
    for (const [text, message] of problems) {
      assert.throws(
        () => parseZoneText(text, "acme.test"),
        (error) => error instanceof CommandFailure && message.test(error.message),
        text,
      );
    }
  });
});
