import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { type RunningPostgres, startPostgres } from "../../../local/src/postgres/server.ts";

/** A PostgreSQL of the test's own, to be stopped, killed and started as it likes. */
export interface OwnServer {
  /** The superuser's URL. */
  readonly url: string;
  readonly port: number;
  /** Ends sessions and stops (`-m fast`). */
  stop(): Promise<void>;
  /** Dies without shutting down (`-m immediate`): the next start recovers from the log. */
  crash(): Promise<void>;
  /** On the same port as before. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const log = { info: () => undefined };

export async function startOwnServer(): Promise<OwnServer> {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-server-"));
  // The server runs as a user of its own when the tests run as root.
  await chmod(directory, 0o755);
  let running: RunningPostgres = await startPostgres({ dataDir: directory, log });
  const { url, port } = running;
  return {
    url,
    port,
    stop: () => running.stop(),
    async crash() {
      const client = new pg.Client({ connectionString: url });
      client.on("error", () => undefined); // this session dies with the server
      await client.connect();
      const { rows } = await client.query<{ pid: number }>(
        "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid",
      );
      const gone = new Promise<void>((resolve) => client.once("end", () => resolve()));
      const pid = rows[0]?.pid;
      if (pid === undefined) throw new Error("the server does not tell its process id");
      process.kill(pid, "SIGQUIT");
      await gone;
    },
    async start() {
      running = await startPostgres({ dataDir: directory, port, log });
    },
    async close() {
      await running.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
