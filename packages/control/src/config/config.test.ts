import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { byVariable, ConfigError, databaseUrl, readConfig, recursiveResolvers } from "./config.ts";
import { loadPlans } from "./files.ts";
import { loadRootKeys } from "./root-keys.ts";

type Env = Readonly<Record<string, string>>;

function catchProblems(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.problems;
  }
  return [];
}

function problems(env: Env): readonly string[] {
  return catchProblems(() => readConfig(env));
}

function inDirectory(work: (directory: string) => void): void {
  const directory = mkdtempSync(path.join(tmpdir(), "mooring-config-"));
  try {
    work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The operational contract, variable by variable. */
const defaults = {
  NODE_ENV: "development",
  DATABASE_URL: null,
  DATA_DIR: path.resolve(".data"),
  HOST: "127.0.0.1",
  PORT: 8080,
  BASE_URL: "http://localhost:8080",
  INTERNAL_PORT: null,
  ASK_URL: "http://127.0.0.1:8080/internal/ask",
  EDGE_HTTP_PORT: 8081,
  EDGE_HTTPS_PORT: 8443,
  EDGE_HOST: "127.0.0.1",
  EDGE_INTERNAL_PORT: null,
  EDGE_ACCELERATOR: "none",
  EDGE_ACCELERATOR_NAMES: 2_000,
  EDGE_ACCELERATOR_HTTP3: 0,
  EDGE_ACCESS_LOG: "off",
  EDGE_WORKERS: null,
  EDGE_WORKER: null,
  EDGE_KIND: "own",
  EDGE_PROBE_PORT: 443,
  EDGE_PROBE_HTTP_PORT: 80,
  EDGE_CNAME: "edge.localhost",
  EDGE_IPV4: ["127.0.0.1"],
  EDGE_IPV6: [],
  DEMO_PORT: 8082,
  DNS_RESOLVERS: [],
  DNSSEC_TRUST_ANCHORS: [],
  DNS_AUTHORITATIVE_PORT: 53,
  DATABASE_REPLICA_URL: null,
  DATABASE_REPLICA_MAX_LAG: 10_000,
  ACME_DIRECTORY_URL: [],
  ACME_CA_FILE: null,
  ACME_EMAIL: null,
  ACME_EAB_KID: null,
  ACME_EAB_KEY: null,
  ACME_EABS: {},
  ACME_PROFILES: {},
  ISSUANCE_LIMITS: {},
  SECRET_KEY: null,
  BOOTSTRAP_TEST_KEY: null,
  BOOTSTRAP_LIVE_KEY: null,
  RECHECK_INTERVAL: 3_600_000,
  RECHECK_INTERVAL_STABLE: null,
  EVENTS_RETENTION: 7_776_000_000,
  DELIVERIES_RETENTION: 7_776_000_000,
  TIMELINE_RETENTION: 34_560_000_000,
  AUDIT_RETENTION: 34_560_000_000,
  DNS_WRITES_RETENTION: 34_560_000_000,
  ARCHIVED_CONNECTIONS_AFTER: 2_592_000_000,
  STALL_AFTER: 1_800_000,
  GIVE_UP_AFTER: 259_200_000,
  WEBHOOK_ALLOW_PRIVATE: false,
  ORIGIN_ALLOW_PRIVATE: false,
  EGRESS_ALLOW: [],
  EGRESS_IPV4: [],
  EGRESS_IPV6: [],
  TRUSTED_PROXIES: [],
  PLANS_FILE: null,
  DEFAULT_PLAN: "self_hosted",
  UPGRADE_URL: "http://localhost:8080/billing",
  STRIPE_SECRET_KEY: null,
  STRIPE_WEBHOOK_SECRET: null,
  LOG_LEVEL: "info",
} as const;

describe("the configuration", () => {
  it("has the private paths on loopback in production until it says where", () => {
    const env = { NODE_ENV: "production", SECRET_KEY: "k" };
    const { internalListener, askUrl } = readConfig(env);
    assert.deepEqual(internalListener, { host: "127.0.0.1", port: 9090 });
    assert.equal(askUrl, "http://127.0.0.1:9090/internal/ask");
    const chosen = readConfig({ ...env, HOST: "0.0.0.0", INTERNAL_PORT: "9100" });
    assert.deepEqual(chosen.internalListener, { host: "0.0.0.0", port: 9100 });
    assert.equal(readConfig({}).internalListener, null);
    assert.throws(() => readConfig({ ...env, PORT: "9090" }), /INTERNAL_PORT: must differ/);
  });

  it("has the promised default of every variable", () => {
    const config = readConfig({});
    const values: Readonly<Record<string, unknown>> = byVariable(config);
    for (const [name, value] of Object.entries(defaults)) {
      assert.deepEqual(values[name], value, name);
    }
    assert.equal(config.isProduction, false);
    assert.ok(Object.isFrozen(readConfig({})));
  });

  it("reads an empty variable as one that is not set", () => {
    const blank = Object.fromEntries(Object.keys(defaults).map((name) => [name, ""]));
    assert.deepEqual(readConfig(blank), readConfig({}));
  });

  it("derives addresses from those given", () => {
    const config = readConfig({
      PORT: "9000",
      INTERNAL_PORT: "9001",
      BASE_URL: "https://a.example/",
    });
    assert.equal(config.baseUrl, "https://a.example");
    assert.equal(config.askUrl, "http://127.0.0.1:9001/internal/ask");
    assert.equal(config.upgradeUrl, "https://a.example/billing");
  });

  it("knows an edge by its name alone, and loopback only on one machine", () => {
    const ipv4 = (env: Readonly<Record<string, string>>) => readConfig(env).edgeIpv4;
    const SECRET_KEY = "k";
    assert.deepEqual(ipv4({}), ["127.0.0.1"]);
    assert.deepEqual(ipv4({ EDGE_CNAME: "edge.localhost" }), ["127.0.0.1"]);
    assert.deepEqual(ipv4({ EDGE_CNAME: "edge.example.com" }), []);
    assert.deepEqual(ipv4({ EDGE_CNAME: "edge.example.com", EDGE_IPV4: "" }), []);
    assert.deepEqual(ipv4({ EDGE_IPV6: "2001:db8::1" }), []);
    assert.deepEqual(ipv4({ NODE_ENV: "production", SECRET_KEY }), []);
    for (const [name, address] of [
      ["EDGE_IPV4", "127.0.0.1"],
      ["EDGE_IPV4", "0.0.0.0"],
      ["EDGE_IPV6", "0:0:0:0:0:0:0:1"],
    ] as const) {
      const found = problems({ NODE_ENV: "production", SECRET_KEY, [name]: address });
      assert.equal(found.length, 1);
      assert.match(found[0] ?? "", new RegExp(`^${name}: .* is not reachable for visitors`));
    }
  });

  it("spells the edge's addresses as DNS answers them, each once", () => {
    const { edgeIpv4, edgeIpv6 } = readConfig({
      EDGE_IPV4: "192.0.2.1,192.0.2.1",
      EDGE_IPV6: "2001:DB8:0:0:0:0:0:10, 2001:db8::10,2001:0db8::0011",
    });
    assert.deepEqual(edgeIpv4, ["192.0.2.1"]);
    assert.deepEqual(edgeIpv6, ["2001:db8::10", "2001:db8::11"]);
  });

  it("reads each kind of value", () => {
    const config = readConfig({
      RECHECK_INTERVAL: "30s",
      STALL_AFTER: "2d",
      EDGE_IPV4: "192.0.2.1, 192.0.2.2",
      EDGE_IPV6: "2001:db8::1",
      EDGE_CNAME: "Edge.Example",
      TRUSTED_PROXIES: "10.0.0.0/8,::1",
      DNS_RESOLVERS: "127.0.0.1:5353,[::1]:53,9.9.9.9",
      WEBHOOK_ALLOW_PRIVATE: "true",
      ORIGIN_ALLOW_PRIVATE: "1",
      RATE_LIMITS: "general=1:2",
    });
    assert.equal(config.recheckIntervalMs, 30_000);
    assert.equal(config.stallAfterMs, 172_800_000);
    assert.deepEqual(config.edgeIpv4, ["192.0.2.1", "192.0.2.2"]);
    assert.equal(config.edgeCname, "edge.example");
    assert.deepEqual(config.trustedProxies, ["10.0.0.0/8", "::1"]);
    assert.deepEqual(config.dnsResolvers, ["127.0.0.1:5353", "[::1]:53", "9.9.9.9"]);
    assert.deepEqual([config.webhookAllowPrivate, config.originAllowPrivate], [true, true]);
    assert.deepEqual(config.rateLimits.general, { perSecond: 1, burst: 2 });
    assert.deepEqual(config.rateLimits.check, { perSecond: 10, burst: 20 });
  });

  it("names no application in the edge's metrics unless that is set", () => {
    const read = (value?: string) =>
      readConfig(value === undefined ? {} : { EDGE_METRICS_APPLICATIONS: value })
        .edgeMetricsApplications;
    const values = [read(), read("false"), read("0"), read("true"), read("12")];
    assert.deepEqual(values, [0, 0, 0, 50, 12]);
    for (const bad of ["many", "-1", "1001", "constructor"]) {
      assert.throws(
        () => read(bad),
        /EDGE_METRICS_APPLICATIONS: expected true, false, or a number/,
      );
    }
  });

  it("reads what is set for each CA", () => {
    const [one, two] = ["https://one.example/dir", "https://two.example/dir"];
    const config = readConfig({
      ACME_DIRECTORY_URL: `${one},${two}`,
      ACME_PROFILES: `${one}=shortlived, ${two}=none`,
      ACME_EABS: `${two}=key:id:c2VjcmV0`,
      ISSUANCE_LIMITS: JSON.stringify({
        [one]: { orders_per_3h: 1_500, tenant_share: 1 },
        "*": { failures_per_name_per_hour: 3 },
      }),
    });
    assert.deepEqual(config.acmeProfiles, { [one]: "shortlived", [two]: "none" });
    assert.deepEqual(config.acmeEabs, { [two]: { kid: "key:id", hmacKey: "c2VjcmV0" } });
    assert.deepEqual(config.issuanceLimits, {
      [one]: { ordersPer3Hours: 1_500, tenantShare: 1 },
      "*": { failuresPerNamePerHour: 3 },
    });
  });

  it("refuses what is set for a CA that is not used, and never shows a key", () => {
    const catchProblems = (env: Readonly<Record<string, string>>): string => {
      try {
        readConfig({ ACME_DIRECTORY_URL: "https://one.example/dir", ...env });
        return "";
      } catch (error) {
        return error instanceof ConfigError ? error.problems.join("; ") : "";
      }
    };
    const other = "https://two.example/dir";
    assert.match(
      catchProblems({ ACME_PROFILES: `${other}=classic` }),
      /two\.example.* is not in ACME/,
    );
    assert.match(catchProblems({ ACME_EABS: `${other}=nocolon-s3cret` }), /expected .*kid:key/);
    assert.doesNotMatch(catchProblems({ ACME_EABS: `${other}=nocolon-s3cret` }), /s3cret/);
    assert.match(catchProblems({ ISSUANCE_LIMITS: "{oops" }), /^ISSUANCE_LIMITS: /);
    assert.match(catchProblems({ ISSUANCE_LIMITS: '{"*":{"orders_per_3h":0}}' }), /orders_per_3h/);
    assert.match(catchProblems({ ISSUANCE_LIMITS: '{"*":{"orders":9}}' }), /orders/);
  });

  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ["PORT", "http", /^PORT: expected a port number/],
    ["PORT", "65536", /^PORT: .*65535/],
    ["PORT", "-1", /^PORT: /],
    ["DATABASE_URL", "mysql://x/y", /^DATABASE_URL: .*postgres:\/\//],
    ["BASE_URL", "ftp://x", /^BASE_URL: .*https?:\/\//],
    ["BASE_URL", "not a url", /^BASE_URL: /],
    ["EDGE_CNAME", "under_score", /^EDGE_CNAME: expected a hostname/],
    ["EDGE_IPV4", "192.0.2.1,nope", /^EDGE_IPV4: nope: expected an IPv4 address like/],
    ["EDGE_IPV4", "192.0.2.1,", /^EDGE_IPV4: \(empty\): /],
    ["EDGE_IPV6", "192.0.2.1", /^EDGE_IPV6: 192\.0\.2\.1: expected an IPv6 address like/],
    ["EDGE_IPV6", "::ffff:192.0.2.1", /^EDGE_IPV6: .*IPv4 belongs in EDGE_IPV4/],
    ["EDGE_IPV6", "fe80::1%eth0", /^EDGE_IPV6: /],
    ["DNS_RESOLVERS", "one.one", /^DNS_RESOLVERS: one\.one: expected ip/],
    ["ACME_DIRECTORY_URL", "letsencrypt", /^ACME_DIRECTORY_URL: letsencrypt: /],
    ["ACME_EMAIL", "nobody", /^ACME_EMAIL: /],
    ["RECHECK_INTERVAL", "1 hour", /^RECHECK_INTERVAL: expected a duration like 30s, 5m or 72h/],
    ["STALL_AFTER", "-5m", /^STALL_AFTER: /],
    ["ARCHIVED_CONNECTIONS_AFTER", "1h", /^ARCHIVED_CONNECTIONS_AFTER: expected 24h or more/],
    ["GIVE_UP_AFTER", "72", /^GIVE_UP_AFTER: /],
    ["WEBHOOK_ALLOW_PRIVATE", "yes", /^WEBHOOK_ALLOW_PRIVATE: expected true, false or loopback/],
    ["EGRESS_ALLOW", "10.0.0.0/40", /^EGRESS_ALLOW: 10\.0\.0\.0\/40: expected an address or CIDR/],
    ["TRUSTED_PROXIES", "10.0.0.0/8,", /^TRUSTED_PROXIES: \(empty\): /],
    ["UPGRADE_URL", "/billing", /^UPGRADE_URL: /],
    ["RATE_LIMITS", "general=fast", /^RATE_LIMITS: general=fast: expected name=perSecond:burst/],
    ["RATE_LIMITS", "nothing=1:1", /^RATE_LIMITS: nothing=1:1: .*general, check/],
    ["RATE_LIMITS", "general=1.2.3:5", /^RATE_LIMITS: general=1\.2\.3:5: /],
    ["RATE_LIMITS", "general=0:5", /^RATE_LIMITS: general=0:5: /],
    ["RATE_LIMITS", "general=5:0", /^RATE_LIMITS: general=5:0: /],
    ["RATE_LIMITS", "constructor=1:1", /^RATE_LIMITS: constructor=1:1: /],
    ["LOG_LEVEL", "loud", /^LOG_LEVEL: /],
  ];
  for (const [name, value, expected] of wrong) {
    it(`says in one line what is wrong with ${name}=${value}`, () => {
      const found = problems({ [name]: value });
      assert.equal(found.length, 1);
      assert.match(found[0] ?? "", expected);
      assert.doesNotMatch(found[0] ?? "", /\n/);
    });
  }

  it("reports several problems at once, one line each", () => {
    const found = problems({ PORT: "x", EDGE_IPV4: "a,b", LOG_LEVEL: "y", BASE_URL: "z" });
    assert.deepEqual(found.map((line) => line.slice(0, line.indexOf(":"))).sort(), [
      "BASE_URL",
      "EDGE_IPV4",
      "EDGE_IPV4",
      "LOG_LEVEL",
      "PORT",
    ]);
    assert.match(String(new ConfigError(found)), /configuration:\n {2}/);
  });

  it("reports contradictions beside invalid variables, and none that those seem to make", () => {
    const found = problems({
      NODE_ENV: "production",
      PORT: "x",
      INTERNAL_PORT: "8080",
      EDGE_PROXY_PROTOCOL: "perhaps",
      EDGE_PROXY_PROTOCOL_FROM: "10.0.0.0/8",
    });
    assert.deepEqual(found.map((line) => line.slice(0, line.indexOf(":"))).sort(), [
      "EDGE_PROXY_PROTOCOL",
      "PORT",
      "SECRET_KEY",
    ]);
  });

  it("never repeats a secret in a problem", () => {
    const canary = "canary-value-of-a-secret";
    const env = { DATABASE_URL: `mysql://u:${canary}@h/d`, SECRET_KEY: canary, PORT: "x" };
    assert.doesNotMatch(problems(env).join("\n"), /canary/);
  });

  it("refuses production without SECRET_KEY, and settings that contradict each other", () => {
    assert.match(problems({ NODE_ENV: "production" })[0] ?? "", /^SECRET_KEY: required/);
    assert.match(
      problems({ PORT: "80", INTERNAL_PORT: "80" })[0] ?? "",
      /^INTERNAL_PORT: must differ/,
    );
    assert.match(
      problems({ STRIPE_SECRET_KEY: "sk" })[0] ?? "",
      /^STRIPE_WEBHOOK_SECRET: required/,
    );
  });

  it("wants NATS_URL for edges that are fed by NATS, and a certificate with its key", () => {
    const nats = { EDGE_FEED: "nats", NATS_URL: "nats://edge:secret@one:4222,tls://two:4222" };
    assert.deepEqual(readConfig(nats).natsUrls.length, 2);
    assert.equal(readConfig({}).edgeFeed, "postgres");
    assert.deepEqual(
      catchProblems(() => readConfig({ EDGE_FEED: "nats" })),
      ["NATS_URL: required when EDGE_FEED=nats"],
    );
    assert.match(catchProblems(() => readConfig({ NATS_URL: "one:4222" }))[0] ?? "", /^NATS_URL: /);
    const lone = { ...nats, NATS_KEY_FILE: "/key.pem" };
    assert.match(catchProblems(() => readConfig(lone))[0] ?? "", /^NATS_KEY_FILE: /);
  });

  it("finds the database in the file of the local supervisor, or says what to do", () => {
    inDirectory((directory) => {
      const config = readConfig({ DATA_DIR: directory });
      const [problem = ""] = catchProblems(() => databaseUrl(config));
      assert.match(problem, /^DATABASE_URL: not set.*npm start/);
      writeFileSync(path.join(directory, "database-url"), "postgres://x/y\n");
      assert.equal(databaseUrl(config), "postgres://x/y");
      const given = readConfig({ DATA_DIR: directory, DATABASE_URL: "postgres://given/z" });
      assert.equal(databaseUrl(given), "postgres://given/z");
    });
  });

  it("generates one root key for the machine, readable by its owner only", () => {
    inDirectory((directory) => {
      const config = readConfig({ DATA_DIR: path.join(directory, "new") });
      const first = loadRootKeys(config);
      assert.deepEqual(loadRootKeys(config), first);
      assert.equal(statSync(path.join(directory, "new", "secret-key")).mode & 0o777, 0o600);
    });
    const [problem = ""] = catchProblems(() => loadRootKeys(readConfig({ SECRET_KEY: "canary" })));
    assert.match(problem, /^SECRET_KEY: /);
    assert.doesNotMatch(problem, /canary/);
  });

  it("reads plans from a file, and says what is wrong with one", () => {
    inDirectory((directory) => {
      const file = path.join(directory, "plans.json");
      const limits = { connect: 5, active_domain: null, cert: null, api_call: null };
      const pro = { id: "pro", name: "Pro", limits, price_cents: 100 };
      const load = (content: string, plan = "pro"): readonly string[] => {
        writeFileSync(file, content);
        return catchProblems(() => loadPlans(readConfig({ PLANS_FILE: file, DEFAULT_PLAN: plan })));
      };
      assert.deepEqual(load(JSON.stringify([pro])), []);
      assert.match(
        load(JSON.stringify([pro]), "gold")[0] ?? "",
        /^DEFAULT_PLAN: gold is not one of pro/,
      );
      assert.match(load(JSON.stringify([pro, pro]))[0] ?? "", /occurs twice/);
      assert.match(load("[")[0] ?? "", /^PLANS_FILE: .* is not JSON/);
      assert.match(load(JSON.stringify([{ ...pro, price_cents: -1 }]))[0] ?? "", /0\.price_cents/);
      rmSync(file);
      const absent = catchProblems(() => loadPlans(readConfig({ PLANS_FILE: file })));
      assert.match(absent[0] ?? "", /^PLANS_FILE: .* cannot be read/);
    });
  });
});

describe("recursiveResolvers", () => {
  it("takes those configured, else the system's, else public ones", () => {
    assert.deepEqual(recursiveResolvers(["192.0.2.1:5353"], ["192.0.2.2"]), ["192.0.2.1:5353"]);
    assert.deepEqual(recursiveResolvers([], ["192.0.2.2"]), ["192.0.2.2"]);
    assert.deepEqual(recursiveResolvers([], []), ["1.1.1.1", "8.8.8.8", "9.9.9.9"]);
  });

  it("writes IPv6 addresses in brackets and passes over link-local ones", () => {
    const system = ["fe80::1%eth0", "2001:db8::53", "[2001:db8::54]:53"];
    assert.deepEqual(recursiveResolvers([], system), ["[2001:db8::53]", "[2001:db8::54]:53"]);
    assert.deepEqual(recursiveResolvers([], ["fe80::1%eth0"]).length, 3);
  });
});
