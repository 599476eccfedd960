import type { Variable } from "../../packages/control/src/config/config.ts";

/** A default that is not one value, in words; otherwise the page shows what the code gives. */
export interface VariableWords {
  readonly meaning: string;
  readonly fallback?: string;
}

export interface VariableGroup {
  readonly title: string;
  readonly about: string;
  readonly variables: readonly Variable[];
}

export const groups: readonly VariableGroup[] = [
  {
    title: "The service",
    about: "For every process.",
    variables: ["NODE_ENV", "DATABASE_URL", "SECRET_KEY", "DATA_DIR", "LOG_LEVEL"],
  },
  {
    title: "The API and the workers",
    about:
      "The private listeners answer whoever reaches them: keep their ports inside. See [self-hosting](self-hosting.md#the-private-listeners).",
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
    about: "More about each in [the edge](edge.md) and, for somebody else's, in [Caddy](caddy.md).",
    variables: [
      "EDGE_CNAME",
      "EDGE_IPV4",
      "EDGE_IPV6",
      "EDGE_HOST",
      "EDGE_HTTP_PORT",
      "EDGE_HTTPS_PORT",
      "EDGE_INTERNAL_PORT",
      "EDGE_WORKERS",
      "EDGE_WORKER",
      "EDGE_ACCESS_LOG",
      "ASK_URL",
      "EDGE_KIND",
      "EDGE_PROBE_PORT",
    ],
  },
  {
    title: "Certificates",
    about: "Without a directory every name gets its certificate from the local CA.",
    variables: ["ACME_DIRECTORY_URL", "ACME_EMAIL", "ACME_EAB_KID", "ACME_EAB_KEY", "ACME_CA_FILE"],
  },
  {
    title: "DNS and pace",
    about: "Durations are written like `30s`, `5m`, `72h` or `3d`.",
    variables: [
      "DNS_RESOLVERS",
      "DNS_AUTHORITATIVE_PORT",
      "RECHECK_INTERVAL",
      "STALL_AFTER",
      "GIVE_UP_AFTER",
      "PROVIDERS_OFF",
    ],
  },
  {
    title: "Where it may connect to",
    about: "Everything else than public addresses is refused. See [security](security.md#egress).",
    variables: ["EGRESS_ALLOW", "WEBHOOK_ALLOW_PRIVATE", "ORIGIN_ALLOW_PRIVATE"],
  },
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
    title: "Plans and billing",
    about: "Only for those who sell the service; left alone, nothing is limited.",
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
    about: "For `npm start` alone.",
    variables: ["DEMO_PORT", "DEMO_URL"],
  },
];

