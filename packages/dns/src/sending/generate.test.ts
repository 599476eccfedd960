import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, it } from "node:test";
import { mailNoteText } from "../email/notes.ts";
import type { DnsRecord } from "../record.ts";
import { decideSending, sendingStatus } from "./decide.ts";
import { generateSending, type SendingSet } from "./generate.ts";
import { sendingProviders } from "./presets.ts";

const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = publicKey.export({ format: "der", type: "spki" }).toString("base64");

const given: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  resend: { dkim_value: `p=${key}`, region: "eu-west-1" },
  postmark: { dkim_selector: "20260101pm", dkim_value: `k=rsa;p=${key}` },
  ses: {
    dkim_target1: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.dkim.amazonses.com.",
    dkim_target2: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.dkim.amazonses.com",
    dkim_target3: "cccccccccccccccccccccccccccccccc.dkim.eu-south-1.amazonses.com",
    return_path: "bounce",
    region: "eu-south-1",
  },
  mailgun: { dkim_selector: "mta", dkim_value: `k=rsa; p=${key}` },
  sendgrid: { account_host: "u7.wl9.sendgrid.net", return_path: "em42" },
  brevo: { verification: "brevo-code:e760f020e6d438149540cfc757e99b5a" },
};

const expected: Readonly<Record<string, readonly string[]>> = {
  resend: [
    "resend._domainkey TXT p=KEY",
    "send MX 10 feedback-smtp.eu-west-1.amazonses.com",
    "send TXT v=spf1 include:amazonses.com ~all",
    "_dmarc TXT v=DMARC1; p=none",
  ],
  postmark: [
    "20260101pm._domainkey TXT k=rsa; p=KEY",
    "pm-bounces CNAME pm.mtasv.net",
    "_dmarc TXT v=DMARC1; p=none",
  ],
  ses: [
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa._domainkey CNAME aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.dkim.amazonses.com",
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb._domainkey CNAME bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.dkim.amazonses.com",
    "cccccccccccccccccccccccccccccccc._domainkey CNAME cccccccccccccccccccccccccccccccc.dkim.eu-south-1.amazonses.com",
    "bounce MX 10 feedback-smtp.eu-south-1.amazonses.com",
    "bounce TXT v=spf1 include:amazonses.com ~all",
    "_dmarc TXT v=DMARC1; p=none",
  ],
  mailgun: [
    "mta._domainkey TXT k=rsa; p=KEY",
    "@ TXT v=spf1 include:mailgun.org ~all",
    "_dmarc TXT v=DMARC1; p=none",
  ],
  sendgrid: [
    "em42 CNAME u7.wl9.sendgrid.net",
    "s1._domainkey CNAME s1.domainkey.u7.wl9.sendgrid.net",
    "s2._domainkey CNAME s2.domainkey.u7.wl9.sendgrid.net",
    "_dmarc TXT v=DMARC1; p=none",
  ],
  brevo: [
    "@ TXT brevo-code:e760f020e6d438149540cfc757e99b5a",
    "brevo1._domainkey CNAME b1.mail-acme-com.dkim.brevo.com",
    "brevo2._domainkey CNAME b2.mail-acme-com.dkim.brevo.com",
    "_dmarc TXT v=DMARC1; p=none; rua=mailto:rua@dmarc.brevo.com",
  ],
};

const domain = "mail.acme.com";

function makeSet(provider: string, inputs = given[provider] ?? {}): SendingSet {
  const made = generateSending({ domain, provider, inputs });
  assert.ok(made.ok, JSON.stringify(made));
  return made.set;
}

function lines(set: SendingSet): readonly string[] {
  return set.records.map(({ record: { name, type, value, priority } }) =>
    [
      name === domain ? "@" : name.replace(`.${domain}`, ""),
      type,
      ...(priority === null ? [] : [priority]),
      value.replace(key, "KEY"),
    ].join(" "),
  );
}

function issuePaths(provider: string, inputs: Readonly<Record<string, string>>) {
  const made = generateSending({ domain, provider, inputs });
  return made.ok ? [] : made.issues.map(({ path }) => path);
}

