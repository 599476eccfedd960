import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import fc from "fast-check";
import { builtInPlans, calendarMonth, parseMonth, periodKey } from "./plan.ts";

describe("plans and months", () => {
  it("has the plans of the contract, limited in connects alone", () => {
    assert.deepEqual(
      builtInPlans.map((plan) => [plan.id, plan.limits.connect]),
      [
        ["self_hosted", null],
        ["free", 10],
        ["starter", 100],
        ["growth", 1_000],
      ],
    );
    for (const { limits, price_cents } of builtInPlans) {
      assert.deepEqual([limits.active_domain, limits.cert, limits.api_call], [null, null, null]);
      assert.ok(Number.isInteger(price_cents) && price_cents >= 0);
    }
  });

  it("finds the one UTC month of every time", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("2000-01-01"), max: new Date("2999-12-31"), noInvalidDate: true }),
        (time) => {
          const { start, end } = calendarMonth(time);
          assert.ok(start <= time && time < end);
          assert.match(start.toISOString(), /-01T00:00:00\.000Z$/);
          assert.deepEqual(calendarMonth(end).start, end, "months touch without gap or overlap");
          assert.equal(periodKey({ start, end }), start.toISOString().slice(0, 10));
          const again = parseMonth(time.toISOString().slice(0, 7));
          assert.deepEqual(again, { start, end });
        },
      ),
      { numRuns: propertyRuns(5_000) },
    );
  });

  it("changes the year after the last millisecond of December", () => {
    const last = calendarMonth(new Date("2026-12-31T23:59:59.999Z"));
    assert.equal(last.start.toISOString(), "2026-12-01T00:00:00.000Z");
    assert.equal(last.end.toISOString(), "2027-01-01T00:00:00.000Z");
    assert.equal(periodKey(calendarMonth(new Date("2027-01-01T00:00:00.000Z"))), "2027-01-01");
  });

  it("refuses text that is not a month of the years 2000 to 2999", () => {
    const wrong = ["", "2026", "2026-13", "2026-00", "2026-1", "26-01", "2026-01-01", " 2026-01"];
    for (const text of [...wrong, "0000-01", "0099-12", "9999-12", "2026-01\n", "２０２６-01"]) {
      assert.equal(parseMonth(text), null, JSON.stringify(text));
    }
  });
});
