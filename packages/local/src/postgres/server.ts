import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readIfPresent } from "./absent.ts";
import { ensureCluster } from "./cluster.ts";
import { run } from "./command.ts";
import { replaceFile } from "./first-writer.ts";
import { isAlive, removeLeftovers } from "./leftovers.ts";
import { LocalPostgresError } from "./local-postgres-error.ts";
import { locateNative, type NativePackage } from "./locate.ts";
import { openPlace, type Place, urlFile } from "./place.ts";
import { freePort, isFree } from "./port.ts";
import { answers, disownPid, isRunning, readPostmaster } from "./postmaster.ts";
import { ensureRuntime, removeOtherRuntimes } from "./runtime.ts";
import { logFile, logSince, prepareLog } from "./server-log.ts";

/** What the launcher tells while it works; a pino logger fits. */
export type PostgresLog = {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
};

export type StartOptions = {
  /** DATA_DIR. Created when absent; the database belongs to it from then on. */
  readonly dataDir: string;
  /** Exactly this port, for a server that has to be started; otherwise the last one, else a free one. */
  readonly port?: number;
  readonly log: PostgresLog;
  /** The programs to run; those of this machine's package unless a test says otherwise. */
  readonly native?: NativePackage;
};

export type RunningPostgres = {
  /** The superuser's URL, with the password; also in `DATA_DIR/database-url`, mode 600. */
  readonly url: string;
  readonly port: number;
  /**
   * Where the database is kept: inside DATA_DIR, or under /var/lib/mooring when its user cannot
   * enter DATA_DIR. Whoever throws a DATA_DIR away removes this as well.
   */
  readonly directory: string;
  /** The server was running already, started by another process or one that was killed. */
  readonly adopted: boolean;
  /** Ends sessions and stops the server, also an adopted one; does nothing when it is down. */
  stop(): Promise<void>;
};

type Site = { readonly place: Place; readonly runtime: string; readonly data: string };

/** A killed postmaster's last backends need a moment to notice; two starters settle in one round. */
const START_ATTEMPTS = 10;
const RETRY_MS = 500;
const POLL_MS = 50;
const WAIT_SECONDS = 60;

/**
 * For a small machine. Loopback TCP only, and no TLS: the bundled library is too old to face a
 * network. fsync stays on, which is what makes a committed row survive a power cut.
 */
const SETTINGS = [
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
 * Brings up the data directory's PostgreSQL, creating it the first time and adopting one that is
 * already running. Safe to call from several processes at once: they end up with one server.
 * The server outlives a killed caller; only `stop` ends it.
 */
export async function startPostgres(options: StartOptions): Promise<RunningPostgres> {
  const startedAt = performance.now();
  const dataDir = resolve(options.dataDir);
  const native = options.native ?? locateNative();
  const place = await openPlace(dataDir);
  await removeLeftovers(place.directory);
  const runtime = await ensureRuntime(place.directory, native);
  const { data, password } = await ensureCluster(place, runtime, native);
  const site: Site = { place, runtime, data };
  const { port, adopted } = await bringUp(site, options.port);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await replaceFile(urlFile(dataDir), `${url}\n`);
  await replaceFile(portFile(place), `${port}\n`);
  if (!adopted) await removeOtherRuntimes(place.directory, runtime);
  const elapsedMs = Math.round(performance.now() - startedAt);
  options.log.info({ port, adopted, directory: place.directory, elapsedMs }, "postgres is ready");
  return { url, port, directory: place.directory, adopted, stop: () => stopServer(site) };
}

async function bringUp(
  site: Site,
  wanted: number | undefined,
): Promise<{ readonly port: number; readonly adopted: boolean }> {
  let failure = "";
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
    const live = await findLive(site);
    if (live !== null) return { port: live, adopted: true };
    const port = wanted ?? (await choosePort(site.place));
    const logStart = await prepareLog(site.place);
    const { code, output } = await pgCtl(site, [
      ...["-l", logFile(site.place.directory)],
      ...["-o", ["-p", String(port), ...SETTINGS.flatMap((s) => ["-c", s])].join(" ")],
      "start",
    ]);
    if (code === 0) return { port, adopted: false };
    failure = `${output}\n${await logSince(site.place, logStart)}`;
    const mayPass = isContested(failure) || (wanted === undefined && isPortTaken(failure));
    if (!mayPass) break;
    await delay(RETRY_MS);
  }
  throw new LocalPostgresError(
    `PostgreSQL did not start. The end of ${logFile(site.place.directory)}:\n${failure.trim()}`,
  );
}

/** The port of the data directory's living server, waiting for one that is still coming or going. */
async function findLive({ data }: Site): Promise<number | null> {
  const deadline = performance.now() + WAIT_SECONDS * 1000;
  for (;;) {
    const postmaster = await readPostmaster(data);
    if (postmaster === null) return null;
    if (!(await isRunning(postmaster.pid, data))) {
      if (isAlive(postmaster.pid)) await disownPid(data, postmaster.pid);
      return null;
    }
    if (postmaster.status === "ready" && (await answers(postmaster.port, 2000))) {
      return postmaster.port;
    }
    if (performance.now() > deadline) {
      throw new LocalPostgresError(
        `A PostgreSQL server (process ${postmaster.pid}) holds ${data} but has not become ready in ${WAIT_SECONDS} s. Stop that process and start again.`,
      );
    }
    await delay(POLL_MS);
  }
}

/** The port of the last run keeps URLs valid across restarts; any other is as good. */
async function choosePort(place: Place): Promise<number> {
  const last = Number.parseInt((await readIfPresent(portFile(place))) ?? "", 10);
  return Number.isInteger(last) && (await isFree(last)) ? last : freePort();
}

function portFile(place: Place): string {
  return join(place.directory, "port");
}

/** Another server holds the directory, or one is not quite gone, or ours is still recovering. */
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
  // Never signal a pid that is not provably this server's.
  if (postmaster === null || !(await isRunning(postmaster.pid, site.data))) return;
  const { code, output } = await pgCtl(site, ["-m", "fast", "stop"]);
  const deadline = performance.now() + (code === 0 ? 5000 : 0);
  // pg_ctl returns when the pid file is gone, a moment before the process is.
  while (await isRunning(postmaster.pid, site.data)) {
    if (performance.now() > deadline) {
      throw new LocalPostgresError(`PostgreSQL did not stop: ${output}`);
    }
    await delay(POLL_MS);
  }
}

function pgCtl({ place, runtime, data }: Site, args: readonly string[]): ReturnType<typeof run> {
  return run(
    join(runtime, "bin", "pg_ctl"),
    ["-D", data, "-w", "-t", String(WAIT_SECONDS), ...args],
    { cwd: place.directory, user: place.user },
  );
}
