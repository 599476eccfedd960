import { parseServers } from "@mooring/postgres";
import { sqlState } from "./sql-state.ts";

export interface DatabaseProblem {
  readonly problem: string;
  readonly fix: string;
}

/** What a failed connection means to the person who set DATABASE_URL; null for any other error. */
export function databaseProblem(error: unknown, url: string): DatabaseProblem | null {
  const state = sqlState(error) ?? "";
  const message = error instanceof Error ? error.message : "";
  const found = problems.find(
    ({ states, messages }) => states.includes(state) || (messages?.test(message) ?? false),
  );
  if (!found) return null;
  const address = parseDatabaseUrl(url);
  return { problem: found.problem(address), fix: found.fix(address) };
}

export interface DatabaseAddress {
  readonly server: string;
  readonly host: string;
  readonly database: string;
  readonly user: string;
}

interface KnownProblem {
  /** SQLSTATE or the system's error code. */
  readonly states: readonly string[];
  readonly messages?: RegExp;
  readonly problem: (address: DatabaseAddress) => string;
  readonly fix: (address: DatabaseAddress) => string;
}

const problems: readonly KnownProblem[] = [
  {
    states: ["ECONNREFUSED"],
    problem: ({ server }) => `nothing listens at ${server}`,
    fix: () => "start PostgreSQL there, or correct the host and port in DATABASE_URL",
  },
  {
    states: ["ENOTFOUND", "EAI_AGAIN"],
    problem: ({ host }) => `the name ${host} has no address`,
    fix: () => "correct the host in DATABASE_URL",
  },
  {
    states: ["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
    messages:
      /timeout expired|timeout exceeded when trying to connect|connection timeout|Query read timeout/,
    problem: ({ server }) => `${server} does not answer`,
    fix: () => "check the host in DATABASE_URL, the network and the server's firewall",
  },
  {
    states: ["28P01", "28000"],
    problem: ({ server }) => `${server} refuses the user or password`,
    fix: () => "correct the user and password in DATABASE_URL, or pg_hba.conf on the server",
  },
  {
    states: ["3D000"],
    problem: ({ server, database }) => `${server} has no database called ${database}`,
    fix: ({ database }) => `create it (createdb ${database}), or correct DATABASE_URL`,
  },
  {
    states: [],
    messages: /is a standby, and no primary was found/,
    problem: ({ server }) => `no server takes writes at ${server}`,
    fix: () => "promote a standby, or add the primary to DATABASE_URL",
  },
  {
    states: ["57P03"],
    problem: ({ server }) => `${server} is starting or stopping`,
    fix: () => "try again in a few seconds",
  },
  {
    states: ["53300"],
    problem: ({ server }) => `${server} has no connection left`,
    fix: () => "raise max_connections on the server, or end sessions that are not needed",
  },
];

/** Host, port, database and user only: the rest of the URL is a secret. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const urls = parseServers(text).map((server) => new URL(server));
  const hosts = urls.map(({ hostname }) => hostname || "localhost");
  const servers = urls.map(({ port }, index) => `${hosts[index]}:${port || "5432"}`);
  const [{ pathname, username } = { pathname: "", username: "" }] = urls;
  return {
    host: hosts.join(" or "),
    server: servers.join(" or "),
    database: decodeURIComponent(pathname.slice(1)) || decodeURIComponent(username),
    user: decodeURIComponent(username),
  };
}
