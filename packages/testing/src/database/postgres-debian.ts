import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../processes/free-port.ts";

const execute = promisify(execFile);
const isRoot = process.getuid?.() === 0;

type Account = { readonly uid?: number; readonly gid?: number };

export type DebianPostgres = {
  /** The superuser's URL; loopback connections need no password. */
  readonly url: string;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
  /**
   * The database as SQL text, by the pg_dump of the same version. The same database gives the same
   * text. `options` are pg_dump's own, e.g. `--schema-only`.
   */
  pgDump(databaseUrl: string, options?: readonly string[]): Promise<string>;
};

/**
 * The programs of Debian's PostgreSQL, run as the user and in a directory that a server may use.
 */
export interface DebianPrograms {
  /** Temporary, and empty. */
  readonly directory: string;
  /** Servers refuse to run as root. */
  readonly account: Account;
  run(program: string, args: readonly string[]): Promise<void>;
  /**
   * Starts the server of a data directory, with further settings, and waits until it accepts
   * connections.
   */
  startServer(
    data: string,
    port: number,
    settings?: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** What the servers have logged. */
  logs(): Promise<string>;
}

/** Installs the package when it runs as root. */
export async function debianPrograms(major: 15): Promise<DebianPrograms> {
  const bin = `/usr/lib/postgresql/${major}/bin`;
  await ensureInstalled(major, bin);
  const account = isRoot ? await postgresAccount() : {};
  const directory = await mkdtemp(join(tmpdir(), `postgres-${major}-`));
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(directory, account.uid, account.gid);
  }
  const server = { ...account, cwd: directory, env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } };
  const run = async (program: string, args: readonly string[]): Promise<void> => {
    await execute(join(bin, program), [...args], server);
  };
  return {
    directory,
    account,
    run,
    async startServer(data, port, settings = {}) {
      const all = { ...usualSettings, port: String(port), ...settings };
      const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
      const log = join(directory, "log");
      const wait = ["-D", data, "-w", "-t", "60", "-l", log];
      await run("pg_ctl", [...wait, "-o", options.join(" "), "start"]);
    },
    async logs() {
      const log = join(directory, "log");
      return existsSync(log) ? await readFile(log, "utf8") : "";
    },
  };
}

const usualSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // The data is never read after a crash of the machine.
  fsync: "off",
  ssl: "off",
  max_connections: "200",
};

export const initDatabase = (data: string): readonly string[] => [
  "-D",
  data,
  "-U",
  "postgres",
  "-A",
  "trust",
  "-E",
  "UTF8",
  "--locale=C",
  "--no-sync",
];

/**
 * A temporary server from Debian's PostgreSQL package, on loopback: the oldest version that we
 * support, and one that includes pg_dump.
 */
export async function startDebianPostgres(major: 15): Promise<DebianPostgres> {
  const programs = await debianPrograms(major);
  const data = join(programs.directory, "data");
  try {
    await programs.run("initdb", initDatabase(data));
    const port = await freePort();
    await programs.startServer(data, port);
    const pgDump = `/usr/lib/postgresql/${major}/bin/pg_dump`;
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop: async () => {
        await programs.run("pg_ctl", ["-D", data, "-w", "-t", "60", "-m", "fast", "stop"]);
        await rm(programs.directory, { recursive: true, force: true });
      },
      pgDump: (databaseUrl, options = []) => dump(pgDump, databaseUrl, options),
    };
  } catch (cause) {
    const log = await programs.logs();
    await rm(programs.directory, { recursive: true, force: true });
    throw new Error(`PostgreSQL ${major} did not start:\n${log}`, { cause });
  }
}

async function dump(
  program: string,
  databaseUrl: string,
  options: readonly string[],
): Promise<string> {
  // pg_dump frames its output in \restrict with a random key unless it is given one.
  const { stdout } = await execute(
    program,
    ["--restrict-key=mooring", ...options, `--dbname=${databaseUrl}`],
    { maxBuffer: 256 * 1024 * 1024, env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } },
  );
  return stdout;
}

async function ensureInstalled(major: number, bin: string): Promise<void> {
  if (existsSync(join(bin, "initdb"))) return;
  const packageName = `postgresql-${major}`;
  if (!isRoot || !existsSync("/usr/bin/apt-get")) {
    throw new Error(
      `These tests need PostgreSQL ${major} in ${bin}. Install it: apt-get install -y --no-install-recommends ${packageName}`,
    );
  }
  await declineSystemCluster();
  const apt = (...args: readonly string[]) =>
    execute("/usr/bin/apt-get", ["-y", "-q", "-o", "DPkg::Lock::Timeout=120", ...args], {
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive" },
      maxBuffer: 16 * 1024 * 1024,
    });
  await apt("update");
  await apt("install", "--no-install-recommends", packageName);
}

/** Otherwise the package creates and starts a server on port 5432. */
async function declineSystemCluster(): Promise<void> {
  if (existsSync("/etc/postgresql-common/createcluster.conf")) return;
  const directory = "/etc/postgresql-common/createcluster.d";
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "no-main-cluster.conf"), "create_main_cluster = false\n");
}

async function postgresAccount(): Promise<Account> {
  const id = async (flag: string): Promise<number> =>
    Number((await execute("id", [flag, "postgres"])).stdout.trim());
  return { uid: await id("-u"), gid: await id("-g") };
}
