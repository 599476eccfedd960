import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  freshZone,
  lines,
  type MailApp,
  parseApplied,
  startMailApp,
} from "@mooring/testing/control/mail-app";
import { memoryResolver, records } from "@mooring/testing/dns/memory-resolver";

const known = "known-test.j-v1.mx.microsoft";

describe("Microsoft 365's MX host", () => {
  const derivable = freshZone();
  const token = derivable.replace("-", "").replace(".", "-");
  // The dash of every zone of these tests is the fifth character.
  const derived = `${token}01b.mail.protection.outlook.com`;
  let mail: MailApp;
  before(async () => {
    const recursive = records(
      `${known} 60 A 192.0.2.25`,
      `${derived} 60 A 192.0.2.26`,
      "spf.protection.outlook.com 60 TXT v=spf1 ip4:192.0.2.0/24 -all",
    );
    const resolver = memoryResolver({ zone: "example", servers: {}, recursive });
    mail = await startMailApp({ resolver });
  });
  after(() => mail.close());

  const autodiscover = "autodiscover CNAME autodiscover.outlook.com";

  it("is written when it was given and exists", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    const body = { provider: "microsoft_365", inputs: { mx_host: known } };
    const applied = parseApplied(await mail.apply(id, body));
    assert.deepEqual(lines(applied.written_records, zone), [
      `@ MX 0 ${known}`,
      "_dmarc TXT v=DMARC1; p=none",
      autodiscover,
    ]);
    assert.ok(applied.notes.includes("The SPF record costs 1 of 10 lookups."));
  });

  it("is left to a person when it does not exist, and clients are not sent there either", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    const host = "unknown-test.j-v1.mx.microsoft";
    const body = { provider: "microsoft365", inputs: { mx_host: host } };
    const applied = parseApplied(await mail.apply(id, body));
    assert.deepEqual(lines(applied.written_records, zone), ["_dmarc TXT v=DMARC1; p=none"]);
    assert.ok(lines(applied.manual_records, zone).includes(`@ MX 0 ${host}`));
    assert.ok(lines(applied.manual_records, zone).includes(autodiscover));
    assert.match(applied.notes.join("\n"), /does not exist in DNS/);
  });

  it("is proposed when it follows from an older rule and exists, and never written", async () => {
    const id = await mail.proven(mail.withCredential, derivable);
    const applied = parseApplied(await mail.apply(id, { provider: "microsoft_365" }));
    assert.ok(lines(applied.manual_records, derivable).includes(`@ MX 0 ${derived}`));
    assert.ok(!applied.written_records.some(({ type }) => type === "MX"));
    const other = freshZone();
    const unknown = await mail.proven(mail.withCredential, other);
    const nothing = parseApplied(await mail.apply(unknown, { provider: "microsoft_365" }));
    const all = [...nothing.manual_records, ...nothing.written_records];
    assert.ok(!all.some(({ type }) => type === "MX"));
    assert.match(nothing.notes.join("\n"), /give it as mx_host/);
  });
});
