import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { openServed, openVisit } from "@mooring/testing/clients/visit";
import { untilPromoted } from "@mooring/testing/edge/accelerator/whole-edges";
import { type Stock, stockEdge } from "@mooring/testing/edge/stocked-edge";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";

const main = new URL(
  "../../../../packages/testing/src/edge/wasteful-origin-main.ts",
  import.meta.url,
);
/** The victim's requests beside each flood. */
const requests = proofSize(200, 2_000);
const growthMost = 150e6;

describe("an application whose origin sends anything but content", () => {
  let stock: Stock;
  let edge: EdgeProcess;
  let origin: ChildProcess;
  let victim = "";
  let hostile = "";
  before(async () => {
    stock = await stockEdge(2);
    [victim = "", hostile = ""] = stock.names;
    origin = spawn(process.execPath, [main.pathname], { stdio: ["ignore", "pipe", "inherit"] });
    const [port] = await once(origin.stdout ?? origin, "data");
    const id = randomUUID();
    const { admin } = stock.database;
    await admin.query(
      `insert into applications (id, tenant_id, environment, name, origin_url, created_at)
       select $1, tenant_id, environment, 'Hostile', $2, now() from applications`,
      [id, `http://127.0.0.1:${String(port).trim()}`],
    );
    await admin.query("update connections set application_id = $1 where hostname = $2", [
      id,
      hostile,
    ]);
    edge = await startEdgeProcess({ ...stock.env, EDGE_WORKERS: "1" });
  });
  after(async () => {
    origin.kill("SIGKILL");
    await edge.signal("SIGKILL");
    await stock.close();
  });

  /** Visitors of the hostile application, again and again as they are cut; returns their end. */
  function startVisitors(count: number, path: string, isReading: boolean): () => void {
    const open = new Set<TLSSocket>();
    let isEnded = false;
    const visit = (): void => {
      const socket = connect({
        host: "127.0.0.1",
        port: edge.httpsPort,
        servername: hostile,
        ca: stock.root,
      });
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        if (!isEnded) setTimeout(visit, 20);
      });
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostile}\r\n\r\n`);
      if (isReading) socket.resume();
      else socket.pause();
    };
    for (let number = 0; number < count; number += 1) visit();
    return () => {
      isEnded = true;
      for (const socket of open) socket.destroy();
    };
  }

  async function latencies(): Promise<readonly number[]> {
    const known = await openServed(() => openVisit(edge.httpsPort, victim, stock.root));
    const took: number[] = [];
    for (let index = 0; index < requests; index += 1) {
      const beganAt = performance.now();
      assert.equal(await known.get(), 200);
      took.push(performance.now() - beganAt);
    }
    known.close();
    return took.toSorted((a, b) => a - b);
  }

  const floods = [
    { name: "10 that read one-byte chunks", count: 10, path: "/crumbs", isReading: true },
    { name: "40 that do not read them", count: 40, path: "/crumbs", isReading: false },
    { name: "10 that read informational responses", count: 10, path: "/hints", isReading: true },
    { name: "40 that do not read those", count: 40, path: "/hints", isReading: false },
  ];

  for (const { name, count, path, isReading } of floods) {
    it(`costs no memory, and its neighbours are served, beside ${name}`, async (t) => {
      const quiet = await latencies();
      await untilPromoted(edge.httpsPort, hostile);
      const before = residentBytes();
      const stop = startVisitors(count, path, isReading);
      const busy = await latencies();
      const grown = residentBytes() - before;
      stop();
      t.diagnostic(
        `a neighbour's p50 ${at(quiet, 0.5)} → ${at(busy, 0.5)} ms, p95 ${at(quiet, 0.95)} → ` +
          `${at(busy, 0.95)} ms, longest ${at(busy, 1)} ms; ${Math.round(grown / 1e6)} MB more`,
      );
      assert.ok(grown < growthMost, `${grown} bytes`);
    });
  }

  function residentBytes(): number {
    return edge.resident().reduce((sum, bytes) => sum + bytes, 0);
  }
});

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
