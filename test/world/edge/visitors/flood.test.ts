import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { answerTo, clientHello, loopbackAddress } from "@mooring/testing/clients/many-clients";
import { measureVisits, openServed, openVisit, percentile } from "@mooring/testing/clients/visit";
import { type Stock, stockEdge } from "@mooring/testing/edge/stocked-edge";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";

const size = proofSize(4_000, 1_000_000);
const atOnce = 64;
/** A TLS record with the fatal alert unrecognized_name. */
const alert = "15030300020270";
const growthMost = 64e6;
const isSoak = size === 1_000_000;
/** In which the reads of an edge without a flood are counted; everyday runs do not. */
const quietMs = 60_000;
/**
 * Transactions of the edge itself, independent of the number of clients: the queues of first
 * certificates and of renewals each second; less often host changes, renewal information and
 * budgets.
 */
const ownPerSecond = 3;
const promisedPerSecond = 1;

/** Every handshake has a new name and comes from another address. */
describe("a flood of unknown names", () => {
  let stock: Stock;
  let edge: EdgeProcess;
  before(async () => {
    stock = await stockEdge(10);
    edge = await startEdgeProcess({ ...stock.env, EDGE_WORKERS: "1" });
  });
  after(async () => {
    await edge.signal("SIGKILL");
    await stock.close();
  });

  async function readsSoFar(): Promise<number> {
    await stock.database.admin.query("select pg_stat_force_next_flush()");
    const { rows } = await stock.database.admin.query<{ n: string }>(
      "select xact_commit as n from pg_stat_database where datname = current_database()",
    );
    return Number(rows[0]?.n);
  }

  /** What the edge reads a second while nobody visits it. */
  async function measureOwnReads(): Promise<number> {
    const before = await readsSoFar();
    await delay(quietMs);
    return (((await readsSoFar()) - before) * 1_000) / quietMs;
  }

  /** Sends `count` names starting at `from`; returns how many got the alert. */
  async function flood(from: number, count: number): Promise<number> {
    let next = from;
    let refused = 0;
    const sender = async (): Promise<void> => {
      while (next < from + count) {
        const index = next;
        next += 1;
        const hello = clientHello(`x${index}.unknown.example`);
        const answer = await answerTo(edge.httpsPort, loopbackAddress(index), hello);
        if (answer === alert) refused += 1;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
    return refused;
  }

  it(`causes no call, no read and no memory growth in ${size} handshakes, and known hosts are still served`, async (t) => {
    const warmUp = Math.min(size, 2_000);
    await flood(0, warmUp);
    const own = isSoak ? await measureOwnReads() : ownPerSecond;
    const open = () =>
      openServed(() => openVisit(edge.httpsPort, stock.names[0] ?? "", stock.root));
    const known = await open();
    const quiet = await measureVisits(known, 200);
    const residentBefore = await edge.metric("mooring_edge_resident_bytes");
    const readsBefore = await readsSoFar();
    const beganAt = performance.now();
    const flooding = flood(warmUp, size);
    const busy = await measureVisits(known, 200);
    const refused = await flooding;
    const seconds = (performance.now() - beganAt) / 1_000;
    const reads = (await readsSoFar()) - readsBefore;
    const grown = (await edge.metric("mooring_edge_resident_bytes")) - residentBefore;
    const rate = Math.round(size / seconds);
    const megabytes = Math.round(grown / 1e6);
    t.diagnostic(
      `${rate} a second, ${refused} refused with the alert, ${reads} transactions, ` +
        `${megabytes} MB more; p99 of known hosts ${percentile(quiet, 0.99)} → ${percentile(busy, 0.99)} ms`,
    );
    // A busy process closes without an alert; most get it.
    assert.ok(refused > size / 2, `${refused} of ${size}`);
    assert.deepEqual(stock.calls(), { ask: 0, acme: 0 });
    const most = 50 + (own + promisedPerSecond) * seconds;
    assert.ok(reads <= most, `${reads} in ${seconds} s, ${own} a second of its own`);
    assert.ok(grown <= growthMost, `${grown} bytes`);
    // An idle connection is closed during a long flood.
    known.close();
    const again = await open();
    assert.equal(await again.get(), 200);
    again.close();
    const perSecond = (reads / seconds).toFixed(1);
    recordPromise(
      "G5",
      `${size} handshakes, ${rate} a second`,
      `0 orders, ${perSecond} reads a second, ${own.toFixed(1)} without the flood (promise 1 of it), ` +
        `${megabytes} MB more (promise 64); latency by \`npm run bench -- flood\``,
    );
  });
});
