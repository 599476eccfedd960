import assert from "node:assert/strict";
import { describe, it } from "node:test";
import answers from "./fixtures/rdap-answers.json" with { type: "json" };
import { parseRdapAnswer } from "./rdap-answer.ts";

const locked = ["clientDeleteProhibited", "clientTransferProhibited", "clientUpdateProhibited"];
const serverLocked = [
  "serverDeleteProhibited",
  "serverTransferProhibited",
  "serverUpdateProhibited",
];

/** By registry: when the registration ends, the statuses, the registrar. */
const expected: Readonly<
  Record<string, readonly [string | null, readonly string[], string | null]>
> = {
  "AFNIC (.fr)": [
    "2025-06-09T22:08:09.000Z",
    [
      "serverUpdateProhibited",
      "serverTransferProhibited",
      "serverDeleteProhibited",
      "serverRecoverProhibited",
    ],
    "NAMESHIELD",
  ],
  "FAITID/FlexiReg (.moscow)": [
    "2024-10-19T19:28:12.000Z",
    ["clientTransferProhibited"],
    'Limited Liability Company "Registrar of domain names REG.RU"',
  ],
  "Uniregistry (.click)": [
    "2024-11-12T19:15:55.000Z",
    ["clientUpdateProhibited", "clientTransferProhibited", "clientDeleteProhibited"],
    "MarkMonitor Inc.",
  ],
  "CZ.NIC (.cz)": ["2019-08-30T12:00:00.000Z", ["active"], "REG-INTERNET-CZ"],
  "Norid (.no)": [null, [], "Domeneshop AS"],
  "Verisign (.com)": [
    "2025-06-28T18:28:14.000Z",
    [],
    "CSL Computer Service Langenbach GmbH d/b/a joker.com",
  ],
  "ICANN conformance tool, both kinds of expiration": [
    "2028-09-14T04:00:00.000Z",
    [...locked, ...serverLocked],
    "Example Inc.",
  ],
  "ICANN conformance tool, statuses in EPP spelling": [
    "2024-01-01T01:01:01.000Z",
    ["clientDeleteProhibited", "clientTransferProhibited"],
    null,
  ],
  "RFC 9537, redacted": [
    "2021-06-03T04:00:00.000Z",
    [
      "serverDeleteProhibited",
      "serverUpdateProhibited",
      "serverTransferProhibited",
      "clientTransferProhibited",
    ],
    "Example Registrar Inc.",
  ],
  "Nominet (.uk)": ["2034-12-13T03:49:48.000Z", serverLocked, "British Broadcasting Corporation"],
  "CentralNic (.xyz)": [
    "2027-03-20T23:59:59.000Z",
    ["clientTransferProhibited", "clientUpdateProhibited", "clientDeleteProhibited"],
    "MarkMonitor Inc.",
  ],
  "Google Registry (.dev)": [
    "2027-10-29T15:57:39.000Z",
    [...locked, ...serverLocked],
    "MarkMonitor Inc.",
  ],
  "Identity Digital (.ai)": ["2027-09-25T05:37:20.000Z", locked, "MarkMonitor Inc."],
  "Public Interest Registry (.org)": ["2027-01-13T00:12:14.000Z", locked, "MarkMonitor Inc."],
  "IANA at Verisign (.com)": [
    "2027-08-13T04:00:00.000Z",
    locked,
    "RESERVED-Internet Assigned Numbers Authority",
  ],
  // Its end in the year 294247 stands for none.
  "Nomulus, a domain in redemption": [null, ["pendingDelete", "redemptionPeriod"], "The Registrar"],
  "DNS Belgium (its server)": [null, ["active", "deleteProhibited", "someSpecificStatus"], null],
};

