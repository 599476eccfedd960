import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createTemplate } from "@mooring/testing/database/database";
import { startDebianPostgres } from "@mooring/testing/database/postgres-debian";
import pg from "pg";
import { migrate } from "../../packages/control/src/db/engine/migrate.ts";
import { startPostgres } from "../../packages/embedded-postgres/src/server.ts";
import { secondsOfProcess } from "./processor-time.ts";

export interface DatabaseServer {
  /** For `createTestDatabase`: the server, and a migrated template that each test file copies. */
  readonly env: Readonly<Record<"TEST_DATABASE_URL" | "TEST_TEMPLATE", string>>;
  /** The processor time of the server until now. */
  processorSeconds(): number;
  stop(): Promise<void>;
}

/** One PostgreSQL for a whole run: the embedded one, or Debian's 15. */
export async function startDatabaseServer(version: "embedded" | "15"): Promise<DatabaseServer> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "mooring-postgres-"));
  // As root, the server runs as another user, which must be able to enter the directory.
  chmodSync(dataDir, 0o755);
  const log = { info: () => undefined };
  // Faster; tests of crashes start their own servers.
  const settings = ["fsync=off", "full_page_writes=off"];
  const server =
    version === "15"
      ? await startDebianPostgres(15)
      : await startPostgres({ dataDir, log, settings });
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const template = await createTemplate(server.url, migrate);
    const pid = await readPid(server.url);
    return {
      env: { TEST_DATABASE_URL: server.url, TEST_TEMPLATE: template },
      processorSeconds: () => secondsOfProcess(pid),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readPid(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly pid: string }>(
      "select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid",
    );
    return Number(rows[0]?.pid);
  } finally {
    await client.end();
  }
}
