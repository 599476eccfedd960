import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DomainConnectRecord, DomainConnectTemplate } from "./template.ts";
import { lintTemplate } from "./template-lint.ts";

const cname: DomainConnectRecord = {
  type: "CNAME",
  host: "@",
  pointsTo: "edge.ours.example",
  ttl: 300,
};
const txt: DomainConnectRecord = { type: "TXT", host: "_verify", data: "ours=%token%", ttl: 300 };
const dmarc: DomainConnectRecord = {
  ...txt,
  host: "_dmarc",
  data: "v=DMARC1; p=none",
  essential: "OnApply",
  txtConflictMatchingMode: "All",
};
const srv: DomainConnectRecord = {
  type: "SRV",
  name: "@",
  service: "_sip",
  protocol: "_tcp",
  priority: 1,
  weight: 1,
  port: 1,
  target: "sip.%domain%",
  ttl: 300,
};
const good: DomainConnectTemplate = {
  providerId: "ours.example",
  providerName: "Ours",
  serviceId: "sub",
  serviceName: "Custom domains",
  version: 1,
  logoUrl: "https://ours.example/logo.svg",
  syncPubKeyDomain: "keys.ours.example",
  syncRedirectDomain: "app.ours.example",
  hostRequired: true,
  records: [cname, txt],
};

function withHead(changes: Partial<DomainConnectTemplate>): DomainConnectTemplate {
  return { ...good, ...changes };
}

function without(field: keyof DomainConnectTemplate): DomainConnectTemplate {
  const { [field]: _, ...rest } = good;
  return { ...good, ...rest, [field]: undefined };
}

function withRecord(record: DomainConnectRecord): DomainConnectTemplate {
  return { ...good, records: [record] };
}

function withTxt(changes: Partial<DomainConnectRecord>): DomainConnectTemplate {
  return withRecord({ ...txt, ...changes });
}

