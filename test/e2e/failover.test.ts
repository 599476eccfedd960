import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { generateRootKey } from "../../packages/control/src/index.ts";
import { call, textOf } from "../../packages/control/test/support/http.ts";
import { withoutLimits } from "../../packages/control/test/support/world.ts";
import {
  type Caller,
  connect,
  eventually,
  freshZone,
  get,
  openSession,
  proofOf,
  putZone,
  toEdge,
} from "../support/connecting.ts";
import { brokenInvariants } from "../support/connection-invariants.ts";
import { type ServedProduct, serveProduct } from "../support/mooring-serve.ts";
import { type PostgresPair, startPostgresPair } from "../support/postgres-pair.ts";
import { proofSize } from "../support/proof-size.ts";
import { until } from "../support/until.ts";
import { visit } from "../support/visit.ts";

const rounds = proofSize(1, 20);
const writers = 3;
/** Of each writer in a round, before and after. */
const writesAround = 5;
/** Between two writes of a writer: each leaves a connection that the workers check. */
const pauseMs = 200;

/** The primary is killed under load, its synchronous standby promoted; nobody restarts or configures anything. */
describe("a database that fails over", { timeout: proofSize(280_000, 3_600_000) }, () => {
  const origin = createServer((_, response) => response.end("origin"));
  let pair: PostgresPair;
  let product: ServedProduct;
  let caller: Caller;
  before(async () => {
    pair = await startPostgresPair();
    const session = await openSession(pair.primaryUrl("postgres"));
    await session.query("create database mooring");
    await session.end();
    product = await serveProduct({
      DATABASE_URL: pair.url("mooring"),
      SECRET_KEY: generateRootKey(),
      ...withoutLimits,
      // A busy machine is not what this is about.
      EDGE_SHED_DELAY: "1m",
      EDGE_REFUSE_DELAY: "1m",
    });
    await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
    const address = origin.address();
    assert.ok(typeof address === "object" && address !== null);
    const key = product.keys?.test ?? "";
    const body = { name: "Shop", origin_url: `http://127.0.0.1:${address.port}` };
    const made = await call(product.base, "/v1/applications", { key, body });
    caller = { base: product.base, key, applicationId: textOf(made, "id") };
  });
  after(async () => {
    await product?.stop();
    await pair?.stop();
    origin.close();
  });

  async function goLive(): Promise<string> {
    const zone = freshZone();
    const made = await connect(caller, `www.${zone}`);
    await putZone(caller, zone, [proofOf(made), toEdge(made)]);
    await eventually(`${made.hostname} live`, 120_000, async () => {
      return (await get(caller, made.id)).json()["state"] === "live";
    });
    return made.hostname;
  }

  it(`${rounds} times loses nothing that was answered, and no visitor notices`, async (context) => {
    const hostname = await goLive();
    const ca = (await call(product.base, "/sandbox/ca.pem")).text;
    const answered: string[] = [];
    const failures: unknown[] = [];
    let [visits, isOver] = [0, false];

    const write = async (): Promise<void> => {
      while (!isOver) {
        answered.push((await connect(caller, `www.${freshZone()}`)).id);
        await delay(pauseMs);
      }
    };
    const visitOften = async (): Promise<void> => {
      while (!isOver) {
        // Another address each time: the edge counts new connections of each.
        const from = `127.1.${Math.floor(visits / 250) % 250}.${(visits % 250) + 1}`;
        visits += 1;
        const page = await visit(product.httpsPort, hostname, ca, from).catch(String);
        if (typeof page === "string" || page.status !== 200) failures.push(page);
      }
    };
    const more = async (count: number): Promise<void> => {
      const wanted = answered.length + count;
      await until(() => answered.length >= wanted, `${count} more answered writes`, 120_000);
    };

    await until(async () => {
      return (await visit(product.httpsPort, hostname, ca).catch(() => null))?.status === 200;
    }, "the edge to serve the name");
    const load = [...Array.from({ length: writers }, write), visitOften()];
    const backAfterMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await more(writers * writesAround);
      await pair.failOver();
      const promotedAt = performance.now();
      await more(1);
      backAfterMs.push(performance.now() - promotedAt);
      await more(writers * writesAround);
      await pair.rejoin();
    }
    isOver = true;
    await Promise.all(load);

    assert.deepEqual(failures, []);
    const session = await openSession(pair.primaryUrl("mooring"));
    try {
      const lost = await lostOf(session, answered);
      assert.deepEqual(lost, []);
      assert.deepEqual(await brokenInvariants(session), []);
    } finally {
      await session.end();
    }
    // The workers and the edge go on, too.
    await goLive();
    const worstMs = Math.round(Math.max(...backAfterMs));
    context.diagnostic(
      `${rounds} failovers: ${answered.length} answered writes, none lost; ${visits} visits, none failed; writes back at most ${worstMs} ms after a promotion`,
    );
    assert.ok(worstMs <= 15_000, `${worstMs} ms`);
  });
});

async function lostOf(session: pg.Client, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await session.query<{ id: string }>(
    `select given.id from unnest($1::text[]) as given (id)
     where not exists (select from connections c where c.id::text = given.id)`,
    [ids],
  );
  return rows.map(({ id }) => id);
}
