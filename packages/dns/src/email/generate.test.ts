import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, it } from "node:test";
import { printRecord } from "../../conformance/print-record.ts";
import { generateMail, type MailInputs, type MailSet } from "./generate.ts";
import { microsoftToken } from "./mx-host.ts";
import { mailNoteText } from "./notes.ts";
import { findMailboxProvider, mailboxNames, mailboxProviders } from "./presets.ts";

const domain = "acme.example";

function makeKey(modulusLength: number): string {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength });
  return publicKey.export({ format: "der", type: "spki" }).toString("base64");
}

const key = makeKey(2_048);

function generated(provider: string, inputs: MailInputs = {}, at = domain): MailSet {
  const result = generateMail({ domain: at, provider, inputs });
  assert.ok(result.ok, JSON.stringify(result));
  return result.set;
}

/** `role: line` of each record; the TTL is the same for all. */
function lines(set: MailSet): readonly string[] {
  return set.records.map(({ role, record }) => {
    assert.equal(record.ttl, 3_600);
    return `${role}: ${printRecord(record).replace(" 3600", "")}`;
  });
}

const dmarc = "dmarc: _dmarc.acme.example TXT v=DMARC1; p=none";

const expected: Readonly<Record<string, readonly string[]>> = {
  google_workspace: [
    "mx: acme.example MX 1 smtp.google.com",
    "spf: acme.example TXT v=spf1 include:_spf.google.com ~all",
    dmarc,
  ],
  microsoft_365: [
    "spf: acme.example TXT v=spf1 include:spf.protection.outlook.com ~all",
    dmarc,
    "discovery: autodiscover.acme.example CNAME autodiscover.outlook.com",
  ],
  zoho: [
    "mx: acme.example MX 10 mx.zoho.com",
    "mx: acme.example MX 20 mx2.zoho.com",
    "mx: acme.example MX 50 mx3.zoho.com",
    "spf: acme.example TXT v=spf1 include:zohomail.com ~all",
    dmarc,
  ],
  fastmail: [
    "mx: acme.example MX 10 in1-smtp.messagingengine.com",
    "mx: acme.example MX 20 in2-smtp.messagingengine.com",
    "spf: acme.example TXT v=spf1 include:spf.messagingengine.com ~all",
    "dkim: fm1._domainkey.acme.example CNAME fm1.acme.example.dkim.fmhosted.com",
    "dkim: fm2._domainkey.acme.example CNAME fm2.acme.example.dkim.fmhosted.com",
    "dkim: fm3._domainkey.acme.example CNAME fm3.acme.example.dkim.fmhosted.com",
    dmarc,
    "discovery: _submissions._tcp.acme.example SRV 0 1 465 smtp.fastmail.com",
    "discovery: _imaps._tcp.acme.example SRV 0 1 993 imap.fastmail.com",
    "discovery: _jmap._tcp.acme.example SRV 0 1 443 api.fastmail.com",
    "discovery: _carddavs._tcp.acme.example SRV 0 1 443 carddav.fastmail.com",
    "discovery: _caldavs._tcp.acme.example SRV 0 1 443 caldav.fastmail.com",
    "discovery: _autodiscover._tcp.acme.example SRV 0 1 443 autodiscover.fastmail.com",
  ],
  proton: [
    "mx: acme.example MX 10 mail.protonmail.ch",
    "mx: acme.example MX 20 mailsec.protonmail.ch",
    "spf: acme.example TXT v=spf1 include:_spf.protonmail.ch ~all",
    dmarc,
  ],
  icloud: [
    "mx: acme.example MX 10 mx01.mail.icloud.com",
    "mx: acme.example MX 10 mx02.mail.icloud.com",
    "spf: acme.example TXT v=spf1 include:icloud.com ~all",
    "dkim: sig1._domainkey.acme.example CNAME sig1.dkim.acme.example.at.icloudmailadmin.com",
    dmarc,
  ],
};

