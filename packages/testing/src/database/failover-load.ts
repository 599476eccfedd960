import assert from "node:assert/strict";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { generateRootKey } from "../../../control/src/index.ts";
import {
  type Caller,
  connect,
  freshZone,
  get,
  openSession,
  proofRecord,
  putZone,
  toEdge,
} from "../clients/connecting.ts";
import { visit } from "../clients/visit.ts";
import { call, textOf } from "../control/http.ts";
import { withoutLimits } from "../control/world.ts";
import { patientEdge, serveProduct } from "../processes/mooring-serve.ts";
import { until } from "../processes/until.ts";
import { brokenInvariants } from "./connection-invariants.ts";

/** Servers of which one takes writes and another takes over. */
export interface FailingDatabase {
  /** A database on all of them, as `DATABASE_URL` names it. */
  url(database: string): string;
  /** The same on the present primary alone. */
  primaryUrl(database: string): string;
  /** Ends the primary like a power cut. Resolves when another takes writes. */
  failOver(): Promise<void>;
  /** The server that ended comes back as the synchronous standby of the other. */
  rejoin(): Promise<void>;
}

/** The whole product on such a database, with one application. */
export interface FailoverWorld {
  /** Fails over under load, and asserts that nothing is lost and that visitors notice nothing. */
  failOver(rounds: number): Promise<FailoverReport>;
  stop(): Promise<void>;
}

export interface FailoverReport {
  readonly answered: number;
  readonly visits: number;
  /** From each promotion until a write was answered again. */
  readonly backAfterMs: readonly number[];
}

const writers = 3;
/** Of each writer in a round, before and after. */
const writesAround = 5;
/** Between two writes of a writer: each leaves a connection that the workers check. */
const pauseMs = 200;

export async function serveOn(database: FailingDatabase): Promise<FailoverWorld> {
  const session = await openSession(database.primaryUrl("postgres"));
  await session.query("create database mooring");
  await session.end();
  const product = await serveProduct({
    DATABASE_URL: database.url("mooring"),
    SECRET_KEY: generateRootKey(),
    ...withoutLimits,
    ...patientEdge,
  });
  const origin = createServer((_, response) => response.end("origin"));
  await new Promise<void>((resolve) => origin.listen(0, "127.0.0.1", resolve));
  const address = origin.address();
  assert.ok(typeof address === "object" && address !== null);
  const key = product.keys?.test ?? "";
  const body = { name: "Shop", origin_url: `http://127.0.0.1:${address.port}` };
  const made = await call(product.base, "/v1/applications", { key, body });
  const caller: Caller = { base: product.base, key, applicationId: textOf(made, "id") };

  return {
    async failOver(rounds) {
      const hostname = await goLive(caller);
      const ca = (await call(product.base, "/sandbox/ca.pem")).text;
      await until(async () => {
        return (await visit(product.httpsPort, hostname, ca).catch(() => null))?.status === 200;
      }, "the edge to serve the name");
      const load = startLoad(caller, async (from) => {
        return await visit(product.httpsPort, hostname, ca, from);
      });
      const backAfterMs: number[] = [];
      try {
        for (let round = 0; round < rounds; round += 1) {
          await load.more(writers * writesAround);
          await database.failOver();
          const promotedAt = performance.now();
          await load.more(1);
          backAfterMs.push(Math.round(performance.now() - promotedAt));
          await load.more(writers * writesAround);
          await database.rejoin();
        }
      } finally {
        await load.end();
      }
      assert.deepEqual(load.failures, []);
      await assertNothingLost(database.primaryUrl("mooring"), load.answered);
      // The workers and the edge continue, too.
      await goLive(caller);
      return { answered: load.answered.length, visits: load.visits(), backAfterMs };
    },
    async stop() {
      await product.stop();
      origin.close();
    },
  };
}

async function goLive(caller: Caller): Promise<string> {
  const zone = freshZone();
  const made = await connect(caller, `www.${zone}`);
  await putZone(caller, zone, [proofRecord(made), toEdge(made)]);
  await until(async () => {
    return (await get(caller, made.id)).json()["state"] === "live";
  }, `${made.hostname} live`);
  return made.hostname;
}

/** Writes and visits without end. */
function startLoad(caller: Caller, visitFrom: (from: string) => Promise<{ status: number }>) {
  const answered: string[] = [];
  const failures: unknown[] = [];
  let [visits, hasEnded] = [0, false];
  const write = async (): Promise<void> => {
    while (!hasEnded) {
      answered.push((await connect(caller, `www.${freshZone()}`)).id);
      await delay(pauseMs);
    }
  };
  const visitOften = async (): Promise<void> => {
    while (!hasEnded) {
      // Another address each time: the edge counts new connections of each.
      const from = `127.1.${Math.floor(visits / 250) % 250}.${(visits % 250) + 1}`;
      visits += 1;
      const page = await visitFrom(from).catch(String);
      if (typeof page === "string" || page.status !== 200) failures.push(page);
    }
  };
  const running = Promise.all([...Array.from({ length: writers }, write), visitOften()]);
  // It is awaited at the end.
  running.catch(() => undefined);
  return {
    answered,
    failures,
    visits: () => visits,
    async more(count: number): Promise<void> {
      const target = answered.length + count;
      await until(() => answered.length >= target, `${count} more answered writes`);
    },
    async end(): Promise<void> {
      hasEnded = true;
      await running;
    },
  };
}

async function assertNothingLost(url: string, answered: readonly string[]): Promise<void> {
  const session = await openSession(url);
  try {
    assert.deepEqual(await findLost(session, answered), []);
    assert.deepEqual(await brokenInvariants(session), []);
  } finally {
    await session.end();
  }
}

async function findLost(session: pg.Client, ids: readonly string[]): Promise<readonly string[]> {
  const { rows } = await session.query<{ id: string }>(
    `select input.id from unnest($1::text[]) as input (id)
     where not exists (select from connections c where c.id::text = input.id)`,
    [ids],
  );
  return rows.map(({ id }) => id);
}
