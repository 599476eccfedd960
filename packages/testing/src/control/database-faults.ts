import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { readConfig } from "../../../control/src/config/config.ts";
import { migrate } from "../../../control/src/db/engine/migrate.ts";
import { createLogger } from "../../../control/src/process/log.ts";
import { openRuntime } from "../../../control/src/process/open-runtime.ts";
import { type RunningApi, startApi } from "../../../control/src/process/start-api.ts";
import { createTenant, type NewTenant } from "../../../control/src/services/operator/tenants.ts";
import { type RunningPostgres, startPostgres } from "../../../embedded-postgres/src/server.ts";

/** A PostgreSQL server for one test, which may stop, crash and start it. */
export interface DedicatedPostgres {
  /** The superuser's URL. */
  readonly url: string;
  readonly port: number;
  /** Ends sessions and stops (`-m fast`). */
  stop(): Promise<void>;
  /** Dies without shutting down (`-m immediate`): the next start recovers from the log. */
  crash(): Promise<void>;
  /** On the same port as before. */
  start(): Promise<void>;
  /**
   * Stops the postmaster and all its processes where they are (SIGSTOP), or only those of sessions.
   */
  freeze(which: "all" | "sessions"): Promise<void>;
  /** Lets what was frozen continue. */
  thaw(): void;
  close(): Promise<void>;
}

const log = { info: () => undefined };

/** In a new directory, unless one is given. */
export async function startDedicatedPostgres(input?: string): Promise<DedicatedPostgres> {
  const directory = input ?? (await mkdtemp(path.join(tmpdir(), "mooring-server-")));
  // The server runs as another user when the tests run as root.
  await chmod(directory, 0o755);
  let running: RunningPostgres = await startPostgres({ dataDir: directory, log });
  const { url, port } = running;
  const frozen: number[] = [];
  return {
    url,
    port,
    stop: () => running.stop(),
    async crash() {
      const client = await openFor(url);
      const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
      process.kill(await findPostmaster(client), "SIGQUIT");
      await ended;
    },
    async freeze(which) {
      const client = await openFor(url);
      const postmaster = await findPostmaster(client);
      const sessions = await client.query<{ pid: number }>(
        "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
      const pids =
        which === "all"
          ? [postmaster, ...readChildren(postmaster)]
          : sessions.rows.map(({ pid }) => pid);
      if (which === "sessions") await client.end();
      for (const pid of pids) process.kill(pid, "SIGSTOP");
      frozen.push(...pids);
    },
    thaw() {
      for (const pid of frozen.splice(0).toReversed()) {
        try {
          process.kill(pid, "SIGCONT");
        } catch {
          // It was ended meanwhile.
        }
      }
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

async function openFor(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined); // this session ends with the server
  await client.connect();
  return client;
}

async function findPostmaster(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid",
  );
  const pid = rows[0]?.pid;
  if (pid === undefined) throw new Error("the server did not report its process id");
  return pid;
}

function readChildren(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").map(Number);
}

/** An API on a given database. It may connect by another URL than the set-up, such as a proxy's. */
export interface DedicatedApp {
  readonly api: RunningApi;
  readonly first: NewTenant;
  readonly logLines: readonly string[];
  close(): Promise<void>;
}

export async function startDedicatedApp(
  setUpUrl: string,
  apiUrl: string = setUpUrl,
): Promise<DedicatedApp> {
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

/** The URL with the port of a proxy. */
export function throughPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.toString();
}

/** A TCP proxy that can drop traffic without either end noticing. */
export interface TcpProxy {
  readonly port: number;
  /** From now on nothing passes in either direction, on old connections and on new ones. */
  freeze(): void;
  /** New connections work again; the old ones stay dead, as after a lost NAT entry. */
  heal(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    return socket;
  };
  const server = createServer((client) => {
    track(client);
    if (isFrozen) {
      client.pause();
      return;
    }
    const target = track(connect(targetPort, "127.0.0.1"));
    client.pipe(target);
    target.pipe(client);
    client.on("close", () => target.destroy());
    target.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.removeAllListeners("close");
        socket.removeAllListeners("end");
        socket.on("close", () => sockets.delete(socket));
        socket.pause();
      }
    },
    heal() {
      isFrozen = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
