import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { emailCases, withEmail } from "@mooring/testing/control/diagnosis/email-cases";
import {
  absentReply,
  answer,
  failure,
  healthy,
  later,
} from "@mooring/testing/control/diagnosis/facts";
import { diagnose } from "./diagnose.ts";
import type { DiagnosisFacts } from "./facts.ts";

function codes(facts: DiagnosisFacts): readonly string[] {
  return diagnose(facts).findings.map(({ code }) => code);
}

describe("a diagnosis of mail", () => {
  it("finds nothing without an email setup, or when it is right", () => {
    assert.deepEqual(codes(healthy()), []);
    assert.deepEqual(codes(withEmail()), []);
    const through = { ...absentReply(), chain: ["policy.dmarc.example"] };
    assert.deepEqual(codes(withEmail({ dmarc: through })), []);
    assert.deepEqual(codes(withEmail({ dmarc: absentReply(), hasPolicyAbove: true })), []);
  });

  it("makes no finding of an unanswered question", () => {
    const silent = failure("timeout");
    const facts = withEmail({ mx: silent, spf: silent, cost: null, dkim: [], dmarc: silent });
    assert.deepEqual(codes(facts), []);
    const unobserved = { mx: null, spf: null, cost: null, dkim: [], dmarc: null };
    assert.deepEqual(codes(withEmail(unobserved)), []);
  });

  it("treats several policies as none", () => {
    const dmarc = answer("TXT", "v=DMARC1; p=none", "v=DMARC1; p=reject");
    const [finding] = diagnose(withEmail({ dmarc })).findings;
    assert.equal(finding?.code, "email_dmarc_missing");
    assert.match(finding?.fix ?? "", /keep one of them/);
  });

  it("waits for what the service has just written itself, but not for the SPF record", () => {
    const missing = { mx: absentReply(), spf: absentReply(), cost: null, dmarc: absentReply() };
    const { setup } = emailCases.email_mx_missing.facts.email ?? {};
    assert.ok(setup);
    const facts = withEmail({ ...missing, setup: { ...setup, updatedAt: later(-60_000) } });
    assert.deepEqual(
      diagnose(facts).findings.map(({ code, actor, severity }) => [code, actor, severity]),
      [
        ["email_mx_missing", "wait", "info"],
        ["email_spf_missing", "end_customer", "warning"],
        ["email_dmarc_missing", "wait", "info"],
      ],
    );
  });

  it("does not wait for what was left to a person", () => {
    const { setup } = emailCases.email_mx_missing.facts.email ?? {};
    assert.ok(setup);
    const records = setup.records.map((one) => ({ ...one, isWritten: one.role === "dmarc" }));
    const fresh = { ...setup, records, updatedAt: later(-60_000) };
    const { findings } = diagnose(
      withEmail({ mx: absentReply(), dmarc: absentReply(), setup: fresh }),
    );
    assert.deepEqual(
      findings.map(({ code, actor }) => [code, actor]),
      [
        ["email_mx_missing", "end_customer"],
        ["email_dmarc_missing", "wait"],
      ],
    );
  });

  it("only mentions what was shown and never written", () => {
    const { setup } = emailCases.email_mx_missing.facts.email ?? {};
    assert.ok(setup);
    const facts = withEmail({ mx: absentReply(), setup: { ...setup, applied: false } });
    const { findings, summary } = diagnose(facts);
    assert.deepEqual(
      findings.map(({ severity }) => severity),
      ["info"],
    );
    assert.match(summary, /everything is right/);
  });
});
