import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type AcmeWorld, startAcmeWorld } from "@mooring/testing/acme/world";
import { verify } from "@mooring/testing/clients/connecting";
import { visit } from "@mooring/testing/clients/visit";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { quantile, recordPromise, soakRounds } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";

const names = proofSize(2, 100);
const isSoak = names === 100;
/** A customer sees "verified" in the widget and opens the page; everyday runs do not wait. */
const openedAfterMs = proofSize(0, 3_000);
const shareAhead = 0.95;
const lateWithinMs = 5_000;

interface FirstRequest {
  /** Whether the certificate was there before the handshake. */
  readonly isAhead: boolean;
  readonly pageMs: number;
}

/** Records, a verify by the API, and a visitor: nothing else starts an order. */
describe("the first request for a verified name", () => {
  let world: AcmeWorld;
  let root = "";
  before(async () => {
    world = await startAcmeWorld();
    root = await world.pebble.root();
  });
  after(() => world.close());

  async function hasCertificate(hostname: string): Promise<boolean> {
    const { rowCount } = await world.life.session.query(
      "select from certificates where hostname = $1 and status = 'issued'",
      [hostname],
    );
    return rowCount === 1;
  }

  async function open(round: number): Promise<FirstRequest> {
    await world.forgetBudget();
    const { id, hostname } = await world.publish(`first-${round}.acme.example`);
    const answer = await verify(world.caller, id);
    assert.equal(answer.status, 200, answer.text);
    await delay(openedAfterMs);
    const isAhead = await hasCertificate(hostname);
    const port = world.edges[round % world.edges.length]?.httpsPort ?? 0;
    const startedAt = performance.now();
    const readStatus = async (): Promise<number> => (await visit(port, hostname, root)).status;
    // The visitor of an everyday run may come before the edge has learnt of the name.
    if (isSoak) assert.equal(await readStatus(), 200);
    else await until(async () => (await readStatus().catch(() => 0)) === 200, "the page");
    return { isAhead, pageMs: Math.round(performance.now() - startedAt) };
  }

  it("finds its certificate, or waits for it and gets the page", async (t) => {
    const all = await soakRounds("first-request", names, open);
    const ahead = all.filter(({ isAhead }) => isAhead).length;
    const late = all.filter(({ isAhead }) => !isAhead).map(({ pageMs }) => pageMs);
    const waited = late.length === 0 ? "" : `, the others waited p95 ${quantile(late, 0.95)} ms`;
    const text = `${ahead} of ${names} had their certificate${waited}`;
    t.diagnostic(text);
    if (!isSoak) return;
    assert.ok(ahead / names >= shareAhead, text);
    assert.ok(late.length === 0 || quantile(late, 0.95) <= lateWithinMs, text);
    const size = `${names} names, opened 3 s after they were verified`;
    recordPromise("G7", size, `${text} (promise 95 %, p95 5 s)`);
  });
});
