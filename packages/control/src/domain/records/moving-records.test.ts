import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nothingObserved, type RecordCheck } from "@mooring/dns";
import { testConnection } from "@mooring/testing/control/connection";
import {
  type Connection,
  connectionStates,
  type DesiredRecord,
} from "../connections/connection.ts";
import { decide, type LifecycleSettings } from "../connections/lifecycle.ts";
import {
  emptyObservation,
  type Observation,
  type RecordsObservation,
} from "../connections/observation.ts";
import { fromDesired } from "./desired-records.ts";
import { effectiveRecords, isSameSet, requestedRecords, resolvesToEdge } from "./moving-records.ts";

const hostname = "shop.acme.example";
const record = (value: string, type = "CNAME"): DesiredRecord => ({
  host: hostname,
  type,
  value,
  ttl: 300,
  priority: null,
});
const old = [record("old.mooring.example")];
const next = [record("new.mooring.example")];
const other = [record("third.mooring.example")];
const zone = "acme.example";
const settings: LifecycleSettings = {
  recheckIntervalMs: 3_600_000,
  stallAfterMs: 1_800_000,
  giveUpAfterMs: 259_200_000,
  contestAfterMs: 259_200_000,
  contestRestMs: 604_800_000,
  isSandbox: false,
  hasExternalEdge: false,
};
const outcome = {
  match: { outcome: "match", error: null, observed: [], cachedUntil: null },
  wrong: { outcome: "wrong", error: "record_mismatch", observed: [], cachedUntil: null },
  unknown: { outcome: "unknown", error: "dns_timeout", observed: [], cachedUntil: null },
} as const satisfies Record<string, RecordsObservation>;

function moving(
  records: keyof typeof outcome,
  replacing: keyof typeof outcome,
  resolves: boolean | null,
  more: Partial<Observation> = {},
): Observation {
  return {
    ...emptyObservation,
    requested: { zone, desired: old, pending: next },
    records: outcome[records],
    moving: { records: outcome[replacing], resolvesToEdge: resolves },
    ...more,
  };
}

const live = (overrides: Partial<Connection> = {}) =>
  testConnection({ state: "live", desiredRecords: old, ...overrides });
const decided = (connection: Connection, observation: Observation) =>
  decide(connection, observation, "own", new Date("2026-11-15T01:00:00Z"), settings);

describe("requestedRecords", () => {
  it("keeps the confirmed records beside the new ones, and gives any other connection the new ones", () => {
    for (const state of connectionStates) {
      const isConfirmed = ["issuing_cert", "live", "drifted"].includes(state);
      assert.deepEqual(
        requestedRecords({ state, desiredRecords: old }, { zone, records: next }),
        isConfirmed
          ? { zone, desired: old, pending: next }
          : { zone, desired: next, pending: null },
        state,
      );
    }
  });

  it("takes a change of order or TTL without a word", () => {
    const pair = [record("192.0.2.1", "A"), record("192.0.2.2", "A")];
    const turned = pair.toReversed().map((one) => ({ ...one, ttl: 60 }));
    assert.ok(isSameSet(pair, turned));
    assert.deepEqual(
      requestedRecords({ state: "live", desiredRecords: pair }, { zone, records: turned }),
      { zone, desired: turned, pending: null },
    );
    assert.ok(!isSameSet(pair, pair.slice(1)));
    assert.ok(!isSameSet([], pair));
  });
});

describe("effectiveRecords", () => {
  const table: readonly (readonly [
    keyof typeof outcome,
    keyof typeof outcome,
    boolean | null,
    RecordsObservation["outcome"],
  ])[] = [
    ["match", "wrong", null, "match"],
    ["match", "wrong", true, "match"],
    ["match", "wrong", false, "wrong"],
    ["match", "unknown", false, "unknown"],
    ["wrong", "match", false, "match"],
    ["wrong", "wrong", true, "match"],
    ["wrong", "wrong", false, "wrong"],
    ["wrong", "wrong", null, "unknown"],
    ["unknown", "wrong", false, "unknown"],
    ["wrong", "unknown", false, "unknown"],
    ["unknown", "unknown", null, "unknown"],
  ];
  for (const [records, replacing, resolves, expected] of table) {
    it(`is ${expected} when the old are ${records}, the new ${replacing}, resolving to the edge: ${resolves}`, () => {
      assert.equal(effectiveRecords(moving(records, replacing, resolves))?.outcome, expected);
    });
  }
});

