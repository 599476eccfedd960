import type pg from "pg";
import {
  type RunningWorkers,
  startWorker,
} from "../../packages/control/src/process/start-worker.ts";
import { startTestApp, type TestApp } from "../../packages/control/test/support/app.ts";
import type { Resolver } from "../../packages/dns/src/index.ts";
import { type Caller, eventually, hurry, openCaller, openSession, stateOf } from "./connecting.ts";
import { brokenInvariants } from "./connection-invariants.ts";

/** API and worker on one database and one clock, with a session to look behind the scenes. */
export interface LifecycleApp {
  readonly app: TestApp;
  readonly session: pg.Client;
  /** A tenant with an application of its own. */
  caller(name: string, environment?: "test" | "live"): Promise<Caller>;
  /** Lets time pass and workers look until the connection is in the state. */
  reach(id: string, state: string): Promise<void>;
  /** Everything due is looked at once more, as after this much time. */
  checkAll(afterMs?: number): Promise<void>;
  broken(): Promise<string[]>;
  close(): Promise<void>;
}

export interface LifecycleOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly resolver?: Resolver;
}

/** Nobody listens there: a test that leaves the sandbox or its own servers fails at once. */
const nowhere = { DNS_RESOLVERS: "127.0.0.1:1" };

export async function startLifecycle(options: LifecycleOptions = {}): Promise<LifecycleApp> {
  const standIn = options.resolver ? { resolver: options.resolver } : {};
  const app = await startTestApp({ ...nowhere, ...options.env }, standIn);
  const worker: RunningWorkers = await startWorker(app.config, {
    clock: app.clock,
    log: app.operator.log,
    ...standIn,
  });
  const session = await openSession(app.databaseUrl);
  const checkAll = async (afterMs = 0): Promise<void> => {
    app.clock.advance(afterMs);
    const since = app.clock.now();
    await session.query("update connections set due_at = $1 where due_at is not null", [since]);
    await session.query("select pg_notify('mooring_due', 'connections')");
    await eventually("a look at everything", 30_000, async () => {
      const { rowCount } = await session.query(
        "select 1 from connections where due_at is not null and (last_checked_at is null or last_checked_at < $1)",
        [since],
      );
      return rowCount === 0;
    });
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
      eventually(`${state}`, 30_000, async () => {
        if ((await stateOf(session, id)) === state) return true;
        await hurry(session);
        return false;
      }),
    broken: () => brokenInvariants(session),
    async close() {
      await worker.close();
      await session.end();
      await app.close();
    },
  };
}
