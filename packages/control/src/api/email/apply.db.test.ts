import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call, codeOf } from "@mooring/testing/control/http";
import {
  freshZone,
  lines,
  type MailApp,
  parseApplied,
  startMailApp,
  type WireRecord,
} from "@mooring/testing/control/mail-app";
import { mintToken } from "@mooring/testing/control/world";

const icloud = {
  safe: [
    "@ MX 10 mx01.mail.icloud.com",
    "@ MX 10 mx02.mail.icloud.com",
    "_dmarc TXT v=DMARC1; p=none",
    "sig1._domainkey CNAME sig1.dkim.ZONE.at.icloudmailadmin.com",
  ],
  spf: "@ TXT v=spf1 include:icloud.com ~all",
};

describe("POST /v1/connections/{id}/email:apply", () => {
  let mail: MailApp;
  before(async () => {
    mail = await startMailApp();
  });
  after(() => mail.close());

  /** What the zone has now and had not before, and the other way round. */
  async function diff(zone: string, before: readonly WireRecord[]) {
    const now = lines(await mail.records(zone), zone);
    const then = lines(before, zone);
    return {
      added: now.filter((line) => !then.includes(line)),
      removed: then.filter((line) => !now.includes(line)),
    };
  }

  it("writes what is safe and hands over the SPF record", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    const before = await mail.records(zone);
    const answer = await mail.apply(id, { provider: "icloud" });
    const applied = parseApplied(answer);
    assert.deepEqual(Object.keys(answer.json()), [
      "applied",
      "domain",
      "provider",
      "written_records",
      "manual_records",
      "spf",
      "notes",
      "note_details",
    ]);
    assert.deepEqual([applied.applied, applied.domain, applied.provider], [true, zone, "icloud"]);
    assert.deepEqual(lines(applied.written_records, zone), icloud.safe);
    assert.deepEqual(lines(applied.manual_records, zone), [icloud.spf]);
    assert.deepEqual(await diff(zone, before), { added: icloud.safe, removed: [] });
    assert.ok(applied.notes.some((note) => /SPF record costs/.test(note)));
  });

  it("shows in a dry run exactly what it would write, and writes and stores nothing", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    const before = await mail.records(zone);
    const shown = parseApplied(await mail.apply(id, { provider: "icloud", dry_run: true }));
    assert.equal(shown.applied, false);
    assert.deepEqual(lines(shown.written_records, zone), icloud.safe);
    assert.deepEqual(await diff(zone, before), { added: [], removed: [] });
    const applied = parseApplied(await mail.apply(id, { provider: "icloud" }));
    assert.deepEqual(applied, { ...shown, applied: true });
    const again = parseApplied(await mail.apply(id, { provider: "icloud", dry_run: true }));
    assert.deepEqual(again.written_records, []);
  });

  it("writes with the access that the customer gives, and replaces no SPF record by itself", async () => {
    const zone = freshZone();
    const existing = [{ host: "@", type: "TXT", value: "v=spf1 include:old.example -all" }];
    const id = await mail.proven(mail.without, zone, existing);
    const dns = { provider: "sandbox", fields: { token: "sandbox" } };
    const answer = await mail.apply(id, { provider: "icloud", dns });
    assert.deepEqual(lines(parseApplied(answer).written_records, zone), icloud.safe);
    assert.deepEqual(answer.json()["spf"], {
      action: "replace",
      current: "v=spf1 include:old.example -all",
      value: "v=spf1 include:old.example include:icloud.com -all",
    });
    const again = await mail.apply(id, { provider: "icloud", dns: { ...dns, fields: {} } });
    assert.ok(again.status === 400 || again.status === 502, String(again.status));
  });

  it("says the same again, and writes nothing the second time", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    const first = parseApplied(await mail.apply(id, { provider: "fastmail" }));
    const before = await mail.records(zone);
    const second = parseApplied(await mail.apply(id, { provider: "fastmail" }));
    assert.deepEqual(second, first);
    assert.deepEqual(await diff(zone, before), { added: [], removed: [] });
    assert.equal(first.written_records.length, 12);
  });

  it("changes nothing of mail that is there (the zone's difference is empty)", async () => {
    const existing: readonly WireRecord[] = [
      { host: "@", type: "MX", value: "mx1.old.example", priority: 10 },
      { host: "@", type: "TXT", value: "v=spf1 mx include:old.example -all" },
      { host: "@", type: "TXT", value: "google-site-verification=abc" },
      { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=reject" },
      { host: "sig1._domainkey", type: "TXT", value: "v=DKIM1; k=rsa; p=abc" },
    ];
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone, existing);
    const before = await mail.records(zone);
    const applied = parseApplied(await mail.apply(id, { provider: "icloud" }));
    assert.deepEqual(await diff(zone, before), { added: [], removed: [] });
    assert.deepEqual([applied.applied, applied.written_records], [false, []]);
    assert.deepEqual(lines(applied.manual_records, zone), [
      "@ MX 10 mx01.mail.icloud.com",
      "@ MX 10 mx02.mail.icloud.com",
      "@ TXT v=spf1 mx include:old.example include:icloud.com -all",
      "_dmarc TXT v=DMARC1; p=reject",
      "sig1._domainkey CNAME sig1.dkim.ZONE.at.icloudmailadmin.com",
    ]);
    const notes = applied.notes.join("\n");
    assert.match(notes, /goes to mx1\.old\.example now/);
    assert.match(notes, /already has a DMARC policy/);
    assert.match(notes, /sig1\._domainkey\.\S+ already has another record/);
    assert.match(notes, /replace the existing one/);
  });

  it("never makes a second SPF or DMARC record, whatever is there", async () => {
    const cases: readonly (readonly WireRecord[])[] = [
      [{ host: "@", type: "TXT", value: "v=spf1 -all" }],
      [{ host: "@", type: "TXT", value: "v=spf1 include:icloud.com ~all" }],
      [
        { host: "@", type: "TXT", value: "v=spf1 mx -all" },
        { host: "@", type: "TXT", value: "v=spf1 a -all" },
      ],
      [{ host: "_dmarc", type: "CNAME", value: "policy.dmarc.example" }],
      [{ host: "_dmarc", type: "TXT", value: "v=dmarc1;p=none" }],
      [{ host: "@", type: "MX", value: ".", priority: 0 }],
    ];
    for (const existing of cases) {
      const zone = freshZone();
      const id = await mail.proven(mail.withCredential, zone, existing);
      const before = await mail.records(zone);
      parseApplied(await mail.apply(id, { provider: "icloud" }));
      const { added, removed } = await diff(zone, before);
      assert.deepEqual(removed, []);
      assert.ok(!added.some((line) => /v=spf1/.test(line)));
      const policies = (await mail.records(zone)).filter(({ host }) => host === `_dmarc.${zone}`);
      assert.equal(policies.length, 1);
    }
  });

  it("leaves everything to a person without a credential, and checks DNS for it", async () => {
    const zone = freshZone();
    const text = { host: "@", type: "TXT", value: "v=spf1 include:old.example -all" };
    const id = await mail.proven(mail.without, zone, [text]);
    const before = await mail.records(zone);
    const applied = parseApplied(await mail.apply(id, { provider: "icloud" }));
    assert.deepEqual([applied.applied, applied.written_records], [false, []]);
    const merged = "@ TXT v=spf1 include:old.example include:icloud.com -all";
    assert.deepEqual(lines(applied.manual_records, zone), [...icloud.safe, merged].sort());
    assert.match(applied.notes[0] ?? "", /no stored credential sees the zone/);
    assert.deepEqual(await diff(zone, before), { added: [], removed: [] });
  });

  it("never writes before ownership is proven", async () => {
    const zone = freshZone();
    await mail.put(zone, []);
    const id = await mail.connect(mail.withCredential, zone);
    const applied = parseApplied(await mail.apply(id, { provider: "icloud" }));
    assert.deepEqual([applied.applied, applied.written_records], [false, []]);
    assert.deepEqual(lines(applied.manual_records, zone), [...icloud.safe, icloud.spf].sort());
    assert.match(applied.notes[0] ?? "", /not proven/);
    assert.deepEqual(await mail.records(zone), []);
  });

  it("is for the hostname alone, and reports that a name with a CNAME cannot take mail", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, `shop.${zone}`);
    const before = await mail.records(zone);
    const applied = parseApplied(await mail.apply(id, { provider: "icloud" }));
    assert.equal(applied.domain, `shop.${zone}`);
    assert.deepEqual(applied.written_records, []);
    assert.ok(applied.manual_records.every(({ host }) => host.endsWith(`shop.${zone}`)));
    assert.match(applied.notes.join("\n"), /cannot take mail/);
    assert.deepEqual(await diff(zone, before), { added: [], removed: [] });
  });

  it("uses a stored credential for keys and bound tokens only", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    const before = await mail.records(zone);
    const { app, key, withCredential } = mail;
    const unbound = await mintToken(app, key, withCredential);
    const refused = await mail.apply(id, { provider: "icloud" }, { key: unbound });
    assert.deepEqual([refused.status, codeOf(refused)], [404, "not_found"]);
    assert.deepEqual(await diff(zone, before), { added: [], removed: [] });
    const elsewhere = await mintToken(app, key, withCredential, `other.${zone}`);
    const other = await mail.apply(id, { provider: "icloud" }, { key: elsewhere });
    assert.deepEqual([other.status, codeOf(other)], [404, "not_found"]);
    const bound = await mintToken(app, key, withCredential, zone);
    const applied = parseApplied(await mail.apply(id, { provider: "icloud" }, { key: bound }));
    assert.equal(applied.applied, true);
    assert.deepEqual((await diff(zone, before)).added, icloud.safe);
  });

  it("never uses one for a connection that an unbound token made", async () => {
    const zone = freshZone();
    const { app, key, withCredential } = mail;
    const token = await mintToken(app, key, withCredential);
    const made = await call(app.api.url, "/v1/connections", {
      key: token,
      body: { application_id: withCredential, hostname: zone },
    });
    const { id, ownership_challenge: challenge } = made.json() as {
      id: string;
      ownership_challenge: { name: string; value: string };
    };
    await mail.put(zone, [{ host: challenge.name, type: "TXT", value: challenge.value }]);
    const path = `/v1/connections/${id}/verify`;
    assert.equal((await call(app.api.url, path, { key, method: "POST" })).status, 200);
    const applied = parseApplied(await mail.apply(id, { provider: "icloud" }));
    assert.deepEqual([applied.applied, applied.written_records], [false, []]);
    assert.equal((await mail.records(zone)).length, 1);
  });

  it("answers 409 for an archived connection, and 404 for another tenant's", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    const { app, key } = mail;
    const otherKey = (await app.tenant("Other")).keys.test;
    assert.equal((await mail.apply(id, { provider: "zoho" }, { key: otherKey })).status, 404);
    await call(app.api.url, `/v1/connections/${id}`, { key, method: "DELETE" });
    const archived = await mail.apply(id, { provider: "zoho" });
    assert.deepEqual([archived.status, codeOf(archived)], [409, "conflict"]);
  });

  it("leaves mail alone when the connection's own records are reverted", async () => {
    const zone = freshZone();
    const id = await mail.proven(mail.withCredential, zone);
    const { app, key } = mail;
    const run = (verb: string) =>
      call(app.api.url, `/v1/connections/${id}/${verb}`, { key, method: "POST", body: {} });
    const own = await run("records:apply");
    assert.equal(own.json()["applied"], true, own.text);
    parseApplied(await mail.apply(id, { provider: "icloud" }));
    const before = await mail.records(zone);
    const reverted = await run("records:revert");
    assert.equal(reverted.status, 200, reverted.text);
    const { added, removed } = await diff(zone, before);
    assert.deepEqual(added, []);
    assert.ok(
      removed.length > 0 && removed.every((line) => !icloud.safe.includes(line)),
      removed.join(),
    );
  });
});
