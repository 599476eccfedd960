import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testConnection } from "@mooring/testing/control/connection";
import type { Connection, ObservedRecord } from "./connection.ts";
import { isRoutine, routineRecords } from "./routine-check.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** The day of this connection begins at midnight. */
const id = "01930000-0000-7000-8000-000000000000";
const noon = new Date("2026-11-15T12:00:00Z");
const ago = (ms: number): Date => new Date(noon.getTime() - ms);
const seen: ObservedRecord = {
  host: "www.example.com",
  type: "CNAME",
  value: "edge.example",
  ttl: 300,
  priority: null,
  propagated: true,
  observed_at: noon.toISOString(),
};

describe("whether a check is routine", () => {
  const routine = (changes: Partial<Connection> = {}, now = noon): boolean =>
    isRoutine(
      testConnection({
        id,
        state: "live",
        errorCode: null,
        misses: 0,
        contest: null,
        cutover: null,
        pendingRecords: null,
        observedRecords: [seen],
        phaseStartedAt: ago(hour),
        lastCheckedAt: ago(hour),
        ...changes,
      }),
      now,
      { shortMs: hour, longMs: null },
    );

  it("is so for a live name that was right last time and is checked in its time", () => {
    assert.equal(routine(), true);
    assert.equal(routine({ lastCheckedAt: ago(11 * hour) }), true, "a late check");
    assert.equal(routine({ lastCheckedAt: ago(0.9 * hour) }), true, "as early as names are spread");
  });

  it("is not so after a fault or a miss, during a contest or a change", () => {
    assert.equal(routine({ state: "drifted" }), false);
    assert.equal(routine({ errorCode: "dns_timeout" }), false);
    assert.equal(routine({ misses: 1 }), false);
    assert.equal(routine({ contest: { since: noon, deadline: noon } }), false);
    assert.equal(routine({ pendingRecords: [] }), false);
    assert.equal(routine({ observedRecords: [{ ...seen, propagated: false }] }), false);
    assert.equal(routine({ observedRecords: [] }), false);
    assert.equal(routine({ lastCheckedAt: null }), false);
  });

  it("is not so when something called for it before its time", () => {
    assert.equal(routine({ lastCheckedAt: ago(hour / 2) }), false);
    assert.equal(routine({ phaseStartedAt: ago(60 * day), lastCheckedAt: ago(hour) }), false);
    assert.equal(routine({ phaseStartedAt: ago(60 * day), lastCheckedAt: ago(6 * hour) }), true);
  });

  it("is not so once a day, at a time of the connection's own", () => {
    const fullIn = (own: string): number[] =>
      Array.from({ length: 24 }, (_, index) => index).filter((index) => {
        const now = new Date(noon.getTime() + index * hour);
        return !routine({ id: own, lastCheckedAt: new Date(now.getTime() - hour) }, now);
      });
    assert.deepEqual(fullIn(id), [12]);
    assert.deepEqual(fullIn(id.replace(/0{8}$/, "80000000")), [0]);
  });
});

describe("the CNAME for validation of a live name", () => {
  const alias = { ...seen, host: "_acme-challenge.www.example.com", value: "x.v.example" };
  const live = (observedRecords: readonly ObservedRecord[]): Connection =>
    testConnection({ state: "live", hostname: "www.example.com", observedRecords });
  const hosts = (connection: Connection): readonly string[] =>
    routineRecords(connection, [seen, alias]).map(({ host }) => host);

  it("is confirmed while it is there, and costs no full check when it is gone", () => {
    assert.deepEqual(hosts(live([seen, alias])), [seen.host, alias.host]);
    assert.deepEqual(hosts(live([seen])), [seen.host]);
    assert.deepEqual(hosts(live([seen, { ...alias, propagated: false }])), [seen.host]);
  });
});
