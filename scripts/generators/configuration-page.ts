import { byVariable, readConfig, type Variable } from "../../packages/control/src/config/config.ts";
import { accessDescriptions } from "./access-descriptions.ts";
import { cdnDescriptions } from "./cdn-descriptions.ts";
import { billingDescriptions, consoleDescriptions } from "./console-descriptions.ts";
import { edgeLimitDefault, edgeLimitDescriptions } from "./edge-limit-descriptions.ts";
import { edgeProcessDescriptions } from "./edge-process-descriptions.ts";
import { feedDescriptions, feedGroup } from "./feed-descriptions.ts";
import { signInDescriptions, signInGroup } from "./sign-in-descriptions.ts";
import { durations, retentions, timingDescriptions } from "./timing-descriptions.ts";
import { validationDescriptions, validationGroup } from "./validation-descriptions.ts";
import { watchDescriptions } from "./watch-descriptions.ts";

/** Every variable with its default and meaning. The defaults are those of an empty environment. */
export function configurationPage(): string {
  const defaults = byVariable(readConfig({}));
  requireAll(Object.keys(defaults));
  return [
    "# Configuration",
    "",
    "Everything is set by environment variables, read once at the start. A bad value stops the start with",
    "one line for each problem; an empty variable counts as not set. `mooring doctor` checks the whole",
    "set-up and says how to fix it. `npm run generate` writes this page from the list in the code.",
    ...groups.flatMap(({ title, about, variables }) => [
      "",
      `## ${title}`,
      "",
      about,
      "",
      "| Variable | Default | Meaning |",
      "|---|---|---|",
      ...variables.map((name) => row(name, defaults[name])),
    ]),
    "",
    "## The command line",
    "",
    "The tenant's commands of `mooring` read `MOORING_URL`, `MOORING_API_KEY` and `MOORING_APP`: see",
    "[the command line](cli.md).",
    "",
  ].join("\n");
}

/**
 * The types require a description of every variable; this requires that each is in exactly one
 * group.
 */
function requireAll(known: readonly string[]): void {
  const grouped = groups.flatMap(({ variables }) => variables);
  const twice = grouped.filter((name, at) => grouped.indexOf(name) !== at);
  const missing = known.filter((name) => !grouped.some((one) => one === name));
  const unknown = grouped.filter((name) => !known.includes(name));
  const problems = [
    ...twice.map((name) => `${name} is listed twice`),
    ...missing.map((name) => `${name} is missing`),
    ...unknown.map((name) => `${name} is not read any more`),
  ];
  if (problems.length > 0) {
    throw new Error(`scripts/generators/configuration-page.ts: ${problems.join("; ")}`);
  }
}

function row(name: Variable, value: unknown): string {
  const { meaning, fallback } = descriptions[name];
  const shownDefault = fallback ?? edgeLimitDefault(name) ?? shown(name, value);
  return `| \`${name}\` | ${shownDefault} | ${meaning} |`;
}

function shown(name: Variable, value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (durations.has(name)) return `\`${inUnits(Number(value))}\``;
  if (Array.isArray(value)) return value.length === 0 ? "none" : `\`${value.join(",")}\``;
  return `\`${String(value)}\``;
}

/** In the largest unit, up to hours, that divides it. */
function inUnits(ms: number): string {
  const units = [
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1_000],
  ] as const;
  const unit = units.find(([, size]) => ms % size === 0);
  return unit ? `${ms / unit[1]}${unit[0]}` : `${ms}ms`;
}

/** `fallback` describes a default that is not one fixed value. */
interface VariableDescription {
  readonly meaning: string;
  readonly fallback?: string;
}

interface VariableGroup {
  readonly title: string;
  readonly about: string;
  readonly variables: readonly Variable[];
}

const limitNames = Object.keys(edgeLimitDescriptions) as (keyof typeof edgeLimitDescriptions)[];

