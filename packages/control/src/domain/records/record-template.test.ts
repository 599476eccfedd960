import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { recordTypes } from "@mooring/dns";
import type { TemplateRecord } from "../applications/application.ts";
import {
  defaultTtlSeconds,
  renderRecord,
  type TemplateValues,
  templateIssues,
} from "./record-template.ts";

const values: TemplateValues = {
  hostname: "shop.eu.acme.example",
  apex: "acme.example",
  subdomain: "shop.eu",
  connectionId: "0192f3a4-0000-7000-8000-00000000abcd",
  target: "abcdefghijklmnopqrstuvwxyz.edge.service.example",
  edgeCname: "edge.mooring.example",
  edgeIpv4: ["192.0.2.10", "192.0.2.11"],
  validationName: null,
  edgeIpv6: ["2001:db8::10", "2001:db8::11", "2001:db8::12"],
};

function record(changes: Partial<TemplateRecord> = {}): TemplateRecord {
  return { host: "@", type: "TXT", value: "x", ttl: null, priority: null, ...changes };
}

function rendered(changes: Partial<TemplateRecord>, input: TemplateValues = values) {
  return renderRecord(record(changes), input);
}

describe("record templates", () => {
  it("fills every placeholder of a value", () => {
    const filled: readonly (readonly [string, string])[] = [
      ["{{hostname}}", values.hostname],
      ["{{apex}}", values.apex],
      ["{{subdomain}}", values.subdomain],
      ["{{edge_cname}}", values.edgeCname],
      ["{{connection_id}}", values.connectionId],
      [
        "a={{apex}};h={{hostname}};a={{apex}}",
        "a=acme.example;h=shop.eu.acme.example;a=acme.example",
      ],
    ];
    for (const [value, expected] of filled) {
      assert.deepEqual(
        rendered({ value }).map((one) => one.value),
        [expected],
        value,
      );
    }
  });

  it("makes one record for each address of the edge, and none without addresses", () => {
    assert.deepEqual(
      rendered({ type: "A", value: "{{edge_ipv4}}" }).map((one) => one.value),
      values.edgeIpv4,
    );
    assert.deepEqual(
      rendered({ type: "AAAA", value: "{{edge_ipv6}}" }).map((one) => one.value),
      values.edgeIpv6,
    );
    assert.deepEqual(rendered({ value: "{{edge_ipv6}}" }, { ...values, edgeIpv6: [] }), []);
    const spf = rendered({ value: "v=spf1 ip4:{{edge_ipv4}} -all" });
    assert.deepEqual(
      spf.map((one) => one.value),
      ["v=spf1 ip4:192.0.2.10 -all", "v=spf1 ip4:192.0.2.11 -all"],
    );
  });

  it("never fills placeholders inside a filled value", () => {
    const sly = { ...values, subdomain: "{{connection_id}}" };
    assert.equal(rendered({ value: "{{subdomain}}" }, sly)[0]?.value, "{{connection_id}}");
  });

  it("reads `@` as the hostname, labels below it, and names at or below the apex as absolute", () => {
    const hosts: readonly (readonly [string, string])[] = [
      ["@", "shop.eu.acme.example"],
      ["www", "www.shop.eu.acme.example"],
      ["_dmarc.mail", "_dmarc.mail.shop.eu.acme.example"],
      ["{{hostname}}", "shop.eu.acme.example"],
      ["{{apex}}", "acme.example"],
      ["www.{{apex}}", "www.acme.example"],
      ["{{subdomain}}", "shop.eu.shop.eu.acme.example"],
      ["WWW.Acme.Example.", "www.acme.example"],
      ["notacme.example", "notacme.example.shop.eu.acme.example"],
      ["evil.example", "evil.example.shop.eu.acme.example"],
    ];
    for (const [host, expected] of hosts) {
      assert.deepEqual(
        rendered({ host }).map((one) => one.host),
        [expected],
        host,
      );
    }
  });

  it("falls back to the hostname for an empty subdomain", () => {
    const apex = { ...values, hostname: "acme.example", subdomain: "" };
    assert.equal(rendered({ host: "{{subdomain}}" }, apex)[0]?.host, "acme.example");
  });

  it("preserves ttl and priority, and sets the default ttl", () => {
    const mx = rendered({ type: "mx", value: "mail.acme.example", priority: 10, ttl: 60 })[0];
    assert.deepEqual([mx?.type, mx?.priority, mx?.ttl], ["MX", 10, 60]);
    assert.equal(rendered({})[0]?.ttl, defaultTtlSeconds);
    assert.equal(rendered({ ttl: 0 })[0]?.ttl, 0);
  });

  it("accepts one good record of every type", () => {
    const good: Readonly<Record<string, Partial<TemplateRecord>>> = {
      A: { value: "{{edge_ipv4}}" },
      AAAA: { value: "{{edge_ipv6}}" },
      CNAME: { host: "www", value: "{{edge_cname}}" },
      ALIAS: { value: "{{edge_cname}}" },
      TXT: { value: "id={{connection_id}}" },
      MX: { value: "mx.{{apex}}", priority: 10 },
      CAA: { value: '0 issue "letsencrypt.org"' },
      NS: { host: "sub", value: "ns1.{{apex}}" },
      SRV: { host: "_sip._tcp", value: "5 5060 sip.{{apex}}", priority: 10 },
    };
    for (const type of recordTypes) {
      const sample = good[type];
      assert.ok(sample, `a sample for ${type}`);
      assert.deepEqual(templateIssues([record({ type, ...sample })]), [], type);
    }
  });

  it("names the record and the field of every problem", () => {
    const template = [
      record(),
      record({ value: "{{edge_ip}}" }),
      record({ host: "{{edge_cname}}" }),
      record({ host: "{{hostname }}" }),
      record({ value: "{{hostname" }),
      record({ value: "}}" }),
      record({ type: "A", value: "not an address" }),
      record({ type: "AAAA", value: "192.0.2.1" }),
      record({ host: "a..b" }),
      record({ type: "MX", value: "mail.example" }),
    ];
    const issues = templateIssues(template);
    assert.deepEqual(
      issues.map((issue) => issue.path.replace("record_template.", "")),
      [
        "1.value",
        "2.host",
        "3.host",
        "4.value",
        "5.value",
        "6.value",
        "7.value",
        "8.host",
        "9.priority",
      ],
    );
    assert.match(
      issues[0]?.message ?? "",
      /unknown placeholder \{\{edge_ip\}\}; known here: .*edge_ipv4/,
    );
    assert.doesNotMatch(issues[1]?.message ?? "", /known here:.*edge_ipv4/);
    for (const issue of issues) assert.doesNotMatch(issue.message, /\n/);
  });
});
