import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testConnection } from "@mooring/testing/control/connection";
import { type Decision, decide } from "./lifecycle.ts";
import { emptyObservation } from "./observation.ts";
import {
  noTroubleFacts,
  type OriginHealth,
  type Renewal,
  type Trouble,
  type TroubleFacts,
  type TroubleKind,
  withTroubles,
} from "./trouble.ts";

const start = Date.parse("2026-11-15T12:00:00Z");
const second = 1_000;
const minute = 60 * second;
const day = 86_400 * second;
const at = (ms: number): Date => new Date(start + ms);

const settings = {
  recheckIntervalMs: 3_600 * second,
  stallAfterMs: 3_600 * second,
  giveUpAfterMs: 3 * day,
  contestAfterMs: 259_200_000,
  contestRestMs: 604_800_000,
  isSandbox: false,
  hasExternalEdge: false,
};
const matching = { outcome: "match", error: null, observed: [], cachedUntil: null } as const;

/** What the lifecycle decides when the records of a live connection are right. */
const live = decide(
  testConnection({ state: "live" }),
  { ...emptyObservation, records: matching },
  "own",
  at(0),
  settings,
);

/** Ninety days of life, of which `leftMs` are left. */
function renewal(leftMs: number, changes: Partial<Renewal> = {}): Renewal {
  return {
    notBefore: at(leftMs - 90 * day),
    notAfter: at(leftMs),
    isFailing: false,
    isUnreplaced: false,
    isWithdrawn: false,
    nextAttemptAt: at(minute),
    isOwn: false,
    ...changes,
  };
}

const reachable: OriginHealth = {
  failures: 0,
  failingSince: null,
  lastFailureAt: at(-minute),
  successSince: at(-minute),
};

function failing(failures: number, forMs: number): OriginHealth {
  return {
    failures,
    failingSince: at(-forMs),
    lastFailureAt: at(0),
    successSince: null,
  };
}

function open(kind: TroubleKind, changes: Partial<Trouble> = {}): Trouble {
  return {
    kind,
    reason: kind === "origin_unreachable" ? "origin_failing" : "renewal_failed",
    openedAt: at(-day),
    clearSince: null,
    closedAt: null,
    episodes: 1,
    ...changes,
  };
}

interface Sights extends Partial<TroubleFacts> {
  readonly caa?: "allowed" | "forbidden" | "unknown";
  readonly errorCode?: Decision["errorCode"];
  readonly now?: Date;
}

function check({ caa, errorCode = null, now = at(0), ...facts }: Sights) {
  const decision = { ...live, errorCode };
  const result = withTroubles(
    decision,
    { caa: caa ?? "allowed", probe: null },
    { ...noTroubleFacts, renewal: renewal(60 * day), ...facts },
    now,
  );
  return {
    code: result.decision.errorCode,
    events: result.decision.events,
    nextCheckMs: result.decision.nextCheckMs,
    changed: result.changed,
  };
}

describe("a certificate", () => {
  it("is at risk once a renewal failed and less than a third of its life is left", () => {
    const failed = { isFailing: true, isUnreplaced: true };
    const early = check({ renewal: renewal(30 * day + minute, failed) });
    assert.deepEqual([early.code, early.events], [null, []]);
    assert.ok((early.nextCheckMs ?? 0) < 2 * minute, "checked when the last third begins");
    const late = check({ renewal: renewal(30 * day - minute, failed) });
    assert.deepEqual([late.code, late.events], ["certificate_at_risk", ["certificate.at_risk"]]);
    assert.equal(late.changed[0]?.reason, "renewal_failed");
  });

  it("is not at risk while a budget or the CA only makes it wait", () => {
    const waiting = renewal(5 * day, { isFailing: false, isUnreplaced: true });
    assert.deepEqual(check({ renewal: waiting }).events, []);
  });

  it("is at risk at any age once CAA forbids it, and an unanswered question changes nothing", () => {
    const forbidden = check({ caa: "forbidden" });
    assert.deepEqual(forbidden.events, ["certificate.at_risk"]);
    assert.equal(forbidden.changed[0]?.reason, "caa_forbidden");
    assert.deepEqual(check({ caa: "unknown" }).events, []);
    const troubles = [open("certificate_at_risk", { reason: "caa_forbidden" })];
    const unknown = check({ troubles, caa: "unknown" });
    assert.deepEqual([unknown.code, unknown.events], ["certificate_at_risk", []]);
  });

  it("is at risk where the CNAME that alone can renew it is gone", () => {
    const missing = check({ validation: "missing" });
    assert.deepEqual(missing.events, ["certificate.at_risk"]);
    assert.equal(missing.changed[0]?.reason, "validation_missing");
  });

  it("is at risk when it is the tenant's own and ends within 30 days, whatever CAA says", () => {
    const early = check({ renewal: renewal(31 * day, { isOwn: true }), caa: "forbidden" });
    assert.deepEqual(early.events, []);
    const late = check({ renewal: renewal(30 * day, { isOwn: true }) });
    assert.deepEqual([late.code, late.events], ["certificate_at_risk", ["certificate.at_risk"]]);
    assert.equal(late.changed[0]?.reason, "own_certificate_ends");
    const replaced = check({ troubles: late.changed, renewal: renewal(90 * day) });
    assert.deepEqual(replaced.events, ["certificate.recovered"]);
  });

  it("goes over from at risk to expired, and its recovery is one event", () => {
    const troubles = [open("certificate_at_risk")];
    const expired = check({
      troubles,
      renewal: renewal(-1, { isFailing: true, isUnreplaced: true }),
    });
    assert.deepEqual(
      [expired.code, expired.events],
      ["certificate_expired", ["certificate.expired"]],
    );
    const renewed = check({ troubles: expired.changed });
    assert.deepEqual([renewed.code, renewed.events], [null, ["certificate.recovered"]]);
    assert.deepEqual(check({ troubles: renewed.changed }).events, []);
  });

  it("counts as expired when it was revoked and could not be replaced", () => {
    const withdrawn = renewal(60 * day, { isWithdrawn: true });
    assert.deepEqual(check({ renewal: withdrawn }).events, [], "it is about to be replaced");
    const stuck = check({ renewal: { ...withdrawn, isUnreplaced: true } });
    assert.deepEqual(stuck.events, ["certificate.expired"]);
    assert.equal(stuck.changed[0]?.reason, "revoked");
  });

  it("that is new and forbidden by CAA has recovered and is at risk", () => {
    const troubles = [open("certificate_expired", { reason: "expired" })];
    const result = check({ troubles, caa: "forbidden" });
    assert.deepEqual(result.events, ["certificate.recovered", "certificate.at_risk"]);
    assert.equal(result.code, "certificate_at_risk");
  });

  it("that is not known changes nothing", () => {
    const troubles = [open("certificate_expired")];
    const result = check({ troubles, renewal: null });
    assert.deepEqual([result.code, result.events], ["certificate_expired", []]);
  });
});

