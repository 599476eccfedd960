import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  type Caller,
  connectionStream,
  freshZone,
  openCaller,
  openSession,
  proofRecord,
  readMade,
} from "@mooring/testing/clients/connecting";
import {
  type DedicatedPostgres,
  startDedicatedPostgres,
} from "@mooring/testing/control/database-faults";
import { call } from "@mooring/testing/control/http";
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import { type ProductProcess, startProcess } from "@mooring/testing/processes/processes";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";
import { migrate, openRuntime, readConfig } from "../../../packages/control/src/index.ts";
import { createTenant } from "../../../packages/control/src/services/operator/tenants.ts";

const restartsEach = proofSize(1, 10);
/** Ten seconds are promised; a busy machine gets more. */
const recoveryMs = proofSize(40_000, 10_000);

describe("PostgreSQL restarted under load", () => {
  let server: DedicatedPostgres;
  let directory = "";
  let caller: Caller;
  const processes: ProductProcess[] = [];
  /** From each start of the server until the product is healthy. */
  const healedMs: number[] = [];
  /** The connections that were reported as verified. */
  let verified = 0;
  before(async () => {
    server = await startDedicatedPostgres();
    await migrate(server.url);
    directory = await mkdtemp(path.join(tmpdir(), "mooring-restart-"));
    const env = {
      DATABASE_URL: server.url,
      DATA_DIR: directory,
      DNS_RESOLVERS: "127.0.0.1:1",
      RATE_LIMITS: "general=100000:100000,connection=100000:100000",
      LOG_LEVEL: "error",
      TEST_LEASE_MS: "2000",
    };
    const config = readConfig(env);
    const role = { url: server.url, role: "mooring_operator", name: "operator" } as const;
    const operator = await openRuntime(config, role);
    const tenant = await createTenant(operator.runtime, "Acme");
    await operator.close();
    processes.push(await startProcess("api", env));
    processes.push(await startProcess("worker", env), await startProcess("worker", env));
    caller = await openCaller(processes[0]?.url ?? "", tenant.keys.test);
  });
  after(async () => {
    await Promise.all(processes.map((one) => one.signal("SIGTERM")));
    await server.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Creates and verifies without pause; every connection reported as verified must be stored. */
  function load() {
    const verified: string[] = [];
    const statuses = new Map<number, number>();
    let hasEnded = false;
    const note = (status: number): number => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      return status;
    };
    const one = async (zone: string, index: number): Promise<void> => {
      const body = { application_id: caller.applicationId, hostname: `h${index}.${zone}` };
      const answer = await call(caller.base, "/v1/connections", { key: caller.key, body });
      if (note(answer.status) !== 201) return;
      const made = readMade(answer);
      const records = { key: caller.key, method: "PUT", body: { records: [proofRecord(made)] } };
      note((await call(caller.base, `/v1/sandbox/zones/${zone}/records`, records)).status);
      const options = { key: caller.key, method: "POST" };
      const reply = await call(caller.base, `/v1/connections/${made.id}/verify`, options);
      if (note(reply.status) === 200) verified.push(made.id);
    };
    const client = async (): Promise<void> => {
      const zone = freshZone();
      for (let index = 0; !hasEnded; index += 1) await one(zone, index);
    };
    const clients = Promise.all([client(), client(), client()]);
    return {
      verified,
      statuses,
      async stop() {
        hasEnded = true;
        await clients;
      },
    };
  }

  const health = async (): Promise<number> => (await call(caller.base, "/healthz")).status;

  for (const [how, down] of [
    ["stopped", () => server.stop()],
    ["crashed", () => server.crash()],
  ] as const) {
    it(`(${how}) answers 503, recovers by itself, and loses no commit that it reported`, async (t) => {
      for (let round = 0; round < restartsEach; round += 1) {
        const running = load();
        await until(() => running.verified.length > 5, "some load");
        await down();
        await until(async () => (await health()) === 503, "health to report the outage");
        await server.start();
        const backAt = performance.now();
        await until(async () => (await health()) === 200, "health", recoveryMs);
        const tookMs = Math.round(performance.now() - backAt);
        const before = running.verified.length;
        await until(() => running.verified.length > before + 5, "work continues", recoveryMs);
        await running.stop();
        const session = await openSession(server.url);
        const { rows } = await session.query<{ id: string }>(
          "select connection_id as id from events where type = 'domain.verified'",
        );
        const stored = new Set(rows.map(({ id }) => id));
        assert.deepEqual(
          running.verified.filter((id) => !stored.has(id)),
          [],
        );
        assert.ok((running.statuses.get(503) ?? 0) > 0);
        const odd = [...running.statuses.keys()].filter((s) => ![200, 201, 409, 503].includes(s));
        assert.deepEqual(odd, []);
        assert.deepEqual(await brokenInvariants(session), []);
        await session.end();
        t.diagnostic(
          `healthy ${tookMs} ms after the start; ${JSON.stringify([...running.statuses])}`,
        );
        healedMs.push(tookMs);
        verified += running.verified.length;
      }
    });
  }

  it("does not require a restart of the workers", async () => {
    const session = await openSession(server.url);
    const stream = connectionStream(caller, session);
    const made = await stream.more(10);
    assert.equal(made.length, 10);
    await until(async () => {
      await stream.push();
      await delay(50);
      return (await stream.remaining()) === 0;
    }, "all live");
    assert.deepEqual(await brokenInvariants(session), []);
    await session.end();
    if (restartsEach !== 10 || healedMs.length < 2 * restartsEach) return;
    // Waits are longer on a busy machine; what was promised is not.
    assert.ok(Math.max(...healedMs) <= recoveryMs, `healthy after ${healedMs.join(", ")} ms`);
    recordPromise(
      "G16",
      `${restartsEach} stops and ${restartsEach} crashes, ${verified} commits reported`,
      `none lost, healthy after at most ${Math.max(...healedMs)} ms (promise 10 s)`,
    );
  });
});
