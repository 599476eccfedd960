import { type Config, ConfigError, readConfig } from "@mooring/control";
import type { Environment } from "../../../config.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** The variables that the other checks use when the environment as a whole is invalid. */
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
  "EDGE_TARGETS",
  "EDGE_IPV4",
  "EDGE_IPV6",
  "ACME_DIRECTORY_URL",
  "ACME_CA_FILE",
  "WEBHOOK_ALLOW_PRIVATE",
  "ORIGIN_ALLOW_PRIVATE",
];

/**
 * The configuration, and one finding for each invalid variable. Invalid ones are left out, so that
 * the other checks can still run.
 */
export function checkConfiguration(env: Environment): {
  readonly config: Config;
  readonly findings: readonly Finding[];
} {
  const whole = attempt(env);
  if (whole.config !== null) {
    return { config: whole.config, findings: [ok("configuration", "every variable is valid")] };
  }
  const rest = without(env, essential, whole.problems);
  const findings = whole.problems.map((problem) =>
    fail("configuration", problem, `correct ${parseVariable(problem)} in the environment`),
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

/**
 * The named variables without the invalid ones, and without those that then contradict each other.
 */
function without(
  env: Environment,
  names: readonly string[],
  problems: readonly string[],
): Environment {
  const bad = problems.map(parseVariable);
  const valid = names.filter((name) => !bad.includes(name));
  const rest = Object.fromEntries(valid.map((name) => [name, env[name]]));
  const again = attempt(rest);
  const isBetter = valid.length < names.length;
  return again.config === null && isBetter ? without(env, valid, again.problems) : rest;
}

/** Problems are written `VARIABLE: what is wrong`. */
function parseVariable(problem: string): string {
  return problem.slice(0, Math.max(problem.indexOf(":"), 0));
}

type GuardConfig = Pick<Config, "webhookAllowPrivate" | "originAllowPrivate">;

/** Whether tenants can make this installation connect to private addresses. */
export function checkPrivateTargets(config: GuardConfig, isProduction: boolean): Finding {
  const check = "private_targets";
  const open = [
    ...(config.webhookAllowPrivate ? ["WEBHOOK_ALLOW_PRIVATE"] : []),
    ...(config.originAllowPrivate ? ["ORIGIN_ALLOW_PRIVATE"] : []),
  ];
  if (open.length === 0) return ok(check, "webhooks and origins reach public addresses only");
  const names = open.join(" and ");
  if (!isProduction) return ok(check, `${names}, which is fine on a development machine`);
  return warn(
    check,
    `with ${names} tenants can reach what this network hides, cloud metadata included`,
    `take ${names} out of the environment unless every tenant is your own`,
  );
}