const groups: readonly VariableGroup[] = [
  {
    title: "The service",
    about: "For every process.",
    variables: [
      "NODE_ENV",
      "DATABASE_URL",
      "DATABASE_URL_API",
      "DATABASE_URL_WORKER",
      "DATABASE_URL_EDGE",
      "DATABASE_URL_DNS",
      "DATABASE_POOLER",
      "SECRET_KEY",
      "SECRET_KEY_EDGE",
      "DATA_DIR",
      "LOG_LEVEL",
    ],
  },
  {
    title: "The API and the workers",
    about:
      "The private listeners have no authentication: do not expose their ports. See [self-hosting](self-hosting.md#the-private-listeners).",
    variables: [
      "BASE_URL",
      "HOST",
      "PORT",
      "INTERNAL_PORT",
      "WORKER_INTERNAL_PORT",
      "TRUSTED_PROXIES",
      "RATE_LIMITS",
      "BOOTSTRAP_TEST_KEY",
      "BOOTSTRAP_LIVE_KEY",
    ],
  },
  {
    title: "The edge",
    about: "More about each in [the edge](edge.md) and, for an external one, in [Caddy](caddy.md).",
    variables: [
      "EDGE_CNAME",
      "EDGE_TARGETS",
      "EDGE_IPV4",
      "EDGE_IPV6",
      "EDGE_HOST",
      "EDGE_HTTP_PORT",
      "EDGE_HTTPS_PORT",
      "EDGE_INTERNAL_PORT",
      "EDGE_WORKERS",
      "EDGE_WORKER",
      "EDGE_ACCELERATOR",
      "EDGE_ACCELERATOR_NAMES",
      "EDGE_ACCELERATOR_HTTP3",
      "EDGE_ACCESS_LOG",
      "EDGE_METRICS_APPLICATIONS",
      "TRAFFIC",
      "EDGE_DRAIN",
      "EDGE_DRAIN_DELAY",
      "EDGE_SESSION_TICKETS",
      "EDGE_OCSP",
      "EDGE_PROXY_PROTOCOL",
      "EDGE_PROXY_PROTOCOL_FROM",
      "EDGE_TRUSTED_PROXIES",
      "EDGE_HEALTH_CHECKS_FROM",
      "EDGE_CDN_RANGES",
      "ASK_URL",
      "EDGE_KIND",
      "EDGE_PROBE_PORT",
      "EDGE_PROBE_HTTP_PORT",
    ],
  },
  feedGroup,
  {
    title: "The edge's limits",
    about:
      "Each holds for one edge process. Durations are written like `500ms`, `30s` or `5m`, sizes are in bytes. The defaults suit most installations; see [the edge](edge.md#limits).",
    variables: limitNames,
  },
  {
    title: "Certificates",
    about: "Without a directory every name gets its certificate from the local CA.",
    variables: [
      "ACME_DIRECTORY_URL",
      "ACME_PROFILES",
      "ISSUANCE_LIMITS",
      "ACME_EMAIL",
      "ACME_EAB_KID",
      "ACME_EAB_KEY",
      "ACME_EABS",
      "ACME_CA_FILE",
    ],
  },
  validationGroup,
  {
    title: "DNS and timing",
    about: "Durations are written like `30s`, `5m`, `72h` or `3d`.",
    variables: [
      "DNS_RESOLVERS",
      "DNSSEC_TRUST_ANCHORS",
      "DNS_AUTHORITATIVE_PORT",
      "RECHECK_INTERVAL",
      "RECHECK_INTERVAL_STABLE",
      "STALL_AFTER",
      "GIVE_UP_AFTER",
      "CONTEST_AFTER",
      "PROVIDERS_OFF",
      "RDAP",
      "RDAP_RATE",
    ],
  },
  {
    title: "Retention",
    about: "What is older is removed by the workers, some rows at a time.",
    variables: retentions,
  },
  {
    title: "Outgoing connections",
    about: "Addresses that are not public are refused. See [security](security.md#egress).",
    variables: [
      "CT_LOGS",
      "EGRESS_ALLOW",
      "EGRESS_IPV4",
      "EGRESS_IPV6",
      "EGRESS_RESOLVERS",
      "WEBHOOK_ALLOW_PRIVATE",
      "ORIGIN_ALLOW_PRIVATE",
    ],
  },
  signInGroup,
  {
    title: "Domain Connect",
    about: "See [Domain Connect](domain-connect.md#for-operators).",
    variables: [
      "DOMAIN_CONNECT_DOMAIN",
      "DOMAIN_CONNECT_NAME",
      "DOMAIN_CONNECT_LOGO_URL",
      "DOMAIN_CONNECT_CLIENTS_FILE",
    ],
  },
  {
    title: "The console",
    about: "Sign-in with OpenID Connect; without it by one-time links and passkeys.",
    variables: ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  },
  {
    title: "Plans and billing",
    about: "Only if you sell the service; unset, nothing is limited.",
    variables: [
      "PLANS_FILE",
      "DEFAULT_PLAN",
      "UPGRADE_URL",
      "STRIPE_SECRET_KEY",
      "STRIPE_WEBHOOK_SECRET",
      "STRIPE_API_BASE",
    ],
  },
  {
    title: "The demo",
    about: "For `npm start` only.",
    variables: ["DEMO_PORT", "DEMO_URL"],
  },
];

