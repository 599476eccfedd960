import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { propertyRuns } from "@mooring/testing/processes/property-runs";
import { until } from "@mooring/testing/processes/until";
import fc from "fast-check";
import { createLoader } from "./loader.ts";

type Rows = [string, number][];

/** A source whose fetches the test answers, each with what is true when it is sent. */
function pausedSource(options: { maxKeys?: number; maxInFlight?: number } = {}) {
  let truth = 0;
  const sent: { keys: readonly string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const loader = createLoader<string, number>({
    identify: (key) => key,
    fetch: (keys) => {
      const seen: Rows = keys.filter((key) => key !== "absent").map((key) => [key, truth]);
      return new Promise<Rows>((resolve, reject) => {
        sent.push({ keys, answer: () => resolve(seen), fail: reject });
      });
    },
    ...options,
  });
  return { loader, sent, change: () => ++truth };
}

interface Lookup {
  readonly askedAt: number;
  readonly found: number | null;
}

/**
 * Runs the steps, then answers what is left; for each lookup, what was true when it began and what
 * it found.
 */
async function play(steps: readonly string[]): Promise<Lookup[]> {
  const { loader, sent, change } = pausedSource({ maxKeys: 2 });
  let truth = 0;
  let answered = 0;
  let open = 0;
  const asked: Promise<Lookup>[] = [];
  const answerNext = () => {
    if (sent.length > answered) sent[answered++]?.answer();
  };
  const ask = async (key: string): Promise<Lookup> => {
    const askedAt = truth;
    open += 1;
    const found = await loader.load(key);
    open -= 1;
    return { askedAt, found };
  };
  const nextTick = () => new Promise((resolve) => setImmediate(resolve));
  for (const step of steps) {
    if (step === "change") truth = change();
    else if (step === "tick") await nextTick();
    else if (step === "answer") answerNext();
    else asked.push(ask(step.slice(-1)));
  }
  while (open > 0) {
    answerNext();
    await nextTick();
  }
  return Promise.all(asked);
}

describe("lookups through a loader", () => {
  it("join what is asked in one tick into one fetch, equal keys once", async () => {
    const { loader, sent } = pausedSource();
    const loads = ["a", "b", "a", "absent"].map((key) => loader.load(key));
    await until(() => sent.length === 1);
    assert.deepEqual(sent[0]?.keys, ["a", "b", "absent"]);
    sent[0]?.answer();
    assert.deepEqual(await Promise.all(loads), [0, 0, 0, null]);
  });

  it("never answer a question from a fetch that was sent before it was asked", async () => {
    const { loader, sent, change } = pausedSource();
    const early = loader.load("a");
    await until(() => sent.length === 1);
    change();
    const late = loader.load("a");
    sent[0]?.answer();
    assert.equal(await early, 0);
    await until(() => sent.length === 2);
    sent[1]?.answer();
    assert.equal(await late, 1);
  });

  it("keep to that whatever the order of questions, changes and answers", async () => {
    const step = fc.constantFrom("ask a", "ask b", "ask c", "change", "tick", "answer");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        for (const { askedAt, found } of await play(steps)) {
          assert.ok(found !== null && found >= askedAt, `began at ${askedAt}, found ${found}`);
        }
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it("hold to their limits of keys in a fetch and fetches at once", async () => {
    const { loader, sent } = pausedSource({ maxKeys: 3, maxInFlight: 2 });
    const loads = Array.from({ length: 10 }, (_, index) => loader.load(`k${index}`));
    let answered = 0;
    let most = 0;
    while (answered < 4) {
      await until(() => sent.length > answered);
      most = Math.max(most, sent.length - answered);
      sent[answered++]?.answer();
    }
    assert.deepEqual(
      sent.map(({ keys }) => keys.length),
      [3, 3, 3, 1],
    );
    assert.ok(most <= 2);
    assert.equal((await Promise.all(loads)).length, 10);
  });

  it("fail all questions of a fetch that failed, and continue with the next", async () => {
    const { loader, sent } = pausedSource();
    const failing = [loader.load("a"), loader.load("b")].map((load) =>
      load.then(
        () => "answered",
        (error: unknown) => String(error),
      ),
    );
    await until(() => sent.length === 1);
    sent[0]?.fail(new Error("away"));
    assert.deepEqual(await Promise.all(failing), ["Error: away", "Error: away"]);
    const next = loader.load("a");
    await until(() => sent.length === 2);
    sent[1]?.answer();
    assert.equal(await next, 0);
  });
});
