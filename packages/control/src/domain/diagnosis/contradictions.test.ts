import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { consentCases } from "@mooring/testing/control/diagnosis/consent-cases";
import { cutoverCases } from "@mooring/testing/control/diagnosis/cutover-cases";
import { delegationCases } from "@mooring/testing/control/diagnosis/delegation-cases";
import { emailCases } from "@mooring/testing/control/diagnosis/email-cases";
import {
  cloudflareFront,
  desired,
  healthy,
  propagating,
  record,
  right,
  withRecords,
  wrong,
} from "@mooring/testing/control/diagnosis/facts";
import { ownershipCases } from "@mooring/testing/control/diagnosis/ownership-cases";
import { recordCases } from "@mooring/testing/control/diagnosis/record-cases";
import { serviceCases } from "@mooring/testing/control/diagnosis/service-cases";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { connectionErrors, connectionStates } from "../connections/connection.ts";
import { diagnose } from "./diagnose.ts";
import type { Finding } from "./finding.ts";
import type { FindingCode } from "./finding-codes.ts";

const cases = Object.values({
  ...delegationCases,
  ...ownershipCases,
  ...consentCases,
  ...recordCases,
  ...serviceCases,
  ...emailCases,
  ...cutoverCases,
});

/** The name does not resolve to us, or not for everybody. */
const wrongRecords: readonly FindingCode[] = [
  "a_leftover",
  "aaaa_leftover",
  "apex_needs_alias",
  "cdn_not_forwarding",
  "private_address",
  "record_conflict",
  "record_doubled_name",
  "record_loop",
  "record_mismatch",
  "record_missing",
  "record_of_another",
  "record_proxied",
  "record_target_doubled",
  "records_unanswered",
  "servers_disagree",
];

/** The proof is not there, or not everywhere. */
const openProof: readonly FindingCode[] = [
  "ownership_altered",
  "ownership_cname",
  "ownership_doubled_name",
  "ownership_mismatch",
  "ownership_missing",
  "ownership_other_token",
  "ownership_partial",
  "ownership_unanswered",
  "ownership_wildcard",
  "ownership_wrong_name",
];

/** The service continues by itself: nothing to do but wait. */
const continues: readonly FindingCode[] = [
  "ca_rate_limited",
  "ca_unavailable",
  "certificate_cached",
  "certificate_pending",
  "ownership_missing",
  "ownership_partial",
  "ownership_seen",
  "ownership_unanswered",
  "provider_busy",
  "record_missing",
  "records_unanswered",
  "servers_disagree",
];

type Scope = "same name" | "any name" | "who waits";

/** What cannot be true, or done, together. */
const contradictions: readonly (readonly [FindingCode, readonly FindingCode[], Scope])[] = [
  ["apex_by_address", wrongRecords, "same name"],
  ["records_cached", [...wrongRecords, ...openProof, "wildcard_answers"], "any name"],
  ["records_cached", ["slow_to_change"], "any name"],
  [
    "behind_cdn",
    [
      ...["cdn_caches_probe", "cdn_hides_challenge", "cdn_not_forwarding"],
      ...["cdn_tls_flexible", "record_mismatch", "record_proxied"],
    ] as FindingCode[],
    "same name",
  ],
  ["wildcard_answers", ["record_mismatch", "record_of_another", "private_address"], "same name"],
  [
    "certificate_pending",
    [
      ...["ca_rate_limited", "ca_unavailable", "caa_forbidden", "certificate_at_risk"],
      ...["certificate_cached", "certificate_expired", "certificate_failed"],
      ...["certificate_revoked", "record_mismatch", "record_missing", "record_of_another"],
    ] as FindingCode[],
    "any name",
  ],
  ["ownership_seen", [...openProof, "hostname_conflict", "hostname_contested"], "any name"],
  ["hostname_proven_by_both", ["hostname_conflict", "hostname_contested"], "any name"],
  ["hostname_conflict", ["hostname_contested"], "any name"],
  ["gave_up", continues, "who waits"],
  ["check_failed", continues, "who waits"],
  ["cutover_preparing", ["record_mismatch", "record_of_another", "cutover_ready"], "same name"],
  ["cutover_ready", ["record_mismatch", "record_missing", "record_of_another"], "same name"],
  ["email_mx_missing", ["email_mx_elsewhere"], "any name"],
  ["email_spf_missing", ["email_spf_multiple"], "any name"],
];

function contradicting(findings: readonly Finding[]): readonly string[] {
  return contradictions.flatMap(([code, others, scope]) =>
    findings
      .filter((one) => one.code === code)
      .flatMap((one) =>
        findings
          .filter((other) => others.includes(other.code))
          .filter((other) => scope !== "same name" || other.params["name"] === one.params["name"])
          .filter(({ actor }) => scope !== "who waits" || actor === "wait")
          .map((other) => `${code} and ${other.code}`),
      ),
  );
}

describe("findings about one connection", () => {
  it("do not say of an apex that it leads here and that it leads elsewhere", () => {
    const a = record("A", "192.0.2.10");
    const facts = propagating({
      connection: { kind: "apex", desiredRecords: [desired("A", "192.0.2.10")] },
      dns: withRecords(wrong(a, "203.0.113.9")),
    });
    const codes = diagnose(facts).findings.map(({ code }) => code);
    assert.ok(codes.includes("record_mismatch") && !codes.includes("apex_by_address"), `${codes}`);
    const good = healthy({
      connection: { kind: "apex", desiredRecords: [desired("A", "192.0.2.10")] },
      dns: withRecords(right(a)),
    });
    assert.deepEqual(
      diagnose(good).findings.map(({ code }) => code),
      ["apex_by_address"],
    );
  });

  it("never contradict each other, whatever comes together", () => {
    const someFacts = fc.constantFrom(...cases).map(({ facts }) => facts);
    const front = {
      ...cloudflareFront,
      tls: "flexible",
      challenge: "hidden",
      is_cached: true,
    } as const;
    const mixture = fc.record({
      base: someFacts,
      other: someFacts,
      state: fc.option(fc.constantFrom(...connectionStates), { nil: undefined }),
      errorCode: fc.option(fc.constantFrom(null, ...connectionErrors), { nil: undefined }),
      claim: fc.constantFrom("free", "own", "held", "drifted"),
      front: fc.constantFrom(undefined, null, cloudflareFront, front),
      keep: fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
    });
    const found = new Set<string>();
    fc.assert(
      fc.property(mixture, ({ base, other, state, errorCode, claim, front, keep }) => {
        const { connection } = base;
        const dns = Object.entries(other.dns).filter((_entry, index) => keep[index]);
        const { findings } = diagnose({
          ...base,
          claim,
          connection: {
            ...connection,
            state: state ?? connection.state,
            errorCode: errorCode === undefined ? connection.errorCode : errorCode,
            front: front === undefined ? connection.front : front,
          },
          dns: { ...base.dns, ...Object.fromEntries(dns) },
        });
        for (const pair of contradicting(findings)) found.add(pair);
      }),
      { numRuns: propertyRuns(20_000) },
    );
    assert.deepEqual([...found].sort(), []);
  });
});
