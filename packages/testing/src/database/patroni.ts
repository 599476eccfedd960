import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import pg from "pg";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";
import type { FailingDatabase } from "./failover-load.ts";
import { type DebianPrograms, debianPrograms } from "./postgres-debian.ts";

/**
 * Two of Debian's servers under Patroni, with the settings of `docs/operations.md`, and an etcd; on
 * loopback.
 */
export interface PatroniCluster extends FailingDatabase {
  /** From each kill until Patroni had another take writes. */
  readonly promotedAfterMs: readonly number[];
  stop(): Promise<void>;
}

interface Member {
  readonly name: string;
  readonly data: string;
  readonly port: number;
  readonly restPort: number;
}

export async function startPatroni(): Promise<PatroniCluster> {
  const programs = await debianPrograms(15);
  const settings = await documentedSettings();
  const etcd = await startEtcd(programs);
  const members: Member[] = [];
  for (const name of ["one", "two"]) {
    const data = join(programs.directory, name);
    members.push({ name, data, port: await freePort(), restPort: await freePort() });
  }
  const running = new Map<Member, ChildProcess>();
  const toUrl = ({ port }: Member, database = "postgres"): string =>
    `postgres://postgres@127.0.0.1:${port}/${database}`;

  const start = async (member: Member): Promise<void> => {
    const file = join(programs.directory, `${member.name}.yaml`);
    await writeFile(file, settings + memberSettings(member, programs.directory, etcd.port));
    const log = join(programs.directory, `${member.name}.log`);
    running.set(member, startProgram(programs, "/usr/bin/patroni", [file], log));
  };
  const takesWrites = async (member: Member): Promise<boolean> => {
    const rows = await query(toUrl(member), "select pg_is_in_recovery() as value");
    return rows?.[0]?.["value"] === false;
  };
  /** As Patroni has it in etcd: only a standby that is there takes over. */
  const hasSynchronous = async (of: Member): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${of.restPort}/cluster`).catch(() => null);
    const body = answer === null ? "" : await answer.text();
    return /"role": "sync_standby", "state": "(running|streaming)"/.test(body);
  };
  const bothRun = (): Promise<void> => until(() => hasSynchronous(leader), "a synchronous standby");

  let [leader, standby] = members as [Member, Member];
  const promotedAfterMs: number[] = [];
  const stop = async (): Promise<void> => {
    for (const [member, patroni] of running) {
      await kill(patroni);
      await killServer(member);
    }
    await kill(etcd.process);
    await rm(programs.directory, { recursive: true, force: true });
  };

  try {
    await start(leader);
    await until(() => takesWrites(leader), "Patroni to start a primary");
    await start(standby);
    await bothRun();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    promotedAfterMs,
    url: (database) =>
      `postgres://postgres@${members.map(({ port }) => `127.0.0.1:${port}`).join(",")}/${database}`,
    primaryUrl: (database) => toUrl(leader, database),
    async failOver() {
      const killedAt = performance.now();
      // Patroni first: it would start its server again.
      await kill(running.get(leader));
      await killServer(leader);
      [leader, standby] = [standby, leader];
      await until(() => takesWrites(leader), "Patroni to promote the standby");
      promotedAfterMs.push(performance.now() - killedAt);
    },
    async rejoin() {
      await start(standby);
      await bothRun();
    },
    stop,
  };
}

const operations = resolve(import.meta.dirname, "../../../../docs/operations.md");

/** What the runbook says, word for word. */
async function documentedSettings(): Promise<string> {
  const found = /```yaml\n(bootstrap:\n.*?)```/s.exec(await readFile(operations, "utf8"));
  if (found?.[1] === undefined) throw new Error("the runbook has no settings of Patroni");
  return found[1];
}

/** What follows the documented `bootstrap`: how it is initialized, and where everything is. */
function memberSettings(
  { name, data, port, restPort }: Member,
  directory: string,
  etcd: number,
): string {
  return `  initdb: [{ encoding: UTF8 }, { locale: C }, { auth: trust }, no-sync]
scope: mooring
name: ${name}
restapi: { listen: "127.0.0.1:${restPort}", connect_address: "127.0.0.1:${restPort}" }
etcd3: { hosts: "127.0.0.1:${etcd}" }
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${data}
  bin_dir: /usr/lib/postgresql/15/bin
  pgpass: ${directory}/${name}.pgpass
  authentication: { superuser: { username: postgres }, replication: { username: postgres } }
  pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
  # The data is never read after a crash of the machine.
  parameters: { fsync: off, unix_socket_directories: "${directory}" }
`;
}

async function startEtcd(programs: DebianPrograms) {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const own = ["--data-dir", join(programs.directory, "etcd"), "--name", "one"];
  const clients = ["--listen-client-urls", client, "--advertise-client-urls", client];
  const peers = ["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer];
  const args = [...own, ...clients, ...peers, "--initial-cluster", `one=${peer}`];
  const started = startProgram(
    programs,
    "/usr/bin/etcd",
    args,
    join(programs.directory, "etcd.log"),
  );
  await until(async () => {
    const answer = await fetch(`${client}/health`).catch(() => null);
    return answer?.ok === true;
  }, "etcd to answer");
  return { port, process: started };
}

/** As the user of Debian's servers, with what it writes in a file beside their data. */
function startProgram(
  { directory, account }: DebianPrograms,
  program: string,
  args: readonly string[],
  log: string,
): ChildProcess {
  const env = {
    PATH: "/usr/bin:/bin",
    LC_ALL: "C",
    // This release of etcd starts on other processors only when they are named.
    ...(process.arch === "arm64" ? { ETCD_UNSUPPORTED_ARCH: "arm64" } : {}),
  };
  const child = spawn(program, args, { ...account, cwd: directory, env });
  const file = createWriteStream(log, { flags: "a" });
  child.stdout.pipe(file, { end: false });
  child.stderr.pipe(file, { end: false });
  child.once("exit", () => file.end());
  return child;
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** The server is not Patroni's child, and lives on without it. */
async function killServer({ data }: Member): Promise<void> {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number((await readFile(file, "utf8")).split("\n")[0]);
  const isRunning = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  if (!isRunning()) return;
  process.kill(pid, "SIGKILL");
  await until(() => !isRunning(), "the server to end");
}

/** Null while the server does not answer. */
async function query(url: string, statement: string): Promise<Record<string, unknown>[] | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined); // it has ended already
  }
}
