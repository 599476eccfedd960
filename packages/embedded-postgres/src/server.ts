import { once } from "node:events";
import { open, rename, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ensureCluster, giveTo } from "./cluster.ts";
import { hasCode, isAlive, readIfPresent, removeLeftovers, replaceFile } from "./files.ts";
import { explainUnwritable, openLocation, type ServerLocation, urlFile } from "./location.ts";
import { answers, isRunning, readPostmaster, replacePid } from "./postmaster.ts";
import {
  ensureRuntime,
  LocalPostgresError,
  locateNative,
  type NativePackage,
  removeOtherRuntimes,
  run,
} from "./programs.ts";

/** The launcher's log; a pino logger fits. */
export type PostgresLog = {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
};

export type StartOptions = {
  /** DATA_DIR; created when absent. */
  readonly dataDir: string;
  /** The port of a server that has to be started; by default the last one, else a free one. */
  readonly port?: number;
  readonly log: PostgresLog;
  /** The programs to run; by default those of this machine's package. */
  readonly native?: NativePackage;
  /**
   * Settings of a server that has to be started, as `name=value`, beside and instead of those for a
   * small machine.
   */
  readonly settings?: readonly string[];
};

export type RunningPostgres = {
  /** The superuser's URL, with the password; also in `DATA_DIR/database-url`, mode 600. */
  readonly url: string;
  readonly port: number;
  /**
   * Where the database is stored: inside DATA_DIR, or under /var/lib/mooring when its user cannot
   * enter DATA_DIR. When a DATA_DIR is deleted, this directory must be deleted as well.
   */
  readonly directory: string;
  /** The server was running already, started by another process or by one that was killed. */
  readonly adopted: boolean;
  /** Ends sessions and stops the server, also an adopted one; does nothing when it is down. */
  stop(): Promise<void>;
};

type Site = { readonly location: ServerLocation; readonly runtime: string; readonly data: string };

/** The backends of a killed postmaster take a while to exit; two starters need one round. */
const maxAttempts = 10;
const retryMs = 500;
const pollMs = 50;
const waitSeconds = 60;

/**
 * For a small machine. Loopback TCP only and no TLS: the bundled library is too old for a network.
 * fsync stays on, so that a committed row survives a power cut.
 */
const serverSettings = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "ssl=off",
  "max_connections=200",
  "shared_buffers=128MB",
  "fsync=on",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_checkpoints=off",
];

/**
 * Starts the PostgreSQL server of the data directory, creating its database the first time, or
 * adopts the running one. Several processes may call it at once: they get one server. The server
 * outlives a killed caller; only `stop` ends it.
 */
export function startPostgres(options: StartOptions): Promise<RunningPostgres> {
  const dataDir = resolve(options.dataDir);
  return explainUnwritable(dataDir, () => startIn(dataDir, options));
}

async function startIn(dataDir: string, options: StartOptions): Promise<RunningPostgres> {
  const startedAt = performance.now();
  const native = options.native ?? locateNative();
  const location = await openLocation(dataDir);
  await removeLeftovers(location.directory);
  const runtime = await ensureRuntime(location.directory, native);
  const { data, password } = await ensureCluster(location, runtime, native);
  const site: Site = { location, runtime, data };
  const { port, adopted } = await startOrAdopt(site, options);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await replaceFile(urlFile(dataDir), `${url}\n`);
  await replaceFile(portFile(location), `${port}\n`);
  if (!adopted) await removeOtherRuntimes(location.directory, runtime);
  const elapsedMs = Math.round(performance.now() - startedAt);
  options.log.info(
    { port, adopted, directory: location.directory, elapsedMs },
    "postgres is ready",
  );
  return { url, port, directory: location.directory, adopted, stop: () => stopServer(site) };
}

async function startOrAdopt(
  site: Site,
  { port: requested, settings = [] }: StartOptions,
): Promise<{ readonly port: number; readonly adopted: boolean }> {
  const serverOptions = [...serverSettings, ...settings].flatMap((setting) => ["-c", setting]);
  let failure = "";
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const running = await findRunning(site);
    if (running !== null) return { port: running, adopted: true };
    const port = requested ?? (await choosePort(site.location));
    const logStart = await prepareLog(site.location);
    const { code, output } = await pgCtl(site, [
      "-l",
      logFile(site.location.directory),
      "-o",
      ["-p", String(port), ...serverOptions].join(" "),
      "start",
    ]);
    if (code === 0) return { port, adopted: false };
    failure = `${output}\n${await logSince(site.location, logStart)}`;
    const canRetry = isContested(failure) || (requested === undefined && isPortTaken(failure));
    if (!canRetry) break;
    await delay(retryMs);
  }
  throw new LocalPostgresError(
    `PostgreSQL did not start. The end of ${logFile(site.location.directory)}:\n${failure.trim()}`,
  );
}

