import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";
import type { FailingDatabase } from "./failover-load.ts";
import { debianPrograms, initDatabase } from "./postgres-debian.ts";

/** A primary and its synchronous standby: two of Debian's servers, on loopback. */
export interface PostgresPair extends FailingDatabase {
  /** A database on the present standby alone. */
  standbyUrl(database: string): string;
  stop(): Promise<void>;
}

interface Member {
  readonly data: string;
  readonly port: number;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const programs = await debianPrograms(15);
  const at = async (name: string): Promise<Member> => ({
    data: join(programs.directory, name),
    port: await freePort(),
  });
  const members = [await at("one"), await at("two")] as const;
  let [primary, standby]: readonly [Member, Member] = members;
  const toUrl = (member: Member, database = "postgres"): string =>
    `postgres://postgres@127.0.0.1:${member.port}/${database}`;

  /** Without a standby it must not wait for one: what a cluster manager sets, too. */
  const setSynchronous = async (member: Member, names: "" | "*"): Promise<void> => {
    await query(toUrl(member), `alter system set synchronous_standby_names = '${names}'`);
    await query(toUrl(member), "select pg_reload_conf()");
  };
  const follow = async (): Promise<void> => {
    await rm(standby.data, { recursive: true, force: true });
    const source = ["-d", toUrl(primary), "-D", standby.data];
    await programs.run("pg_basebackup", [
      ...source,
      "-R",
      "-X",
      "stream",
      "-c",
      "fast",
      "--no-sync",
    ]);
    await programs.startServer(standby.data, standby.port);
    await setSynchronous(primary, "*");
    await until(async () => {
      const rows = await query(toUrl(primary), "select sync_state from pg_stat_replication");
      return rows.some((row) => row["sync_state"] === "sync");
    }, "a synchronous standby");
  };

  await programs.run("initdb", initDatabase(primary.data));
  await programs.startServer(primary.data, primary.port);
  await follow();
  return {
    url: (database) =>
      `postgres://postgres@${members.map(({ port }) => `127.0.0.1:${port}`).join(",")}/${database}`,
    primaryUrl: (database) => toUrl(primary, database),
    standbyUrl: (database) => toUrl(standby, database),
    async failOver() {
      process.kill(await readPid(primary), "SIGKILL");
      [primary, standby] = [standby, primary];
      await programs.run("pg_ctl", ["-D", primary.data, "-w", "-t", "60", "promote"]);
      await setSynchronous(primary, "");
    },
    rejoin: follow,
    async stop() {
      for (const member of members) {
        await programs
          .run("pg_ctl", ["-D", member.data, "-w", "-t", "60", "-m", "immediate", "stop"])
          .catch(() => undefined); // it has ended already
      }
      await rm(programs.directory, { recursive: true, force: true });
    },
  };
}

async function readPid({ data }: Member): Promise<number> {
  const [first] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n");
  return Number(first);
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
