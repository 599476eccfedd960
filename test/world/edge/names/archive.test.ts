import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type AcmeWorld, startAcmeWorld } from "@mooring/testing/acme/world";
import {
  isLetIn,
  isResumed,
  type OpenVisit,
  openServed,
  openVisit,
  openVisitH2,
  takeSession,
} from "@mooring/testing/clients/visit";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { quantile, recordPromise, soakRounds } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";

const rounds = proofSize(1, 200);
/** Connections to each edge; enough that the kernel gives some to every worker. */
const openEach = 8;
/**
 * Two seconds are promised; a busy machine gets more, but less than the five between two polls of
 * an edge.
 */
const limitMs = proofSize(4_500, 2_000);

interface OpenClients {
  readonly open: readonly OpenVisit[];
  readonly sessions: readonly (Buffer | undefined)[];
}

/** An edge with two workers and another with one: three serving processes. */
describe("an archived name", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-archive-"));
  let world: AcmeWorld;
  let root = "";
  let edges: EdgeProcess[] = [];

  before(async () => {
    world = await startAcmeWorld({ edges: 0 });
    root = await world.pebble.root();
    edges = await Promise.all([
      startEdgeProcess(
        { ...world.edgeEnv(path.join(directory, "two")), EDGE_WORKERS: "2" },
        world.validated,
      ),
      startEdgeProcess({ ...world.edgeEnv(path.join(directory, "one")), EDGE_WORKERS: "1" }),
    ]);
  });
  after(async () => {
    await Promise.all(edges.map((edge) => edge.signal("SIGKILL")));
    await world.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function gather(port: number, hostname: string): Promise<OpenClients> {
    const open: OpenVisit[] = [];
    while (open.length < openEach) {
      const way = open.length % 2 === 0 ? openVisit : openVisitH2;
      open.push(await openServed(() => way(port, hostname, root)));
    }
    const versions = ["TLSv1.2", "TLSv1.3"] as const;
    const sessions = await Promise.all(
      versions.map((version) =>
        takeSession(port, hostname, { ca: root, version }).catch(() => undefined),
      ),
    );
    return { open, sessions };
  }

  /** Whether new handshakes, resumed sessions and open connections are all refused. */
  async function isShut(port: number, hostname: string, clients: OpenClients): Promise<boolean> {
    const handshakes = [undefined, ...clients.sessions].flatMap((session) =>
      Array.from({ length: 3 }, () => isLetIn(port, hostname, { ca: root, session })),
    );
    const answers = clients.open.map(async (one) => (await one.get()) === 200);
    return (await Promise.all([...handshakes, ...answers])).every((isOpen) => !isOpen);
  }

  it("was resumed by every process before, whichever of them began the session", async () => {
    const { hostname } = await world.goLive("resumed.acme.example");
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      for (const { httpsPort: port } of edges) {
        const session = await takeSession(port, hostname, { ca: root, version });
        const again = edges.flatMap((edge) =>
          Array.from({ length: 3 }, () =>
            isResumed(edge.httpsPort, hostname, { ca: root, version, session }),
          ),
        );
        assert.deepEqual(await Promise.all(again), Array(again.length).fill(true), version);
      }
    }
  });

  it("is refused by every process within two seconds, also on open connections", async (t) => {
    const tookMs = await soakRounds("archive", rounds, async (round) => {
      // A registered domain has 50 certificates a week.
      await world.forgetBudget();
      const { id, hostname } = await world.goLive(`archived-${round}.acme.example`);
      const clients = await Promise.all(edges.map((edge) => gather(edge.httpsPort, hostname)));
      for (const one of clients.flatMap(({ open }) => open)) assert.equal(await one.get(), 200);
      await world.archive(id);
      const archivedAt = performance.now();
      await Promise.all(
        edges.map((edge, index) =>
          until(() =>
            isShut(edge.httpsPort, hostname, clients[index] ?? { open: [], sessions: [] }),
          ),
        ),
      );
      const elapsedMs = Math.round(performance.now() - archivedAt);
      for (const one of clients.flatMap(({ open }) => open)) one.close();
      assert.ok(elapsedMs <= limitMs, `refused after ${elapsedMs} ms`);
      return elapsedMs;
    });
    const [least, most] = [Math.min(...tookMs), Math.max(...tookMs)];
    t.diagnostic(`refused after ${least} to ${most} ms`);
    recordPromise(
      "G9",
      `${rounds} rounds`,
      `refused after ${least} to ${most} ms, p99 ${quantile(tookMs, 0.99)} ms (promise p99 2 s)`,
    );
  });
});
