import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import { mintToken } from "@mooring/testing/control/world";

const fields = [
  "domain",
  "registered",
  "provider",
  "setup_type",
  "apex_flattening",
  "provider_slug",
  "nameserver",
  "apex",
  "auto_configurable",
  "www_redirect_recommended",
  "capabilities",
  "record_conflicts",
];
const added = [
  "domain_connect",
  "registrable_domain",
  "subdomain",
  "public_suffix",
  "dnssec",
  "caa_allows",
  "warning_details",
  "warnings",
  "credential_fields",
  "credential_help",
  "record_form",
  "guide",
  "in_use",
  "claim",
  "pair",
  "proof",
  "zone",
];

describe("domains:check", () => {
  let app: TestApp;
  let key: string;
  let applicationId: string;

  const check = (domain: string, options: { key?: string; application_id?: string } = {}) => {
    const { key: caller = key, ...rest } = options;
    return call(app.api.url, "/v1/domains:check", { key: caller, body: { domain, ...rest } });
  };

  const put = async (
    zone: string,
    records: readonly unknown[],
    nameservers?: readonly string[],
  ) => {
    const body = { records, ...(nameservers ? { nameservers } : {}) };
    const path = `/v1/sandbox/zones/${zone}/records`;
    const answer = await call(app.api.url, path, { key, method: "PUT", body });
    assert.equal(answer.status, 200, answer.text);
  };

  const warningsOf = (answer: Answer) => JSON.stringify(answer.json()["warnings"]);

  /** Accepts queries and never answers: names outside of the sandbox cannot be resolved. */
  const silent = createSocket("udp4");

  before(async () => {
    silent.bind(0, "127.0.0.1");
    await once(silent, "listening");
    const DNS_RESOLVERS = `127.0.0.1:${silent.address().port}`;
    app = await startTestApp({
      DNS_RESOLVERS,
      EDGE_CNAME: "edge.mooring.example",
      EDGE_IPV4: "192.0.2.10",
    });
    key = (await app.tenant("Acme")).keys.test;
    const record_template = [
      { host: "mail", type: "MX", value: "in.mooring.example", priority: 5 },
    ];
    const body = { name: "Shop", record_template };
    applicationId = textOf(await call(app.api.url, "/v1/applications", { key, body }), "id");
  });
  after(async () => {
    silent.close();
    await app.close();
  });

  it("answers every field, for a sandbox name that was never written", async () => {
    const answer = await check("Shop.Free-1.test.");
    assert.equal(answer.status, 200, answer.text);
    const body = answer.json();
    assert.deepEqual(Object.keys(body).sort(), [...fields, ...added].sort());
    assert.deepEqual(
      { ...body, credential_fields: 0, credential_help: 0, nameserver: 0 },
      {
        domain: "shop.free-1.test",
        registered: true,
        provider: "Sandbox",
        provider_slug: "sandbox",
        setup_type: "automatic",
        apex_flattening: true,
        nameserver: 0,
        apex: false,
        auto_configurable: true,
        www_redirect_recommended: false,
        capabilities: {
          cname_flattening: true,
          wildcard: true,
          caa: true,
          multi_txt: true,
          ns_delegation: true,
        },
        record_conflicts: [],
        domain_connect: false,
        registrable_domain: "free-1.test",
        subdomain: "shop",
        public_suffix: "test",
        dnssec: "unsigned",
        caa_allows: true,
        warnings: [],
        warning_details: [],
        in_use: null,
        claim: "free",
        pair: null,
        credential_fields: 0,
        credential_help: 0,
        record_form: {
          host_label: "Host",
          value_label: "Value",
          ttl_label: "TTL",
          host_style: "relative",
          apex_host: "@",
          apex_type: "ALIAS",
          minimum_ttl: 1,
          target_dot: false,
        },
        zone: "free-1.test",
        proof: { method: "txt", prepared: "txt" },
        guide: {
          ways: ["token", "manual"],
          token: {
            url: "https://www.rfc-editor.org/rfc/rfc6761#section-6.2",
            alternatives: [],
            steps: [{ action: "copy", label: "" }],
            addresses: [],
          },
          manual: null,
        },
      },
    );
    assert.match(JSON.stringify(body["credential_fields"]), /"key":"token"/);
    const apex = (await check("free-1.test")).json();
    assert.deepEqual(
      [apex["apex"], apex["www_redirect_recommended"], apex["subdomain"]],
      [true, true, null],
    );
  });

  it("shows at once what the zone holds, against the default and a template", async () => {
    await put("shown.test", [
      { host: "shop", type: "A", value: "203.0.113.5", ttl: 60 },
      { host: "mail.shop", type: "MX", value: "old.shown.test", ttl: 60, priority: 10 },
    ]);
    const byDefault = await check("shop.shown.test");
    assert.deepEqual(byDefault.json()["record_conflicts"], [
      { host: "shop.shown.test", type: "A", value: "203.0.113.5", ttl: 60, priority: null },
    ]);
    const byTemplate = await check("shop.shown.test", { application_id: applicationId });
    assert.deepEqual(byTemplate.json()["record_conflicts"], [
      { host: "mail.shop.shown.test", type: "MX", value: "old.shown.test", ttl: 60, priority: 10 },
    ]);
    await put("shown.test", []);
    assert.deepEqual((await check("shop.shown.test")).json()["record_conflicts"], []);
  });

  it("promises nothing for an unknown provider", async () => {
    await put("vanity.test", [], ["ns1.vanity.test", "ns2.vanity.test"]);
    const body = (await check("vanity.test")).json();
    assert.deepEqual(
      [body["provider"], body["provider_slug"], body["setup_type"], body["nameserver"]],
      [null, null, "manual", "ns1.vanity.test"],
    );
    assert.deepEqual(new Set(Object.values(Object(body["capabilities"]))), new Set([false]));
    assert.deepEqual([body["credential_fields"], body["credential_help"]], [[], null]);
    assert.equal(body["record_form"], null);
    assert.match(JSON.stringify(body["warnings"]), /Keep the A and AAAA records of vanity\.test/);
  });

  it("knows the form of a panel without an API", async () => {
    await put("painel.test", [], ["a.auto.dns.br", "b.auto.dns.br"]);
    const body = (await check("painel.test")).json();
    const { manual } = body["guide"] as { manual: Record<string, unknown> };
    assert.equal(manual["url"], "https://registro.br/painel/dominios/?dominio=painel.test");
    assert.deepEqual(manual["notes"], ["no_apex_alias", "no_wildcard"]);
    assert.deepEqual(body["record_form"], {
      host_label: "Nome",
      value_label: "Dados",
      ttl_label: null,
      host_style: "relative",
      apex_host: "",
      apex_type: null,
      minimum_ttl: 300,
      target_dot: false,
    });
  });

  it("warns of what the sandbox's magic names do", async () => {
    const caa = await check("caa.magic.test");
    assert.equal(caa.json()["caa_allows"], false);
    assert.match(warningsOf(caa), /Add the record caa\.magic\.test CAA 0 issue/);
    const record = { host: "proxied", type: "CNAME", value: "edge.mooring.example", ttl: 60 };
    await put("magic.test", [record]);
    const hidden = warningsOf(await check("proxied.magic.test"));
    assert.match(hidden, /"Leave proxied\.magic\.test behind Cloudflare's proxy/);
    assert.doesNotMatch(hidden, /Switch the proxy off|Remove the AAAA record/);
    const bogus = await check("dnssec.magic.test");
    assert.equal(bogus.json()["dnssec"], "bogus");
    assert.match(warningsOf(bogus), /Repair DNSSEC for magic\.test/);
    assert.doesNotMatch(warningsOf(bogus), /Check again shortly/);
    // The customer gets the provider's guide all the same.
    const { provider, zone, guide } = bogus.json() as Record<string, Record<string, unknown>>;
    assert.deepEqual([provider, zone], ["Sandbox", "magic.test"]);
    assert.deepEqual(
      guide?.["ways"],
      ["manual"],
      "to a zone that is not trusted nothing is written",
    );
  });

  it("refuses what cannot be connected with the reason, naming the field", async () => {
    for (const domain of [
      "co.uk",
      "10.0.0.1",
      "a.b.edge.mooring.example",
      "db.internal",
      "_a.b.test",
    ]) {
      const refused = await check(domain);
      assert.deepEqual([refused.status, codeOf(refused)], [400, "invalid"], domain);
      assert.match(refused.text, /"path":"domain"/);
    }
    const live = (await app.tenant("Live")).keys.live;
    assert.equal((await check("shop.free-1.test", { key: live })).status, 400);
    const unknownField = { domain: "shop.free-1.test", verbose: true };
    const strict = await call(app.api.url, "/v1/domains:check", { key, body: unknownField });
    assert.match(strict.text, /"path":"verbose","message":"unknown field"/);
  });

  it("answers in time with what is unknown when DNS does not answer", async () => {
    const startedAt = performance.now();
    await check("shop.free-1.test");
    const usualMs = performance.now() - startedAt;
    const askedAt = performance.now();
    const answer = await check("shop.acme.example");
    assert.equal(answer.status, 200, answer.text);
    assert.ok(performance.now() - askedAt < 4_000 + 2 * usualMs);
    const body = answer.json();
    assert.deepEqual(
      [body["registered"], body["provider"], body["caa_allows"]],
      [true, null, null],
    );
    assert.match(warningsOf(answer), /Check again shortly/);
  });

  it("accepts a widget token's own application, and no other", async () => {
    const token = await mintToken(app, key, applicationId);
    await put("widget.test", [
      { host: "mail.shop", type: "MX", value: "old.widget.test", ttl: 60, priority: 10 },
    ]);
    const implied = await check("shop.widget.test", { key: token });
    assert.equal(implied.status, 200, implied.text);
    assert.match(JSON.stringify(implied.json()["record_conflicts"]), /old\.widget\.test/);
    const made = await call(app.api.url, "/v1/applications", { key, body: { name: "Other" } });
    const other = { key: token, application_id: textOf(made, "id") };
    assert.equal((await check("shop.widget.test", other)).status, 404);
    const bound = await mintToken(app, key, applicationId, "shop.widget.test");
    assert.equal((await check("SHOP.widget.test", { key: bound })).status, 200);
    const refused = await check("www.widget.test", { key: bound });
    assert.deepEqual([refused.status, codeOf(refused)], [403, "forbidden"]);
  });

  it("knows no application of another tenant", async () => {
    const otherKey = (await app.tenant("Other")).keys.test;
    const refused = await check("a.free-2.test", { key: otherKey, application_id: applicationId });
    assert.equal(refused.status, 404);
  });
});
