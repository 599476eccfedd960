import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { type AcmeWorld, startAcmeWorld } from "@mooring/testing/acme/world";
import { type Outcome, sendHerd } from "@mooring/testing/clients/many-clients";
import { type EdgeProcess, startEdgeProcess } from "@mooring/testing/processes/mooring-serve";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";

const count = proofSize(60, 1_000);
const isSoak = count === 1_000;
/** The product's limit with SOAK. */
const perName = proofSize(40, 512);
const tooMany = proofSize(8, 50);
const bytesEach = 80_000;
const releasedWithinMs = 3_000;

/** One process, two names without a certificate yet, and more clients than may wait. */
describe("handshakes that wait for a certificate", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-parked-"));
  let world: AcmeWorld;
  let root = "";
  let edge: EdgeProcess;

  before(async () => {
    world = await startAcmeWorld({ edges: 0 });
    root = await world.pebble.root();
    const env = {
      ...world.edgeEnv(directory),
      EDGE_WORKERS: "1",
      EDGE_WAITING_PER_NAME: String(perName),
      // Longer than it takes to gather them on a busy machine.
      EDGE_CERTIFICATE_WAIT: "5m",
    };
    edge = await startEdgeProcess(env, world.validated);
  });
  after(async () => {
    await edge.signal("SIGKILL");
    await world.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function prepare(name: string): Promise<string> {
    await world.hold(name);
    const { id, hostname } = await world.publish(name);
    await world.life.reach(id, "issuing_cert");
    return hostname;
  }

  const parked = (): Promise<number> => edge.metric("mooring_edge_parked_handshakes");
  const send = (hostname: string, clients: number): Promise<Outcome>[] =>
    sendHerd([edge.httpsPort], hostname, { count: clients, ca: root });
  const areIssued = async (names: readonly string[]): Promise<boolean> => {
    const { rows } = await world.life.session.query(
      "select from certificates where hostname = any ($1) and status = 'issued'",
      [names],
    );
    return rows.length === names.length;
  };

  /** So that what every first visit costs is not counted for the waiting ones. */
  async function warmUp(): Promise<void> {
    const { hostname } = await world.goLive("warm.acme.example");
    const outcomes = await Promise.all(send(hostname, Math.min(200, count)));
    assert.ok(outcomes.some((one) => one === 200));
  }

  it(`are ${count} at most ${perName} for a name, each small, and all end with the certificate`, async (t) => {
    await warmUp();
    const names = [await prepare("one.acme.example"), await prepare("two.acme.example")];
    const [one = "", two = ""] = names;
    const before = edge.resident()[0] ?? 0;
    const first = send(one, perName + tooMany);
    let refused = 0;
    for (const client of first) void client.then(() => (refused += 1));
    await until(async () => (await parked()) === perName && refused === tooMany, "the first name");
    const second = send(two, count - perName);
    await until(async () => (await parked()) === count, "all of them");
    const each = Math.round(((edge.resident()[0] ?? 0) - before) / count);
    for (const name of names) await world.release(name);
    await until(() => areIssued(names), "both certificates");
    const issuedAt = performance.now();
    const outcomes = await Promise.all([...first, ...second]);
    const elapsedMs = Math.round(performance.now() - issuedAt);
    const text = `${Math.round(each / 1_000)} KB each, all answered ${elapsedMs} ms after the issue`;
    t.diagnostic(text);
    const served = outcomes.filter((outcome) => outcome === 200).length;
    assert.deepEqual([served, outcomes.length - served], [count, tooMany]);
    assert.equal(await parked(), 0);
    if (!isSoak) return;
    assert.ok(each <= bytesEach && elapsedMs <= releasedWithinMs, text);
    const size = `${count} in one process, ${perName} of one name, ${tooMany} more refused`;
    recordPromise("G6", size, `${text} (promise 80 KB, 3 s)`);
  });
});