/** The port of the running server; waits for one that is still starting or stopping. */
async function findRunning({ data }: Site): Promise<number | null> {
  const deadline = performance.now() + waitSeconds * 1000;
  for (;;) {
    const postmaster = await readPostmaster(data);
    if (postmaster === null) return null;
    if (!(await isRunning(postmaster.pid, data))) {
      if (isAlive(postmaster.pid)) await replacePid(data, postmaster.pid);
      return null;
    }
    if (postmaster.status === "ready" && (await answers(postmaster.port, 2000))) {
      return postmaster.port;
    }
    if (performance.now() > deadline) {
      throw new LocalPostgresError(
        `A PostgreSQL server (process ${postmaster.pid}) has ${data} open but has not become ready in ${waitSeconds} s. Stop that process and start again.`,
      );
    }
    await delay(pollMs);
  }
}

/** The port of the last run if it is free, so that URLs stay valid across restarts. */
async function choosePort(location: ServerLocation): Promise<number> {
  const last = Number.parseInt((await readIfPresent(portFile(location))) ?? "", 10);
  return Number.isInteger(last) && (await isFree(last)) ? last : freePort();
}

function portFile(location: ServerLocation): string {
  return join(location.directory, "port");
}

/** Another server has the directory, or one has not ended yet, or ours is still recovering. */
function isContested(failure: string): boolean {
  return [
    /another server might be running/,
    /lock file ".*" already exists/,
    /pre-existing shared memory block/,
    /server did not start in time/,
  ].some((pattern) => pattern.test(failure));
}

function isPortTaken(failure: string): boolean {
  return /could not create any TCP\/IP sockets|Address already in use/.test(failure);
}

async function stopServer(site: Site): Promise<void> {
  const postmaster = await readPostmaster(site.data);
  // Signals only a process that is known to be this server.
  if (postmaster === null || !(await isRunning(postmaster.pid, site.data))) return;
  const { code, output } = await pgCtl(site, ["-m", "fast", "stop"]);
  const deadline = performance.now() + (code === 0 ? 5000 : 0);
  // pg_ctl returns when the pid file is removed, shortly before the process ends.
  while (await isRunning(postmaster.pid, site.data)) {
    if (performance.now() > deadline) {
      throw new LocalPostgresError(`PostgreSQL did not stop: ${output}`);
    }
    await delay(pollMs);
  }
}

function pgCtl({ location, runtime, data }: Site, args: readonly string[]): ReturnType<typeof run> {
  return run(
    join(runtime, "bin", "pg_ctl"),
    ["-D", data, "-w", "-t", String(waitSeconds), ...args],
    { cwd: location.directory, user: location.user },
  );
}

/** A loopback port that nothing listens on. */
export async function freePort(): Promise<number> {
  const port = await tryListen(0);
  if (port === null) throw new Error("the system has no free loopback port");
  return port;
}

async function isFree(port: number): Promise<boolean> {
  return (await tryListen(port)) !== null;
}

async function tryListen(port: number): Promise<number | null> {
  const server = createServer();
  try {
    server.listen({ host: "127.0.0.1", port, exclusive: true });
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : null;
  } catch (error) {
    if (hasCode(error, "EADDRINUSE", "EACCES")) return null;
    throw error;
  } finally {
    if (server.listening) {
      server.close();
      await once(server, "close");
    }
  }
}

const rotateAtBytes = 5_000_000;
const maxShownLines = 15;

/** Creates the server's log for its user before a start; returns its length. */
async function prepareLog(location: ServerLocation): Promise<number> {
  const path = logFile(location.directory);
  const length = await ensureFile(path, location);
  if (length < rotateAtBytes) return length;
  await rename(path, `${path}.1`);
  return ensureFile(path, location);
}

async function ensureFile(path: string, location: ServerLocation): Promise<number> {
  const file = await open(path, "a", 0o600);
  await file.close();
  await giveTo(location.user, path);
  return (await stat(path)).size;
}

/** The last lines written since `from`, for an error message. */
async function logSince(location: ServerLocation, from: number): Promise<string> {
  const text = (await readIfPresent(logFile(location.directory))) ?? "";
  const added = Buffer.from(text, "utf8").subarray(from).toString("utf8");
  return added.trimEnd().split("\n").slice(-maxShownLines).join("\n");
}

function logFile(directory: string): string {
  return join(directory, "postgres.log");
}
