import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call, codeOf } from "@mooring/testing/control/http";
import { type MailApp, startMailApp, type WireRecord } from "@mooring/testing/control/mail-app";
import { mintToken } from "@mooring/testing/control/world";

describe("POST /v1/email/records", () => {
  let mail: MailApp;
  before(async () => {
    mail = await startMailApp();
  });
  after(() => mail.close());

  const generate = (body: unknown, key = mail.key) =>
    call(mail.app.api.url, "/v1/email/records", { key, body });

  it("generates the records of each provider, and checks no DNS", async () => {
    for (const provider of ["google_workspace", "microsoft_365", "zoho", "fastmail", "proton"]) {
      const answer = await generate({ domain: "Acme.Example.", provider });
      assert.equal(answer.status, 200, answer.text);
      const body = answer.json();
      assert.deepEqual(Object.keys(body), [
        "provider",
        "domain",
        "records",
        "notes",
        "note_details",
      ]);
      assert.deepEqual([body["provider"], body["domain"]], [provider, "acme.example"]);
      const records = body["records"] as readonly WireRecord[];
      assert.ok(records.some(({ value }) => value.startsWith("v=spf1 include:")));
      assert.ok(records.some(({ value }) => value === "v=DMARC1; p=none"));
      for (const record of records) {
        const fields = ["host", "type", "value", "ttl", "priority"];
        assert.deepEqual(Object.keys(record), fields);
      }
    }
  });

  it("answers an alias by the provider's own name", async () => {
    const google = await generate({ domain: "acme.example", provider: "google" });
    assert.equal(google.json()["provider"], "google_workspace");
    const microsoft = await generate({ domain: "acme.example", provider: "microsoft365" });
    assert.equal(microsoft.json()["provider"], "microsoft_365");
  });

  it("lists the providers for one that it does not know", async () => {
    const answer = await generate({ domain: "acme.example", provider: "hotmail" });
    assert.deepEqual([answer.status, codeOf(answer)], [400, "invalid"]);
    const names = "google_workspace google microsoft_365 microsoft365 zoho fastmail proton icloud";
    for (const name of names.split(" ")) {
      assert.ok(answer.text.includes(name), name);
    }
  });

  it("names the input or the domain that is wrong", async () => {
    const wrong: readonly (readonly [object, string])[] = [
      [{ domain: "acme.example", inputs: { mx_host: "x" } }, "inputs.mx_host"],
      [{ domain: "acme.example", inputs: { dkim_value: "x" } }, "inputs.dkim_value"],
      [{ domain: "api.mooring.example" }, "domain"],
      [{ domain: "192.0.2.1" }, "domain"],
      [{ domain: "acme.internal" }, "domain"],
      [{ domain: "acme.example", more: 1 }, "more"],
    ];
    for (const [body, path] of wrong) {
      const answer = await generate({ provider: "google", ...body });
      assert.equal(answer.status, 400, answer.text);
      assert.ok(answer.text.includes(`"path":"${path}"`), answer.text);
    }
  });

  it("is not for widget tokens", async () => {
    const token = await mintToken(mail.app, mail.key, mail.without);
    const answer = await generate({ domain: "acme.example", provider: "zoho" }, token);
    assert.deepEqual([answer.status, codeOf(answer)], [403, "forbidden"]);
  });
});
