import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testConnection } from "@mooring/testing/control/connection";
import type { Connection } from "./connection.ts";
import {
  type ContestFacts,
  type ContestMove,
  contestRestMs,
  contestStep,
  takeoverWindowMs,
} from "./contest.ts";
import { decide, type LifecycleSettings } from "./lifecycle.ts";
import { type ClaimState, emptyObservation, type OwnershipObservation } from "./observation.ts";

const minute = 60_000;
const hour = 60 * minute;
const settings: LifecycleSettings = {
  recheckIntervalMs: hour,
  stallAfterMs: 30 * minute,
  giveUpAfterMs: 72 * hour,
  contestAfterMs: 72 * hour,
  contestRestMs,
  isSandbox: false,
  hasExternalEdge: false,
};
const start = new Date("2026-11-15T00:00:00.000Z");
const at = (ms: number): Date => new Date(start.getTime() + ms);
const holderId = "00000000-0000-7000-8000-0000000000aa";
const contest = { since: start, deadline: at(72 * hour) };

type Outcome = OwnershipObservation["outcome"];
const outcomes = ["match", "partial", "mismatch", "absent", "unknown"] as const;
/** Definitely not there: no record, other values, a wildcard or a CNAME. */
const isMissing = (outcome: Outcome) => outcome === "absent" || outcome === "mismatch";

function see(proof: Outcome | null, rival: Outcome | null, rivalId = holderId) {
  return {
    ...emptyObservation,
    ownership: proof && { outcome: proof, error: null },
    rival: rival && { holderId: rivalId, outcome: rival, isRestored: false },
  };
}

const none: ContestFacts = { own: null, holderId, mayBeginAt: null, restoredAt: null };
const open: ContestFacts = { ...none, own: { ...contest, holderId } };
const prover = (more: Partial<Connection> = {}) =>
  testConnection({ errorCode: "hostname_conflict", lastCheckedAt: at(71 * hour), ...more });

function decideMove(
  seen: ReturnType<typeof see>,
  facts: ContestFacts,
  now: Date,
  connection = prover(facts.own ? { contest } : {}),
  claim: ClaimState = "held",
): ContestMove["is"] {
  return contestStep(connection, seen, claim, facts, now, settings).move.is;
}

describe("a contest begins", () => {
  for (const proof of outcomes) {
    for (const rival of outcomes) {
      const isExpected = proof === "match" && isMissing(rival);
      it(`${isExpected ? "" : "not "}when the prover's record is ${proof} and the holder's ${rival}`, () => {
        assert.equal(decideMove(see(proof, rival), none, start), isExpected ? "begin" : "none");
      });
    }
  }

  it("with the deadline CONTEST_AFTER after the first proof, and no state changes", () => {
    const decision = decide(prover(), see("match", "absent"), "held", start, settings, none);
    assert.deepEqual(decision.contest, contest);
    assert.deepEqual(
      [decision.state, decision.errorCode, decision.claim, decision.events],
      ["pending_ownership", "hostname_conflict", "keep", []],
    );
  });

  it("not while the holder's last victory over this tenant is younger than 7 days", () => {
    const resting = { ...none, mayBeginAt: at(contestRestMs) };
    const seen = see("match", "absent");
    assert.equal(decideMove(seen, resting, at(contestRestMs - 1)), "none");
    assert.equal(decideMove(seen, resting, at(contestRestMs)), "begin");
  });

  it("not against a holder other than the one whose record was asked for", () => {
    assert.equal(decideMove(see("match", "absent", "somebody else"), none, start), "none");
    assert.equal(decideMove(see("match", null), none, start), "none");
  });
});