describe("an origin", () => {
  it("is unreachable after five failures in a row, or after failing for a minute", () => {
    assert.deepEqual(check({ origin: failing(4, 59 * second) }).events, []);
    for (const origin of [failing(5, second), failing(2, 60 * second)]) {
      const result = check({ origin });
      assert.deepEqual(
        [result.code, result.events],
        ["origin_unreachable", ["origin.unreachable"]],
      );
      assert.equal(result.nextCheckMs, 2 * second, "an answer meanwhile would not be seen");
      const again = check({ origin, troubles: result.changed });
      assert.deepEqual([again.events, again.nextCheckMs], [[], live.nextCheckMs], "once");
    }
  });

  it("has recovered when it answers for five seconds", () => {
    const troubles = [open("origin_unreachable")];
    const early = check({ troubles, origin: { ...reachable, successSince: at(-second) } });
    assert.deepEqual([early.code, early.events], ["origin_unreachable", []]);
    assert.equal(early.nextCheckMs, 4 * second);
    const steady = check({ troubles, origin: { ...reachable, successSince: at(-5 * second) } });
    assert.deepEqual([steady.code, steady.events], [null, ["origin.recovered"]]);
  });

  it("that comes and goes is reported a few times an hour at most", () => {
    let troubles: readonly Trouble[] = [];
    let events = 0;
    let successSince: Date | null = null;
    // Five requests fail, then all answer for ten seconds, and so on for six hours.
    for (let ms = 0; ms < 6 * 3_600 * second; ms += 5 * second) {
      const isDown = (ms / second) % 15 === 0;
      successSince = isDown ? null : (successSince ?? at(ms));
      const origin = isDown ? failing(5, second) : { ...reachable, successSince };
      const result = check({ origin, troubles, now: at(ms), renewal: null });
      events += result.events.length;
      if (result.changed.length > 0) troubles = result.changed;
    }
    assert.ok(events <= 4, `${events} events`);
  });
});

describe("several troubles at once", () => {
  it("show the worst as error code, before any other; each has its own events", () => {
    const origin = failing(5, minute);
    const both = check({ origin, caa: "forbidden", errorCode: "record_mismatch" });
    assert.equal(both.code, "certificate_at_risk");
    assert.deepEqual(both.events, ["certificate.at_risk", "origin.unreachable"]);
    const expired = check({ origin, renewal: renewal(-1), troubles: both.changed });
    assert.deepEqual(
      [expired.code, expired.events],
      ["certificate_expired", ["certificate.expired"]],
    );
  });

  it("leave the code of the check when they end, and never their own", () => {
    const troubles = [open("origin_unreachable")];
    const origin = { ...reachable, successSince: at(-minute) };
    assert.equal(check({ troubles, origin, errorCode: "record_mismatch" }).code, "record_mismatch");
    assert.equal(check({ troubles, origin, errorCode: "origin_unreachable" }).code, null);
  });

  it("neither begin nor end while the connection is not live", () => {
    const drifted: Decision = { ...live, state: "drifted", errorCode: "record_mismatch" };
    const facts = { ...noTroubleFacts, origin: failing(5, minute) };
    const result = withTroubles(drifted, { caa: "forbidden", probe: null }, facts, at(0));
    assert.deepEqual(result, { decision: drifted, changed: [] });
  });
});
