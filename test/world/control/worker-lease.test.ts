import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  archive,
  type Caller,
  connect,
  openCaller,
  openSession,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import {
  type Behaviour,
  type ScriptedDns,
  type ScriptedQuestion,
  SILENCE,
  startScriptedDns,
} from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, ns, txt } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { type ProductProcess, startProcess } from "@mooring/testing/processes/processes";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { quantile, recordPromise, soakRounds } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";

/**
 * The product's lease with SOAK, a short one otherwise. The promise is the lease plus ten seconds;
 * a busy machine gets more.
 */
const leaseMs = proofSize(2_000, 30_000);
const kills = proofSize(1, 100);
const isSoak = kills === 100;
const resumedWithinMs = leaseMs + proofSize(60_000, 10_000);
const zone = "acme.example";
const delegation = [ns(zone, `ns1.${zone}`), a(`ns1.${zone}`, "127.0.0.1")];

describe("a worker that stops with leased work", () => {
  let app: TestApp;
  let session: pg.Client;
  let caller: Caller;
  let dns: ScriptedDns;
  let behave: (question: ScriptedQuestion) => Behaviour = answerFrom(delegation, { soa: zone });
  let env: Record<string, string> = {};
  const started: ProductProcess[] = [];
  before(async () => {
    const port = await freePort();
    const address = "127.0.0.1";
    dns = await startScriptedDns({ address, port, behave: (question) => behave(question) });
    const servers = { DNS_RESOLVERS: `${address}:${port}`, DNS_AUTHORITATIVE_PORT: String(port) };
    app = await startTestApp(servers);
    session = await openSession(app.databaseUrl);
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.live);
    env = {
      ...servers,
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      LOG_LEVEL: "debug",
      TEST_LEASE_MS: String(leaseMs),
    };
  });
  after(async () => {
    await Promise.all(started.map((one) => one.signal("SIGKILL")));
    await session.end();
    await app.close();
    await dns.stop();
  });

  const worker = async (more: Record<string, string> = {}): Promise<ProductProcess> => {
    const one = await startProcess("worker", { ...env, ...more });
    started.push(one);
    return one;
  };
  const asked = (hostname: string): number =>
    dns.seen.filter(({ name, type }) => type === "TXT" && name.endsWith(`.${hostname}`)).length;
  const dueNow = (ids: readonly string[]) =>
    session.query("update connection_checks set due_at = now() where connection_id = any ($1)", [
      ids,
    ]);

  async function readRow(id: string) {
    const { rows } = await session.query<{ state: string; error_code: string | null }>(
      "select state, error_code from connections where id = $1",
      [id],
    );
    return rows[0];
  }

  /** Kills a worker with 20 leased checks; returns after how long another has done the last. */
  async function killLeased(round: number): Promise<number> {
    const zoneAnswers = answerFrom(delegation, { soa: zone });
    behave = (question) => (question.type === "TXT" ? SILENCE : zoneAnswers(question));
    const names = Array.from({ length: 20 }, (_, index) => `k${round}-${index}.${zone}`);
    const made = await Promise.all(names.map((name) => connect(caller, name)));
    // The heir is ready and leases nothing yet; the checks of the other last until it is killed.
    const heir = await worker();
    await heir.signal("SIGSTOP");
    const doomed = await worker({ TEST_DNS_TIMEOUT_MS: "15000" });
    await dueNow(made.map(({ id }) => id));
    await until(() => names.every((name) => asked(name) > 0), "all leased");
    await doomed.signal("SIGKILL");
    await heir.signal("SIGCONT");
    const killedAt = performance.now();
    behave = zoneAnswers;
    const done = async (): Promise<boolean> => {
      const rows = await Promise.all(made.map(({ id }) => readRow(id)));
      return rows.every((row) => row?.error_code === "txt_not_found");
    };
    await until(done, "all checked by the other worker", resumedWithinMs);
    const elapsedMs = Math.round(performance.now() - killedAt);
    await heir.signal("SIGTERM");
    await Promise.all(made.map(({ id }) => archive(caller, id)));
    dns.seen.length = 0;
    return elapsedMs;
  }

  it(`by kill -9: another resumes all of it within ${resumedWithinMs / 1_000} s`, async (t) => {
    const elapsedMs = await soakRounds("worker-lease", kills, killLeased);
    const [p99, most] = [quantile(elapsedMs, 0.99), Math.max(...elapsedMs)];
    t.diagnostic(`resumed ${Math.min(...elapsedMs)} to ${most} ms after the kill, p99 ${p99} ms`);
    // Waits are longer on a busy machine; what was promised is not.
    if (isSoak) assert.ok(p99 <= resumedWithinMs, `p99 ${p99} ms`);
    const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
    recordPromise(
      "G2",
      `${kills} kills, 20 checks in hand at each`,
      `the last of each resumed after p99 ${seconds(p99)} s, at most ${seconds(most)} s (promise p99 40 s)`,
    );
  });

  it("by SIGSTOP: its late write is refused after SIGCONT", async () => {
    const hostname = `frozen.${zone}`;
    const made = await connect(caller, hostname);
    const frozen = await worker({ TEST_DNS_TIMEOUT_MS: "15000" });
    const proof = txt(`_service-challenge.${hostname}`, made.challenge);
    const withProof = answerFrom([...delegation, proof], { soa: zone });
    const without = answerFrom(delegation, { soa: zone });
    let isFrozen = false;
    behave = (question) => {
      // The last question of a check is for the random sibling name; its answer waits in the
      // socket.
      const isLast = question.type === "TXT" && question.name.startsWith("_") && !isFrozen;
      if (isLast && !question.name.startsWith("_service-challenge.")) {
        process.kill(frozen.pid, "SIGSTOP");
        isFrozen = true;
        return withProof(question);
      }
      return isFrozen ? without(question) : withProof(question);
    };
    await dueNow([made.id]);
    await until(() => isFrozen, "the freeze");
    const frozenAt = new Date();
    const other = await worker();
    await until(
      async () => {
        const { rowCount } = await session.query(
          "select from connections where id = $1 and error_code = 'txt_not_found' and last_checked_at > $2",
          [made.id, frozenAt],
        );
        return rowCount === 1;
      },
      "the check of the other worker",
      resumedWithinMs,
    );
    await frozen.signal("SIGCONT");
    await until(() => /lease lost|row is retried/.test(frozen.output()), "the late write");
    const row = await readRow(made.id);
    assert.deepEqual(row, { state: "pending_ownership", error_code: "txt_not_found" });
    assert.deepEqual(await brokenInvariants(session), []);
    await Promise.all([frozen.signal("SIGTERM"), other.signal("SIGTERM")]);
  });
});
