import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";

/** Debian's PgBouncer in transaction mode in front of a test server. */
export interface PgBouncer {
  /** As `DATABASE_POOLER` names it. */
  readonly address: string;
  /** How many clients it has now, and how many sessions of the server it uses for them. */
  counts(): Promise<{ readonly clients: number; readonly servers: number }>;
  close(): Promise<void>;
}

/** Prepared statements are not passed on by this version, which shows any code that uses them. */
export async function startPgBouncer(serverUrl: string, sessions: number): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const directory = await mkdtemp(path.join(tmpdir(), "pgbouncer-"));
  // As root it changes to another user, who reads its files.
  await chmod(directory, 0o755);
  const port = await freePort();
  const user = decodeURIComponent(username);
  await writeFile(path.join(directory, "users"), `"${user}" "${decodeURIComponent(password)}"\n`);
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${serverPort}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "pool_mode = transaction",
    `default_pool_size = ${sessions}`,
    "max_client_conn = 500",
    "auth_type = scram-sha-256",
    `auth_file = ${path.join(directory, "users")}`,
    `admin_users = ${user}`,
    ...(process.getuid?.() === 0 ? ["user = postgres"] : []),
  ];
  const file = path.join(directory, "pgbouncer.ini");
  await writeFile(file, `${lines.join("\n")}\n`);
  const child = spawn("/usr/sbin/pgbouncer", [file], { stdio: "ignore" });
  const adminUrl = `postgres://${username}:${password}@127.0.0.1:${port}/pgbouncer`;
  await until(() => answers(child, adminUrl), "PgBouncer answers");
  return {
    address: `127.0.0.1:${port}`,
    async counts() {
      const [clients, servers] = await Promise.all([
        runCommand(adminUrl, "show clients"),
        runCommand(adminUrl, "show servers"),
      ]);
      const isOurs = ({ database }: pg.QueryResultRow): boolean => database !== "pgbouncer";
      return { clients: clients.filter(isOurs).length, servers: servers.filter(isOurs).length };
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function answers(child: ChildProcess, adminUrl: string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
  return runCommand(adminUrl, "show version").then(
    () => true,
    () => false,
  );
}

/** A command of its console, which speaks the simple protocol only. */
async function runCommand(
  adminUrl: string,
  command: string,
): Promise<readonly pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return (await client.query(command)).rows;
  } finally {
    await client.end();
  }
}
