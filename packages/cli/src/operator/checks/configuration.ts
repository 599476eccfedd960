import { type Config, ConfigError, readConfig } from "@mooring/control";
import type { Environment } from "../../config.ts";
import { type Finding, fail, ok } from "./finding.ts";

/** What the other checks look at, when the environment as a whole cannot be read. */
const essential = [
  "DATABASE_URL",
  "DNS_RESOLVERS",
  "DATA_DIR",
  "HOST",
  "PORT",
  "INTERNAL_PORT",
  "BASE_URL",
  "ASK_URL",
  "SECRET_KEY",
  "EDGE_HOST",
  "EDGE_HTTP_PORT",
  "EDGE_HTTPS_PORT",
  "EDGE_CNAME",
  "EDGE_IPV4",
  "EDGE_IPV6",
  "ACME_DIRECTORY_URL",
  "ACME_CA_FILE",
  "WEBHOOK_ALLOW_PRIVATE",
  "ORIGIN_ALLOW_PRIVATE",
];

/**
 * The configuration, and one finding per bad variable. Bad ones are then left out, so that the other
 * checks still have something to look at.
 */
export function checkConfiguration(env: Environment): {
  readonly config: Config;
  readonly findings: readonly Finding[];
} {
  const whole = attempt(env);
  if (whole.config !== null) {
    return { config: whole.config, findings: [ok("configuration", "every variable is good")] };
  }
  const rest = without(env, essential, whole.problems);
  const findings = whole.problems.map((problem) =>
    fail("configuration", problem, `correct ${variableOf(problem)} in the environment`),
  );
  return { config: readConfig(rest), findings };
}

type Attempt =
  | { readonly config: Config; readonly problems: readonly [] }
  | { readonly config: null; readonly problems: readonly string[] };

function attempt(env: Environment): Attempt {
  try {
    return { config: readConfig(env), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: null, problems: error.problems };
  }
}

/** These variables but the bad ones; what then contradicts each other is left out as well. */
function without(
  env: Environment,
  names: readonly string[],
  problems: readonly string[],
): Environment {
  const bad = problems.map(variableOf);
  const kept = names.filter((name) => !bad.includes(name));
  const rest = Object.fromEntries(kept.map((name) => [name, env[name]]));
  const again = attempt(rest);
  const isBetter = kept.length < names.length;
  return again.config === null && isBetter ? without(env, kept, again.problems) : rest;
}

/** Problems are written `VARIABLE: what is wrong`. */
function variableOf(problem: string): string {
  return problem.slice(0, Math.max(problem.indexOf(":"), 0));
}
