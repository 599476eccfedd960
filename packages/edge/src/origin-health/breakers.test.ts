import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Breakers, createBreakers } from "./breakers.ts";

interface World {
  readonly breakers: Breakers;
  readonly outs: (number | null)[];
  readonly advance: (ms: number) => void;
  readonly fail: (times?: number) => void;
}

function world(): World {
  let now = 1_000;
  const outs: (number | null)[] = [];
  const breakers = createBreakers({
    onOut: (_key, outMs) => outs.push(outMs),
    now: () => now,
    random: () => 0.5,
  });
  return {
    breakers,
    outs,
    advance: (ms) => {
      now += ms;
    },
    fail(times = 1) {
      for (let count = 0; count < times; count += 1) breakers.begin("a").failed();
    },
  };
}

describe("the breaker of an origin", () => {
  it("opens after three failures in a row, of this origin alone", () => {
    const { breakers, fail } = world();
    fail(2);
    breakers.begin("a").succeeded();
    fail(2);
    assert.equal(breakers.stateOf("a", false), "in");
    fail();
    assert.equal(breakers.stateOf("a", false), "out");
    assert.equal(breakers.stateOf("b", false), "in");
  });

  it("lets one request try when its time has ended, and closes when that succeeds", () => {
    const { breakers, fail, advance } = world();
    fail(3);
    advance(1_000);
    assert.equal(breakers.stateOf("a", false), "trial");
    const trial = breakers.begin("a");
    assert.equal(breakers.stateOf("a", false), "out");
    trial.succeeded();
    assert.equal(breakers.stateOf("a", false), "in");
  });

  it("is tried later by a request that cannot be sent again", () => {
    const { breakers, fail, advance } = world();
    fail(3);
    advance(1_500);
    assert.deepEqual([breakers.stateOf("a", false), breakers.stateOf("a", true)], ["trial", "out"]);
    advance(500);
    assert.equal(breakers.stateOf("a", true), "trial");
  });

  it("stays open for longer after each failed trial, up to a minute, and starts again after a success", () => {
    const { breakers, fail, advance, outs } = world();
    fail(3);
    for (let trial = 0; trial < 8; trial += 1) {
      advance(60_000);
      fail();
    }
    assert.deepEqual(
      outs,
      [1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000),
    );
    advance(60_000);
    breakers.begin("a").succeeded();
    fail(3);
    assert.equal(outs.at(-1), 1_000);
  });

  it("ignores requests that began before it opened, and frees a trial whose visitor left", () => {
    const { breakers, advance, outs } = world();
    const attempts = Array.from({ length: 10 }, () => breakers.begin("a"));
    for (const turn of attempts) turn.failed();
    assert.deepEqual(outs, [1_000]);
    advance(1_000);
    const trial = breakers.begin("a");
    trial.ended();
    trial.failed();
    assert.equal(breakers.stateOf("a", false), "trial");
  });

  it("is held open by failed checks, whatever requests find, until a check succeeds", () => {
    const { breakers, advance } = world();
    breakers.checked("a", false);
    assert.equal(breakers.stateOf("a", false), "in");
    breakers.checked("a", false);
    assert.equal(breakers.stateOf("a", false), "out");
    breakers.begin("a").succeeded();
    advance(600_000);
    assert.equal(breakers.stateOf("a", false), "out");
    breakers.checked("a", true);
    assert.equal(breakers.stateOf("a", false), "in");
    for (const _ of [1, 2]) breakers.checked("a", false);
    breakers.unchecked("a");
    assert.equal(breakers.stateOf("a", false), "in");
  });
});
