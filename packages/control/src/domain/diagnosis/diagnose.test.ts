import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { consentCases } from "@mooring/testing/control/diagnosis/consent-cases";
import {
  cutoverCases,
  movingFacts,
  oldAddress,
} from "@mooring/testing/control/diagnosis/cutover-cases";
import { delegationCases } from "@mooring/testing/control/diagnosis/delegation-cases";
import { emailCases } from "@mooring/testing/control/diagnosis/email-cases";
import {
  absentReply,
  answer,
  type Case,
  failure,
  healthy,
  later,
  makeProof,
  pending,
  propagating,
  toEdge,
} from "@mooring/testing/control/diagnosis/facts";
import { ownershipCases } from "@mooring/testing/control/diagnosis/ownership-cases";
import { recordCases } from "@mooring/testing/control/diagnosis/record-cases";
import { serviceCases } from "@mooring/testing/control/diagnosis/service-cases";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { certificateStatuses } from "../certificates/certificate.ts";
import { connectionErrors, connectionStates } from "../connections/connection.ts";
import { diagnose } from "./diagnose.ts";
import { type FindingCode, findingCodes } from "./finding-codes.ts";
import { headlineIn } from "./headline.ts";

/** One for every code; a code without a case does not compile. */
const cases: Readonly<Record<FindingCode, Case>> = {
  ...delegationCases,
  ...ownershipCases,
  ...consentCases,
  ...recordCases,
  ...serviceCases,
  ...emailCases,
  ...cutoverCases,
};

describe("a finding", () => {
  for (const { code } of findingCodes) {
    it(`${code} says what, who and how, with its evidence`, () => {
      const { facts, fix, ...expected } = cases[code];
      const found = diagnose(facts).findings.filter((finding) => finding.code === code);
      assert.ok(found.length > 0, JSON.stringify(diagnose(facts), null, 1));
      // Two findings of a code are for two readers, or about two names.
      const readers = found.map((one) => `${one.actor} ${one.title}`);
      assert.equal(new Set(readers).size, found.length, readers.join(", "));
      const [finding] = found;
      const { severity, actor, title, evidence } = finding ?? {};
      assert.deepEqual({ severity, actor, title, evidence }, expected);
      assert.match(finding?.fix ?? "", fix);
    });
  }
});

