import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type AttemptResult, afterAttempt, failingSince } from "./webhook.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** From the contract: seconds, minutes and hours after each failure, and where that leaves it. */
const table = [
  { wait: 5 * second, elapsed: 5 * second },
  { wait: 30 * second, elapsed: 35 * second },
  { wait: 2 * minute, elapsed: 2 * minute + 35 * second },
  { wait: 10 * minute, elapsed: 12 * minute + 35 * second },
  { wait: 30 * minute, elapsed: 42 * minute + 35 * second },
  { wait: 2 * hour, elapsed: 2 * hour + 42 * minute + 35 * second },
  { wait: 5 * hour, elapsed: 7 * hour + 42 * minute + 35 * second },
  { wait: 10 * hour, elapsed: 17 * hour + 42 * minute + 35 * second },
  { wait: 14 * hour, elapsed: 31 * hour + 42 * minute + 35 * second },
  { wait: 20 * hour, elapsed: 51 * hour + 42 * minute + 35 * second },
  { wait: 24 * hour, elapsed: 75 * hour + 42 * minute + 35 * second },
];

const middle = { failingForMs: 0, random: 0.5 };

function answered(status: number, retryAfter: number | null = null): AttemptResult {
  return { kind: "answered", status, retryAfterSeconds: retryAfter };
}

describe("the retries of a delivery", () => {
  it("follow the table, and after about three days it is exhausted", () => {
    let elapsed = 0;
    for (const [index, row] of table.entries()) {
      const decision = afterAttempt(answered(500), { tries: index + 1, ...middle });
      assert.deepEqual(decision, { status: "failed", nextInMs: row.wait, disables: null });
      elapsed += decision.nextInMs ?? 0;
      assert.equal(elapsed, row.elapsed);
    }
    assert.deepEqual(afterAttempt(answered(500), { tries: table.length + 1, ...middle }), {
      status: "exhausted",
      nextInMs: null,
      disables: null,
    });
  });

  it("come for every status but 2xx and 410, redirects included, and when there is no reply", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), (status) => {
        const decision = afterAttempt(answered(status), { tries: 1, ...middle });
        const isFinal = (status >= 200 && status < 300) || status === 410;
        assert.equal(decision.nextInMs, isFinal ? null : 5 * second);
        assert.equal(decision.status, status >= 200 && status < 300 ? "delivered" : "failed");
      }),
    );
    assert.equal(afterAttempt({ kind: "failed" }, { tries: 2, ...middle }).nextInMs, 30 * second);
  });

  it("are spread by a fifth either way, and by no more", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: table.length }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (tries, random) => {
          const step = table[tries - 1]?.wait ?? 0;
          const { nextInMs } = afterAttempt(answered(500), { tries, failingForMs: 0, random });
          assert.ok(nextInMs !== null && nextInMs >= 0.8 * step && nextInMs <= 1.2 * step);
        },
      ),
    );
    const at = (random: number) =>
      afterAttempt(answered(500), { tries: 1, failingForMs: 0, random }).nextInMs;
    assert.deepEqual([at(0), at(0.999_999_9)], [4 * second, 6 * second]);
  });

  it("follow Retry-After between the step and twice the step", () => {
    const next = (retryAfter: number | null, tries: number) =>
      afterAttempt(answered(503, retryAfter), { tries, ...middle }).nextInMs;
    assert.equal(next(null, 4), 10 * minute);
    assert.equal(next(1, 4), 10 * minute);
    assert.equal(next(15 * 60, 4), 15 * minute);
    assert.equal(next(86_400, 4), 20 * minute);
    assert.equal(next(999_999_999, 1), 10 * second);
  });

  it("end with 410, which switches the endpoint off", () => {
    assert.deepEqual(afterAttempt(answered(410), { tries: 1, ...middle }), {
      status: "failed",
      nextInMs: null,
      disables: "gone",
    });
  });

  it("end when the endpoint has failed for five days, and not earlier", () => {
    const after = (failingForMs: number) =>
      afterAttempt(answered(500), { tries: 3, failingForMs, random: 0.5 });
    assert.equal(after(120 * hour - 1).disables, null);
    assert.deepEqual(after(120 * hour), { status: "failed", nextInMs: null, disables: "failing" });
    assert.equal(
      afterAttempt(answered(204), { tries: 3, failingForMs: 200 * hour, random: 0.5 }).disables,
      null,
    );
  });
});

describe("how long an endpoint has been failing", () => {
  const now = new Date("2026-11-15T00:00:00Z");
  const ago = (hours: number) => new Date(now.getTime() - hours * hour);

  it("counts from the first failure since the last success", () => {
    const health = { active: true, failingSince: ago(119), lastFailedAt: ago(24) };
    assert.deepEqual(failingSince(health, now), ago(119));
    assert.deepEqual(
      failingSince({ active: true, failingSince: null, lastFailedAt: null }, now),
      now,
    );
  });

  it("starts again after a time without attempts that is longer than any wait between retries", () => {
    const health = { active: true, failingSince: ago(500), lastFailedAt: ago(400) };
    assert.deepEqual(failingSince(health, now), now);
    const longest = { active: true, failingSince: ago(500), lastFailedAt: ago(48) };
    assert.deepEqual(failingSince(longest, now), ago(500));
  });
});
