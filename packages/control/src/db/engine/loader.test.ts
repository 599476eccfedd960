import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { propertyRuns } from "../../../../../test/support/property-runs.ts";
import { createLoader } from "./loader.ts";

type Rows = [string, number][];

/** A source whose fetches are answered when the test says so, each with what is true when it is sent. */
function heldSource(options: { maxKeys?: number; maxInFlight?: number } = {}) {
  let truth = 0;
  const sent: { keys: readonly string[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const batch = createLoader<string, number>({
    identify: (key) => key,
    fetch: (keys) => {
      const seen: Rows = keys.filter((key) => key !== "absent").map((key) => [key, truth]);
      return new Promise<Rows>((resolve, reject) => {
        sent.push({ keys, answer: () => resolve(seen), fail: reject });
      });
    },
    ...options,
  });
  return { batch, sent, change: () => ++truth };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

interface Told {
  readonly askedAt: number;
  readonly told: number | null;
}

/** Runs the steps, then answers what is left: what was true at each question, and what it was told. */
async function play(steps: readonly string[]): Promise<Told[]> {
  const { batch, sent, change } = heldSource({ maxKeys: 2 });
  let truth = 0;
  let answered = 0;
  let open = 0;
  const asked: Promise<Told>[] = [];
  const answerNext = () => {
    if (sent.length > answered) sent[answered++]?.answer();
  };
  const ask = async (key: string): Promise<Told> => {
    const askedAt = truth;
    open += 1;
    const told = await batch.load(key);
    open -= 1;
    return { askedAt, told };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (const step of steps) {
    if (step === "change") truth = change();
    else if (step === "turn") await turn();
    else if (step === "answer") answerNext();
    else asked.push(ask(step.slice(-1)));
  }
  while (open > 0) {
    answerNext();
    await turn();
  }
  return Promise.all(asked);
}

describe("batched look-ups", () => {
  it("join what is asked in one turn into one fetch, equal keys once", async () => {
    const { batch, sent } = heldSource();
    const loads = ["a", "b", "a", "absent"].map((key) => batch.load(key));
    await until(() => sent.length === 1);
    assert.deepEqual(sent[0]?.keys, ["a", "b", "absent"]);
    sent[0]?.answer();
    assert.deepEqual(await Promise.all(loads), [0, 0, 0, null]);
  });

  it("never answer a question from a fetch that was sent before it was asked", async () => {
    const { batch, sent, change } = heldSource();
    const early = batch.load("a");
    await until(() => sent.length === 1);
    change();
    const late = batch.load("a");
    sent[0]?.answer();
    assert.equal(await early, 0);
    await until(() => sent.length === 2);
    sent[1]?.answer();
    assert.equal(await late, 1);
  });

  it("keep to that whatever the order of questions, changes and answers", async () => {
    const step = fc.constantFrom("ask a", "ask b", "ask c", "change", "turn", "answer");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        for (const { askedAt, told } of await play(steps)) {
          assert.ok(told !== null && told >= askedAt, `asked at ${askedAt}, told ${told}`);
        }
      }),
      { numRuns: propertyRuns(2_000) },
    );
  });

  it("hold to their limits of keys in a fetch and fetches at once", async () => {
    const { batch, sent } = heldSource({ maxKeys: 3, maxInFlight: 2 });
    const loads = Array.from({ length: 10 }, (_, index) => batch.load(`k${index}`));
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

  it("fail all questions of a fetch that failed, and go on with the next", async () => {
    const { batch, sent } = heldSource();
    const failing = [batch.load("a"), batch.load("b")].map((load) =>
      load.then(
        () => "answered",
        (error: unknown) => String(error),
      ),
    );
    await until(() => sent.length === 1);
    sent[0]?.fail(new Error("away"));
    assert.deepEqual(await Promise.all(failing), ["Error: away", "Error: away"]);
    const next = batch.load("a");
    await until(() => sent.length === 2);
    sent[1]?.answer();
    assert.equal(await next, 0);
  });
});
