import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import { until } from "../processes/until.ts";
import { launch } from "./dns-servers.ts";

const run = promisify(execFile);
const recipe = path.resolve(import.meta.dirname, "../../../../deploy/powerdns");

export interface PowerdnsOptions {
  readonly databaseUrl: string;
  /** Of the database's owner. */
  readonly session: pg.Client;
  readonly zone: string;
  readonly nameServers: readonly string[];
  readonly address: string;
  readonly port: number;
}

export interface PowerdnsValidation {
  /** Of the login that it reads the database with. */
  readonly loginUrl: string;
  stop(): Promise<void>;
}

/**
 * pdns_server with the files of `deploy/powerdns`, of which only paths, names and the password
 * change.
 */
export async function startPowerdnsValidation(
  options: PowerdnsOptions,
): Promise<PowerdnsValidation> {
  const { session, zone, nameServers, address, port } = options;
  const folder = await mkdtemp(path.join(tmpdir(), "pdns-validation-"));
  // Roles belong to the whole server, which tests share.
  const login = `mooring_powerdns_login_${randomBytes(6).toString("hex")}`;
  const password = randomBytes(12).toString("hex");
  const sql = await readFile(path.join(recipe, "login.sql"), "utf8");
  const statements = sql
    .replaceAll("mooring_powerdns_login", login)
    .replace(":password", `'${password}'`);
  await session.query(statements);
  const url = new URL(options.databaseUrl);
  const zoneSettings = `-c mooring.validation_zone=${zone} -c mooring.validation_ns=${nameServers.join(",")}`;
  const settings = {
    "gpgsql-host": url.hostname,
    "gpgsql-port": url.port,
    "gpgsql-dbname": url.pathname.slice(1),
    "gpgsql-user": login,
    "gpgsql-password": password,
    "gpgsql-extra-connection-parameters": `options='${zoneSettings}'`,
    "local-address": address,
    "local-port": String(port),
  };
  const shipped = await readFile(path.join(recipe, "pdns.conf"), "utf8");
  const own = [
    `socket-dir=${folder}`,
    "daemon=no",
    "guardian=no",
    "write-pid=no",
    "disable-syslog=yes",
  ];
  await writeFile(
    path.join(folder, "pdns.conf"),
    `${withSettings(shipped, settings)}${own.join("\n")}\n`,
  );
  const server = launch(["pdns_server", `--config-dir=${folder}`], "powerdns", folder);
  const isReady = async (): Promise<boolean> => {
    const question = [
      `@${address}`,
      "-p",
      String(port),
      zone,
      "SOA",
      "+short",
      "+tries=1",
      "+time=1",
    ];
    const { stdout } = await run("dig", question).catch(() => ({ stdout: "" }));
    return stdout.startsWith(nameServers[0] ?? "");
  };
  const stop = async (): Promise<void> => {
    await server.stop();
    await session.query(`drop role ${login}`);
  };
  try {
    await server.during(until(isReady, "PowerDNS to answer"));
  } catch (error) {
    await stop();
    throw error;
  }
  url.username = login;
  url.password = password;
  return { loginUrl: url.href, stop };
}

/** Replaces settings that the file has; one that it does not have is a mistake in the test. */
function withSettings(file: string, settings: Readonly<Record<string, string>>): string {
  let text = file;
  for (const [key, value] of Object.entries(settings)) {
    const line = new RegExp(`^${key}=.*$`, "m");
    if (!line.test(text)) throw new Error(`pdns.conf has no ${key}`);
    text = text.replace(line, () => `${key}=${value}`);
  }
  return text;
}