describe("a live connection whose records change", () => {
  it("tells once for each new set, and stays live", () => {
    const first = decided(live(), moving("match", "wrong", true));
    assert.deepEqual(
      [first.state, first.errorCode, first.events, first.records.pendingRecords],
      ["live", "records_changed", ["domain.records_changed"], next],
    );
    const known = live({ pendingRecords: next, errorCode: "records_changed" });
    assert.deepEqual(decided(known, moving("match", "wrong", true)).events, []);
    const again = live({ pendingRecords: other, errorCode: "records_changed" });
    assert.deepEqual(decided(again, moving("match", "wrong", true)).events, [
      "domain.records_changed",
    ]);
  });

  it("takes the new records without a word where they are there already", () => {
    const { errorCode, events, records } = decided(live(), moving("wrong", "match", false));
    assert.deepEqual([errorCode, events], [null, []]);
    assert.deepEqual([records.desiredRecords, records.pendingRecords], [next, null]);
  });

  it("asks again soon, and tells nobody, while DNS does not answer", () => {
    const { events, records, nextCheckMs } = decided(live(), moving("match", "unknown", null));
    assert.deepEqual([events, records.pendingRecords, nextCheckMs], [[], null, 60_000]);
  });

  it("drifts after two checks when nothing resolves to an edge", () => {
    const start = new Date("2026-11-15T00:00:00Z");
    const missed = decided(live({ pendingRecords: next }), moving("wrong", "wrong", false));
    assert.deepEqual([missed.state, missed.misses], ["live", 1]);
    const confirmed = live({ pendingRecords: next, misses: 1, firstMissAt: start });
    const step = decided(confirmed, moving("wrong", "wrong", false));
    assert.deepEqual([step.state, step.errorCode], ["drifted", "record_mismatch"]);
    assert.deepEqual(step.events, ["domain.drift"]);
  });

  it("is written by the service, and by hand once the provider has refused", () => {
    const write = (result: Observation["write"]) =>
      decided(live({ setupType: "automatic" }), moving("match", "wrong", true, { write: result }));
    assert.equal(write({ outcome: "written" }).nextCheckMs, 1_000);
    const later = { outcome: "later", error: "provider_unavailable", retryAfterMs: 5_000 } as const;
    assert.equal(write(later).nextCheckMs, 5_000);
    const refused = write({ outcome: "refused", error: "record_conflict" });
    assert.deepEqual([refused.setupType, refused.errorCode], ["manual", "records_changed"]);
  });

  it("forgets a change that was undone", () => {
    const known = live({ pendingRecords: next, errorCode: "records_changed" });
    const undone = {
      ...emptyObservation,
      requested: { zone, desired: old, pending: null },
      records: outcome.unknown,
    };
    const { errorCode, records } = decided(known, undone);
    assert.deepEqual([errorCode, records.pendingRecords], [null, null]);
  });
});

describe("resolvesToEdge", () => {
  const check = (
    values: readonly string[],
    answer: RecordCheck["outcome"] = "mismatch",
  ): RecordCheck => ({
    record: fromDesired(next[0] ?? record("x.example")),
    outcome: answer,
    ...nothingObserved,
    observedValues: values,
  });
  const targets = new Set(["old.mooring.example", "192.0.2.1"]);

  it("holds when every answer is the edge's", () => {
    assert.equal(resolvesToEdge(hostname, [check(["old.mooring.example"])], targets), true);
    assert.equal(resolvesToEdge(hostname, [check(["192.0.2.1", "198.51.100.1"])], targets), false);
    assert.equal(resolvesToEdge(hostname, [check([])], targets), false, "nothing is there");
  });

  it("is unknown without an answer, and where the records say nothing about it", () => {
    assert.equal(resolvesToEdge(hostname, [check([], "unknown")], targets), null);
    assert.equal(resolvesToEdge("other.example", [check(["192.0.2.1"])], targets), null);
    assert.equal(resolvesToEdge(hostname, [], targets), null);
  });
});
