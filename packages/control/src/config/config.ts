import { readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import path from "node:path";
import { z } from "zod";
import { externalAccountTable, issuanceLimits, profileTable } from "./acme-values.ts";
import { cdnRanges } from "./cdn-ranges.ts";
import { ctLogs } from "./ct-logs.ts";
import { edgeAddressProblems, edgeIpv4, ipv4List, ipv6List, localEdge } from "./edge-addresses.ts";
import { edgeLimitVariables } from "./edge-limits.ts";
import { feedProblems, feedVariables } from "./feed.ts";
import { validationProblems, validationVariables } from "./validation.ts";
import {
  cidrList,
  count,
  databaseUrls,
  duration,
  flag,
  flagOrCount,
  hostAndPort,
  hostname,
  limitTable,
  list,
  optional,
  port,
  privateTargets,
  providerSlug,
  serverAddress,
  url,
} from "./values.ts";

const day = 86_400_000;

/**
 * The environment, read once into a frozen value. This file is the only reader of `process.env` in
 * the control plane. A bad value stops the start with one line per problem.
 *
 * The table maps each variable to its field: the environment says `RECHECK_INTERVAL=1h`, code reads
 * `config.recheckIntervalMs`.
 */
const variables = {
  NODE_ENV: variable("nodeEnv", z.string().default("development")),
  DATABASE_URL: variable("databaseUrl", optional(databaseUrls())),
  /**
   * Of one process each, with a login of its own; `mooring migrate` makes the logins it is given.
   */
  DATABASE_URL_API: variable("databaseUrlApi", optional(databaseUrls())),
  DATABASE_URL_WORKER: variable("databaseUrlWorker", optional(databaseUrls())),
  DATABASE_URL_EDGE: variable("databaseUrlEdge", optional(databaseUrls())),
  DATABASE_URL_DNS: variable("databaseUrlDns", optional(databaseUrls())),
  /** A pooler in transaction mode in front of the server that `DATABASE_URL` names. */
  DATABASE_POOLER: variable("databasePooler", optional(hostAndPort())),
  DATA_DIR: variable("dataDir", z.string().min(1).default("./.data")),
  HOST: variable("host", z.string().min(1).default("127.0.0.1")),
  PORT: variable("port", port().default(8080)),
  BASE_URL: variable("baseUrl", optional(url(["http:", "https:"]))),
  INTERNAL_PORT: variable("internalPort", optional(port())),
  WORKER_INTERNAL_PORT: variable("workerInternalPort", optional(port())),
  ASK_URL: variable("askUrl", optional(url(["http:", "https:"]))),
  EDGE_HTTP_PORT: variable("edgeHttpPort", port().default(8081)),
  EDGE_HTTPS_PORT: variable("edgeHttpsPort", port().default(8443)),
  EDGE_HOST: variable("edgeHost", z.string().min(1).default("127.0.0.1")),
  EDGE_INTERNAL_PORT: variable("edgeInternalPort", optional(port())),
  EDGE_ACCELERATOR: variable("edgeAccelerator", z.enum(["none", "haproxy"]).default("none")),
  EDGE_ACCELERATOR_NAMES: variable("edgeAcceleratorNames", count(0, 5_000).default(2_000)),
  /** The UDP port announced to visitors; 0 for none. */
  EDGE_ACCELERATOR_HTTP3: variable(
    "edgeAcceleratorHttp3",
    flagOrCount({ on: 443, most: 65_535 }).default(0),
  ),
  EDGE_ACCESS_LOG: variable("edgeAccessLog", z.enum(["off", "debug", "info"]).default("off")),
  EDGE_METRICS_APPLICATIONS: variable(
    "edgeMetricsApplications",
    flagOrCount({ on: 50, most: 1_000 }).default(0),
  ),
  TRAFFIC: variable(
    "traffic",
    z
      .enum(["on", "off"])
      .default("on")
      .transform((value) => value === "on"),
  ),
  /** How long a stopping edge finishes its work. */
  EDGE_DRAIN: variable("edgeDrainMs", duration().default(30_000)),
  /** How long it still accepts connections after it has reported that it is not ready. */
  EDGE_DRAIN_DELAY: variable("edgeDrainDelayMs", duration().default(0)),
  EDGE_SESSION_TICKETS: variable("edgeSessionTickets", flag().default(true)),
  EDGE_OCSP: variable("edgeOcsp", flag().default(true)),
  EDGE_PROXY_PROTOCOL: variable("edgeProxyProtocol", flag().default(false)),
  EDGE_PROXY_PROTOCOL_FROM: variable("edgeProxyProtocolFrom", cidrList().default([])),
  EDGE_TRUSTED_PROXIES: variable("edgeTrustedProxies", cidrList().default([])),
  EDGE_HEALTH_CHECKS_FROM: variable("edgeHealthChecksFrom", cidrList().default([])),
  /** A file; read at the start. */
  EDGE_CDN_RANGES: variable("edgeCdnRanges", cdnRanges()),
  EDGE_WORKERS: variable("edgeWorkers", optional(count(1, 256))),
  /** The index of this worker process; set by the edge process that starts the workers. */
  EDGE_WORKER: variable("edgeWorker", optional(count(0, 255))),
  /**
   * `external` when something else than `serve edge` terminates TLS for customers, such as Caddy.
   */
  EDGE_KIND: variable("edgeKind", z.enum(["own", "external"]).default("own")),
  EDGE_PROBE_PORT: variable("edgeProbePort", port().default(443)),
  EDGE_PROBE_HTTP_PORT: variable("edgeProbeHttpPort", port().default(80)),
  EDGE_CNAME: variable("edgeCname", hostname().default(localEdge.cname)),
  /** `unique`: each connection has a name of its own below EDGE_CNAME. */
  EDGE_TARGETS: variable("edgeTargets", z.enum(["unique", "shared"]).default("shared")),
  EDGE_IPV4: variable("edgeIpv4", optional(ipv4List())),
  EDGE_IPV6: variable("edgeIpv6", ipv6List().default([])),
  DEMO_PORT: variable("demoPort", port().default(8082)),
  /** Where `/demo` redirects to; set by the process that runs the demo site beside the API. */
  DEMO_URL: variable("demoUrl", optional(url(["http:", "https:"]))),
  DNS_RESOLVERS: variable("dnsResolvers", list(serverAddress()).default([])),
  DNSSEC_TRUST_ANCHORS: variable(
    "dnssecTrustAnchors",
    list(
      z
        .string()
        .regex(/^\d{1,5} \d{1,3} \d{1,3} ([0-9a-fA-F]{2})+$/, "expected the data of a DS record"),
    ).default([]),
  ),
  DNS_AUTHORITATIVE_PORT: variable("dnsAuthoritativePort", port().default(53)),
  ...validationVariables,
  ...feedVariables,
  ACME_DIRECTORY_URL: variable("acmeDirectoryUrls", list(url(["https:", "http:"])).default([])),
  ACME_CA_FILE: variable("acmeCaFile", optional(z.string())),
  ACME_EMAIL: variable("acmeEmail", optional(z.email())),
  ACME_EAB_KID: variable("acmeEabKid", optional(z.string())),
  ACME_EAB_KEY: variable("acmeEabKey", optional(z.string())),
  ACME_EABS: variable("acmeEabs", externalAccountTable()),
  ACME_PROFILES: variable("acmeProfiles", profileTable()),
  ISSUANCE_LIMITS: variable("issuanceLimits", issuanceLimits()),
  SECRET_KEY: variable("secretKey", optional(z.string())),
  /**
   * The edge's keys only, of `mooring secrets export --for edge`: an edge then needs no SECRET_KEY.
   */
  SECRET_KEY_EDGE: variable("secretKeyEdge", optional(z.string())),
  BOOTSTRAP_TEST_KEY: variable("bootstrapTestKey", optional(z.string())),
  BOOTSTRAP_LIVE_KEY: variable("bootstrapLiveKey", optional(z.string())),
  /** Whether registries are asked about domains; on in production when unset. */
  RDAP: variable("rdapChoice", optional(z.enum(["on", "off"]))),
  /** Questions a second to one registry, of all workers together. */
  RDAP_RATE: variable("rdapRate", z.coerce.number().min(0.01).max(1_000).default(2)),
  RECHECK_INTERVAL: variable("recheckIntervalMs", duration().default(3_600_000)),
  /** Six times RECHECK_INTERVAL when unset. */
  RECHECK_INTERVAL_STABLE: variable("recheckIntervalStableMs", optional(duration())),
  EVENTS_RETENTION: variable("eventsRetentionMs", duration().default(90 * day)),
  DELIVERIES_RETENTION: variable("deliveriesRetentionMs", duration().default(90 * day)),
  TIMELINE_RETENTION: variable("timelineRetentionMs", duration().default(400 * day)),
  AUDIT_RETENTION: variable("auditRetentionMs", duration().default(400 * day)),
  DNS_WRITES_RETENTION: variable("dnsWritesRetentionMs", duration().default(400 * day)),
  /**
   * Not sooner than a day: until then a token may reach the connection that was made with it. 0:
   * never.
   */
  ARCHIVED_CONNECTIONS_AFTER: variable(
    "archivedConnectionsAfterMs",
    duration()
      .refine((ms) => ms === 0 || ms >= day, "expected 24h or more, or 0s for never")
      .default(30 * day),
  ),
  STALL_AFTER: variable("stallAfterMs", duration().default(1_800_000)),
  GIVE_UP_AFTER: variable("giveUpAfterMs", duration().default(259_200_000)),
  CONTEST_AFTER: variable("contestAfterMs", duration().default(259_200_000)),
  WEBHOOK_ALLOW_PRIVATE: variable("webhookAllowPrivate", privateTargets().default(false)),
  ORIGIN_ALLOW_PRIVATE: variable("originAllowPrivate", privateTargets().default(false)),
  /** A file; read at the start. */
  CT_LOGS: variable("ctLogs", ctLogs()),
  EGRESS_ALLOW: variable("egressAllow", cidrList().default([])),
  /**
   * The addresses from which this service calls out, for providers that answer only to known ones.
   */
  EGRESS_IPV4: variable("egressIpv4", ipv4List().default([])),
  EGRESS_IPV6: variable("egressIpv6", ipv6List().default([])),
  EGRESS_RESOLVERS: variable("egressResolvers", list(serverAddress()).default([])),
  /** Slugs of DNS providers at which nothing is written; customers add the records by hand. */
  PROVIDERS_OFF: variable("providersOff", list(providerSlug()).default([])),
  TRUSTED_PROXIES: variable("trustedProxies", cidrList().default([])),
  PLANS_FILE: variable("plansFile", optional(z.string())),
  /**
   * The domain that Domain Connect templates and keys are published under; default: that of
   * BASE_URL.
   */
  DOMAIN_CONNECT_DOMAIN: variable("domainConnectDomain", optional(hostname())),
  DOMAIN_CONNECT_NAME: variable("domainConnectName", optional(z.string().min(1).max(255))),
  DOMAIN_CONNECT_LOGO_URL: variable("domainConnectLogoUrl", optional(url(["https:"]))),
  DOMAIN_CONNECT_CLIENTS_FILE: variable("domainConnectClientsFile", optional(z.string())),
  /** The clients that the operator has registered for sign-in at DNS providers. */
  OAUTH_CLOUDFLARE_CLIENT_ID: variable("oauthCloudflareClientId", optional(z.string())),
  OAUTH_CLOUDFLARE_CLIENT_SECRET: variable("oauthCloudflareClientSecret", optional(z.string())),
  OAUTH_DIGITALOCEAN_CLIENT_ID: variable("oauthDigitaloceanClientId", optional(z.string())),
  OAUTH_DIGITALOCEAN_CLIENT_SECRET: variable("oauthDigitaloceanClientSecret", optional(z.string())),
  OAUTH_DNSIMPLE_CLIENT_ID: variable("oauthDnsimpleClientId", optional(z.string())),
  OAUTH_DNSIMPLE_CLIENT_SECRET: variable("oauthDnsimpleClientSecret", optional(z.string())),
  OAUTH_GOOGLE_CLOUD_CLIENT_ID: variable("oauthGoogleCloudClientId", optional(z.string())),
  OAUTH_GOOGLE_CLOUD_CLIENT_SECRET: variable("oauthGoogleCloudClientSecret", optional(z.string())),
  OAUTH_NETLIFY_CLIENT_ID: variable("oauthNetlifyClientId", optional(z.string())),
  OAUTH_NETLIFY_CLIENT_SECRET: variable("oauthNetlifyClientSecret", optional(z.string())),
  OAUTH_SANDBOX_CLIENT_ID: variable("oauthSandboxClientId", optional(z.string())),
  OAUTH_SANDBOX_CLIENT_SECRET: variable("oauthSandboxClientSecret", optional(z.string())),
  OAUTH_SANDBOX_URL: variable("oauthSandboxUrl", optional(url(["http:", "https:"]))),
  SENDING_API_URL: variable("sendingApiUrl", optional(url(["http:", "https:"]))),
  DEFAULT_PLAN: variable("defaultPlan", z.string().min(1).default("self_hosted")),
  UPGRADE_URL: variable("upgradeUrl", optional(url(["http:", "https:"]))),
  /** Sign-in to the console. */
  OIDC_ISSUER: variable("oidcIssuer", optional(url(["https:", "http:"]))),
  OIDC_CLIENT_ID: variable("oidcClientId", optional(z.string())),
  OIDC_CLIENT_SECRET: variable("oidcClientSecret", optional(z.string())),
  STRIPE_SECRET_KEY: variable("stripeSecretKey", optional(z.string())),
  STRIPE_WEBHOOK_SECRET: variable("stripeWebhookSecret", optional(z.string())),
  STRIPE_API_BASE: variable(
    "stripeApiBase",
    url(["http:", "https:"]).default("https://api.stripe.com"),
  ),
  ...edgeLimitVariables,
  RATE_LIMITS: variable("rateLimits", limitTable()),
  LOG_LEVEL: variable(
    "logLevel",
    z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  ),
} as const;

function variable<F extends string, T extends z.ZodType>(field: F, type: T) {
  return { field, type } as const;
}

type Variables = typeof variables;
export type Variable = keyof Variables;

type Parsed = {
  readonly [V in Variable as Variables[V]["field"]]: z.output<Variables[V]["type"]>;
};

export interface Listener {
  readonly host: string;
  readonly port: number;
}

export interface Config extends Omit<Parsed, "edgeIpv4"> {
  readonly isProduction: boolean;
  /** Whether registries are asked about domains. */
  readonly rdap: boolean;
  /** Where `/internal/*` and `/metrics` of the API are; null: on its public port. */
  readonly internalListener: Listener | null;
  /** Empty when the edge is known by its name only. */
  readonly edgeIpv4: readonly string[];
  readonly baseUrl: string;
  readonly askUrl: string;
  readonly upgradeUrl: string;
}

/** Every problem of the environment at once, for the person who set it. */
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
  const { config, problems } = examineConfig(env);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * The same for who reports on an environment: the configuration with the default of each variable
 * that is invalid, and every problem, contradictions between the valid ones included.
 */
export function examineConfig(env: Readonly<Record<string, string | undefined>>): {
  readonly config: Config;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const invalid: string[] = [];
  const fields: Record<string, unknown> = {};
  for (const [name, { field, type }] of Object.entries(variables)) {
    // An empty variable means "not set": compose files and shells cannot unset one.
    const parsed = type.safeParse(env[name] || undefined);
    fields[field] = parsed.success ? parsed.data : type.parse(undefined);
    if (parsed.success) continue;
    invalid.push(name);
    problems.push(...parsed.error.issues.map((issue) => `${name}: ${issue.message}`));
  }
  const values = asParsed(fields);
  // With the default in its stead, an invalid variable may seem to contradict another one.
  const contradictions = crossChecks(values).filter(
    (problem) => !invalid.some((name) => new RegExp(`\\b${name}\\b`).test(problem)),
  );
  return { config: deriveConfig(values), problems: [...problems, ...contradictions] };
}

function deriveConfig(values: Parsed): Config {
  const baseUrl = (values.baseUrl ?? `http://localhost:${values.port}`).replace(/\/$/, "");
  const internalListener = findInternalListener(values);
  return Object.freeze({
    ...values,
    isProduction: values.nodeEnv === "production",
    rdap: (values.rdapChoice ?? (values.nodeEnv === "production" ? "on" : "off")) === "on",
    dataDir: path.resolve(values.dataDir),
    edgeIpv4: edgeIpv4(values),
    baseUrl,
    internalListener,
    askUrl:
      values.askUrl ?? `http://127.0.0.1:${internalListener?.port ?? values.port}/internal/ask`,
    upgradeUrl: values.upgradeUrl ?? `${baseUrl}/billing`,
  });
}

/** Where a production API has its private paths until INTERNAL_PORT is set. */
const defaultInternal = { host: "127.0.0.1", port: 9090 };

/** Elsewhere than in production the private paths are on the public port, unless it is set. */
function findInternalListener({ internalPort: port, host, nodeEnv }: Parsed): Listener | null {
  if (port !== null) return { host, port };
  return nodeEnv === "production" ? defaultInternal : null;
}

/** The loop above has set every field of the table to what its type parsed. */
function asParsed(fields: Readonly<Record<string, unknown>>): Parsed {
  return fields as unknown as Parsed;
}

/** A name server is given its login alone, and unseals nothing. */
function lacksKeys({
  nodeEnv,
  secretKey,
  secretKeyEdge,
  databaseUrl: url,
  databaseUrlDns,
}: Parsed): boolean {
  const isNameServer = url === null && databaseUrlDns !== null;
  return nodeEnv === "production" && !secretKey && !secretKeyEdge && !isNameServer;
}

function crossChecks(values: Parsed): string[] {
  const problems: string[] = [];
  if (lacksKeys(values)) {
    problems.push(
      "SECRET_KEY: required when NODE_ENV=production (make one with `mooring secrets generate`)",
    );
  }
  if (values.edgeProxyProtocolFrom.length > 0 && !values.edgeProxyProtocol) {
    problems.push("EDGE_PROXY_PROTOCOL_FROM: needs EDGE_PROXY_PROTOCOL=true");
  }
  if (findInternalListener(values)?.port === values.port) {
    problems.push("INTERNAL_PORT: must differ from PORT");
  }
  if (values.stripeSecretKey && !values.stripeWebhookSecret) {
    problems.push("STRIPE_WEBHOOK_SECRET: required when STRIPE_SECRET_KEY is set");
  }
  if (values.ctLogs.length > 0 && values.edgeKind === "external") {
    problems.push(
      "CT_LOGS: needs EDGE_KIND=own, since the keys of another proxy's certificates are not known",
    );
  }
  problems.push(...oidcProblems(values));
  const named = [
    ["ACME_EABS", values.acmeEabs],
    ["ACME_PROFILES", values.acmeProfiles],
    ["ISSUANCE_LIMITS", values.issuanceLimits],
  ] as const;
  for (const [name, table] of named) {
    for (const directory of Object.keys(table)) {
      if (directory === "*" || values.acmeDirectoryUrls.includes(directory)) continue;
      problems.push(`${name}: ${directory} is not in ACME_DIRECTORY_URL`);
    }
  }
  return [
    ...problems,
    ...edgeAddressProblems(values),
    ...validationProblems(values),
    ...feedProblems(values),
  ];
}

function oidcProblems({ oidcIssuer: issuer, oidcClientId: id, oidcClientSecret: secret }: Parsed) {
  if (issuer === null) return id || secret ? ["OIDC_ISSUER: required with OIDC_CLIENT_ID"] : [];
  const { protocol, hostname: host } = new URL(issuer);
  const isLocal = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);
  return [
    ...(id ? [] : ["OIDC_CLIENT_ID: required when OIDC_ISSUER is set"]),
    ...(protocol === "http:" && !isLocal ? ["OIDC_ISSUER: http is for this machine only"] : []),
  ];
}

/** A configuration's values under the names of their variables. */
export function byVariable(config: Config): {
  readonly [V in Variable]: Config[Variables[V]["field"]];
} {
  const entries = Object.entries(variables).map(([name, { field }]) => [name, config[field]]);
  return Object.fromEntries(entries);
}

/** `DATABASE_URL`, else the file the local supervisor writes; otherwise one line on what to do. */
export function databaseUrl(config: Config): string {
  if (config.databaseUrl) return config.databaseUrl;
  const file = path.join(config.dataDir, "database-url");
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
