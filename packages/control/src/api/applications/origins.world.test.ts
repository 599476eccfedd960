import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createPki, type Pki } from "@mooring/testing/acme/openssl-pki";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, textOf } from "@mooring/testing/control/http";
import pg from "pg";

describe("the origins of an application", () => {
  let app: TestApp;
  let pki: Pki;
  let key = "";
  before(async () => {
    app = await startTestApp();
    pki = await createPki();
    key = (await app.tenant("Acme")).keys.test;
  });
  after(async () => {
    await app.close();
    await pki.remove();
  });

  async function make(body: object) {
    return await call(app.api.url, "/v1/applications", { key, body: { name: "Shop", ...body } });
  }

  async function patch(id: string, body: object) {
    return await call(app.api.url, `/v1/applications/${id}`, { key, method: "PATCH", body });
  }

  it("are a list that begins with origin_url, whichever of the two is written", async () => {
    const origins = [{ url: "https://a.example" }, { url: "https://b.example", weight: 3 }];
    const made = await make({ origins });
    assert.equal(made.json()["origin_url"], "https://a.example");
    const shown = [
      { url: "https://a.example", weight: 1 },
      { url: "https://b.example", weight: 3 },
    ];
    assert.deepEqual(made.json()["origins"], shown);
    const id = textOf(made, "id");
    const read = await call(app.api.url, `/v1/applications/${id}`, { key });
    assert.deepEqual(read.json(), made.json());
    // One that is written alone takes the place of all.
    const one = await patch(id, { origin_url: "https://c.example" });
    assert.deepEqual(one.json()["origins"], [{ url: "https://c.example", weight: 1 }]);
    const both = await patch(id, { origin_url: "https://a.example", origins });
    assert.deepEqual(both.json()["origins"], shown);
    const none = await patch(id, { origins: [] });
    assert.deepEqual([none.json()["origin_url"], none.json()["origins"]], [null, []]);
  });

  it("are refused when they contradict each other", async () => {
    const url = "https://a.example";
    const refusals: readonly (readonly [object, RegExp])[] = [
      [{ origin_url: "https://z.example", origins: [{ url }] }, /"path":"origin_url"/],
      [{ origins: [{ url }, { url }] }, /"path":"origins.1.url","message":"is in the list twice"/],
      [{ origins: Array.from({ length: 9 }, (_, n) => ({ url: `${url}/${n}` })) }, /origins/],
      [{ origins: [{ url: "ftp://a.example" }] }, /"path":"origins.0.url"/],
      [{ origins: [{ url, weight: -1 }] }, /"path":"origins.0.weight"/],
    ];
    for (const [body, expected] of refusals) {
      const answer = await make(body);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.text, expected);
    }
  });

  it("keep a client key sealed, and show only fingerprint and end of its certificate", async () => {
    const client = await pki.issue("edge-client", "client");
    const made = await make({
      origin_tls: {
        ca: pki.ca.cert,
        client_certificate: client.cert,
        client_key: client.key,
        verify_name: "Inside.example",
      },
    });
    assert.equal(made.status, 201, made.text);
    const tls = made.json()["origin_tls"] as {
      readonly ca: readonly { readonly fingerprint: string }[];
      readonly client_certificate: { readonly fingerprint: string; readonly not_after: string };
      readonly verify_name: string;
    };
    assert.equal(tls.client_certificate.fingerprint, await pki.fingerprint(client));
    assert.equal(tls.ca[0]?.fingerprint, await pki.fingerprint(pki.ca));
    assert.match(tls.client_certificate.not_after, /^\d{4}-/);
    assert.equal(tls.verify_name, "inside.example");
    assert.doesNotMatch(made.text, /BEGIN/);
    const id = textOf(made, "id");
    const session = new pg.Client({ connectionString: app.databaseUrl });
    await session.connect();
    const { rows } = await session.query<{ sealed: string }>(
      "select sealed_client_key as sealed from applications where id = $1",
      [id],
    );
    assert.match(rows[0]?.sealed ?? "", /^v1\./);
    const everything = await session.query(
      "select a::text as row from applications a union all select t::text from audit_log t",
    );
    assert.doesNotMatch(JSON.stringify(everything.rows), /PRIVATE KEY/);
    const renamed = await patch(id, { origin_tls: { server_name: "sni.example" } });
    assert.deepEqual(renamed.json()["origin_tls"], { ...tls, server_name: "sni.example" });
    const removed = await patch(id, { origin_tls: { client_certificate: null, ca: null } });
    assert.deepEqual(removed.json()["origin_tls"], {
      ca: null,
      client_certificate: null,
      server_name: "sni.example",
      verify_name: "inside.example",
    });
    const left = await session.query(
      "select 1 from applications where sealed_client_key is not null",
    );
    assert.equal(left.rows.length, 0);
    await session.end();
  });

  it("refuse certificates and keys that no handshake could use", async () => {
    const [one, other] = [await pki.issue("one", "client"), await pki.issue("two", "client")];
    const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    const refusals: readonly (readonly [object, RegExp])[] = [
      [{ client_certificate: one.cert }, /origin_tls.client_key","message":"is needed/],
      [{ client_key: one.key }, /origin_tls.client_certificate","message":"is needed/],
      [{ client_certificate: one.cert, client_key: other.key }, /does not belong/],
      [{ client_certificate: broken, client_key: one.key }, /expected a certificate/],
      [{ client_certificate: one.cert, client_key: one.cert }, /expected a private key/],
      [{ ca: broken }, /origin_tls.ca/],
      [{ ca: "not PEM" }, /origin_tls.ca/],
      [{ server_name: "a b" }, /origin_tls.server_name/],
    ];
    for (const [tls, expected] of refusals) {
      const answer = await make({ origin_tls: tls });
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.text, expected);
      assert.doesNotMatch(answer.text, /PRIVATE KEY/);
    }
  });
});
