import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testConnection } from "@mooring/testing/control/connection";
import { type Connection, connectionPhase, connectionStates, holdsClaim } from "./connection.ts";
import { decide, type LifecycleSettings } from "./lifecycle.ts";
import { type ClaimState, emptyObservation, type Observation } from "./observation.ts";

const minute = 60_000;
const hour = 60 * minute;
const settings: LifecycleSettings = {
  recheckIntervalMs: hour,
  stallAfterMs: 30 * minute,
  giveUpAfterMs: 72 * hour,
  contestAfterMs: 259_200_000,
  contestRestMs: 604_800_000,
  isSandbox: false,
  hasExternalEdge: false,
};
const start = new Date("2026-11-15T00:00:00.000Z");
const at = (ms: number): Date => new Date(start.getTime() + ms);

const proof = {
  match: { outcome: "match", error: null },
  partial: { outcome: "partial", error: null },
  mismatch: { outcome: "mismatch", error: "txt_mismatch" },
  absent: { outcome: "absent", error: "txt_not_found" },
  unknown: { outcome: "unknown", error: "dns_timeout" },
} as const;
const records = {
  match: { outcome: "match", error: null, observed: [], cachedUntil: null },
  wrong: { outcome: "wrong", error: "record_mismatch", observed: [], cachedUntil: null },
  unknown: { outcome: "unknown", error: "dns_servfail", observed: [], cachedUntil: null },
} as const;
const certificate = {
  issued: {
    status: "issued",
    ca: "CA",
    notAfter: at(hour),
    errorCode: null,
    nextAttemptAt: null,
    issueId: "00000000-0000-7000-8000-000000000009",
    epoch: 1,
  },
  failed: {
    status: "failed",
    ca: null,
    notAfter: null,
    errorCode: "certificate_failed",
    nextAttemptAt: at(minute),
    issueId: null,
    epoch: 1,
  },
  waiting: {
    status: "pending",
    ca: null,
    notAfter: null,
    errorCode: "ca_rate_limited",
    nextAttemptAt: at(80 * hour),
    issueId: null,
    epoch: 1,
  },
} as const;
const write = {
  written: { outcome: "written" },
  refused: { outcome: "refused", error: "provider_auth" },
  later: { outcome: "later", error: "provider_unavailable", retryAfterMs: 5_000 },
  busy: { outcome: "later", error: null, retryAfterMs: 5_000 },
} as const;

type Overrides = Partial<Connection>;

function connection(state: Connection["state"], overrides: Overrides = {}): Connection {
  return testConnection({ state, phaseStartedAt: start, ...overrides });
}

function after(
  from: Connection,
  observation: Partial<Observation>,
  options: { readonly claim?: ClaimState; readonly now?: Date } = {},
) {
  const now = options.now ?? at(minute);
  return decide(
    from,
    { ...emptyObservation, ...observation },
    options.claim ?? "free",
    now,
    settings,
  );
}

/** Every row of the contract's table: from, observation, to, error, events. */
const table: readonly (readonly [
  Connection["state"],
  Partial<Observation>,
  Connection["state"],
  Connection["errorCode"],
  readonly string[],
])[] = [
  ["created", {}, "pending_ownership", null, ["domain.added"]],
  ["pending_ownership", { ownership: proof.partial }, "verifying", null, []],
  ["pending_ownership", { ownership: proof.absent }, "pending_ownership", "txt_not_found", []],
  ["pending_ownership", { ownership: proof.mismatch }, "pending_ownership", "txt_mismatch", []],
  ["verifying", { ownership: proof.absent }, "pending_ownership", "txt_not_found", []],
  ["pending_ownership", { ownership: proof.match }, "verified", null, ["domain.verified"]],
  ["verifying", { ownership: proof.match }, "verified", null, ["domain.verified"]],
  ["verified", { credential: "usable" }, "dns_writing", null, []],
  ["verified", { credential: "none" }, "propagating", null, []],
  ["verified", { credential: "refused" }, "propagating", "provider_auth", []],
  ["dns_writing", { write: write.written }, "propagating", null, []],
  ["dns_writing", { write: write.refused }, "propagating", "provider_auth", []],
  ["dns_writing", { write: write.later }, "dns_writing", "provider_unavailable", []],
  ["dns_writing", { write: write.busy }, "dns_writing", null, []],
  ["propagating", { records: records.match }, "issuing_cert", null, []],
  ["propagating", { records: records.wrong }, "propagating", "record_mismatch", []],
  ["propagating", { write: write.refused }, "propagating", "provider_auth", []],
  ["drifted", { records: records.wrong, write: write.refused }, "drifted", "provider_auth", []],
  ["stalled", { records: records.match }, "issuing_cert", null, ["domain.changed"]],
  [
    "issuing_cert",
    { certificate: certificate.issued },
    "live",
    null,
    ["ssl.issued", "domain.flow.completed"],
  ],
  ["issuing_cert", { certificate: certificate.failed }, "issuing_cert", "certificate_failed", []],
  ["issuing_cert", { certificate: certificate.waiting }, "issuing_cert", "ca_rate_limited", []],
  ["issuing_cert", { caa: "forbidden" }, "issuing_cert", "caa_forbidden", []],
  ["live", { records: records.match }, "live", null, []],
  ["live", { records: records.wrong }, "live", null, []],
  ["drifted", { records: records.match }, "live", null, ["domain.restored"]],
  ["drifted", { records: records.wrong }, "drifted", "record_mismatch", []],
  ["failed", { ownership: proof.absent }, "pending_ownership", "txt_not_found", []],
  ["failed", { ownership: proof.match }, "verified", null, ["domain.verified"]],
  ["archived", { ownership: proof.match, records: records.match }, "archived", null, []],
];

