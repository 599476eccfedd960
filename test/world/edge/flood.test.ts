import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { answerTo, clientHello, loopbackAddress } from "@mooring/testing/clients/many-clients";
import { measureVisits, openServed, openVisit, percentile } from "@mooring/testing/clients/visit";
import { type Stock, stockEdge } from "@mooring/testing/edge/stocked-edge";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";

const size = proofSize(4_000, 1_000_000);
const atOnce = 64;
/** A TLS record with the fatal alert unrecognized_name. */
const alert = "15030300020270";
const growthMost = 64e6;
/** Transactions of the edge itself, independent of the number of clients. */
const readsPerSecond = 20;

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
    t.diagnostic(
      `${Math.round(size / seconds)} a second, ${refused} refused with the alert, ${reads} transactions, ` +
        `${Math.round(grown / 1e6)} MB more; p99 of known hosts ${percentile(quiet, 0.99)} → ${percentile(busy, 0.99)} ms`,
    );
    // A busy process closes without an alert; most get it.
    assert.ok(refused > size / 2, `${refused} of ${size}`);
    assert.deepEqual(stock.calls(), { ask: 0, acme: 0 });
    assert.ok(reads <= 50 + readsPerSecond * seconds, `${reads} in ${seconds} s`);
    assert.ok(grown <= growthMost, `${grown} bytes`);
    // An idle connection is closed during a long flood.
    known.close();
    const again = await open();
    assert.equal(await again.get(), 200);
    again.close();
  });
});