describe("a diagnosis", () => {
  it("asks for nothing that visitors follow before a cut-over is switched", () => {
    const open = diagnose(movingFacts("preparing", false));
    assert.deepEqual(
      open.findings.map(({ code, params }) => [code, params["name"]]),
      [
        ["record_missing", "_acme-challenge.shop.acme.example"],
        ["cutover_preparing", "shop.acme.example"],
      ],
    );
    for (const status of ["preparing", "ready", "reverted"] as const) {
      const { findings, summary, records } = diagnose(movingFacts(status, true));
      const expected = status === "preparing" ? "cutover_preparing" : "cutover_ready";
      assert.deepEqual(
        findings.map(({ code }) => code),
        [expected],
        summary,
      );
      assert.deepEqual(
        records.map(({ host }) => host),
        ["_acme-challenge.shop.acme.example"],
      );
    }
    const [ready] = diagnose(movingFacts("ready", true)).findings;
    assert.deepEqual(
      [ready?.add.map(({ value }) => value), ready?.remove.map(({ value }) => value)],
      [[toEdge.value], [oldAddress]],
    );
    const switching = diagnose(movingFacts("switching", true)).findings;
    assert.ok(switching.some(({ code }) => code === "record_loop"));
  });

  it("asks for a CAA record at the domain where a CNAME is to be alone at the name", () => {
    const { facts } = cases.caa_forbidden;
    const added = (desiredRecords: typeof facts.connection.desiredRecords) => {
      const connection = { ...facts.connection, desiredRecords };
      const caa = facts.dns.caa && { ...facts.dns.caa, name: connection.hostname };
      const { findings } = diagnose({ ...facts, connection, dns: { ...facts.dns, caa } });
      return findings.find(({ code }) => code === "caa_forbidden")?.add.map(({ name }) => name);
    };
    assert.deepEqual(added(facts.connection.desiredRecords), ["acme.example"]);
    assert.deepEqual(added([]), ["shop.acme.example"]);
  });

  it("has no finding when everything is right, and says so", () => {
    const { findings, summary } = diagnose(healthy());
    assert.deepEqual(findings, []);
    assert.equal(summary, "shop.acme.example is connected and everything is right.");
  });

  it("lists its findings in the order of the codes", () => {
    const order = findingCodes.map(({ code }) => code);
    for (const { facts } of Object.values(cases)) {
      const positions = diagnose(facts).findings.map(({ code }) => order.indexOf(code));
      assert.deepEqual(
        positions,
        [...positions].sort((a, b) => a - b),
      );
    }
  });

  it("summarises the first error and who acts next", () => {
    assert.equal(
      diagnose(cases.ownership_missing.facts).summary,
      "The ownership record of shop.acme.example is not there yet; the person who manages the DNS of acme.example acts next.",
    );
    assert.equal(
      diagnose(cases.hostname_proven_by_both.facts).summary,
      "Two connections have proven shop.acme.example, and its holder keeps it; the person who manages the DNS of acme.example acts next.",
    );
    assert.equal(
      diagnose(cases.certificate_failed.facts).summary,
      "The certificate of shop.acme.example could not be obtained; the operator of the service acts next.",
    );
    assert.equal(
      diagnose(cases.ownership_partial.facts).summary,
      "The ownership record of shop.acme.example is on its way; there is nothing to do but wait.",
    );
  });

  it("says in its sentence and in lists the same, of the one who must act", () => {
    const both = [
      ...Object.values(cases).map(({ facts }) => facts),
      movingFacts("ready", true),
      movingFacts("preparing", false),
      {
        ...cases.ns_unreachable.facts,
        ...{ certificate: cases.certificate_expired.facts.certificate },
      },
    ];
    const states = both.map((facts) => {
      const { findings, summary } = diagnose(facts);
      const { state } = facts.connection;
      const headline = headlineIn(state, findings);
      const says = findings
        .filter(({ title }) => summary.includes(title))
        .map(({ title }) => title);
      if (state !== "archived")
        assert.deepEqual(says.slice(0, 1), headline ? [headline.title] : []);
      return headline === null ? "well" : "finding";
    });
    assert.deepEqual(new Set(states), new Set(["well", "finding"]));
  });

  it("says that a live name is connected despite warnings, and what was not answered", () => {
    assert.equal(
      diagnose(cases.ns_unreachable.facts).summary,
      "shop.acme.example is connected, with a warning: Some nameservers of acme.example cannot be reached; the person who manages the DNS of acme.example acts next.",
    );
    assert.match(diagnose(cases.check_incomplete.facts).summary, /not everything could be checked/);
    assert.match(diagnose(cases.www_not_connected.facts).summary, /everything is right\.$/);
  });

  it("leaves a missing record to the service while the service writes it", () => {
    const written = { provider: "cloudflare", outcome: "applied", at: later(-60_000) } as const;
    const { dns } = cases.record_missing.facts;
    const waiting = [
      pending({ lastWrite: written }),
      propagating({ dns, lastWrite: written }),
      propagating({ dns, connection: { state: "dns_writing" } }),
    ];
    for (const facts of waiting) {
      const found = diagnose(facts).findings.map(({ severity, actor }) => ({ severity, actor }));
      assert.deepEqual(found, [{ severity: "info", actor: "wait" }]);
    }
    const long = { ...written, at: later(-3_600_000) };
    const [overdue] = diagnose(propagating({ dns, lastWrite: long })).findings;
    assert.deepEqual([overdue?.severity, overdue?.actor], ["error", "end_customer"]);
  });

  it("reports only the remaining records of an archived connection", () => {
    const left = diagnose(cases.archived_still_points_here.facts);
    assert.deepEqual(
      left.findings.map(({ code }) => code),
      ["archived_still_points_here"],
    );
    assert.match(left.summary, /is archived and no longer served; its records still lead here/);
    const reused = diagnose({ ...cases.archived_still_points_here.facts, claim: "held" });
    assert.deepEqual(reused.findings, []);
    assert.equal(reused.summary, "shop.acme.example is archived and no longer served.");
  });

  it("reports one cause once: an unregistered domain is not also missing its records", () => {
    const { findings } = diagnose(cases.not_registered.facts);
    assert.deepEqual(
      findings.map(({ code }) => code),
      ["not_registered"],
    );
  });

  it("explains every reason why a domain's nameservers cannot be found", () => {
    const expected = {
      timeout: "ns_unreachable",
      unreachable: "ns_unreachable",
      servfail: "ns_servfail",
      refused: "ns_servfail",
      malformed: "ns_servfail",
      lame: "ns_lame",
      bogus: "dnssec_broken",
      cname_loop: "record_loop",
    } as const;
    for (const [reason, code] of Object.entries(expected)) {
      const zone = { outcome: "failed", reason: reason as keyof typeof expected } as const;
      const dns = { zone, servers: [], records: null };
      const [first] = diagnose(propagating({ dns })).findings;
      assert.deepEqual([first?.code, first?.severity], [code, "error"], reason);
    }
  });

  it("never reports a cache as late that has the record in any form", () => {
    const through = { ...absentReply(), chain: ["edge.mooring.example"] };
    for (const reply of [through, answer("A", "192.0.2.10"), failure("timeout")]) {
      const facts = healthy({ dns: { caches: [{ record: toEdge, reply }] } });
      assert.deepEqual(diagnose(facts).findings, []);
    }
  });

  it("lowers the severity of record problems until ownership is proven", () => {
    const dns = cases.record_missing.facts.dns;
    const severityIn = (facts: typeof cases.record_missing.facts) =>
      diagnose(facts).findings.find(({ code }) => code === "record_missing")?.severity;
    assert.equal(severityIn(propagating({ dns })), "error");
    assert.equal(severityIn(pending({ dns: { ...dns, proof: makeProof() } })), "warning");
  });

  it("is total: any mixture of facts gives whole sentences", () => {
    const dnsOf = fc.constantFrom(...Object.values(cases)).map(({ facts }) => facts.dns);
    const mixture = fc.record({
      state: fc.constantFrom(...connectionStates),
      errorCode: fc.constantFrom(null, ...connectionErrors),
      claim: fc.constantFrom("free", "own", "held", "drifted"),
      status: fc.constantFrom(null, ...certificateStatuses),
      provider: fc.constantFrom(null, "cloudflare", "powerdns", "unheard-of"),
      dns: fc.array(dnsOf, { minLength: 2, maxLength: 2 }),
      keep: fc.array(fc.boolean(), { minLength: 13, maxLength: 13 }),
    });
    fc.assert(
      fc.property(mixture, ({ state, errorCode, claim, status, provider, dns, keep }) => {
        const [one, two] = dns;
        const mixed = Object.entries(one ?? {}).filter((_entry, index) => keep[index]);
        const facts = healthy({
          connection: { state, errorCode, provider },
          claim,
          certificate:
            status === null
              ? null
              : { status, notAfter: null, errorCode: null, nextAttemptAt: null },
          dns: { ...two, ...Object.fromEntries(mixed) },
        });
        const { summary, findings } = diagnose(facts);
        for (const text of [summary, ...findings.flatMap(({ title, fix }) => [title, fix])]) {
          assert.doesNotMatch(text, /undefined|null|\[object|: \.|\(\)/);
          assert.match(text, /\S/);
        }
        assert.match(summary, /\.$/);
        assert.ok(findings.every(({ evidence }) => evidence.every((line) => /\S/.test(line))));
      }),
      { numRuns: propertyRuns(20_000) },
    );
  });
});
