import type pg from "pg";
import type { DropInApi } from "../../../control/src/api/drop-in.ts";
import type { Config } from "../../../control/src/config/config.ts";
import { type RunningWorkers, startWorker } from "../../../control/src/process/start-worker.ts";
import type { Resolver } from "../../../dns/src/index.ts";
import { type Caller, hurry, openCaller, openSession, readState } from "../clients/connecting.ts";
import { startTestApp, type TestApp } from "../control/app.ts";
import { brokenInvariants } from "../database/connection-invariants.ts";
import { until } from "../processes/until.ts";

/** API and worker on one database and one clock, with a superuser session. */
export interface LifecycleApp {
  readonly app: TestApp;
  readonly session: pg.Client;
  /** A new tenant with an application. */
  caller(name: string, environment?: "test" | "live"): Promise<Caller>;
  /** Makes checks due until the connection is in the state. */
  reach(id: string, state: string): Promise<void>;
  /**
   * Advances the clock and waits until every connection is checked once more, by a check that
   * begins after the call.
   */
  checkAll(afterMs?: number): Promise<void>;
  /** Another worker with other settings; the API keeps its own. */
  restartWorker(changes: Partial<Config>): Promise<void>;
  broken(): Promise<string[]>;
  close(): Promise<void>;
}

export interface LifecycleOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly resolver?: Resolver;
  readonly dropIns?: readonly DropInApi[];
}

/** Nothing listens there: a test that asks a DNS server outside the test fails at once. */
const noResolvers = { DNS_RESOLVERS: "127.0.0.1:1" };

export async function startLifecycle(options: LifecycleOptions = {}): Promise<LifecycleApp> {
  const resolverOption = options.resolver ? { resolver: options.resolver } : {};
  const dropIns = options.dropIns ? { dropIns: options.dropIns } : {};
  const app = await startTestApp(
    { ...noResolvers, ...options.env },
    { ...resolverOption, ...dropIns },
  );
  const start = (changes: Partial<Config> = {}): Promise<RunningWorkers> =>
    startWorker(
      { ...app.config, ...changes },
      { clock: app.clock, log: app.operator.log, ...resolverOption },
    );
  let worker = await start();
  const session = await openSession(app.databaseUrl);
  /**
   * A check that is under way has seen DNS as it was, and would count as one that was made later.
   */
  const endRunning = async (): Promise<void> => {
    const { rows } = await session.query<{ id: string; version: string }>(
      "select connection_id as id, version from connection_checks where leased_until is not null",
    );
    await until(async () => {
      const { rowCount } = await session.query(
        `select from connection_checks join unnest($1::uuid[], $2::bigint[]) as r (connection_id, version)
           using (connection_id, version) where leased_until is not null limit 1`,
        [rows.map(({ id }) => id), rows.map(({ version }) => version)],
      );
      return rowCount === 0;
    }, "the end of the running checks");
  };
  const checkAll = async (afterMs = 0): Promise<void> => {
    await endRunning();
    app.clock.advance(afterMs);
    const since = app.clock.now();
    await until(async () => {
      // Again in every round: a check that began before `since` sets its own next time when it
      // ends. A worker has locks on several rows in an order of its own: what it has locked waits
      // for a round.
      await session.query(
        `update connection_checks set due_at = least(due_at, $1)
         where connection_id in (select connection_id from connection_checks
                      where due_at is not null and (last_checked_at is null or last_checked_at < $1)
                      for no key update skip locked)`,
        [since],
      );
      const { rowCount } = await session.query(
        `select from connection_checks
         where due_at is not null and (last_checked_at is null or last_checked_at < $1) limit 1`,
        [since],
      );
      if (rowCount === 0) return true;
      await session.query("select pg_notify('mooring_due', 'connections')");
      return false;
    }, "a check of every connection");
  };
  return {
    app,
    session,
    checkAll,
    async caller(name, environment = "test") {
      const tenant = await app.tenant(name);
      return openCaller(app.api.url, tenant.keys[environment], name);
    },
    reach: (id, state) =>
      until(async () => {
        if ((await readState(session, id)) === state) return true;
        await hurry(session);
        return false;
      }, `${state}`),
    async restartWorker(changes) {
      await worker.close();
      worker = await start(changes);
    },
    broken: () => brokenInvariants(session),
    async close() {
      await worker.close();
      await session.end();
      await app.close();
    },
  };
}