describe("an open contest", () => {
  for (const proof of outcomes) {
    for (const rival of outcomes) {
      it(`is ${lateMove(proof, rival)} at the deadline when the prover's record is ${proof} and the holder's ${rival}`, () => {
        const connection = prover({
          contest,
          lastCheckedAt: at(72 * hour - 5 * minute),
          misses: 1,
          firstMissAt: at(72 * hour - 5 * minute),
        });
        const now = at(72 * hour);
        assert.equal(decideMove(see(proof, rival), open, now, connection), lateMove(proof, rival));
      });
    }
  }

  function lateMove(proof: Outcome, rival: Outcome): ContestMove["is"] {
    if (rival === "match") return "lost";
    if ([proof, rival].some((one) => one === "unknown" || one === "partial")) return "postpone";
    return proof === "match" ? "passed" : "lost";
  }

  it("is not decided for the prover before the deadline", () => {
    const connection = prover({ contest, lastCheckedAt: at(72 * hour - minute) });
    const now = at(72 * hour - 1);
    const decision = decide(connection, see("match", "absent"), "held", now, settings, open);
    assert.deepEqual([decision.contestMove.is, decision.claim], ["none", "keep"]);
    assert.equal(decision.nextCheckMs, 1_000, "and is checked again at the deadline");
  });

  it("passes the name as from a drifted holder", () => {
    const connection = prover({ contest, lastCheckedAt: at(72 * hour - minute) });
    const now = at(72 * hour);
    const decision = decide(connection, see("match", "absent"), "held", now, settings, open);
    assert.deepEqual(
      [decision.state, decision.claim, decision.events, decision.contest],
      ["verified", "take", ["domain.verified"], null],
    );
  });

  it("has its deadline moved by the time in which DNS could not be asked", () => {
    const connection = prover({ contest, lastCheckedAt: at(10 * hour) });
    const unclear = [see("match", "unknown"), see("unknown", "absent"), see("match", null)];
    for (const seen of unclear) {
      const step = contestStep(connection, seen, "held", open, at(11 * hour), settings);
      assert.deepEqual(step.contest, { since: start, deadline: at(73 * hour) });
    }
  });

  it("does not let the ownership phase of its prover run out", () => {
    const connection = prover({ contest, phaseStartedAt: at(-hour) });
    const now = at(71.5 * hour);
    const decision = decide(connection, see("match", "absent"), "held", now, settings, open);
    assert.equal(decision.state, "pending_ownership");
    assert.deepEqual(decision.phaseStartedAt, at(-hour / 2));
  });

  it("is given up by a prover whose record is gone in two checks", () => {
    const first = contestStep(
      prover({ contest }),
      see("absent", "absent"),
      "held",
      open,
      at(hour),
      settings,
    );
    assert.deepEqual([first.move.is, first.misses], ["none", 1]);
    const connection = prover({ contest, misses: 1, firstMissAt: at(hour) });
    const seen = see("absent", "absent");
    assert.equal(decideMove(seen, open, at(hour + minute - 1), connection), "none");
    const step = contestStep(connection, seen, "held", open, at(hour + minute), settings);
    assert.deepEqual([step.move, step.contest], [{ is: "lost", reason: "withdrawn" }, null]);
    const again = contestStep(
      connection,
      see("match", "absent"),
      "held",
      open,
      at(hour + minute),
      settings,
    );
    assert.deepEqual([again.move.is, again.misses], ["none", undefined], "the count starts again");
  });

  it("is void when its holder no longer has the name", () => {
    for (const claim of ["free", "drifted"] as const) {
      const now = at(hour);
      const decision = decide(
        prover({ contest }),
        see("match", "absent"),
        claim,
        now,
        settings,
        open,
      );
      assert.deepEqual([decision.contestMove.is, decision.claim], ["void", "take"]);
    }
    const other = { ...open, holderId: "00000000-0000-7000-8000-0000000000bb" };
    assert.equal(decideMove(see("match", "absent"), other, at(80 * hour)), "void");
  });

  it("is not decided by one check after a long gap: a clock may have jumped", () => {
    const connection = prover({ contest, lastCheckedAt: at(48 * hour) });
    const seen = see("match", "absent");
    const jumped = contestStep(connection, seen, "held", open, at(72 * hour), settings);
    assert.deepEqual([jumped.move.is, jumped.nextCheckMs], ["none", minute]);
    const back = prover({ contest, lastCheckedAt: at(72 * hour) });
    assert.equal(decideMove(seen, open, at(48 * hour + minute), back), "none", "the clock is back");
    const on = contestStep(back, seen, "held", open, at(72 * hour + minute), settings);
    assert.equal(on.move.is, "passed", "the time has really come");
  });

  it("is not shortened by a clock that goes back", () => {
    const connection = prover({ contest, lastCheckedAt: at(50 * hour) });
    const step = contestStep(
      connection,
      see("match", "unknown"),
      "held",
      open,
      at(26 * hour),
      settings,
    );
    assert.deepEqual(step.contest, contest);
  });
});