describe("the records of a mailbox provider", () => {
  for (const { key: provider, aliases } of mailboxProviders) {
    it(`${provider}: what is constant or follows from the domain, and nothing else`, () => {
      assert.deepEqual(lines(generated(provider)), expected[provider]);
    });
    for (const alias of aliases) {
      it(`${alias} is ${provider}`, () => {
        assert.deepEqual(generated(alias), generated(provider));
        assert.equal(generated(alias).provider, provider);
      });
    }
  }

  it("are known by these names and no others", () => {
    assert.deepEqual(mailboxNames, [
      "google_workspace",
      "google",
      "microsoft_365",
      "microsoft365",
      "zoho",
      "fastmail",
      "proton",
      "icloud",
    ]);
    assert.equal(findMailboxProvider("hotmail"), null);
    assert.equal(generateMail({ domain, provider: "hotmail" }).ok, false);
  });

  it("name what only a console knows, once it is given", () => {
    const google = generated("google", {
      dkim_value: `"v=DKIM1; k=rsa; p=${key.slice(0, 200)}" "${key.slice(200)}"`,
      verification: "google-site-verification=abcdefghijklmnop",
      dmarc_report_to: "dmarc@acme.example",
    });
    assert.deepEqual(lines(google).slice(2), [
      `dkim: google._domainkey.acme.example TXT v=DKIM1; k=rsa; p=${key}`,
      "dmarc: _dmarc.acme.example TXT v=DMARC1; p=none; rua=mailto:dmarc@acme.example",
      "verification: acme.example TXT google-site-verification=abcdefghijklmnop",
    ]);
    assert.ok(generated("google").notes.some(({ code }) => code === "dkim_google"));
    assert.ok(!google.notes.some(({ code }) => code === "dkim_google"));

    const target = "selector1-acme-example._domainkey.acme.onmicrosoft.com";
    const microsoft = lines(
      generated("microsoft_365", {
        mx_host: "acme-example.j-v1.mx.microsoft",
        dkim_target1: target,
        dkim_target2: target.replace("selector1", "selector2"),
        verification: "MS=ms12345678",
      }),
    );
    assert.deepEqual(
      [...microsoft.slice(0, 1), ...microsoft.slice(2, 4), ...microsoft.slice(-1)],
      [
        "mx: acme.example MX 0 acme-example.j-v1.mx.microsoft",
        `dkim: selector1._domainkey.acme.example CNAME ${target}`,
        `dkim: selector2._domainkey.acme.example CNAME ${target.replace("selector1", "selector2")}`,
        "verification: acme.example TXT MS=ms12345678",
      ],
    );

    const proton = generated("proton", {
      dkim_target: "protonmail2.domainkey.dabc123.domains.proton.ch.",
    });
    assert.deepEqual(
      lines(proton).filter((line) => line.startsWith("dkim")),
      ["protonmail", "protonmail2", "protonmail3"].map(
        (one) =>
          `dkim: ${one}._domainkey.acme.example CNAME ${one}.domainkey.dabc123.domains.proton.ch`,
      ),
    );
  });

  it("follow Zoho's data centre, and its console in what it sends through", () => {
    const europe = generated("zoho", { data_centre: "eu" });
    assert.equal(europe.spfTerm, "include:zoho.eu");
    assert.ok(lines(europe).includes("mx: acme.example MX 50 mx3.zoho.eu"));
    const given = generated("zoho", {
      data_centre: "CA",
      spf_include: "one.zohocloud.ca",
      dkim_selector: "mail7",
      dkim_value: `k=rsa; p=${key}`,
    });
    assert.equal(given.spfTerm, "include:one.zohocloud.ca");
    assert.ok(lines(given).includes("mx: acme.example MX 10 mx.zohocloud.ca"));
    assert.ok(
      lines(given).includes(`dkim: mail7._domainkey.acme.example TXT k=rsa; p=${key}`),
      lines(given).join("\n"),
    );
  });

  it("refuse inputs of another form, by their names", () => {
    const wrong: readonly (readonly [string, string, string])[] = [
      ["google", "mx_host", "x.mail.protection.outlook.com"],
      ["google", "dkim_value", "v=DKIM1; k=rsa; p="],
      ["google", "dkim_value", "v=DKIM1; k=rsa; p=AAAA"],
      ["google", "dkim_value", `v=DKIM1; k=rsa; p=${makeKey(512)}`],
      ["google", "dkim_value", `k=rsa; v=DKIM1; p=${key}`],
      ["google", "dkim_value", `v=DKIM1; k=rsa; x=1; p=${key}`],
      ["google", "dkim_value", `v=DKIM1; p=${key}; n=a\\"b`],
      ["google", "dkim_selector", "a.b"],
      ["google", "verification", "hello"],
      ["google", "dmarc_report_to", "a@b.example;v=DMARC1"],
      ["google", "dmarc_report_to", "a!10m@b.example"],
      ["microsoft_365", "mx_host", "mail.acme.example"],
      ["microsoft_365", "mx_host", "evil.example/.mail.protection.outlook.com"],
      ["microsoft_365", "dkim_target1", "selector1.acme.example"],
      ["microsoft_365", "verification", "MS=ms1; v=spf1"],
      ["zoho", "data_centre", "mars"],
      ["zoho", "spf_include", "zoho.eu ?all"],
      ["proton", "dkim_target", "protonmail4.domainkey.x.domains.proton.ch"],
      ["icloud", "verification", "v=spf1 +all"],
      ["fastmail", "dkim_value", "x"],
    ];
    for (const [provider, input, value] of wrong) {
      const result = generateMail({ domain, provider, inputs: { [input]: value } });
      assert.equal(result.ok, false, `${provider} ${input}=${value}`);
      if (!result.ok) {
        assert.deepEqual(
          result.issues.map(({ path }) => path),
          [`inputs.${input}`],
        );
      }
    }
  });

  it("refuse a domain whose derived names are too long", () => {
    const long = `${Array.from({ length: 4 }, () => "a".repeat(55)).join(".")}.example`;
    assert.deepEqual(generateMail({ domain: long, provider: "icloud" }), {
      ok: false,
      issues: [{ path: "domain", message: "is too long for iCloud Mail" }],
    });
  });

  it("say when reports leave the domain", () => {
    const notes = (address: string) =>
      generated("fastmail", { dmarc_report_to: address }).notes.map(mailNoteText).join("\n");
    assert.match(notes("d@reports.example"), /acme\.example\._report\._dmarc\.reports\.example/);
    assert.doesNotMatch(notes("d@acme.example"), /_report/);
  });
});

describe("the older MX host of Microsoft 365", () => {
  const tokens = {
    "example.com": "example-com",
    "sub.example.co.uk": "sub-example-co-uk",
    "my-shop.example": "myshop-example0e",
    "one-two.example": "onetwo-example0i",
    "four-x.example": "fourx-example01b",
    "abcdefghi-x.example": "abcdefghix-example02c",
    "abcd-fgh-x.example": "abcdfghx-example01bb",
    "abc-efghi-x.example": "abcefghix-example0i1c",
    "shop.my-brand.example": "shop-mybrand-example01i",
  };
  for (const [name, token] of Object.entries(tokens)) {
    it(`of ${name} begins with ${token}`, () => assert.equal(microsoftToken(name), token));
  }

  it("does not exist for a name too long for a label", () => {
    assert.equal(microsoftToken(`${"a".repeat(60)}.example`), null);
  });
});
