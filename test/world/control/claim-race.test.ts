import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  type Made,
  openCaller,
  openSession,
  proofRecord,
  putZone,
  verify,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf } from "@mooring/testing/control/http";
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import { type ProductProcess, startProcess } from "@mooring/testing/processes/processes";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise, soakRounds } from "@mooring/testing/processes/soak";
import type pg from "pg";

const rounds = proofSize(2, 10_000);
/** Few rounds of many verifies, or many of few. */
const contenders = proofSize(10, 3);
const verifiesEach = proofSize(20, 2);
const verifies = contenders * verifiesEach;

describe(`${verifies} verifies of one hostname at once, over three processes`, () => {
  let app: TestApp;
  let session: pg.Client;
  const apis: ProductProcess[] = [];
  const callers: Caller[] = [];
  before(async () => {
    app = await startTestApp({ DNS_RESOLVERS: "127.0.0.1:1" });
    session = await openSession(app.databaseUrl);
    for (let count = 0; count < contenders; count += 1) {
      const tenant = await app.tenant(`Contender ${count}`);
      callers.push(await openCaller(app.api.url, tenant.keys.test));
    }
    const env = {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      DNS_RESOLVERS: "127.0.0.1:1",
      RATE_LIMITS: "general=100000:100000,connection=100000:100000",
      LOG_LEVEL: "warn",
    };
    apis.push(...(await Promise.all([0, 1, 2].map(() => startProcess("api", env)))));
  });
  after(async () => {
    await Promise.all(apis.map((api) => api.signal("SIGTERM")));
    await session.end();
    await app.close();
  });

  /** How many connections hold the name, in one snapshot. */
  async function holders(hostname: string): Promise<number> {
    const { rows } = await session.query<{ holders: number }>(
      `select count(*)::int as holders from connections
       where hostname = $1 and state not in ('created', 'pending_ownership', 'verifying', 'failed', 'archived')`,
      [hostname],
    );
    return rows[0]?.holders ?? -1;
  }

  async function race(hostname: string, made: readonly Made[]): Promise<readonly Answer[]> {
    let hasEnded = false;
    const watch = async (): Promise<void> => {
      while (!hasEnded) assert.ok((await holders(hostname)) <= 1);
    };
    const calls = Array.from({ length: verifiesEach }, (_, attempt) =>
      made.map(({ id }, index) => {
        const base = apis[(attempt + index) % apis.length]?.url ?? "";
        const caller = callers[index];
        assert.ok(caller);
        return verify({ ...caller, base }, id);
      }),
    ).flat();
    const watching = watch();
    const answers = await Promise.all(calls);
    hasEnded = true;
    await watching;
    return answers;
  }

  /** The connections that were verified; every other answer is a conflict or shed with 503. */
  function judge(made: readonly Made[], answers: readonly Answer[]) {
    const won = new Set<string>();
    let shed = 0;
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 200) won.add(made[index % contenders]?.id ?? "");
      else if (answer.status === 503) shed += 1;
      else assert.equal(codeOf(answer), "HostnameConflict", answer.text);
    }
    return { won: [...won], shed };
  }

  async function assertOneHolds(hostname: string, id: string | undefined): Promise<void> {
    const { rows } = await session.query<{ events: number; claimed: string }>(
      `select count(*)::int as events, (select connection_id from claims where hostname = $1) as claimed
       from events e join connections k on k.id = e.connection_id
       where k.hostname = $1 and e.type = 'domain.verified'`,
      [hostname],
    );
    assert.deepEqual(rows, [{ events: 1, claimed: id }]);
    assert.equal(await holders(hostname), 1);
  }

  /** A tenant may have a hundred. */
  async function dropZone({ base, key }: Caller, zone: string): Promise<void> {
    const options = { key, method: "DELETE" };
    const dropped = await call(base, `/v1/sandbox/zones/${zone}/records`, options);
    assert.equal(dropped.status, 204, dropped.text);
  }

  it(`has one winner in each of ${rounds} rounds`, async (t) => {
    const winners = new Set<number>();
    let shed = 0;
    await soakRounds("claim-race", rounds, async (round) => {
      const zone = freshZone();
      const hostname = `shop.${zone}`;
      const made = await Promise.all(callers.map((caller) => connect(caller, hostname)));
      const owner = callers[round % contenders];
      assert.ok(owner);
      await putZone(owner, zone, made.map(proofRecord));
      const result = judge(made, await race(hostname, made));
      assert.equal(result.won.length, 1, `round ${round}`);
      await assertOneHolds(hostname, result.won[0]);
      await dropZone(owner, zone);
      winners.add(made.findIndex(({ id }) => id === result.won[0]));
      shed += result.shed;
    });
    t.diagnostic(`${rounds * verifies} verifies, ${shed} shed with 503`);
    t.diagnostic(`${winners.size} of ${contenders} contenders won at least once`);
    assert.deepEqual(await brokenInvariants(session), []);
    recordPromise("G13", `${rounds} rounds of ${verifies} verifies`, "one winner each");
  });
});
