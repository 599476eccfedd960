import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import path from "node:path";
import { z } from "zod";
import {
  cidrList,
  count,
  duration,
  flag,
  hostname,
  limitTable,
  list,
  optional,
  port,
  providerSlug,
  url,
} from "./values.ts";

/**
 * The environment, read once into a frozen value. This file is the only reader of `process.env` in
 * the control plane; a bad value stops the start with one line per problem.
 */
const schema = z.object({
  NODE_ENV: z.string().default("development"),
  DATABASE_URL: optional(url(["postgres:", "postgresql:"])),
  DATA_DIR: z.string().min(1).default("./.data"),
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: port().default(8080),
  BASE_URL: optional(url(["http:", "https:"])),
  INTERNAL_PORT: optional(port()),
  WORKER_INTERNAL_PORT: optional(port()),
  ASK_URL: optional(url(["http:", "https:"])),
  EDGE_HTTP_PORT: port().default(8081),
  EDGE_HTTPS_PORT: port().default(8443),
  EDGE_HOST: z.string().min(1).default("127.0.0.1"),
  EDGE_INTERNAL_PORT: optional(port()),
  EDGE_ACCESS_LOG: z.enum(["off", "debug", "info"]).default("off"),
  EDGE_WORKERS: optional(count(1, 256)),
  /** Which of its processes this one is: set by an edge for those that it starts. */
  EDGE_WORKER: optional(count(0, 255)),
  /** `external` when something else than `serve edge` ends TLS for customers, such as Caddy. */
  EDGE_KIND: z.enum(["own", "external"]).default("own"),
  EDGE_PROBE_PORT: port().default(443),
  EDGE_CNAME: hostname().default("edge.localhost"),
  EDGE_IPV4: list(z.ipv4()).default(["127.0.0.1"]),
  EDGE_IPV6: list(z.ipv6()).default([]),
  DEMO_PORT: port().default(8082),
  /** Where `/demo` leads; set by whoever runs the demo site beside the API. */
  DEMO_URL: optional(url(["http:", "https:"])),
  DNS_RESOLVERS: list(
    z
      .string()
      .regex(/^(\[[0-9a-fA-F:]+\]|[0-9.]+|[0-9a-fA-F:]+)(:\d+)?$/, "expected ip or ip:port"),
  ).default([]),
  DNS_AUTHORITATIVE_PORT: port().default(53),
  ACME_DIRECTORY_URL: list(url(["https:", "http:"])).default([]),
  ACME_CA_FILE: optional(z.string()),
  ACME_EMAIL: optional(z.email()),
  ACME_EAB_KID: optional(z.string()),
  ACME_EAB_KEY: optional(z.string()),
  SECRET_KEY: optional(z.string()),
  BOOTSTRAP_TEST_KEY: optional(z.string()),
  BOOTSTRAP_LIVE_KEY: optional(z.string()),
  RECHECK_INTERVAL: duration().default(3_600_000),
  STALL_AFTER: duration().default(1_800_000),
  GIVE_UP_AFTER: duration().default(259_200_000),
  WEBHOOK_ALLOW_PRIVATE: flag().default(false),
  ORIGIN_ALLOW_PRIVATE: flag().default(false),
  EGRESS_ALLOW: cidrList().default([]),
  /** Slugs of DNS providers at which nothing is written; customers get the records by hand. */
  PROVIDERS_OFF: list(providerSlug()).default([]),
  TRUSTED_PROXIES: cidrList().default([]),
  PLANS_FILE: optional(z.string()),
  /** The domain that Domain Connect templates and keys are published under; else that of BASE_URL. */
  DOMAIN_CONNECT_DOMAIN: optional(hostname()),
  DOMAIN_CONNECT_NAME: optional(z.string().min(1).max(255)),
  DOMAIN_CONNECT_LOGO_URL: optional(url(["https:"])),
  DOMAIN_CONNECT_CLIENTS_FILE: optional(z.string()),
  DEFAULT_PLAN: z.string().min(1).default("self_hosted"),
  UPGRADE_URL: optional(url(["http:", "https:"])),
  STRIPE_SECRET_KEY: optional(z.string()),
  STRIPE_WEBHOOK_SECRET: optional(z.string()),
  STRIPE_API_BASE: url(["http:", "https:"]).default("https://api.stripe.com"),
  RATE_LIMITS: limitTable(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

export interface Config extends Readonly<z.infer<typeof schema>> {
  readonly isProduction: boolean;
  readonly DATA_DIR: string;
  readonly BASE_URL: string;
  readonly ASK_URL: string;
  readonly UPGRADE_URL: string;
}

/** Every problem of the environment at once, in words meant for the person who set it. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`configuration:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

export function readConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  // An empty variable means "not set": compose files and shells cannot unset one.
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((key) => (env[key] ? [[key, env[key]]] : [])),
  );
  const parsed = schema.safeParse(given);
  const problems = parsed.success
    ? crossChecks(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path[0]?.toString() ?? ""}: ${issue.message}`);
  if (problems.length > 0 || !parsed.success) throw new ConfigError(problems);
  const values = parsed.data;
  const baseUrl = (values.BASE_URL ?? `http://localhost:${values.PORT}`).replace(/\/$/, "");
  return Object.freeze({
    ...values,
    isProduction: values.NODE_ENV === "production",
    DATA_DIR: path.resolve(values.DATA_DIR),
    BASE_URL: baseUrl,
    ASK_URL:
      values.ASK_URL ?? `http://127.0.0.1:${values.INTERNAL_PORT ?? values.PORT}/internal/ask`,
    UPGRADE_URL: values.UPGRADE_URL ?? `${baseUrl}/billing`,
  });
}

function crossChecks(values: z.infer<typeof schema>): string[] {
  const problems: string[] = [];
  if (values.NODE_ENV === "production" && !values.SECRET_KEY) {
    problems.push(
      "SECRET_KEY: required when NODE_ENV=production (make one with `mooring secrets generate`)",
    );
  }
  if (values.INTERNAL_PORT !== null && values.INTERNAL_PORT === values.PORT) {
    problems.push("INTERNAL_PORT: must differ from PORT");
  }
  if (values.STRIPE_SECRET_KEY && !values.STRIPE_WEBHOOK_SECRET) {
    problems.push("STRIPE_WEBHOOK_SECRET: required when STRIPE_SECRET_KEY is set");
  }
  return problems;
}

/** `DATABASE_URL`, else the file the local supervisor writes; otherwise one line on what to do. */
export function databaseUrl(config: Config): string {
  if (config.DATABASE_URL) return config.DATABASE_URL;
  const file = path.join(config.DATA_DIR, "database-url");
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    throw new ConfigError([
      `DATABASE_URL: not set, and no local database has written ${file} (run \`npm start\`, or set it)`,
    ]);
  }
}

const publicResolvers = ["1.1.1.1", "8.8.8.8", "9.9.9.9"];

/** Those configured, else the system's, else well-known public ones. */
export function recursiveResolvers(
  configured: readonly string[],
  system: readonly string[],
): readonly string[] {
  // A link-local address with a zone index names no server that a socket here could be given.
  const usable = system.filter((address) => !address.includes("%"));
  const chosen = [configured, usable].find((list) => list.length > 0) ?? publicResolvers;
  return chosen.map((address) => (isIPv6(address) ? `[${address}]` : address));
}
