import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { silent } from "@mooring/testing/edge/edge-database";
import { createTestVault } from "@mooring/testing/edge/issuing";
import { TestHosts } from "@mooring/testing/edge/test-edge";
import { freePort } from "@mooring/testing/processes/free-port";
import { until } from "@mooring/testing/processes/until";
import { acceleratorPaths } from "../packages/edge/src/accelerator/paths.ts";
import { startAccelerator } from "../packages/edge/src/accelerator/process/supervisor.ts";
import { startPromoter } from "../packages/edge/src/accelerator/promoter.ts";
import { startRequestLog } from "../packages/edge/src/accelerator/request-log.ts";
import { createHaproxyTable } from "../packages/edge/src/accelerator/runtime/haproxy-table.ts";
import { createRuntimeApi } from "../packages/edge/src/accelerator/runtime/runtime-api.ts";
import { startAsserter } from "../packages/edge/src/assertion/asserter.ts";
import { createKeySnapshot } from "../packages/edge/src/assertion/signing-keys.ts";
import { assertionKeyContext } from "../packages/edge/src/index.ts";
import { makeCertificates } from "./support/edge-certificates.ts";
import { readCpuSeconds, readMemoryMib } from "./support/pinned.ts";

/**
 * `accelerator-main.ts NAMES MINUTES`: promotes that many names to a HAProxy of its own, lets
 * minutes begin, and prints what both cost as JSON. Nobody visits the names.
 */
const [count = 0, minutes = 0] = process.argv.slice(2).map(Number);
const minuteMs = 60_000;
const idleMs = 10_000;
const waitMs = 240_000;

/** What the promoter and HAProxy used, in seconds. */
export interface Cost {
  readonly promoter: number;
  readonly haproxy: number;
  readonly elapsed: number;
}

export interface AcceleratorCosts {
  readonly promotion: Cost;
  /** With all names promoted, in the middle of a minute. */
  readonly idle: Cost;
  readonly minutes: Cost;
  /** HAProxy's, without and with all names. */
  readonly emptyMib: number;
  readonly promotedMib: number;
}

const directory = mkdtempSync(path.join(tmpdir(), "mooring-accelerator-"));
const paths = acceleratorPaths(directory);
/** Stands still, so that no minute begins by itself. */
let nowMs = Date.now();
const clock = { now: () => new Date(nowMs) };
const names = Array.from({ length: count }, (_, index) => `h${index + 1}.bench.example`);
const hosts = new TestHosts();
for (const [index, hostname] of names.entries()) {
  const id = `0198c0de-0000-7000-8000-${String(index).padStart(12, "0")}`;
  hosts.set(hostname, {
    originUrl: "http://127.0.0.1:9",
    connectionId: id,
    applicationId: id,
    tenantId: id,
    customerRef: `customer-${index}`,
  });
}
const certificates = new Map(
  (await makeCertificates(names)).map((one) => [one.hostname, one] as const),
);

const accelerator = await startAccelerator({
  settings: {
    DATA_DIR: directory,
    EDGE_ACCELERATOR_NAMES: count,
    EDGE_ACCELERATOR_HTTP3: 0,
    EDGE_CDN_RANGES: {},
    EDGE_CNAME: "edge.example",
    EDGE_DRAIN: 1_000,
    EDGE_HEALTH_CHECKS_FROM: [],
    EDGE_HOST: "127.0.0.1",
    EDGE_HTTPS_PORT: await freePort(),
    EDGE_PROXY_PROTOCOL: false,
    EDGE_PROXY_PROTOCOL_FROM: [],
    EDGE_TRUSTED_PROXIES: [],
  },
  workers: 1,
  log: silent,
});
// Without it HAProxy would try to connect again and again.
const requestLog = await startRequestLog(paths.log, () => undefined);
const asserter = await startTestAsserter();
const api = createRuntimeApi(paths.admin);
const owner = "bench";
const table = createHaproxyTable(api, paths, owner);
let written = 0;
let busy: readonly string[] = [];
const promoter = startPromoter({
  table: {
    ...table,
    async setAssertions(tokens) {
      await table.setAssertions(tokens);
      written += tokens.length;
    },
  },
  owner,
  hosts,
  async certificate({ hostname }) {
    const found = certificates.get(hostname);
    if (found === undefined) return null;
    return { ...found, notAfter: new Date(Date.now() + 3_600_000_000) };
  },
  assertion: asserter.sign,
  origin: async () => ({ address: "127.0.0.1", port: 9, tls: null, connections: 512 }),
  rates: { rank: () => busy.map((hostname) => ({ hostname, perSecond: 100 })) },
  areStapled: true,
  now: clock.now,
  log: { ...silent, warn: (fields) => console.error(fields) },
  most: count,
  // A busy machine may make HAProxy answer late: the name is tried again at once.
  times: { failedMs: 0 },
});

try {
  console.log(JSON.stringify(await measure()));
} finally {
  await promoter.stop();
  asserter.stop();
  requestLog.close();
  await accelerator.close();
  rmSync(directory, { recursive: true, force: true });
}

async function measure(): Promise<AcceleratorCosts> {
  const emptyMib = readMemoryMib(haproxyPid());
  const promotion = await costOf(async () => {
    busy = names;
    await until(() => promoter.size === count, "all names promoted", waitMs);
  });
  const promotedMib = readMemoryMib(haproxyPid());
  const idle = await costOf(() => delay(idleMs));
  const begun = await costOf(async () => {
    for (let minute = 0; minute < minutes; minute += 1) {
      const before = written;
      nowMs += minuteMs;
      await until(() => written - before >= count, "a new assertion for each name", waitMs);
    }
  });
  await checkAssertions();
  return { promotion, idle, minutes: begun, emptyMib, promotedMib };
}

function haproxyPid(): number {
  const pid = accelerator.pid();
  if (pid === null) throw new Error("HAProxy does not run");
  return pid;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const pid = haproxyPid();
  const used = (): Cost => {
    const { user, system } = process.cpuUsage();
    return {
      promoter: (user + system) / 1e6,
      haproxy: readCpuSeconds(pid),
      elapsed: performance.now() / 1_000,
    };
  };
  const before = used();
  await work();
  const after = used();
  return {
    promoter: after.promoter - before.promoter,
    haproxy: after.haproxy - before.haproxy,
    elapsed: after.elapsed - before.elapsed,
  };
}

/** Signs as an edge does, with a key that no database has. */
function startTestAsserter() {
  const vault = createTestVault();
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const id = "bench";
  const pkcs8 = privateKey.export({ format: "der", type: "pkcs8" });
  const key = {
    id,
    publicJwk: publicKey.export({ format: "jwk" }),
    sealed: vault.seal("assertion_signing", assertionKeyContext(id), pkcs8),
    createdAt: new Date(),
  };
  const snapshot = createKeySnapshot(directory, silent);
  const issuer = "https://api.example.com";
  const keys = { assertionKeys: async () => [key] };
  return startAsserter({ keys, vault, clock, log: silent, snapshot, issuer });
}

/** HAProxy has the assertion of this minute for every name. */
async function checkAssertions(): Promise<void> {
  const text = await api.run(`show map ${paths.assertions}`);
  const held = new Map(
    text.split("\n").map((line) => line.split(" ").slice(1, 3) as [string, string]),
  );
  for (const hostname of names) {
    const host = hosts.get(hostname);
    if (host === null || held.get(hostname) !== asserter.sign(host)) {
      throw new Error(`HAProxy has not the assertion of ${hostname}`);
    }
  }
}
