import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { planChanges } from "../plan/plan.ts";
import { manifest as cloudflare } from "../providers/cloudflare/manifest.ts";
import { type DnsRecord, parseRecord } from "../record.ts";
import type { MailObservation } from "./decide.ts";
import { decideMail } from "./decide.ts";
import { generateMail, type MailInputs, type MailSet } from "./generate.ts";
import { mailNoteText } from "./notes.ts";
import { mailboxKeys } from "./presets.ts";

const domain = "acme.example";

function set(provider: string, inputs: MailInputs = {}, at = domain): MailSet {
  const result = generateMail({ domain: at, provider, inputs });
  assert.ok(result.ok, JSON.stringify(result));
  return result.set;
}

/** `@ MX 10 mail.example` and the like. */
function rec(line: string): DnsRecord {
  const [label = "", type = "", ...rest] = line.split(" ");
  const hasPriority = type === "MX" || type === "SRV";
  const parsed = parseRecord({
    name: label === "@" ? domain : `${label}.${domain}`,
    type,
    value: rest.slice(hasPriority ? 1 : 0).join(" "),
    ttl: 300,
    priority: hasPriority ? Number(rest[0]) : null,
  });
  assert.ok(parsed.ok, line);
  return parsed.record;
}

function observed(...lines: readonly string[]): MailObservation {
  return { records: lines.map(rec), occupied: [] };
}

/** The action for each role; roles with several records have one for all in these tests. */
function actions(wanted: MailSet, found: MailObservation): Readonly<Record<string, string>> {
  const { decisions } = decideMail(wanted, found);
  return Object.fromEntries(decisions.map(({ role, action }) => [role, action]));
}

function notes(wanted: MailSet, found: MailObservation): string {
  return decideMail(wanted, found).notes.map(mailNoteText).join("\n");
}

const fresh = { mx: "write", spf: "manual", dkim: "write", dmarc: "write", discovery: "write" };

