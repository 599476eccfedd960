import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { consentCases } from "@mooring/testing/control/diagnosis/consent-cases";
import { delegationCases } from "@mooring/testing/control/diagnosis/delegation-cases";
import { emailCases } from "@mooring/testing/control/diagnosis/email-cases";
import type { Case } from "@mooring/testing/control/diagnosis/facts";
import { ownershipCases } from "@mooring/testing/control/diagnosis/ownership-cases";
import { recordCases } from "@mooring/testing/control/diagnosis/record-cases";
import { serviceCases } from "@mooring/testing/control/diagnosis/service-cases";
import { customerText, customerTexts } from "./customer-texts.ts";
import { diagnose, forCustomer } from "./diagnose.ts";
import { findingActors } from "./finding.ts";
import { findingCodes } from "./finding-codes.ts";

const cases: readonly Case[] = [
  ...Object.values(delegationCases),
  ...Object.values(ownershipCases),
  ...Object.values(consentCases),
  ...Object.values(recordCases),
  ...Object.values(serviceCases),
  ...Object.values(emailCases),
];

/** What only tenants and operators know: logs, settings, paths, parameters, standards. */
const foreignWords =
  /\blog\b|origin_url|\bRFC\b|\/v1\/|\bmooring\b|EDGE_|\w_\w|\bedge\b|operator|SERVFAIL|NXDOMAIN|\bTTL\b|resolver/i;

describe("the words for the customer", () => {
  it("name nothing that only tenants and operators know, for any code and actor", () => {
    for (const { code } of findingCodes) {
      const { title, fix, byActor = {} } = customerTexts[code];
      for (const text of [{ title, fix }, ...Object.values(byActor)]) {
        assert.doesNotMatch(text.title, foreignWords, code);
        assert.doesNotMatch(text.fix, foreignWords, code);
        assert.match(text.fix, /\.$/, code);
      }
    }
  });

  it("have all their parameters, in every case that is known", () => {
    for (const { facts } of cases) {
      for (const { code, params, texts } of diagnose(facts).findings) {
        assert.doesNotMatch(texts.end_customer.title, /[{}]/, `${code} ${JSON.stringify(params)}`);
        assert.doesNotMatch(texts.end_customer.fix, /[{}]/, `${code} ${JSON.stringify(params)}`);
      }
    }
  });

  it("send the tenant neither to the edge's log nor to the operator's commands", () => {
    for (const { facts } of cases) {
      for (const { texts } of diagnose(facts).findings) {
        assert.doesNotMatch(texts.tenant.fix, /edge's log|`mooring|EDGE_IPV/);
      }
    }
  });

  it("replace the texts of a diagnosis for a customer, whose evidence is of the own domain only", () => {
    const { facts } = serviceCases.certificate_failed;
    const { findings, summary } = forCustomer(diagnose(facts));
    const failed = findings.find(({ code }) => code === "certificate_failed");
    assert.deepEqual(failed?.evidence, []);
    assert.match(failed?.fix ?? "", /contact support/);
    assert.doesNotMatch(summary, foreignWords);
  });

  it("name an unknown provider as the reader knows it", () => {
    const params = { domain: "a.example", zone: "example", provider: "", name: "a.example" };
    for (const actor of findingActors) {
      const { fix } = customerText("record_proxied", actor, params);
      assert.match(fix, /^At your DNS provider,/);
    }
    assert.match(customerText("provider_auth", "tenant", params).title, /^Your DNS provider/);
  });

  it("come with the records to add and to delete", () => {
    const of = (one: Case) => diagnose(one.facts).findings[0];
    const mismatch = diagnose(recordCases.record_mismatch.facts).findings.find(
      ({ code }) => code === "record_mismatch",
    );
    assert.deepEqual(
      mismatch?.add.map(({ type, value }) => `${type} ${value}`),
      ["CNAME edge.mooring.example"],
    );
    const caa = diagnose(serviceCases.caa_forbidden.facts).findings.find(
      ({ code }) => code === "caa_forbidden",
    );
    assert.equal(caa?.add[0]?.type, "CAA");
    assert.equal(of(ownershipCases.ownership_missing)?.add[0]?.type, "TXT");
  });
});
