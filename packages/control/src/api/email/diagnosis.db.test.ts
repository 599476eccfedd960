import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call } from "@mooring/testing/control/http";
import {
  freshZone,
  type MailApp,
  parseApplied,
  startMailApp,
} from "@mooring/testing/control/mail-app";

describe("the diagnosis of a connection with mail", () => {
  let mail: MailApp;
  before(async () => {
    mail = await startMailApp();
  });
  after(() => mail.close());

  async function mailCodes(id: string): Promise<readonly string[]> {
    const path = `/v1/connections/${id}/diagnosis`;
    const answer = await call(mail.app.api.url, path, { key: mail.key });
    assert.equal(answer.status, 200, answer.text);
    const findings = answer.json()["findings"] as readonly { code: string }[];
    return findings.map(({ code }) => code).filter((code) => code.startsWith("email_"));
  }

  it("follows mail from its set-up to what is broken later", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    assert.deepEqual(await mailCodes(id), []);
    const applied = parseApplied(await mail.apply(id, { provider: "icloud" }));
    assert.deepEqual(await mailCodes(id), ["email_spf_missing"]);
    const before = await mail.records(zone);
    await mail.put(zone, [...before, ...applied.manual_records]);
    assert.deepEqual(await mailCodes(id), []);
    const policy = { host: "@", type: "TXT", value: "v=spf1 mx -all" };
    await mail.put(zone, [...before, ...applied.manual_records, policy]);
    assert.deepEqual(await mailCodes(id), ["email_spf_multiple"]);
    const without = before.filter(({ host, type }) => type !== "MX" && !host.startsWith("_dmarc"));
    const elsewhere = { host: "@", type: "MX", value: "mx.old.example", priority: 10 };
    await mail.put(zone, [...without, elsewhere]);
    assert.deepEqual(await mailCodes(id), [
      "email_mx_elsewhere",
      "email_spf_missing",
      "email_dmarc_missing",
    ]);
    await mail.put(
      zone,
      without.filter(({ host }) => !host.includes("_domainkey")),
    );
    assert.deepEqual(await mailCodes(id), [
      "email_mx_missing",
      "email_spf_missing",
      "email_dkim_missing",
      "email_dmarc_missing",
    ]);
  });

  it("counts lookups where DNS is", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    parseApplied(await mail.apply(id, { provider: "icloud" }));
    const before = await mail.records(zone);
    const many = Array.from({ length: 10 }, (_, index) => `a:h${index}.${zone}`).join(" ");
    const value = `v=spf1 ${many} include:icloud.com -all`;
    await mail.put(zone, [...before, { host: "@", type: "TXT", value }]);
    assert.deepEqual(await mailCodes(id), ["email_spf_broken"]);
  });
});