describe("a registry's answer", () => {
  for (const { registry, domain, answer } of answers) {
    it(`of ${registry} is read`, () => {
      const facts = parseRdapAnswer(JSON.stringify(answer), domain);
      assert.ok(facts);
      const { expiresAt, status, registrar } = facts;
      assert.deepEqual([expiresAt?.toISOString() ?? null, status, registrar], expected[registry]);
    });
  }

  const domainAnswer = (change: object): string =>
    JSON.stringify({ objectClassName: "domain", ldhName: "acme.com", ...change });
  const expiry = (...dates: readonly unknown[]) =>
    parseRdapAnswer(
      domainAnswer({
        events: dates.map((eventDate) => ({ eventAction: "expiration", eventDate })),
      }),
      "acme.com",
    )?.expiresAt?.toISOString() ?? null;

  it("is none when it is broken, an error, or about something else", () => {
    const texts = [
      "",
      "<html>",
      "null",
      "[]",
      '"domain"',
      "{}",
      '{"objectClassName":"domain","ldhName":"acme.com"',
      domainAnswer({ objectClassName: "entity" }),
      domainAnswer({ errorCode: 404 }),
      domainAnswer({ ldhName: "other.com" }),
      domainAnswer({ ldhName: "www.acme.com" }),
    ];
    for (const text of texts) assert.equal(parseRdapAnswer(text, "acme.com"), null, text);
  });

  it("names an end only where it is certain", () => {
    const cases: readonly (readonly [readonly unknown[], string | null])[] = [
      [["2026-12-15T09:00:00Z"], "2026-12-15T09:00:00.000Z"],
      [["2026-12-15T09:00:00+02:00"], "2026-12-15T07:00:00.000Z"],
      [["2026-12-15T00:30:00.1234567-0930"], "2026-12-15T10:00:00.000Z"],
      [["2026-12-15 09:00:00"], "2026-12-15T09:00:00.000Z"],
      [["2028-02-29"], "2028-02-29T00:00:00.000Z"],
      [["2020-01-01T00:00:00Z"], "2020-01-01T00:00:00.000Z"],
      // The same end twice, and twice within a day.
      [["2026-12-15T09:00:00Z", "2026-12-15T09:00:00Z"], "2026-12-15T09:00:00.000Z"],
      [["2026-12-15T09:00:00Z", "2026-12-15"], "2026-12-15T00:00:00.000Z"],
      [["2026-12-15T09:00:00Z", "2027-12-15T09:00:00Z"], null],
      [["2026-12-15T09:00:00Z", "soon"], null],
      [["2027-02-29"], null],
      [["2026-13-01"], null],
      [["2026-12-15T24:00:00Z"], null],
      [["9999-12-31T23:59:59Z"], null],
      [["0000-00-00T00:00:00Z"], null],
      [["15.12.2026"], null],
      [[1_797_325_200], null],
      [[null], null],
      [[{ toString: "2026-12-15" }], null],
      [[], null],
    ];
    for (const [dates, end] of cases) assert.equal(expiry(...dates), end, JSON.stringify(dates));
  });

  it("has the end that the registry names, and not the registrar's own", () => {
    const end = (...events: readonly object[]) =>
      parseRdapAnswer(domainAnswer({ events }), "acme.com")?.expiresAt?.toISOString() ?? null;
    const registrar = { eventAction: "registrar expiration", eventDate: "2026-12-01T00:00:00Z" };
    assert.equal(end(registrar), null);
    const own = { eventAction: " Expiration ", eventDate: "2027-12-01T00:00:00Z" };
    assert.equal(end(registrar, own), "2027-12-01T00:00:00.000Z");
    assert.equal(end({ ...own, eventAction: "Record expires" }), "2027-12-01T00:00:00.000Z");
  });

  it("is read whatever the shapes of its members are", () => {
    const shapes = [null, 1, "x", [], {}, [[]], [null], [{}], [{ roles: null }], { length: 3 }];
    for (const shape of shapes) {
      const text = domainAnswer({
        events: shape,
        status: shape,
        entities: shape,
        vcardArray: shape,
      });
      assert.ok(parseRdapAnswer(text, "acme.com"), text);
      const entities = [{ roles: ["registrar"], vcardArray: shape, handle: shape }];
      assert.ok(parseRdapAnswer(domainAnswer({ entities }), "acme.com"), JSON.stringify(shape));
    }
  });

  it("may be nested as deeply as its size allows", () => {
    const deep = `${"[".repeat(120_000)}${"]".repeat(120_000)}`;
    const text = `{"objectClassName":"domain","ldhName":"acme.com","entities":${deep}}`;
    assert.equal(parseRdapAnswer(text, "acme.com")?.registrar, null);
    const flood = Array.from({ length: 20_000 }, (_, index) => `status ${index}`);
    assert.equal(parseRdapAnswer(domainAnswer({ status: flood }), "acme.com")?.status.length, 32);
  });

  it("gives a registrar's name as one line without tricks", () => {
    const registrar = (name: string) =>
      parseRdapAnswer(
        domainAnswer({
          entities: [{ roles: "registrar", vcardArray: ["vcard", [["fn", {}, "text", name]]] }],
        }),
        "acme.com",
      )?.registrar;
    assert.equal(registrar("Acme\r\n\0 Inc.\u202e"), "Acme Inc.");
    assert.equal(registrar("\u0007"), null);
    assert.equal(registrar("x".repeat(1_000))?.length, 200);
    // Text: what shows it escapes it.
    assert.equal(registrar("<img src=x onerror=alert(1)>"), "<img src=x onerror=alert(1)>");
  });
});