/** Every variable of the configuration; one without words does not compile. */
export const words: Readonly<Record<Variable, VariableWords>> = {
  NODE_ENV: {
    meaning: "`production` makes `SECRET_KEY` required, and `mooring doctor` stricter.",
  },
  DATABASE_URL: {
    meaning: "PostgreSQL 15 or newer, as `postgres://user:password@host:5432/name`.",
    fallback: "that of `npm start`, from `DATA_DIR`",
  },
  SECRET_KEY: {
    meaning:
      "The root key that everything sealed hangs on; make one with `mooring secrets generate`. Several, separated by commas, during a [rotation](operations.md#rotate-the-root-key): the first one seals.",
    fallback: "one is made in `DATA_DIR`; required in production",
  },
  DATA_DIR: {
    meaning:
      "Where a process keeps files: an edge what it needs to serve without a database, `npm start` everything.",
    fallback: "`./.data`",
  },
  LOG_LEVEL: {
    meaning: "`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. One JSON line each.",
  },
  BASE_URL: {
    meaning:
      "Where tenants and browsers reach the API: scheme, host and port only. Tokens and assertions name it as their issuer.",
    fallback: "`http://localhost:` and `PORT`",
  },
  HOST: { meaning: "The address on which API and worker listen; `0.0.0.0` in a container." },
  PORT: { meaning: "The API's port." },
  INTERNAL_PORT: {
    meaning: "A private port of the API for `/internal/*`, `/metrics` and `/healthz`. Set it.",
    fallback: "none: they are on `PORT`",
  },
  WORKER_INTERNAL_PORT: { meaning: "A private port of the worker for `/healthz` and `/metrics`." },
  TRUSTED_PROXIES: {
    meaning:
      "Addresses or networks of the proxies in front of the API, whose `X-Forwarded-For` is believed.",
  },
  RATE_LIMITS: {
    meaning:
      "Overrides of the limits, as `general=100:200,check=10:20`: how many a second, and how many at once. Names: `general`, `check`, `tokens`, `connection`, `unauthorized`.",
    fallback: "the limits promised to clients",
  },
  BOOTSTRAP_TEST_KEY: {
    meaning: "The first tenant's test key, for an installation whose keys are given beforehand.",
    fallback: "one is made and printed once",
  },
  BOOTSTRAP_LIVE_KEY: {
    meaning: "The same for its live key.",
    fallback: "one is made and printed once",
  },
  EDGE_CNAME: { meaning: "The name that customers' CNAME records point at." },
  EDGE_IPV4: {
    meaning: "The edge's public IPv4 addresses, separated by commas; for apex domains.",
  },
  EDGE_IPV6: { meaning: "The same for IPv6." },
  EDGE_HOST: { meaning: "The address on which the edge listens; `0.0.0.0` in a container." },
  EDGE_HTTP_PORT: {
    meaning: "The edge's port for plain http. Port 80 of its addresses must lead here.",
  },
  EDGE_HTTPS_PORT: { meaning: "The edge's port for TLS. Port 443 must lead here." },
  EDGE_INTERNAL_PORT: { meaning: "A private port of the edge for `/healthz` and `/metrics`." },
  EDGE_WORKERS: {
    meaning: "How many processes one `serve edge` starts.",
    fallback: "one for each core on Linux, else 1",
  },
  EDGE_WORKER: { meaning: "Set by an edge for the processes that it starts; not for people." },
  EDGE_ACCESS_LOG: { meaning: "`info` or `debug`: one line for each request, at that level." },
  ASK_URL: {
    meaning: "Where an edge asks whether it may obtain a certificate for a name.",
    fallback: "`/internal/ask` of the API on this machine",
  },
  EDGE_KIND: {
    meaning: "`external` when something else than `mooring serve edge` ends TLS, such as Caddy.",
  },
  EDGE_PROBE_PORT: { meaning: "With an external edge: the port where the worker looks at it." },
  ACME_DIRECTORY_URL: {
    meaning: "Directories of ACME CAs in order of preference, separated by commas.",
  },
  ACME_EMAIL: { meaning: "Where the CA may write to." },
  ACME_EAB_KID: { meaning: "External account binding, for CAs that want one: the key's id." },
  ACME_EAB_KEY: { meaning: "And its key, in base64url. A secret." },
  ACME_CA_FILE: {
    meaning: "Roots in PEM for a private CA.",
    fallback: "the system's",
  },
  DNS_RESOLVERS: {
    meaning: "Recursive resolvers, as `1.1.1.1,9.9.9.9:53`, separated by commas.",
    fallback: "the system's",
  },
  DNS_AUTHORITATIVE_PORT: { meaning: "For tests: the port at which zones' own servers are asked." },
  RECHECK_INTERVAL: { meaning: "How often a live domain is looked at." },
  STALL_AFTER: { meaning: "After how long without its records a connection is `stalled`." },
  GIVE_UP_AFTER: { meaning: "After how long a phase ends in `failed`." },
  PROVIDERS_OFF: {
    meaning:
      "Slugs of DNS providers at which nothing is written, separated by commas; customers get the records by hand.",
  },
  EGRESS_ALLOW: {
    meaning: "Networks that may be connected to although they are not public, separated by commas.",
  },
  WEBHOOK_ALLOW_PRIVATE: {
    meaning: "`true`: webhooks may go to private addresses. For trying things out.",
  },
  ORIGIN_ALLOW_PRIVATE: {
    meaning: "`true`: origins may be at private addresses, for edges inside your network.",
  },
  DOMAIN_CONNECT_DOMAIN: {
    meaning: "The domain that templates and keys are published under.",
    fallback: "the registered domain of `BASE_URL`",
  },
  DOMAIN_CONNECT_NAME: {
    meaning: "Your name on the providers' consent pages.",
    fallback: "that domain",
  },
  DOMAIN_CONNECT_LOGO_URL: { meaning: "An https image, for the templates." },
  DOMAIN_CONNECT_CLIENTS_FILE: {
    meaning: "Your OAuth clients for the asynchronous flow, in JSON.",
  },
  PLANS_FILE: { meaning: "The plans on offer, in JSON.", fallback: "four built-in ones" },
  DEFAULT_PLAN: { meaning: "The plan of a new tenant." },
  UPGRADE_URL: {
    meaning: "Where a tenant is sent whose plan does not allow more.",
    fallback: "`/billing` at `BASE_URL`",
  },
  STRIPE_SECRET_KEY: { meaning: "Turns billing on. A secret." },
  STRIPE_WEBHOOK_SECRET: { meaning: "Required with it: verifies what Stripe sends. A secret." },
  STRIPE_API_BASE: { meaning: "Another address of Stripe's API, for tests." },
  DEMO_PORT: { meaning: "The port of the demo's page." },
  DEMO_URL: {
    meaning: "Where `/demo` of the API leads.",
    fallback: "set by `npm start`",
  },
};