describe("decide", () => {
  for (const [from, observation, to, error, events] of table) {
    it(`takes ${from} with ${JSON.stringify(Object.keys(observation))} to ${to}`, () => {
      const decision = after(connection(from), observation);
      assert.deepEqual([decision.state, decision.errorCode, decision.events], [to, error, events]);
    });
  }

  it("is total: every state takes every combination of facts, claim and time", () => {
    const axes = [
      connectionStates,
      [null, ...Object.values(proof)],
      [null, ...Object.values(records)],
      [null, "allowed", "forbidden", "unknown"],
      [null, ...Object.values(certificate)],
      ["free", "own", "held", "drifted"],
      [minute, hour, 73 * hour],
    ] as const;
    const walked = product(axes.map((axis) => axis.length)).map((pick) => {
      const [s = 0, o = 0, r = 0, c = 0, t = 0, k = 0, e = 0] = pick;
      const elapsed = axes[6][e] ?? minute;
      const state = axes[0][s] ?? "created";
      const claim = axes[5][k] ?? "free";
      const from = connection(state, { misses: elapsed > hour ? 1 : 0, firstMissAt: start });
      const observation = {
        ownership: axes[1][o] ?? null,
        records: axes[2][r] ?? null,
        caa: axes[3][c] ?? null,
        certificate: axes[4][t] ?? null,
      };
      checkInvariants(from, after(from, observation, { claim, now: at(elapsed) }), claim);
      return pick;
    });
    assert.ok(walked.length > 10_000);
  });

  /** Every way to pick one index of each axis. */
  function product(lengths: readonly number[]): number[][] {
    return lengths.reduce<number[][]>(
      (picks, length) =>
        picks.flatMap((pick) => Array.from({ length }, (_, index) => [...pick, index])),
      [[]],
    );
  }

  function checkInvariants(
    from: Connection,
    decision: ReturnType<typeof decide>,
    claim: ClaimState,
  ): void {
    assert.ok(connectionStates.includes(decision.state));
    // A claim is taken exactly when a state that holds one is entered from one that does not.
    const enters = !holdsClaim(from.state) && holdsClaim(decision.state);
    assert.equal(decision.claim === "take", enters);
    if (enters) assert.notEqual(claim, "held");
    const leaves = holdsClaim(from.state) && !holdsClaim(decision.state);
    if (leaves) assert.equal(decision.claim, "release");
    if (from.state === "archived") assert.equal(decision.state, "archived");
    const hasEnded = decision.state === "failed" || decision.state === "archived";
    assert.equal(decision.nextCheckMs === null, hasEnded);
  }

  it("never changes a state because of an unknown fact", () => {
    for (const state of connectionStates) {
      if (state === "created" || state === "failed") continue;
      const observation = {
        ownership: proof.unknown,
        records: records.unknown,
        caa: "unknown",
      } as const;
      const decision = after(connection(state), observation);
      assert.equal(decision.state, state);
      assert.deepEqual(decision.events, []);
      assert.equal(decision.misses, 0);
    }
  });

  it("leaves a proven name pending while another holds the claim, and takes it from a drifted one", () => {
    const refused = after(
      connection("pending_ownership"),
      { ownership: proof.match },
      { claim: "held" },
    );
    assert.deepEqual(
      [refused.state, refused.errorCode],
      ["pending_ownership", "hostname_conflict"],
    );
    const drifted = after(
      connection("verifying"),
      { ownership: proof.match },
      { claim: "drifted" },
    );
    assert.deepEqual([drifted.state, drifted.claim], ["verified", "take"]);
  });

  it("drifts on the second miss only, and not before a minute has passed", () => {
    const first = after(connection("live"), { records: records.wrong }, { now: at(0) });
    assert.deepEqual([first.state, first.misses, first.nextCheckMs], ["live", 1, minute]);
    const missed = connection("live", { misses: 1, firstMissAt: start });
    const early = after(missed, { records: records.wrong }, { now: at(20_000) });
    assert.deepEqual([early.state, early.nextCheckMs, early.misses], ["live", 40_000, 1]);
    const second = after(missed, { records: records.wrong }, { now: at(minute) });
    assert.deepEqual([second.state, second.events], ["drifted", ["domain.drift"]]);
    const blind = after(missed, { records: records.unknown }, { now: at(minute) });
    assert.deepEqual([blind.state, blind.misses], ["live", 1]);
    const healed = after(missed, { records: records.match }, { now: at(minute) });
    assert.deepEqual([healed.state, healed.misses, healed.firstMissAt], ["live", 0, null]);
  });

  it("stalls after half an hour and gives up after three days, freeing the name", () => {
    const late = after(
      connection("propagating"),
      { records: records.wrong },
      { now: at(30 * minute) },
    );
    assert.deepEqual([late.state, late.events], ["stalled", ["domain.stalled"]]);
    const still = after(
      connection("stalled"),
      { records: records.wrong },
      { now: at(40 * minute) },
    );
    assert.deepEqual([still.state, still.events], ["stalled", []]);
    for (const [state, error] of [
      ["pending_ownership", "ownership_timeout"],
      ["verifying", "ownership_timeout"],
      ["dns_writing", "propagation_timeout"],
      ["stalled", "propagation_timeout"],
      ["issuing_cert", "certificate_timeout"],
    ] as const) {
      const over = after(connection(state), {}, { now: at(72 * hour) });
      assert.deepEqual(
        [over.state, over.errorCode, over.events, over.claim],
        ["failed", error, ["domain.failed"], "release"],
      );
    }
    for (const state of ["live", "drifted"] as const) {
      assert.equal(after(connection(state), {}, { now: at(720 * hour) }).state, state);
      assert.equal(connectionPhase(state), null);
    }
  });

  it("finishes a phase that ends in the same check that would time it out", () => {
    const observation = { ownership: proof.match };
    assert.equal(
      after(connection("pending_ownership"), observation, { now: at(72 * hour) }).state,
      "verified",
    );
  });

  it("reports a refused write as the error until the records match", () => {
    const refused = connection("propagating", { errorCode: "provider_auth" });
    assert.equal(after(refused, { records: records.wrong }).errorCode, "provider_auth");
    assert.equal(after(refused, { records: records.match }).errorCode, null);
  });

  it("becomes manual when the provider refuses permanently or is unavailable for too long", () => {
    const refused = after(connection("dns_writing"), { write: write.refused });
    assert.deepEqual([refused.state, refused.setupType], ["propagating", "manual"]);
    const away = after(connection("dns_writing"), { write: write.later }, { now: at(30 * minute) });
    assert.deepEqual([away.state, away.setupType], ["propagating", "manual"]);
    assert.equal(after(connection("dns_writing"), { write: write.later }).nextCheckMs, 5_000);
  });

  it("stays automatic while other writers of the service have the zone", () => {
    const busy = after(connection("dns_writing"), { write: write.busy }, { now: at(30 * minute) });
    assert.deepEqual([busy.state, busy.setupType], ["dns_writing", connection("live").setupType]);
    assert.equal(busy.nextCheckMs, 5_000);
  });

  it("is automatic again when the service has written after a refusal", () => {
    for (const state of ["dns_writing", "propagating"] as const) {
      const manual = connection(state, { setupType: "manual", errorCode: "provider_auth" });
      const written = after(manual, { write: write.written, records: records.wrong });
      assert.equal(written.setupType, "automatic", state);
      assert.equal(after(manual, { records: records.wrong }).setupType, "manual", state);
    }
    const unproven = connection("pending_ownership", { setupType: "manual" });
    const absent = { ownership: proof.absent, write: write.written };
    assert.equal(after(unproven, absent).setupType, "automatic");
  });

  it("requests a certificate when the records match and CAA allows it", () => {
    const ready = after(connection("propagating"), { records: records.match, caa: "allowed" });
    assert.deepEqual([ready.state, ready.wantsCertificate], ["issuing_cert", true]);
    const barred = after(connection("propagating"), { records: records.match, caa: "forbidden" });
    assert.deepEqual([barred.errorCode, barred.wantsCertificate], ["caa_forbidden", false]);
    const again = after(connection("issuing_cert"), { records: records.match, caa: "allowed" });
    assert.equal(again.wantsCertificate, true);
  });

  for (const errorCode of ["ca_rate_limited", "ca_unavailable"] as const) {
    it(`does not give up, keeps the claim, and stops the phase's clock while ${errorCode}`, () => {
      const waiting = { ...certificate.waiting, errorCode };
      let now = connection("issuing_cert", { lastCheckedAt: start });
      for (let hours = 1; hours <= 100; hours += 1) {
        const decision = decide(
          now,
          { ...emptyObservation, records: records.match, certificate: waiting },
          "own",
          at(hours * hour),
          settings,
        );
        assert.deepEqual(
          [decision.state, decision.claim, decision.errorCode],
          ["issuing_cert", "keep", errorCode],
        );
        const { phaseStartedAt } = decision;
        now = { ...now, phaseStartedAt, lastCheckedAt: at(hours * hour) };
      }
      assert.deepEqual(now.phaseStartedAt, at(100 * hour));
      const failing = { records: records.match, certificate: certificate.failed };
      const decideAt = (ms: number) =>
        decide(now, { ...emptyObservation, ...failing }, "own", at(ms), settings).state;
      assert.equal(decideAt(171 * hour), "issuing_cert");
      assert.equal(decideAt(172 * hour), "failed");
    });
  }

  it("gives up on wrong records although the certificate waits for its budget", () => {
    const observation = { records: records.wrong, certificate: certificate.waiting };
    const decision = decide(
      connection("issuing_cert"),
      { ...emptyObservation, ...observation },
      "own",
      at(72 * hour),
      settings,
    );
    assert.deepEqual([decision.state, decision.claim], ["failed", "release"]);
  });

  it("checks a name that waits for the CA when its time comes, at most every hour", () => {
    const waits = (ms: number) =>
      decide(
        connection("issuing_cert"),
        {
          ...emptyObservation,
          records: records.match,
          certificate: { ...certificate.waiting, nextAttemptAt: at(ms) },
        },
        "own",
        start,
        settings,
      ).nextCheckMs;
    assert.deepEqual(
      [waits(0), waits(20 * minute), waits(9 * hour)],
      [5 * minute, 20 * minute, hour],
    );
  });

  it("is not requested while the zone is bogus, because no CA would issue it", () => {
    const bogus = {
      outcome: "unknown",
      error: "dnssec_bogus",
      observed: [],
      cachedUntil: null,
    } as const;
    const waiting = after(connection("propagating"), { records: bogus, caa: "allowed" });
    assert.deepEqual(
      [waiting.state, waiting.errorCode, waiting.wantsCertificate],
      ["propagating", "dnssec_bogus", false],
    );
    const issuing = after(connection("issuing_cert"), { records: bogus, caa: "allowed" });
    assert.deepEqual(
      [issuing.state, issuing.errorCode, issuing.wantsCertificate],
      ["issuing_cert", "dnssec_bogus", false],
    );
  });

  it("completes the flow once in a connection's life", () => {
    const second = connection("issuing_cert", { firstLiveAt: start });
    assert.deepEqual(after(second, { certificate: certificate.issued }).events, ["ssl.issued"]);
  });

  it("reports each certificate once, the first and every renewal", () => {
    const observation = { records: records.match, certificate: certificate.issued };
    const renewed = after(connection("live", { certificateId: "another" }), observation);
    assert.deepEqual(
      [renewed.events, renewed.newCertificate],
      [["ssl.issued"], certificate.issued.issueId],
    );
    const reported = after(
      connection("live", { certificateId: certificate.issued.issueId }),
      observation,
    );
    assert.deepEqual([reported.events, reported.newCertificate], [[], null]);
  });

  it("schedules the next check by the promised cadence", () => {
    const pending = [0, 1, 2, 3, 6, 12].map(
      (checks) =>
        after(connection("pending_ownership", { checks }), { ownership: proof.absent }).nextCheckMs,
    );
    assert.deepEqual(pending, [10_000, 20_000, 40_000, 80_000, 300_000, 300_000]);
    const live = after(connection("live"), { records: records.match });
    assert.equal(live.nextCheckMs, hour);
    const drifted = [0, 3, 30].map(
      (checks) => after(connection("drifted", { checks }), { records: records.wrong }).nextCheckMs,
    );
    assert.deepEqual(drifted, [10_000, minute, 5 * minute]);
  });
});
