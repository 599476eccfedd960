import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type EdgeDatabase, openEdgeDatabase } from "@mooring/testing/edge/edge-database";
import { type HostProcess, startHostProcess } from "@mooring/testing/edge/host-process";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";

const rounds = proofSize(2, 20);
/**
 * How long an archived name may be served by a machine whose writing process stands still: eight
 * seconds of a machine that has the time, as the soak runs. A busy one takes longer.
 */
const promisedMs = proofSize(60_000, 8_000);

describe("known hosts of a database and two processes", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-takeover-"));
  const processes: HostProcess[] = [];
  let database: EdgeDatabase;
  before(async () => {
    database = await openEdgeDatabase();
    await database.hold("first.example");
    for (let count = 0; count < 2; count += 1) {
      processes.push(await startHostProcess(directory, database.url));
    }
  });
  after(async () => {
    for (const one of processes) one.process.kill("SIGKILL");
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const used = new Set<string>();
  async function hold(round: number, kind: string, count = 20): Promise<readonly string[]> {
    const names = Array.from({ length: count }, (_, index) => `${kind}-${round}-${index}.example`);
    await database.hold(...names);
    for (const name of names) used.add(name);
    return names;
  }
  async function release(names: readonly string[]): Promise<void> {
    for (const name of names) await database.release(name);
  }

  /** Both serve exactly what the database has. */
  async function agree(): Promise<void> {
    const { rows } = await database.admin.query<{ hostname: string; epoch: string }>(
      "select hostname, epoch from claims",
    );
    const claims = new Map(rows.map(({ hostname, epoch }) => [hostname, epoch]));
    const names = [...used];
    const expected = names.map((name) => claims.get(name) ?? "null").join(" ");
    for (const one of processes) {
      await until(async () => (await one.ask(names.join(" "))) === expected, "what is claimed");
      await until(async () => (await one.ask("")) === String(claims.size), "as many as claimed");
    }
  }

  /** First the process that writes. They take over from each other, the second from the first. */
  async function findWriter(): Promise<readonly HostProcess[]> {
    let takeovers = 0;
    for (const one of processes) takeovers += Number(await one.ask("?"));
    return takeovers % 2 === 0 ? processes : processes.toReversed();
  }

  it(`are right while the one that writes stands still, and when it continues: ${rounds} times`, async (t) => {
    const refusedMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const archived = await hold(round, "archived");
      await agree();
      const [writer, other] = await findWriter();
      assert.ok(writer && other);
      const takeovers = Number(await other.ask("?"));
      // In the middle of its work.
      const early = hold(round, "early");
      writer.process.kill("SIGSTOP");
      const stoppedAt = performance.now();
      await early;
      await release(archived);
      const expected = archived.map(() => "null").join(" ");
      await until(
        async () => (await other.ask(archived.join(" "))) === expected,
        "archived names are refused",
        promisedMs,
      );
      refusedMs.push(Math.round(performance.now() - stoppedAt));
      assert.equal(Number(await other.ask("?")), takeovers + 1);
      await hold(round, "meanwhile");
      writer.process.kill("SIGCONT");
      await release((await hold(round, "late")).slice(0, 10));
      await agree();
    }
    t.diagnostic(`refused at most ${Math.max(...refusedMs)} ms after the stop`);
  });
});
