import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testConnection } from "@mooring/testing/control/connection";
import { decide } from "./lifecycle.ts";
import { emptyObservation, type Observation } from "./observation.ts";

const hour = 3_600_000;
const start = new Date("2026-11-15T00:00:00.000Z");
const settings = {
  recheckIntervalMs: hour,
  stallAfterMs: hour / 2,
  giveUpAfterMs: 72 * hour,
  contestAfterMs: 72 * hour,
  contestRestMs: 168 * hour,
  isSandbox: false,
  hasExternalEdge: false,
};
const match = { outcome: "match", error: null } as const;

function seen(
  from: Parameters<typeof testConnection>[0],
  observation: Partial<Observation>,
  { exceedsQuota, hours = 1 }: { readonly exceedsQuota: boolean; readonly hours?: number },
) {
  const now = new Date(start.getTime() + hours * hour);
  const connection = testConnection({ phaseStartedAt: start, ...from });
  const claim = connection.state === "pending_ownership" ? "free" : "own";
  const all = { ...emptyObservation, ...observation };
  return decide(connection, all, claim, now, { ...settings, exceedsQuota });
}

describe("a name beyond the plan", () => {
  const waits = { state: "verified", errorCode: "quota_exceeded" } as const;

  it("has its claim once it is proven, and waits", () => {
    const proven = seen(
      { state: "pending_ownership" },
      { ownership: match },
      { exceedsQuota: true },
    );
    assert.deepEqual(
      [proven.state, proven.errorCode, proven.claim, proven.events],
      ["verified", "quota_exceeded", "take", ["domain.verified"]],
    );
  });

  it("waits as long as it takes, and is checked seldom", () => {
    for (const credential of ["usable", "none", null] as const) {
      const later = seen(waits, { credential }, { exceedsQuota: true, hours: 720 });
      assert.deepEqual(
        [later.state, later.errorCode, later.nextCheckMs],
        ["verified", "quota_exceeded", 6 * hour],
      );
    }
  });

  it("continues when there is room", () => {
    const admitted = seen(waits, { credential: "none" }, { exceedsQuota: false });
    assert.deepEqual([admitted.state, admitted.errorCode], ["propagating", null]);
  });
});
