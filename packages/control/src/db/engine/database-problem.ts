import { sqlState } from "./transaction.ts";

export interface DatabaseProblem {
  readonly problem: string;
  readonly mend: string;
}

/** What a failed connection means to the person who set DATABASE_URL; null for any other error. */
export function databaseProblem(error: unknown, url: string): DatabaseProblem | null {
  const state = sqlState(error) ?? "";
  const message = error instanceof Error ? error.message : "";
  const found = problems.find(
    ({ states, words }) => states.includes(state) || (words?.test(message) ?? false),
  );
  if (!found) return null;
  const place = placeOf(url);
  return { problem: found.problem(place), mend: found.mend(place) };
}

interface Place {
  readonly server: string;
  readonly host: string;
  readonly database: string;
}

interface KnownProblem {
  /** SQLSTATE or the system's error code. */
  readonly states: readonly string[];
  readonly words?: RegExp;
  readonly problem: (place: Place) => string;
  readonly mend: (place: Place) => string;
}

const problems: readonly KnownProblem[] = [
  {
    states: ["ECONNREFUSED"],
    problem: ({ server }) => `nothing listens at ${server}`,
    mend: () => "start PostgreSQL there, or correct the host and port in DATABASE_URL",
  },
  {
    states: ["ENOTFOUND", "EAI_AGAIN"],
    problem: ({ host }) => `the name ${host} has no address`,
    mend: () => "correct the host in DATABASE_URL",
  },
  {
    states: ["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"],
    words: /timeout expired|timeout exceeded when trying to connect|Query read timeout/,
    problem: ({ server }) => `${server} does not answer`,
    mend: () => "check the host in DATABASE_URL, the network and the server's firewall",
  },
  {
    states: ["28P01", "28000"],
    problem: ({ server }) => `${server} refuses the user or password`,
    mend: () => "correct the user and password in DATABASE_URL, or pg_hba.conf on the server",
  },
  {
    states: ["3D000"],
    problem: ({ server, database }) => `${server} has no database called ${database}`,
    mend: ({ database }) => `create it (createdb ${database}), or correct DATABASE_URL`,
  },
  {
    states: ["57P03"],
    problem: ({ server }) => `${server} is starting or stopping`,
    mend: () => "try again in a moment",
  },
  {
    states: ["53300"],
    problem: ({ server }) => `${server} has no connection left`,
    mend: () => "raise max_connections on the server, or end sessions nobody needs",
  },
];

/** Host, port and database only: the rest of the URL is a secret. */
function placeOf(text: string): Place {
  const url = new URL(text);
  const host = url.hostname || "localhost";
  return {
    host,
    server: `${host}:${url.port || "5432"}`,
    database: decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username),
  };
}
