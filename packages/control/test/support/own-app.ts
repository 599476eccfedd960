import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { readConfig } from "../../src/config/config.ts";
import { migrate } from "../../src/db/engine/migrate.ts";
import { createLogger } from "../../src/process/log.ts";
import { openRuntime } from "../../src/process/open-runtime.ts";
import { type RunningApi, startApi } from "../../src/process/start-api.ts";
import { createTenant, type NewTenant } from "../../src/services/operator/tenants.ts";

/** An API on a given database, which it may reach by another way than the one that sets it up. */
export interface OwnApp {
  readonly api: RunningApi;
  readonly first: NewTenant;
  readonly logLines: readonly string[];
  close(): Promise<void>;
}

export async function startOwnApp(setUpUrl: string, apiUrl: string = setUpUrl): Promise<OwnApp> {
  await migrate(setUpUrl);
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-app-"));
  const config = readConfig({
    DATABASE_URL: apiUrl,
    DATA_DIR: directory,
    PORT: "0",
    RATE_LIMITS: "general=100000:100000,unauthorized=100000:100000",
  });
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const log = createLogger({ level: "trace", name: "test", destination });
  const operator = await openRuntime(config, {
    url: setUpUrl,
    role: "mooring_operator",
    name: "operator",
    log,
  });
  const first = await createTenant(operator.runtime, "First");
  await operator.close();
  const api = await startApi(config, { log });
  return {
    api,
    first,
    logLines,
    async close() {
      await api.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The URL with another port: the way through a proxy. */
export function throughPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.toString();
}