describe("the records of a sending domain", () => {
  for (const { key: provider } of sendingProviders) {
    it(`at ${provider} are those that its console shows`, () => {
      assert.deepEqual(lines(makeSet(provider)), expected[provider]);
    });
  }

  it("are refused while a value is missing, unknown or of another form", () => {
    assert.deepEqual(issuePaths("resend", {}), ["inputs.dkim_value"]);
    assert.deepEqual(issuePaths("mailgun", {}), ["inputs.dkim_value"]);
    assert.deepEqual(issuePaths("ses", { dkim_target1: "evil.example" }), [
      "inputs.dkim_target1",
      "inputs.dkim_target2",
      "inputs.dkim_target3",
    ]);
    const sendgrid = { account_host: "u7.wl9.sendgrid.net.evil.example", return_path: "a.b" };
    assert.deepEqual(issuePaths("sendgrid", sendgrid), [
      "inputs.account_host",
      "inputs.return_path",
    ]);
    assert.deepEqual(issuePaths("sendgrid", { ...given["sendgrid"], mx: "a" }), ["inputs.mx"]);
    assert.deepEqual(issuePaths("nobody", {}), ["provider"]);
  });

  it("have the other form of DKIM where the console shows it", () => {
    const mailgun = {
      dkim_target1: "pdk1._domainkey.abc12.dkim1.mailgun.com",
      dkim_target2: "pdk2._domainkey.abc12.dkim1.mailgun.com",
    };
    assert.deepEqual(lines(makeSet("mailgun", mailgun)).slice(0, 2), [
      "pdk1._domainkey CNAME pdk1._domainkey.abc12.dkim1.mailgun.com",
      "pdk2._domainkey CNAME pdk2._domainkey.abc12.dkim1.mailgun.com",
    ]);
    const brevo = { ...given["brevo"], dkim_value: `k=rsa; p=${key}` };
    assert.deepEqual(lines(makeSet("brevo", brevo)).slice(1, 2), [
      "mail._domainkey TXT k=rsa; p=KEY",
    ]);
  });
});

const record = (name: string, type: DnsRecord["type"], value: string): DnsRecord => ({
  name,
  type,
  value,
  ttl: 300,
  priority: type === "MX" ? 10 : null,
});

describe("what is decided about them", () => {
  const actions = (set: SendingSet, records: readonly DnsRecord[]) =>
    decideSending(set, { records, occupied: [] }).decisions.map(({ action }) => action);

  it("writes into empty names and leaves what is there", () => {
    const set = makeSet("resend");
    assert.deepEqual(actions(set, []), ["write", "write", "write", "write"]);
    const own = set.records.map((one) => one.record);
    assert.deepEqual(actions(set, own), ["present", "present", "present", "present"]);
    assert.deepEqual(actions(set, own.slice(1, 2)), ["write", "present", "write", "write"]);
    const other = record(`send.${domain}`, "MX", "mx.other.example");
    assert.deepEqual(actions(set, [other]), ["write", "manual", "manual", "write"]);
  });

  it("merges the one SPF record, and says that an alias cannot carry it", () => {
    const set = makeSet("mailgun");
    const there = record(domain, "TXT", "v=spf1 include:old.example -all");
    const plan = decideSending(set, { records: [there], occupied: [] });
    assert.equal(plan.spf?.value, "v=spf1 include:old.example include:mailgun.org -all");
    const alias = record(domain, "CNAME", "edge.example");
    const beside = decideSending(set, { records: [alias], occupied: [] });
    assert.equal(beside.spf, null);
    assert.deepEqual(
      beside.decisions.map(({ action }) => action),
      ["write", "leave", "write"],
    );
    assert.match(beside.notes.map(mailNoteText).join(), /is an alias/);
  });

  it("tells right, missing and wrong apart, and takes any DMARC policy", () => {
    const set = makeSet("sendgrid");
    const observed = [
      record(`em42.${domain}`, "CNAME", "u7.wl9.sendgrid.net"),
      record(`s1._domainkey.${domain}`, "CNAME", "elsewhere.example"),
      record("_dmarc.acme.com", "TXT", "v=DMARC1; p=reject"),
    ];
    const found = set.records.map((one) =>
      sendingStatus(one, set, { records: observed, occupied: [] }),
    );
    assert.deepEqual(found, ["right", "wrong", "missing", "right"]);
  });
});
