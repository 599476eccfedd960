import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Config, readConfig } from "../../../control/src/config/config.ts";
import { createLogger } from "../../../control/src/process/log.ts";
import { openRuntime } from "../../../control/src/process/open-runtime.ts";
import {
  type ApiOptions,
  type RunningApi,
  startApi,
} from "../../../control/src/process/start-api.ts";
import { createTenant, type NewTenant } from "../../../control/src/services/operator/tenants.ts";
import type { Runtime } from "../../../control/src/services/runtime.ts";
import { createTestDatabase } from "../database/database.ts";
import { createTestClock, type TestClock } from "./clock.ts";

/** A real API on a new database, with a clock that tests move and logs that tests read. */
export interface TestApp {
  readonly config: Config;
  readonly api: RunningApi;
  readonly clock: TestClock;
  /** Runs verbs as the operator, outside of the API. */
  readonly operator: Runtime;
  readonly databaseUrl: string;
  readonly logLines: readonly string[];
  /** Forgets the log so far, for tests with millions of requests. */
  takeLog(): readonly string[];
  tenant(name: string): Promise<NewTenant>;
  /** Another API process on the same database. */
  another(): Promise<RunningApi>;
  close(): Promise<void>;
}

export async function startTestApp(
  env: Readonly<Record<string, string>> = {},
  replacements: Pick<ApiOptions, "resolver" | "egress" | "dropIns"> = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-app-"));
  const config = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    PORT: "0",
    BASE_URL: "http://api.mooring.example",
    // Nothing listens there: a lookup outside of the sandbox fails at once, without leaving
    // loopback.
    DNS_RESOLVERS: "127.0.0.1:9",
    RATE_LIMITS:
      "general=100000:100000,check=100000:100000,tokens=100000:100000,unauthorized=100000:100000",
    ...env,
  });
  const clock = createTestClock();
  const logLines: string[] = [];
  const log = createLogger({
    level: "trace",
    name: "test",
    destination: { write: (line) => void logLines.push(line) },
  });
  const operator = await openRuntime(config, {
    url: database.url,
    role: "mooring_operator",
    name: "operator",
    clock,
    log,
  });
  const apis: RunningApi[] = [];
  const another = async (): Promise<RunningApi> => {
    const started = await startApi(config, { clock, log, ...replacements });
    apis.push(started);
    return started;
  };
  return {
    config,
    api: await another(),
    clock,
    operator: operator.runtime,
    databaseUrl: database.url,
    logLines,
    takeLog: () => logLines.splice(0),
    tenant: (name) => createTenant(operator.runtime, name),
    another,
    async close() {
      await Promise.all(apis.map((api) => api.close()));
      await operator.close();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
