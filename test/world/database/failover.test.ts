import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type FailoverWorld, serveOn } from "@mooring/testing/database/failover-load";
import { type PostgresPair, startPostgresPair } from "@mooring/testing/database/postgres-pair";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";

const rounds = proofSize(1, 20);

/**
 * The primary is killed under load, its synchronous standby promoted; nobody restarts or configures
 * anything.
 */
describe("a database that fails over", () => {
  let pair: PostgresPair;
  let world: FailoverWorld;
  before(async () => {
    pair = await startPostgresPair();
    world = await serveOn(pair);
  });
  after(async () => {
    await world?.stop();
    await pair?.stop();
  });

  it(`${rounds} times loses nothing that was answered, and no visitor notices`, async (context) => {
    const { answered, visits, backAfterMs } = await world.failOver(rounds);
    const worstMs = Math.max(...backAfterMs);
    context.diagnostic(
      `${rounds} failovers: ${answered} answered writes, none lost; ${visits} visits, none failed; writes back at most ${worstMs} ms after a promotion`,
    );
    assert.ok(worstMs <= 15_000, `${worstMs} ms`);
    recordPromise(
      "G29",
      `${rounds} failovers, ${answered} answered writes, ${visits} visits`,
      `none lost, none failed, writes back after at most ${worstMs} ms (promise 15 s)`,
    );
  });
});
