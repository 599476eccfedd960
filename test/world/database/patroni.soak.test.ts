import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type FailoverWorld, serveOn } from "@mooring/testing/database/failover-load";
import { type PatroniCluster, startPatroni } from "@mooring/testing/database/patroni";
import { proofSize } from "@mooring/testing/processes/proof-size";

const rounds = proofSize(1, 20);

/**
 * As `failover.test.ts`; that the primary is gone and who follows it is decided by Patroni, not by
 * the test.
 */
describe("a database that Patroni fails over", () => {
  let cluster: PatroniCluster;
  let world: FailoverWorld;
  before(async () => {
    cluster = await startPatroni();
    world = await serveOn(cluster);
  });
  after(async () => {
    await world?.stop();
    await cluster?.stop();
  });

  it(`${rounds} times loses nothing that was answered, and no visitor notices`, async (context) => {
    const { answered, visits, backAfterMs } = await world.failOver(rounds);
    const worstMs = Math.max(...backAfterMs);
    const awayMs = Math.round(Math.max(...cluster.promotedAfterMs));
    context.diagnostic(
      `${rounds} failovers: ${answered} answered writes, none lost; ${visits} visits, none failed; promoted at most ${awayMs} ms after the kill, writes back at most ${worstMs} ms after a promotion`,
    );
    assert.ok(worstMs <= 15_000, `${worstMs} ms`);
  });
});
