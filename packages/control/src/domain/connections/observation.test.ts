import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type DnssecFault, nothingObserved } from "@mooring/dns";
import { testConnection } from "@mooring/testing/control/connection";
import { decide, type LifecycleSettings } from "./lifecycle.ts";
import {
  emptyObservation,
  type Observation,
  type Probe,
  probedCertificate,
  recordsVerdict,
} from "./observation.ts";

const now = new Date("2026-11-15T00:00:00.000Z");
const settings: LifecycleSettings = {
  recheckIntervalMs: 3_600_000,
  stallAfterMs: 1_800_000,
  giveUpAfterMs: 259_200_000,
  contestAfterMs: 259_200_000,
  contestRestMs: 604_800_000,
  isSandbox: false,
  hasExternalEdge: true,
};
const issueId = "00000000-0000-8000-8000-000000000001";
const valid: Probe = {
  outcome: "valid",
  certificate: { ca: "CA", notBefore: now, notAfter: new Date(now.getTime() + 1), issueId },
};
const invalid: Probe = { outcome: "invalid", reason: "wrong_name" };
const match = { outcome: "match", error: null, observed: [], cachedUntil: null } as const;

function after(state: "propagating" | "issuing_cert" | "live", probe: Probe | null) {
  const connection = testConnection({ state, phaseStartedAt: now, certificateId: null });
  const certificate = probe && probedCertificate(probe, connection, null);
  const observation: Observation = {
    ...emptyObservation,
    records: match,
    caa: "allowed",
    probe,
    certificate,
  };
  return decide(connection, observation, "own", now, settings);
}

describe("a connection with an external edge", () => {
  it("never requests a certificate from our edges, and is checked as soon as the records match", () => {
    const decision = after("propagating", null);
    assert.deepEqual(
      [decision.state, decision.wantsCertificate, decision.nextCheckMs],
      ["issuing_cert", false, 0],
    );
    assert.equal(after("issuing_cert", invalid).wantsCertificate, false);
  });

  it("goes live with a certificate that a probe saw, and reports it once", () => {
    const decision = after("issuing_cert", valid);
    assert.equal(decision.state, "live");
    assert.deepEqual(decision.events, ["ssl.issued", "domain.flow.completed"]);
    assert.equal(decision.newCertificate, issueId);
  });

  it("waits, and says why, while a probe sees another certificate", () => {
    const { state, errorCode } = after("issuing_cert", invalid);
    assert.deepEqual([state, errorCode], ["issuing_cert", "certificate_failed"]);
  });

  it("concludes nothing from a probe that reached no server", () => {
    const { state, errorCode } = after("issuing_cert", { outcome: "unknown" });
    assert.deepEqual([state, errorCode], ["issuing_cert", null]);
  });

  it("stays live whatever a later probe sees, and reports a renewal", () => {
    assert.equal(after("live", invalid).state, "live");
    assert.deepEqual(after("live", valid).events, ["ssl.issued"]);
  });
});

describe("records in a zone whose answers are not authentic", () => {
  const record = { name: "shop.acme.example", type: "A", value: "192.0.2.1", ttl: 60 } as const;
  const checked = (outcome: "match" | "mismatch") => ({
    records: [
      {
        record: { ...record, priority: null },
        outcome,
        ...nothingObserved,
        observedValues: ["192.0.2.1"],
      },
    ],
    visibleEverywhereBy: now,
  });
  const fault: DnssecFault = {
    zone: "acme.example",
    name: "acme.example",
    type: "DNSKEY",
    reason: "ds_mismatch",
    at: null,
  };

  it("are unknown where they would match, and wrong where they are", () => {
    const bogus = { outcome: "bogus", fault } as const;
    const matching = recordsVerdict(checked("match"), now, bogus);
    assert.deepEqual([matching.outcome, matching.error], ["unknown", "dnssec_bogus"]);
    assert.equal(recordsVerdict(checked("mismatch"), now, bogus).error, "record_mismatch");
    for (const outcome of ["secure", "indeterminate"] as const) {
      assert.equal(recordsVerdict(checked("match"), now, { outcome }).outcome, "match");
    }
  });
});
