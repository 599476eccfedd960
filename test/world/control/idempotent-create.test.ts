import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  freshZone,
  openCaller,
  openSession,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import { type ProductProcess, startProcess } from "@mooring/testing/processes/processes";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise, soakRounds } from "@mooring/testing/processes/soak";
import { until } from "@mooring/testing/processes/until";
import type pg from "pg";

const rounds = proofSize(4, 10_000);
const callsAtOnce = 50;
/** In every so many rounds one of the three processes is killed while it answers. */
const roundsPerKill = proofSize(2, 20);
/** A create takes a few milliseconds; later, most have been answered. */
const maxKillDelayMs = 40;

interface Measure {
  /** Calls that had to be repeated: in flight, shed, or cut with their process. */
  readonly repeated: number;
  readonly killed: number;
}

describe("50 equal creates at once with one Idempotency-Key, over three processes", () => {
  let app: TestApp;
  let session: pg.Client;
  let caller: Caller;
  let env: Record<string, string> = {};
  const apis: ProductProcess[] = [];
  before(async () => {
    app = await startTestApp({ DNS_RESOLVERS: "127.0.0.1:1" });
    session = await openSession(app.databaseUrl);
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.test);
    env = {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      DNS_RESOLVERS: "127.0.0.1:1",
      RATE_LIMITS: "general=1000000:1000000,connection=1000000:1000000",
      LOG_LEVEL: "warn",
    };
    apis.push(...(await Promise.all([0, 1, 2].map(() => startProcess("api", env)))));
  });
  after(async () => {
    await Promise.all(apis.map((api) => api.signal("SIGKILL")));
    await session.end();
    await app.close();
  });

  /** A client that repeats its call until it is answered, as the documents say. */
  async function createOnce(
    index: number,
    hostname: string,
  ): Promise<{ readonly answer: Answer; readonly tries: number }> {
    let [answer, tries]: [Answer | null, number] = [null, 0];
    await until(async () => {
      const base = apis[(index + tries) % apis.length]?.url ?? "";
      tries += 1;
      answer = await call(base, "/v1/connections", {
        key: caller.key,
        body: { application_id: caller.applicationId, hostname },
        headers: { "idempotency-key": hostname },
      }).catch(() => null); // the process was killed
      return answer !== null && answer.status !== 409 && answer.status !== 503;
    }, `an answer for ${hostname}`);
    assert.ok(answer);
    return { answer, tries };
  }

  async function killOne(): Promise<void> {
    const at = randomInt(apis.length);
    await new Promise((resolve) => setTimeout(resolve, randomInt(maxKillDelayMs)));
    await apis[at]?.signal("SIGKILL");
    apis[at] = await startProcess("api", env);
  }

  async function playRound(round: number): Promise<Measure> {
    const hostname = `shop.${freshZone()}`;
    const isKilled = round % roundsPerKill === 1;
    const calls = Array.from({ length: callsAtOnce }, (_, index) => createOnce(index, hostname));
    const [results] = await Promise.all([Promise.all(calls), isKilled ? killOne() : null]);
    const ids = new Set(
      results.map(({ answer }) => {
        assert.equal(answer.status, 201, answer.text);
        return textOf(answer, "id");
      }),
    );
    const { rows } = await session.query<{ id: string; added: number }>(
      `select k.id, (select count(*)::int from events e
         where e.connection_id = k.id and e.type = 'domain.added') as added
       from connections k where k.hostname = $1`,
      [hostname],
    );
    assert.deepEqual(
      [...ids],
      rows.map(({ id }) => id),
      `round ${round}`,
    );
    assert.deepEqual(
      rows.map(({ added }) => added),
      [1],
      "one event",
    );
    const fresh = results.filter(
      ({ answer }) => answer.headers.get("idempotency-replayed") === null,
    );
    assert.ok(fresh.length <= 1, `${fresh.length} were not replayed`);
    const repeated = results.reduce((sum, { tries }) => sum + tries - 1, 0);
    return { repeated, killed: isKilled ? 1 : 0 };
  }

  it(`make one object in each of ${rounds} rounds, also when a process is killed`, async (t) => {
    const measures = await soakRounds("idempotent-create", rounds, playRound);
    const sum = (field: keyof Measure): number =>
      measures.reduce((all, one) => all + one[field], 0);
    t.diagnostic(`${sum("killed")} kills, ${sum("repeated")} calls repeated`);
    assert.ok(sum("killed") > 0);
    assert.deepEqual(await brokenInvariants(session), []);
    recordPromise(
      "G14",
      `${rounds} rounds of ${callsAtOnce}, ${sum("killed")} kills`,
      `one object and one event each, ${sum("repeated")} calls repeated`,
    );
  });
});
