import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testConnection } from "@mooring/testing/control/connection";
import type { Connection } from "./connection.ts";
import { frontAfter, frontOutcome, frontTls, type SeenProbe } from "./front.ts";
import { decide, type LifecycleSettings } from "./lifecycle.ts";
import { emptyObservation, type Observation } from "./observation.ts";

const minute = 60_000;
const hour = 60 * minute;
const settings: LifecycleSettings = {
  recheckIntervalMs: hour,
  stallAfterMs: 30 * minute,
  giveUpAfterMs: 72 * hour,
  contestAfterMs: 72 * hour,
  contestRestMs: 168 * hour,
  isSandbox: false,
  hasExternalEdge: false,
};
const start = new Date("2026-11-15T00:00:00.000Z");
const at = (ms: number): Date => new Date(start.getTime() + ms);

const records = {
  match: { outcome: "match", error: null, observed: [], cachedUntil: null },
  wrong: { outcome: "wrong", error: "record_mismatch", observed: [], cachedUntil: null },
  unknown: { outcome: "unknown", error: "dns_servfail", observed: [], cachedUntil: null },
} as const;

function connection(state: Connection["state"], overrides: Partial<Connection> = {}): Connection {
  return testConnection({ state, phaseStartedAt: start, ...overrides });
}

function after(
  from: Connection,
  observation: Partial<Observation>,
  { now = at(minute) }: { readonly now?: Date } = {},
) {
  return decide(from, { ...emptyObservation, ...observation }, "own", now, settings);
}

describe("a front", () => {
  it("is judged by both probes, and by nobody who did not answer", () => {
    const seen = (outcome: SeenProbe["outcome"]): SeenProbe => ({ outcome, listener: null });
    const cases: readonly (readonly [
      http: SeenProbe["outcome"],
      https: SeenProbe["outcome"] | null,
      expected: string,
    ])[] = [
      ["ours", "failed", "ours"],
      ["redirect", "ours", "ours"],
      ["other", "ours", "ours"],
      ["redirect", "failed", "failed"],
      ["redirect", "redirect", "other"],
      ["redirect", "other", "other"],
      ["other", null, "other"],
      ["other", "failed", "other"],
      ["other", "blocked", "blocked"],
      ["other", "stale", "stale"],
      ["failed", null, "failed"],
    ];
    for (const [http, https, expected] of cases) {
      const outcome = frontOutcome(seen(http), https === null ? null : seen(https));
      assert.equal(outcome, expected, `${http} ${https}`);
    }
    assert.equal(frontTls({ outcome: "ours", listener: "http" }), "flexible");
    assert.equal(frontTls({ outcome: "ours", listener: "https" }), "full");
    assert.equal(frontTls({ outcome: "failed", listener: null }), null);
  });

  it("drifts behind a CDN after three misses of two workers, or six of one", () => {
    const sight = (outcome: "other" | "failed" | "ours", worker: string) =>
      ({
        is: "present",
        by: "cloudflare",
        outcome,
        status: null,
        tls: null,
        challenge: null,
        isCached: false,
        worker,
      }) as const;
    const run = (steps: readonly (readonly ["other" | "failed" | "ours", string])[]): string[] => {
      let { front } = connection("live");
      return steps.map(([outcome, worker], index) => {
        const now = at((index + 1) * minute);
        const seen = sight(outcome, worker);
        const verdict = { ours: records.match, other: records.wrong, failed: records.unknown };
        const observation = { records: verdict[outcome], front: seen };
        const { state } = after(connection("live", { front }), observation, { now });
        front = frontAfter(front, seen, now);
        return state;
      });
    };
    const ours = ["ours", "a"] as const;
    const miss = (worker: string) => ["other", worker] as const;
    const two = run([ours, miss("a"), miss("b"), miss("a")]);
    assert.deepEqual(two, ["live", "live", "live", "drifted"]);
    const one = run([ours, ...Array.from({ length: 6 }, () => miss("a"))]);
    assert.deepEqual(one.at(-2), "live");
    assert.deepEqual(one.at(-1), "drifted");
    const interrupted = run([ours, miss("a"), miss("b"), ours, miss("a"), miss("b")]);
    assert.ok(interrupted.every((state) => state === "live"));
    const away = run([ours, miss("a"), miss("b"), ["failed", "c"], ["failed", "d"]]);
    assert.ok(away.every((state) => state === "live"));
  });

  it("does not save a name that has left for a CDN which never led here", () => {
    const gone = {
      is: "present",
      by: "cloudflare",
      outcome: "blocked",
      status: 403,
      tls: null,
      challenge: null,
      isCached: false,
      worker: "a",
    } as const;
    const observation = { records: records.wrong, front: gone };
    const first = after(connection("live"), observation);
    assert.equal(first.state, "live");
    const { misses, firstMissAt } = first;
    const front = frontAfter(null, gone, at(minute));
    const next = connection("live", { misses, firstMissAt, front });
    assert.equal(after(next, observation, { now: at(3 * minute) }).state, "drifted");
  });

  it("obtains the certificate of a name behind a CDN before it is reached, where DNS validates", () => {
    const front = {
      is: "present",
      by: "cloudflare",
      outcome: "failed",
      status: 525,
      tls: null,
      challenge: null,
      isCached: false,
      worker: "a",
    } as const;
    const seen = { records: records.wrong, front, caa: "allowed" } as const;
    const wants = (observation: Partial<Observation>) =>
      after(connection("propagating"), observation).wantsCertificate;
    assert.equal(wants({ ...seen, validation: "right" }), true);
    assert.equal(wants({ ...seen, validation: "absent" }), false);
    assert.equal(wants({ ...seen, validation: "right", caa: "forbidden" }), false);
    assert.equal(wants({ ...seen, validation: "right", front: { ...front, by: null } }), false);
  });
});
