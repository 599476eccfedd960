import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { planTemplate } from "@mooring/testing/domain-connect-provider/template-plan";
import { printRecord } from "../../conformance/print-record.ts";
import type { DomainConnectTemplate } from "./template.ts";
import type { RecordPattern } from "./template-from-records.ts";
import { type TemplateSource, templateFromRecords, variablesFor } from "./template-from-records.ts";
import { lintTemplate } from "./template-lint.ts";

const ownership = { label: "_service-challenge", prefix: "service-verify=" };
const source: TemplateSource = {
  kind: "subdomain",
  identity: { providerId: "mooring.example", serviceId: "sub" },
  providerName: "Mooring",
  serviceName: "Custom domains",
  version: 1,
  syncPubKeyDomain: "keys.mooring.example",
  syncRedirectDomain: "app.mooring.example",
  records: [],
  edge: { cname: "edge.mooring.example", ipv4: ["192.0.2.1", "192.0.2.2"], ipv6: ["2001:db8::1"] },
  ownership,
};
const apex: TemplateSource = { ...source, kind: "apex" };
const values = { challenge: "service-verify=abc", connectionId: "0192-id" };

function made(from: TemplateSource): DomainConnectTemplate {
  const result = templateFromRecords(from);
  assert.ok(result.ok, result.ok ? "" : result.problems.join("\n"));
  return result.template;
}

function pattern(changes: Partial<RecordPattern>): RecordPattern {
  return { host: "@", type: "TXT", value: "x", ttl: null, priority: null, ...changes };
}

/** What the template writes into an empty zone, without the proof of ownership. */
function written(
  from: TemplateSource,
  host = from.kind === "apex" ? "" : "shop",
): readonly string[] {
  const template = made(from);
  const variables = variablesFor(template, ownership, values);
  const plan = planTemplate([], template, { domain: "acme.example", host, variables });
  assert.ok(plan.ok, plan.ok ? "" : plan.reason);
  return plan.add.slice(0, -1).map(printRecord);
}