describe("a holder that had drifted when the connection was made", () => {
  const restored: ContestFacts = { ...none, restoredAt: start };
  const fresh = testConnection({ createdAt: at(-hour) });

  const pairs = outcomes.flatMap((proof) => outcomes.map((rival) => [proof, rival] as const));

  for (const [proof, rival] of pairs) {
    const givesWay = proof === "match" && isMissing(rival);
    it(`${givesWay ? "gives way at once" : "stays"} when its records are right again, the prover's record is ${proof} and its own ${rival}`, () => {
      const decision = decide(fresh, see(proof, rival), "held", at(minute), settings, restored);
      const expected = givesWay ? ["taken_over", "take"] : ["none", "keep"];
      assert.deepEqual([decision.contestMove.is, decision.claim], expected);
      assert.equal(decision.contest ?? null, null, "without a contest");
    });
  }

  for (const [proof, rival] of pairs) {
    it(`has drifted still, the prover's record is ${proof} and its own ${rival}`, () => {
      for (const hasRecords of [true, false]) {
        const isRestored = rival === "match" && hasRecords;
        const isTaken = proof === "match" && !isRestored;
        const seen = { ...see(proof, rival), rival: { holderId, outcome: rival, isRestored } };
        const decision = decide(fresh, seen, "drifted", at(minute), settings, none);
        assert.equal(decision.claim, isTaken ? "take" : "keep");
      }
    });
  }

  it("does so for a day, then a contest begins", () => {
    const seen = see("match", "absent");
    assert.equal(decideMove(seen, restored, at(takeoverWindowMs), fresh), "taken_over");
    assert.equal(decideMove(seen, restored, at(takeoverWindowMs + 1), fresh), "begin");
  });

  it("does not for DNS that resolves to us, nor for a proof against another holder", () => {
    const byDns = see("match", "absent");
    const trusted = { ...byDns, ownership: { ...byDns.ownership, isByDns: true } };
    const decision = decide(fresh, trusted as typeof byDns, "held", start, settings, restored);
    assert.notEqual(decision.claim, "take");
    assert.equal(
      decideMove(see("match", "absent", "somebody else"), restored, start, fresh),
      "none",
    );
  });
});

describe("the holder in a contest", () => {
  const holder = testConnection({ state: "live", contest, firstLiveAt: start });

  it("ends it with its own record, at any time", () => {
    for (const now of [start, at(71 * hour), at(73 * hour)]) {
      const decision = decide(holder, see("match", null), "own", now, settings);
      assert.deepEqual(
        [decision.state, decision.contestMove.is, decision.contest, decision.events],
        ["live", "won", null, ["domain.contest_won"]],
      );
    }
  });

  it("loses nothing by a check of its own", () => {
    for (const outcome of outcomes.filter((one) => one !== "match")) {
      const decision = decide(holder, see(outcome, null), "own", at(80 * hour), settings);
      assert.deepEqual(
        [decision.state, decision.contestMove.is, decision.contest],
        ["live", "none", undefined],
      );
    }
  });

  it("gets no event for a proof that nobody asked for", () => {
    const calm = testConnection({ state: "live", firstLiveAt: start });
    assert.equal(decide(calm, see("match", null), "own", start, settings).contestMove.is, "none");
  });
});
