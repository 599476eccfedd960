import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { nextVisitorAddress } from "@mooring/testing/clients/restart-load";
import { openServed, openVisit, visit } from "@mooring/testing/clients/visit";
import { type Stock, stockEdge } from "@mooring/testing/edge/stocked-edge";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";
import { acceleratorPaths } from "../../../../packages/edge/src/accelerator/paths.ts";
import { createRuntimeApi } from "../../../../packages/edge/src/accelerator/runtime/runtime-api.ts";
import { defaultTimes } from "../../../../packages/edge/src/accelerator/times.ts";

/** Two seconds are promised beside the lease; a busy machine gets more. */
const archiveMs = defaultTimes.leaseMs + proofSize(4_500, 2_000);
/** A visitor who waits for a worker that hangs comes again, and reaches another. */
const timeoutMs = 1_000;
/** Some visits in a row may reach it. */
const longestGapMs = proofSize(8_000, 5_000);

/** `mooring serve edge` with two workers behind HAProxy, of which the first one promotes. */
describe("an accelerated edge whose promoter fails", () => {
  let stock: Stock;
  let edge: EdgeProcess;
  before(async () => {
    stock = await stockEdge(3);
    edge = await startEdgeProcess({
      ...stock.env,
      EDGE_WORKERS: "2",
      EDGE_DRAIN: "2s",
      EDGE_ACCELERATOR: "haproxy",
      EDGE_ACCELERATOR_NAMES: "4",
      EDGE_NEW_CONNECTIONS_PER_ADDRESS: "1000",
    });
  });
  after(async () => {
    await edge?.signal("SIGTERM");
    await stock?.close();
  });

  function promoter(): number | null {
    const found = edge.workers().find((pid) => {
      return environment(pid).includes("EDGE_WORKER=0");
    });
    return found ?? null;
  }

  async function isPromoted(hostname: string): Promise<boolean> {
    const paths = acceleratorPaths(stock.directory);
    const api = createRuntimeApi(paths.admin);
    return (await api.run(`show map ${paths.names}`)).includes(hostname);
  }

  /** Visits until the name is busy enough. */
  async function promote(hostname: string): Promise<void> {
    let open = await openServed(() => openVisit(edge.httpsPort, hostname, stock.root));
    await until(async () => {
      for (let request = 0; request < 20; request += 1) {
        if ((await open.get()) === 200) continue;
        open.close();
        open = await openServed(() => openVisit(edge.httpsPort, hostname, stock.root));
      }
      return isPromoted(hostname);
    }, `the promotion of ${hostname}`);
    open.close();
  }

  async function visitOnce(hostname: string): Promise<number | "refused" | "late"> {
    const page = visit(edge.httpsPort, hostname, stock.root, nextVisitorAddress());
    const answer = page.then(
      (found) => found.status,
      () => "refused" as const,
    );
    const { promise, resolve } = Promise.withResolvers<"late">();
    const timer = setTimeout(() => resolve("late"), timeoutMs);
    const found = await Promise.race([answer, promise]);
    clearTimeout(timer);
    return found;
  }

  /** The longest that a name was not served for, to visitors who come again at once. */
  async function longestGap(names: readonly string[], hasEnded: () => boolean): Promise<number> {
    const gaps = names.map(async (hostname) => {
      let longest = 0;
      let servedAt = performance.now();
      while (!hasEnded()) {
        if ((await visitOnce(hostname)) !== 200) continue;
        const now = performance.now();
        longest = Math.max(longest, now - servedAt);
        servedAt = now;
      }
      return Math.max(longest, performance.now() - servedAt);
    });
    return Math.round(Math.max(...(await Promise.all(gaps))));
  }

  /** Returns after how long. */
  async function untilRefused(hostname: string, since: number): Promise<number> {
    const isRefused = async (): Promise<boolean> => (await visitOnce(hostname)) === "refused";
    await until(isRefused, `${hostname} refused`, archiveMs);
    const refusedMs = Math.round(performance.now() - since);
    for (let again = 0; again < 5; again += 1) assert.notEqual(await visitOnce(hostname), 200);
    return refusedMs;
  }

  it("serves every name when it is killed, and its successor promotes them again", async (t) => {
    const [first = "", second = "", third = ""] = stock.names;
    await promote(first);
    await promote(third);
    const before = promoter() ?? assert.fail("no worker promotes");
    process.kill(before, "SIGKILL");
    const archivedAt = performance.now();
    await stock.database.release(third);
    const isBack = (): boolean =>
      edge.workers().length === 2 && ![null, before].includes(promoter());
    const gap = longestGap([first, second], isBack);
    t.diagnostic(`archived name refused after ${await untilRefused(third, archivedAt)} ms`);
    t.diagnostic(`no name unserved for longer than ${await gap} ms`);
    assert.ok((await gap) < longestGapMs, `unserved for ${await gap} ms`);
    await promote(first);
  });

  it("is killed when it hangs, after other processes have served every name", async (t) => {
    const [first = "", second = ""] = stock.names;
    await promote(first);
    await promote(second);
    const before = promoter() ?? assert.fail("no worker promotes");
    process.kill(before, "SIGSTOP");
    const stoppedAt = performance.now();
    await stock.database.release(second);
    const isBack = (): boolean =>
      edge.workers().length === 2 && ![null, before].includes(promoter());
    const gap = longestGap([first], isBack);
    t.diagnostic(`archived name refused after ${await untilRefused(second, stoppedAt)} ms`);
    t.diagnostic(`no name unserved for longer than ${await gap} ms`);
    assert.ok((await gap) < longestGapMs, `unserved for ${await gap} ms`);
    await until(isBack, "a successor");
    t.diagnostic(`killed and replaced after ${Math.round(performance.now() - stoppedAt)} ms`);
    assert.match(edge.output(), /edge worker does not respond and is killed/);
    await promote(first);
    assert.notEqual(await visitOnce(second), 200);
  });
});

/** Nothing of a process that has ended. */
function environment(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}