describe("deciding what mail records may be written", () => {
  it("writes all but SPF into a zone without mail", () => {
    assert.deepEqual(actions(set("fastmail"), observed()), fresh);
    assert.deepEqual(
      actions(set("fastmail"), observed("@ A 192.0.2.1", "www CNAME x.example")),
      fresh,
    );
  });

  const table: readonly (readonly [
    string,
    MailObservation,
    Readonly<Record<string, string>>,
    RegExp,
  ])[] = [
    [
      "another provider's MX",
      observed("@ MX 1 smtp.google.com"),
      { ...fresh, mx: "manual", discovery: "manual" },
      /goes to Google now/,
    ],
    [
      "an MX of who knows whom",
      observed("@ MX 5 mail.acme.example"),
      { ...fresh, mx: "manual", discovery: "manual" },
      /goes to mail\.acme\.example now/,
    ],
    [
      "a mixture with another provider",
      observed("@ MX 10 in1-smtp.messagingengine.com", "@ MX 1 smtp.google.com"),
      { ...fresh, mx: "manual", discovery: "manual" },
      /goes to Google now/,
    ],
    [
      "a mail filter",
      observed("@ MX 10 mx1.acme.pphosted.com"),
      { ...fresh, mx: "leave", discovery: "manual" },
      /mail filter/,
    ],
    [
      "a null MX",
      observed("@ MX 0 ."),
      { ...fresh, mx: "manual", discovery: "manual" },
      /takes no mail/,
    ],
    [
      "the same MX hosts under other numbers",
      observed("@ MX 1 in1-smtp.messagingengine.com", "@ MX 2 in2-smtp.messagingengine.com"),
      { ...fresh, mx: "present" },
      /never written automatically/,
    ],
    [
      "half of the MX set",
      observed("@ MX 10 in1-smtp.messagingengine.com"),
      { ...fresh, mx: "manual" },
      /other MX records of the same provider/,
    ],
    [
      "an MTA-STS policy",
      observed("_mta-sts TXT v=STSv1; id=1"),
      { ...fresh, mx: "manual", discovery: "manual" },
      /MTA-STS/,
    ],
    [
      "mail at the domain's own address",
      observed("@ A 192.0.2.1", "@ TXT v=spf1 a mx -all"),
      { ...fresh, mx: "manual", discovery: "manual" },
      /mail server at its own address/,
    ],
    [
      "a domain declared not to send",
      observed("@ TXT v=spf1 -all"),
      { ...fresh, mx: "manual", discovery: "manual" },
      /declared not to send/,
    ],
    [
      "an alias at the domain",
      observed("@ CNAME edge.mooring.example"),
      { mx: "manual", spf: "manual", dkim: "manual", dmarc: "manual", discovery: "manual" },
      /is an alias/,
    ],
    [
      "two SPF records",
      observed("@ TXT v=spf1 mx -all", "@ TXT v=spf1 -all"),
      { ...fresh, spf: "leave" },
      /2 SPF records.*\n?.*Add “include:spf\.messagingengine\.com”/,
    ],
    [
      "a policy at _dmarc",
      observed("_dmarc TXT v=DMARC1; p=reject"),
      { ...fresh, dmarc: "manual" },
      /already has a DMARC policy/,
    ],
    [
      "two policies at _dmarc",
      observed("_dmarc TXT v=DMARC1; p=reject", "_dmarc TXT v=DMARC1; p=none"),
      { ...fresh, dmarc: "leave" },
      /2 DMARC policies/,
    ],
    [
      "a delegated _dmarc",
      observed("_dmarc CNAME acme.dmarc.example"),
      { ...fresh, dmarc: "leave" },
      /alias to a DMARC service/,
    ],
  ];
  for (const [what, found, expected, note] of table) {
    it(`leaves ${what} alone`, () => {
      assert.deepEqual(actions(set("fastmail"), found), expected);
      assert.match(notes(set("fastmail"), found), note);
    });
  }

  it("leaves an existing policy, and never advises a weaker one", () => {
    const { decisions } = decideMail(
      set("icloud"),
      observed("_dmarc TXT v=DMARC1; p=reject; pct=50"),
    );
    const dmarc = decisions.find(({ role }) => role === "dmarc");
    assert.equal(dmarc?.record.value, "v=DMARC1; p=reject; pct=50");
  });

  it("needs no DMARC below a domain that has one", () => {
    const found = {
      records: [rec("_dmarc TXT v=DMARC1; p=none")],
      occupied: [],
    };
    const below = set("icloud", {}, `mail.${domain}`);
    assert.equal(actions(below, found)["dmarc"], "leave");
    const beside = set("icloud", {}, "othe.racme.example");
    assert.equal(actions(beside, found)["dmarc"], "write");
  });

  it("takes Google's older hosts for the same, and any host of Microsoft's where none is wanted", () => {
    const older = observed(
      "@ MX 1 aspmx.l.google.com",
      "@ MX 5 alt1.aspmx.l.google.com",
      "@ MX 5 alt2.aspmx.l.google.com",
      "@ MX 10 alt3.aspmx.l.google.com",
      "@ MX 10 alt4.aspmx.l.google.com",
    );
    assert.equal(actions(set("google"), older)["mx"], "present");
    const microsoft = observed("@ MX 0 acme-example.mail.protection.outlook.com");
    assert.equal(actions(set("microsoft_365"), microsoft)["discovery"], "write");
    assert.equal(actions(set("microsoft_365"), observed())["discovery"], "manual");
  });

  it("treats what cannot be read as taken", () => {
    const names = [domain, `fm1._domainkey.${domain}`, `_dmarc.${domain}`, `_imaps._tcp.${domain}`];
    const occupied = names.map((name) => ({ name, type: "MX" }));
    const { decisions } = decideMail(set("fastmail"), { records: [], occupied });
    const written = decisions.filter(({ action }) => action === "write");
    assert.deepEqual(
      written.map(({ record }) => record.name),
      [`fm2._domainkey.${domain}`, `fm3._domainkey.${domain}`],
    );
  });

  it("leaves a selector with another key, and recognises its key in another spelling", () => {
    const other = observed("fm1._domainkey CNAME other.example", "fm2._domainkey TXT v=DKIM1; p=x");
    const { decisions } = decideMail(set("fastmail"), other);
    assert.deepEqual(
      decisions.filter(({ role }) => role === "dkim").map(({ action }) => action),
      ["manual", "manual", "write"],
    );
    const whole = decideMail(set("fastmail"), {
      records: set("fastmail").records.map(({ record }) => record),
      occupied: [],
    });
    assert.deepEqual(
      whole.decisions.map(({ action }) => action),
      whole.decisions.map(({ role }) => (role === "spf" ? "manual" : "present")),
    );
    assert.match(whole.notes.map(mailNoteText).join(), /SPF record is right as it is/);
  });

  it("never writes beside or in place of anything that is there", () => {
    const labels = ["@", "_dmarc", "fm1._domainkey", "sig1._domainkey", "autodiscover"];
    const values = [
      "A 192.0.2.1",
      "TXT hello",
      "TXT v=spf1 mx -all",
      "TXT v=DMARC1; p=reject",
      "MX 10 mail.acme.example",
      "MX 1 smtp.google.com",
      "CNAME x.example",
      "SRV 0 0 0 .",
    ];
    const line = fc
      .tuple(fc.constantFrom(...labels, "_imaps._tcp"), fc.constantFrom(...values))
      .map((parts) => parts.join(" "));
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom(...mailboxKeys), (found, provider) => {
        const zone = observed(...new Set(found));
        const { decisions } = decideMail(set(provider), zone);
        const desired = decisions.filter(({ action }) => action === "write");
        for (const { record, role } of desired) {
          assert.notEqual(role, "spf");
          const there = zone.records.filter(({ name }) => name === record.name);
          const isShared = role === "mx" && there.every(({ type }) => type !== "MX");
          assert.ok(there.length === 0 || isShared, `${record.name} is taken`);
        }
        const result = planChanges({
          zone: domain,
          manifest: cloudflare,
          listing: { records: zone.records, opaque: [] },
          desired: desired.map(({ record }) => record),
          owned: [],
          allowedNames: desired.map(({ record }) => record.name),
        });
        assert.ok(result.ok && result.plan.changes.every(({ action }) => action === "create"));
      }),
      { numRuns: propertyRuns(20_000) },
    );
  });
});