/** The fault, its message, and a template with exactly this fault. */
const cases: readonly (readonly [severity: string, path: string, DomainConnectTemplate])[] = [
  ["error", "providerId", withHead({ providerId: "our example" })],
  ["error", "serviceId", withHead({ serviceId: "" })],
  ["error", "serviceId", withHead({ serviceId: "x".repeat(64) })],
  ["error", "providerName", withHead({ providerName: "" })],
  ["error", "serviceName", withHead({ serviceName: "é".repeat(256) })],
  ["error", "description", withHead({ description: "x".repeat(2_049) })],
  ["error", "variableDescription", withHead({ variableDescription: "x".repeat(2_049) })],
  ["error", "version", withHead({ version: 0 })],
  ["error", "version", withHead({ version: 1.5 })],
  ["warning", "version", without("version")],
  ["error", "logoUrl", withHead({ logoUrl: "http://ours.example/logo.svg" })],
  ["error", "syncBlock", withHead({ syncBlock: true })],
  ["warning", "shared", withHead({ shared: true })],
  ["error", "warnPhishing", withHead({ warnPhishing: true })],
  ["warning", "warnPhishing", withHead({ warnPhishing: false })],
  ["error", "syncPubKeyDomain", without("syncPubKeyDomain")],
  ["error", "syncPubKeyDomain", withHead({ syncPubKeyDomain: "_dck1.keys.ours.example" })],
  ["error", "syncPubKeyDomain", withHead({ syncPubKeyDomain: "https://keys.ours.example" })],
  ["warning", "syncRedirectDomain", without("syncRedirectDomain")],
  [
    "error",
    "syncRedirectDomain",
    withHead({ syncRedirectDomain: "a.ours.example, b.ours.example" }),
  ],
  ["error", "syncRedirectDomain", withHead({ syncRedirectDomain: "a.ours.example:443" })],
  [
    "warning",
    "syncRedirectDomain",
    withHead({ syncRedirectDomain: "a.ours.example,b.ours.example" }),
  ],
  ["error", "records", withHead({ records: [] })],
  ["error", "records.0.host", withHead({ hostRequired: false, records: [cname] })],
  ["error", "records.0.host", withRecord({ ...cname, host: "%domain%." })],
  ["warning", "records.0.host", withRecord({ ...cname, host: "www" })],
  ["error", "records.0", withHead({ records: [cname, { ...txt, host: "" }] })],
  ["error", "records.0.ttl", withHead({ records: [txt, { ...txt, ttl: 60 }] })],
  ["warning", "records", withHead({ records: [cname, { ...txt, groupId: "g" }] })],
  ["error", "records.0.type", withRecord({ ...cname, type: "APEXCNAME" })],
  ["error", "records.0.type", withRecord({ type: "REDIR301", target: "https://ours.example" })],
  [
    "warning",
    "records.0.type",
    withRecord({ type: "CAA", host: "@", data: '0 issue "ca.example"', ttl: 300 }),
  ],
  ["error", "records.0.pointsTo", withRecord({ type: "CNAME", host: "@", ttl: 300 })],
  ["error", "records.0.ttl", withRecord({ type: "TXT", host: "_v", data: "a" })],
  [
    "error",
    "records.0.priority",
    withRecord({ type: "MX", host: "@", pointsTo: "mx.ours.example", ttl: 1 }),
  ],
  ["error", "records.0.service", withRecord({ ...srv, service: "sip" })],
  ["error", "records.0.protocol", withRecord({ ...srv, protocol: "tcp" })],
  ["error", "records.0.host", withTxt({ host: "_v.%host%" })],
  ["warning", "records.0.host", withTxt({ host: "%sub%" })],
  ["error", "records.0.pointsTo", withRecord({ ...cname, type: "A", pointsTo: "@" })],
  ["error", "records.0.pointsTo", withRecord({ ...cname, type: "A", pointsTo: "2001:db8::1" })],
  ["error", "records.0.pointsTo", withRecord({ ...cname, type: "AAAA", pointsTo: "192.0.2.1" })],
  ["warning", "records.0.pointsTo", withRecord({ ...cname, pointsTo: "%target%" })],
  ["warning", "records.0.data", withTxt({ data: "%token%" })],
  ["warning", "records.0.target", withRecord({ ...srv, target: "%target%" })],
  ["error", "records.0.ttl", withTxt({ ttl: "a%ttl%" })],
  ["error", "records.0.ttl", withTxt({ ttl: -1 })],
  ["warning", "records.0.ttl", withTxt({ ttl: 0 })],
  ["error", "records.0.port", withRecord({ ...srv, port: 65_536 })],
  ["error", "records.0.data", withTxt({ data: "v=spf1 include:x.example ~all" })],
  ["warning", "records.0.data", withTxt({ data: "mail me@ours.example" })],
  ["error", "records.0.data", withTxt({ data: "ours=%sig%" })],
  ["error", "records.0.data", withTxt({ data: "100% ours" })],
  ["error", "records.0.data", withTxt({ data: "ours=é" })],
  ["error", "records.0.spfRules", withRecord({ type: "SPFM", host: "@", spfRules: "v=spf1 a" })],
  ["error", "records.0.spfRules", withRecord({ type: "SPFM", host: "@", spfRules: "a ~all" })],
  ["error", "records.0.spfRules", withRecord({ type: "SPFM", host: "@", spfRules: "nonsense" })],
  ["error", "records.0.groupId", withTxt({ groupId: "%g%" })],
  ["error", "records.0.essential", withTxt({ essential: "Sometimes" })],
  ["error", "records.0.txtConflictMatchingMode", withTxt({ txtConflictMatchingMode: "Exact" })],
  [
    "error",
    "records.0.txtConflictMatchingMode",
    withRecord({ ...cname, txtConflictMatchingMode: "All" }),
  ],
  [
    "error",
    "records.0.txtConflictMatchingMode",
    withRecord({ ...dmarc, txtConflictMatchingMode: "None" }),
  ],
  ["warning", "records.0.essential", withRecord({ ...dmarc, essential: "Always" })],
  ["error", "records.0.txtConflictMatchingPrefix", withTxt({ txtConflictMatchingMode: "Prefix" })],
  [
    "error",
    "records.0.txtConflictMatchingPrefix",
    withTxt({ txtConflictMatchingMode: "Prefix", txtConflictMatchingPrefix: "ours=%token%" }),
  ],
  [
    "warning",
    "records.0.txtConflictMatchingPrefix",
    withTxt({ txtConflictMatchingMode: "Prefix", txtConflictMatchingPrefix: "theirs=" }),
  ],
  [
    "warning",
    "records.0.txtConflictMatchingPrefix",
    withTxt({ txtConflictMatchingPrefix: "ours=" }),
  ],
];

describe("the rules for templates", () => {
  it("find nothing in a good one", () => {
    const variants = [
      good,
      withRecord(srv),
      withRecord(dmarc),
      withTxt({ ttl: "%ttl%" }),
      withTxt({ txtConflictMatchingMode: "Prefix", txtConflictMatchingPrefix: "ours=" }),
      withRecord({
        type: "SPFM",
        host: "@",
        spfRules: "include:%customer%.ours.example ip4:192.0.2.1",
      }),
      withRecord({ ...srv, target: "." }),
    ];
    for (const template of variants) assert.deepEqual(lintTemplate(template), []);
  });

  for (const [index, [severity, path, template]] of cases.entries()) {
    it(`give ${severity} number ${index} at ${path}, and nothing more severe beside it`, () => {
      const found = lintTemplate(template);
      const shown = JSON.stringify(found);
      assert.ok(
        found.some((one) => one.severity === severity && one.path === path),
        shown,
      );
      if (severity === "warning")
        assert.ok(
          found.every((one) => one.severity === "warning"),
          shown,
        );
    });
  }
});
