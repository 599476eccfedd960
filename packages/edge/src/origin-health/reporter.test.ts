import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMovableClock, silent } from "@mooring/testing/edge/edge-database";
import { until } from "@mooring/testing/processes/until";
import type { OriginReport } from "../db/origin-health.ts";
import type { OriginFeed } from "../feed/feed.ts";
import { startOriginReporter } from "./reporter.ts";

describe("many origins that answer again", () => {
  const ids = Array.from({ length: 40 }, (_, index) => `connection-${index}`);

  it("have their connections checked side by side, and all of them", async (t) => {
    const clock = createMovableClock();
    const asked: string[] = [];
    const slow = Promise.withResolvers<void>();
    const change = ({ success }: OriginReport) => (success === null ? null : "serving");
    let reported = 0;
    const feed: OriginFeed = {
      report: async (reports) => {
        reported += reports.length;
        return reports.map((one) => ({ connectionId: one.connectionId, change: change(one) }));
      },
      failing: async () => new Map(),
      recheck: (id) => {
        asked.push(id);
        return slow.promise;
      },
    };
    const reporter = startOriginReporter({ feed, clock, log: silent });
    t.after(() => {
      slow.resolve();
      return reporter.stop();
    });
    const hosts = ids.map((connectionId) => ({ connectionId }));
    for (const host of hosts) reporter.outcomes.failed(host);
    await until(() => reported === ids.length, "the failures");
    clock.advance(1_000);
    for (const host of hosts) reporter.outcomes.succeeded(host);
    await until(() => asked.length >= 8, "several checks at once", 10_000);
    assert.ok(asked.length <= 16, "the database is not flooded");
    slow.resolve();
    await until(() => asked.length >= ids.length, "all checks");
    assert.deepEqual([...new Set(asked)].sort(), [...ids].sort());
  });
});
