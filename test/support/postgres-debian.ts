import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";

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
 * A temporary server from Debian's PostgreSQL package, on loopback: the oldest version that we
 * support, and one that includes pg_dump. Installs the package when it runs as root.
 */
export async function startDebianPostgres(major: 15): Promise<DebianPostgres> {
  const bin = `/usr/lib/postgresql/${major}/bin`;
  await ensureInstalled(major, bin);
  const account = isRoot ? await postgresAccount() : {};
  const directory = await mkdtemp(join(tmpdir(), `postgres-${major}-`));
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(directory, account.uid, account.gid);
  }
  const data = join(directory, "data");
  const server = { ...account, cwd: directory, env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } };
  const pgCtl = (...args: readonly string[]) =>
    execute(join(bin, "pg_ctl"), ["-D", data, "-w", "-t", "60", ...args], server);
  try {
    await execute(
      join(bin, "initdb"),
      ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
      server,
    );
    const port = await freePort();
    // No fsync: the data is never read after a crash.
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c ssl=off -c max_connections=200`;
    await pgCtl("-l", join(directory, "log"), "-o", settings, "start");
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop: async () => {
        await pgCtl("-m", "fast", "stop");
        await rm(directory, { recursive: true, force: true });
      },
      pgDump: (databaseUrl, options = []) => dump(join(bin, "pg_dump"), databaseUrl, options),
    };
  } catch (cause) {
    const log = existsSync(join(directory, "log")) ? await readFile(join(directory, "log")) : "";
    await rm(directory, { recursive: true, force: true });
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
  const wanted = `postgresql-${major}`;
  if (!isRoot || !existsSync("/usr/bin/apt-get")) {
    throw new Error(
      `These tests need PostgreSQL ${major} in ${bin}. Install it: apt-get install -y --no-install-recommends ${wanted}`,
    );
  }
  await declineSystemCluster();
  const apt = (...args: readonly string[]) =>
    execute("/usr/bin/apt-get", ["-y", "-q", "-o", "DPkg::Lock::Timeout=120", ...args], {
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive" },
      maxBuffer: 16 * 1024 * 1024,
    });
  await apt("update");
  await apt("install", "--no-install-recommends", wanted);
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