/** Every variable of the configuration; one without a description does not compile. */
const descriptions: Readonly<Record<Variable, VariableDescription>> = {
  NODE_ENV: {
    meaning:
      "`production` makes `SECRET_KEY` required and `mooring doctor` stricter, has `/internal/*` and `/metrics` on a private listener, and prints no keys.",
  },
  DATA_DIR: {
    meaning:
      "Where a process stores files: an edge what it needs to serve without a database, `npm start` everything.",
    fallback: "`./.data`",
  },
  LOG_LEVEL: {
    meaning: "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. One JSON line each.",
  },
  BASE_URL: {
    meaning:
      "Where tenants and browsers reach the API: scheme, host and port only. It is the issuer of tokens and assertions.",
    fallback: "`http://localhost:` and `PORT`",
  },
  HOST: {
    meaning:
      "The address on which API and worker listen; `::` is every address, IPv4 and IPv6, as in the image.",
  },
  PORT: { meaning: "The API's port." },
  INTERNAL_PORT: {
    meaning: "A private port of the API for `/internal/*`, `/metrics` and `/healthz`. Set it.",
    fallback: "in production 9090 on 127.0.0.1 alone, else none: they are on `PORT`",
  },
  WORKER_INTERNAL_PORT: { meaning: "A private port of the worker for `/healthz` and `/metrics`." },
  TRUSTED_PROXIES: {
    meaning:
      "Addresses or networks of the proxies in front of the API, whose `X-Forwarded-For` is trusted.",
  },
  RATE_LIMITS: {
    meaning:
      "Overrides of the limits, as `general=100:200,check=10:20`: requests per second, and burst. Names: `general`, `check`, `tokens`, `connection`, `unauthorized`.",
    fallback: "the documented limits",
  },
  BOOTSTRAP_TEST_KEY: {
    meaning: "The first tenant's test key, for an installation with predefined keys.",
    fallback: "created and printed once",
  },
  BOOTSTRAP_LIVE_KEY: {
    meaning: "The same for its live key.",
    fallback: "created and printed once",
  },
  EDGE_CNAME: { meaning: "The edge's name, which the CNAME records of customers lead to." },
  EDGE_IPV4: {
    meaning:
      "The edge's public IPv4 addresses, separated by commas; for apex domains. Leave it empty for an edge that is known by name only, such as a load balancer without fixed addresses: an apex domain then needs a DNS provider with ALIAS records. A loopback address is refused with `NODE_ENV=production`.",
    fallback: "`127.0.0.1` while `EDGE_CNAME` is the default too, else none",
  },
  EDGE_IPV6: { meaning: "The same for IPv6, in any spelling." },
  EDGE_HOST: {
    meaning:
      "The address on which the edge listens; `::` is every address, IPv4 and IPv6, as in the image.",
  },
  EDGE_HTTP_PORT: {
    meaning: "The edge's port for plain http. Port 80 of its addresses must be forwarded here.",
  },
  EDGE_HTTPS_PORT: { meaning: "The edge's port for TLS. Port 443 must be forwarded here." },
  EDGE_INTERNAL_PORT: { meaning: "A private port of the edge for `/healthz` and `/metrics`." },
  ...edgeProcessDescriptions,
  ...accessDescriptions,
  ...feedDescriptions,
  ...timingDescriptions,
  ...edgeLimitDescriptions,
  ...cdnDescriptions,
  ...validationDescriptions,
  ...watchDescriptions,
  EDGE_SESSION_TICKETS: {
    meaning: "`false`: visitors cannot resume TLS sessions; every handshake is a full one.",
  },
  EDGE_OCSP: {
    meaning:
      "`false`: no OCSP response is stapled, also when the certificate names a responder; none is asked.",
  },
  EDGE_PROXY_PROTOCOL: {
    meaning:
      "`true`: connections to the public ports begin with a PROXY protocol header, version 1 or 2, and without one they are closed.",
  },
  EDGE_PROXY_PROTOCOL_FROM: {
    meaning:
      "Networks whose connections have that header, separated by commas; others are served without one, under their own address.",
    fallback: "all",
  },
  EDGE_TRUSTED_PROXIES: {
    meaning:
      "Networks of proxies whose `X-Forwarded-For` or `Forwarded` is continued. From others it is replaced.",
  },
  EDGE_HEALTH_CHECKS_FROM: {
    meaning:
      "Networks that the limits per address do not count, such as those of a balancer's health checks. They need no PROXY protocol header.",
  },
  EDGE_METRICS_APPLICATIONS: {
    meaning:
      "`true`: the 50 busiest applications have [metrics](metrics.md) of their own, by id; a number for that many. The others are added up as `other`; by default all are. Each process chooses for itself.",
  },
  EDGE_ACCESS_LOG: { meaning: "`info` or `debug`: one line for each request, at that level." },
  ASK_URL: {
    meaning: "Where an edge asks whether it may obtain a certificate for a name.",
    fallback: "`/internal/ask` of the API on this machine",
  },
  EDGE_KIND: {
    meaning:
      "`external` when something other than `mooring serve edge` terminates TLS, such as Caddy.",
  },
  EDGE_PROBE_PORT: { meaning: "With an external edge: the port where the worker checks it." },
  ACME_DIRECTORY_URL: {
    meaning: "Directories of ACME CAs in order of preference, separated by commas.",
  },
  ACME_EMAIL: { meaning: "The contact address for the CA." },
  ACME_EAB_KID: { meaning: "External account binding, for CAs that require one: the key's id." },
  ACME_EAB_KEY: { meaning: "The key of the external account binding, in base64url. A secret." },
  ACME_EABS: {
    meaning:
      "External account bindings by directory, as `directory-url=kid:key,…`; the pair above is for those not named. A secret.",
    fallback: "none",
  },
  ACME_PROFILES: {
    meaning:
      "Certificate profiles by directory, as `directory-url=shortlived,…`; `none` for the CA's default. One that the CA does not offer stops orders there.",
    fallback: "`tlsserver` where offered",
  },
  ISSUANCE_LIMITS: {
    meaning:
      "The limits of each CA as JSON by directory, `*` for those not named; see [limits](edge.md#limits).",
    fallback: "Let's Encrypt's",
  },
  ACME_CA_FILE: {
    meaning: "Roots in PEM for a private CA.",
    fallback: "the system's",
  },
  DNS_RESOLVERS: {
    meaning:
      "Recursive resolvers, as `1.1.1.1,9.9.9.9:53`, separated by commas. Name those of two operators: a domain with a dead nameserver is verified only when both see its record.",
    fallback: "the system's",
  },
  DNSSEC_TRUST_ANCHORS: {
    meaning:
      "Keys of the root that DNSSEC validation starts from, as the data of DS records (`20326 8 2 E06D…`), separated by commas.",
    fallback: "the root's keys of 2017 and 2024",
  },
  DNS_AUTHORITATIVE_PORT: { meaning: "For tests: the port of authoritative servers." },
  PROVIDERS_OFF: {
    meaning:
      "Slugs of DNS providers at which nothing is written, separated by commas; customers add the records by hand. The panels of web hosts that are named here are not [searched for](providers.md#panels-of-web-hosts).",
  },
  EGRESS_ALLOW: {
    meaning: "Networks that are allowed although they are not public, separated by commas.",
  },
  ...signInDescriptions,
  EGRESS_RESOLVERS: {
    meaning:
      "Recursive resolvers for the names of origins, webhooks and provider APIs, as `10.0.0.2,10.0.0.3:53`. The hosts file is read first; see [how names are resolved](edge.md#how-names-are-resolved).",
    fallback: "those of `/etc/resolv.conf`",
  },
  WEBHOOK_ALLOW_PRIVATE: {
    meaning:
      "`true`: webhooks may go to private addresses; `loopback`: only to this machine, the default of `npm start` outside production. For development.",
  },
  ORIGIN_ALLOW_PRIVATE: {
    meaning:
      "`true`: origins may be at private addresses, for edges inside your network; `loopback`: only on this machine, the default of `npm start` outside production. The API refuses other origins when they are set, the edge when it connects: give both the same.",
  },
  DOMAIN_CONNECT_DOMAIN: {
    meaning: "The domain that templates and keys are published under.",
    fallback: "the registered domain of `BASE_URL`",
  },
  DOMAIN_CONNECT_NAME: {
    meaning: "Your name on providers' consent pages.",
    fallback: "`DOMAIN_CONNECT_DOMAIN`",
  },
  DOMAIN_CONNECT_LOGO_URL: { meaning: "An https image, for the templates." },
  DOMAIN_CONNECT_CLIENTS_FILE: {
    meaning: "Your OAuth clients for the asynchronous flow, in JSON.",
  },
  PLANS_FILE: { meaning: "The available plans, in JSON.", fallback: "four built-in ones" },
  DEFAULT_PLAN: { meaning: "The plan of a new tenant." },
  UPGRADE_URL: {
    meaning: "The page for a tenant whose plan does not allow more.",
    fallback: "`/billing` at `BASE_URL`",
  },
  ...billingDescriptions,
  ...consoleDescriptions,
  DEMO_PORT: { meaning: "The port of the demo's page." },
  DEMO_URL: {
    meaning: "The target of `/demo` of the API.",
    fallback: "set by `npm start`",
  },
};
