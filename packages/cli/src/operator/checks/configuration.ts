import { type Config, ConfigError, readConfig } from "@mooring/control";
import type { Environment } from "../../config.ts";
import { type Finding, fail, ok } from "./finding.ts";

/** Enough to look further when the rest of the environment cannot be read. */
const essential = [
  "DATABASE_URL",
  "DNS_RESOLVERS",
  "DATA_DIR",
  "HOST",
  "PORT",
  "BASE_URL",
  "SECRET_KEY",
];

/**
 * The configuration, and one finding per bad variable. Bad ones are then left out, so that the other
 * checks still have something to look at.
 */
export function checkConfiguration(env: Environment): {
  readonly config: Config;
  readonly findings: readonly Finding[];
} {
  try {
    return { config: readConfig(env), findings: [ok("configuration", "every variable is good")] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const bad = error.problems.map(variableOf);
    const findings = error.problems.map((problem) =>
      fail("configuration", problem, `correct ${variableOf(problem)} in the environment`),
    );
    const rest = essential.filter((name) => !bad.includes(name));
    const config = readConfig(Object.fromEntries(rest.map((name) => [name, env[name]])));
    return { config, findings };
  }
}

/** Problems are written `VARIABLE: what is wrong`. */
function variableOf(problem: string): string {
  return problem.slice(0, Math.max(problem.indexOf(":"), 0));
}