describe("our template", () => {
  it("leads a subdomain to the edge and proves ownership in one apply", () => {
    const template = made(source);
    assert.equal(template.hostRequired, true);
    const variables = variablesFor(template, ownership, values);
    assert.deepEqual(variables, { token: "abc" });
    const plan = planTemplate([], template, { domain: "acme.example", host: "shop", variables });
    assert.ok(plan.ok);
    assert.deepEqual(plan.add.map(printRecord), [
      "shop.acme.example 300 CNAME edge.mooring.example",
      "_service-challenge.shop.acme.example 300 TXT service-verify=abc",
    ]);
  });

  it("leads an apex to the edge's addresses, without touching mail there", () => {
    const template = made(apex);
    assert.equal(template.hostRequired, undefined);
    assert.deepEqual(written(apex), [
      "acme.example 300 A 192.0.2.1",
      "acme.example 300 A 192.0.2.2",
      "acme.example 300 AAAA 2001:db8::1",
    ]);
  });

  it("passes every rule for templates, with an apex and with a subdomain", () => {
    for (const from of [source, apex]) assert.deepEqual(lintTemplate(made(from)), []);
  });

  it("replaces an earlier proof at the name and no other text", () => {
    const template = made(source);
    const at = "_service-challenge.shop.acme.example";
    const text = (value: string) =>
      ({ name: at, type: "TXT", value, ttl: 60, priority: null }) as const;
    const zone = [text("service-verify=old"), text("somebody else's")];
    const variables = variablesFor(template, ownership, values);
    const plan = planTemplate(zone, template, { domain: "acme.example", host: "shop", variables });
    assert.ok(plan.ok);
    assert.deepEqual(plan.remove, [text("service-verify=old")]);
  });

  it("writes an application's own records with what differs as variables", () => {
    const records = [
      pattern({ type: "A", value: "{{edge_ipv4}}", ttl: 60 }),
      pattern({ host: "www", type: "CNAME", value: "{{hostname}}" }),
      pattern({ host: "_id", value: "id={{connection_id}};s={{subdomain}}" }),
      pattern({ host: "mail.{{apex}}", type: "MX", value: "mx.{{apex}}", priority: 10 }),
      pattern({ host: "api.{{hostname}}", type: "CNAME", value: "{{edge_cname}}" }),
      pattern({ host: "cdn.{{subdomain}}.{{apex}}", type: "ALIAS", value: "{{edge_cname}}" }),
      pattern({ host: "_sip._tcp", type: "SRV", value: "5 5060 sip.{{apex}}", priority: 1 }),
      pattern({ host: "@", type: "CAA", value: '0 issue "ca.example"' }),
      pattern({ host: "spf", value: "v=spf1 include:_spf.mooring.example ~all" }),
      pattern({ host: "_dmarc", value: "v=DMARC1; p=none" }),
    ];
    assert.deepEqual(written({ ...source, records }), [
      "shop.acme.example 60 A 192.0.2.1",
      "shop.acme.example 60 A 192.0.2.2",
      "www.shop.acme.example 300 CNAME shop.acme.example",
      "_id.shop.acme.example 300 TXT id=0192-id;s=shop",
      "mail.acme.example 300 MX 10 mx.acme.example",
      "api.shop.acme.example 300 CNAME edge.mooring.example",
      "cdn.shop.acme.example 300 CNAME edge.mooring.example",
      "_sip._tcp.shop.acme.example 300 SRV 1 5 5060 sip.acme.example",
      'shop.acme.example 300 CAA 0 issue "ca.example"',
      "_dmarc.shop.acme.example 300 TXT v=DMARC1; p=none",
      "_service-challenge.shop.acme.example 300 TXT service-verify=abc",
    ]);
    const template = made({ ...source, records });
    assert.match(template.variableDescription ?? "", /connection/);
    const errors = lintTemplate(template).filter(({ severity }) => severity === "error");
    assert.deepEqual(errors, []);
  });

  it("turns a name to follow into addresses at an apex, also from a subdomain's template", () => {
    const follow = pattern({ type: "ALIAS", value: "{{edge_cname}}" });
    const addresses = ["A 192.0.2.1", "A 192.0.2.2", "AAAA 2001:db8::1"];
    assert.deepEqual(
      written({ ...apex, records: [follow] }),
      addresses.map((one) => `acme.example 300 ${one}`),
    );
    const above = { ...follow, host: "{{apex}}", type: "CNAME", value: "edge.mooring.example." };
    assert.deepEqual(
      written({ ...source, records: [above] }),
      addresses.map((one) => `acme.example 300 ${one}`),
    );
  });

  it("says for every record that no template can express why not", () => {
    const bad: readonly (readonly [Partial<RecordPattern>, RegExp])[] = [
      [{ type: "CNAME", value: "elsewhere.example" }, /CNAME at the apex/],
      [{ value: "100%" }, /percent sign/],
      [{ type: "MX", value: "mx.example" }, /priority/],
      [{ host: "sip", type: "SRV", value: "1 2 x.example", priority: 1 }, /_service\._protocol/],
      [{ value: "v=spf1 redirect=x.example" }, /SPF/],
      [{ value: "v=spf1 -all" }, /SPF/],
      [{ type: "HINFO", value: "x" }, /type/],
    ];
    const records = bad.map(([changes]) => pattern(changes));
    const result = templateFromRecords({ ...apex, records });
    assert.ok(!result.ok);
    assert.equal(result.problems.length, bad.length);
    for (const [index, [, reason]] of bad.entries()) {
      assert.match(result.problems.toSorted()[index] ?? "", /./);
      assert.ok(
        result.problems.some((problem) => reason.test(problem)),
        String(reason),
      );
    }
    const doubled = [pattern({ host: "a.{{subdomain}}" })];
    assert.equal(templateFromRecords({ ...source, records: doubled }).ok, false);
    const nowhere = { ...apex, edge: { cname: "edge.mooring.example", ipv4: [], ipv6: [] } };
    assert.equal(templateFromRecords(nowhere).ok, false);
    const follow = [pattern({ type: "ALIAS", value: "{{edge_cname}}" })];
    assert.equal(templateFromRecords({ ...nowhere, records: follow }).ok, false);
  });

  it("gives values only for what it knows", () => {
    const template = made(source);
    const unrelated = { ...values, challenge: "other=abc" };
    assert.throws(() => variablesFor(template, ownership, unrelated), RangeError);
    const strange = { ...template, records: [{ type: "TXT", host: "@", data: "%what%", ttl: 1 }] };
    assert.throws(() => variablesFor(strange, ownership, values), RangeError);
  });
});
