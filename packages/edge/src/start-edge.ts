import path from "node:path";
import { createNetworkResolver } from "@mooring/dns";
import { createGuard } from "@mooring/egress";
import { createVault, type Vault } from "@mooring/vault";
import type pg from "pg";
import { createBudget } from "./certificates/budget.ts";
import { createDiskCache } from "./certificates/disk-cache.ts";
import { type IssueLoop, startIssueLoop } from "./certificates/issue-loop.ts";
import { createIssuers } from "./certificates/issuers.ts";
import { createPreflight } from "./certificates/preflight.ts";
import { createSource, type RunningSource } from "./certificates/source.ts";
import type { Clock } from "./clock.ts";
import { startClock } from "./db/clock.ts";
import { type Listener, listen } from "./db/listen.ts";
import { assertConfined, openPool } from "./db/pool.ts";
import { loadFirst } from "./hosts/first-load.ts";
import { createKnownHosts, type KnownHosts } from "./hosts/known-hosts.ts";
import { startListeners } from "./listener/start-listeners.ts";
import { startOperational } from "./operational.ts";
import { createPermission, type Permission } from "./permission.ts";
import type { EdgeParts } from "./settings.ts";

export interface RunningEdge {
  readonly httpPort: number;
  readonly httpsPort: number;
  /** Lets requests under way finish, gives leases back; within 10 seconds. */
  close(): Promise<void>;
}

const pollMs = 5_000;
const keepHostsMs = 30_000;

/** The edge process: known hosts, certificates, listeners. */
export async function startEdge(parts: EdgeParts): Promise<RunningEdge> {
  const { settings, log } = parts;
  const pool = openPool(parts.databaseUrl, (error) => log.warn({ err: error }, "connection lost"));
  const measured = await startClock(pool);
  const clock = parts.clock ?? measured;
  const vault = createVault(parts.rootKeys, {
    purposes: ["certificate_key", "acme_account", "local_ca"],
  });
  const disk = createDiskCache(path.join(settings.DATA_DIR, "edge"), log);
  const hosts = createKnownHosts(pool, log);
  await loadFirst(hosts, { disk, clock, log });
  await assertConfined(pool, log);
  const permission = createPermission(settings.ASK_URL, fetch);
  const loop = issueLoop(parts, { pool, vault, clock, hosts, permission });
  const certificates = createSource({ pool, vault, clock, permission, log, disk, wake: loop.wake });
  hosts.onGone((hostname) => {
    certificates.forget(hostname);
    disk.drop(hostname);
  });
  const listener = hear(parts, { hosts, certificates, loop });
  const timers = [
    setInterval(() => catchUp(parts, hosts), pollMs),
    setInterval(() => disk.saveHosts(hosts.all(), clock.now()), keepHostsMs),
  ];
  const { EGRESS_ALLOW: allow, ORIGIN_ALLOW_PRIVATE: allowPrivate, EDGE_HOST: host } = settings;
  const listeners = await startListeners({
    hosts,
    certificates,
    originGuard: createGuard({ allow, allowPrivate }),
    assertion: () => null,
    log,
    http: { host, port: settings.EDGE_HTTP_PORT },
    https: { host, port: settings.EDGE_HTTPS_PORT },
  });
  const operational = await startOperational(settings, { hosts, stats: listeners.stats });
  return {
    httpPort: listeners.httpPort,
    httpsPort: listeners.httpsPort,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([listeners.close(), operational?.close(), listener.close(), loop.stop()]);
      disk.saveHosts(hosts.all(), clock.now());
      measured.stop();
      await pool.end();
    },
  };
}

function issueLoop(
  { settings, resolvers, caaNames, log, random = Math.random }: EdgeParts,
  shared: {
    readonly pool: pg.Pool;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly hosts: KnownHosts;
    readonly permission: Permission;
  },
): IssueLoop {
  const resolver = createNetworkResolver({
    resolvers,
    authoritativePort: settings.DNS_AUTHORITATIVE_PORT,
  });
  return startIssueLoop({
    ...shared,
    log,
    random,
    issuersFor: createIssuers(settings, { ...shared, random }),
    budget: createBudget(shared.pool, shared.clock),
    preflight: createPreflight({
      resolver,
      edgeAddresses: [...settings.EDGE_IPV4, ...settings.EDGE_IPV6],
      edgeCname: settings.EDGE_CNAME,
      caaNames: (issuer) => caaNames(issuer.name),
    }),
  });
}

function hear(
  parts: EdgeParts,
  told: {
    readonly hosts: KnownHosts;
    readonly certificates: RunningSource;
    readonly loop: IssueLoop;
  },
): Listener {
  return listen({
    url: parts.databaseUrl,
    channels: ["mooring_hosts", "mooring_certificates", "mooring_due"],
    onNotification: (channel, payload) => {
      if (channel === "mooring_hosts") told.hosts.changed(payload);
      else if (channel === "mooring_certificates") told.certificates.forget(payload);
      else if (payload === "certificates") told.loop.wake();
    },
    onConnected: () => catchUp(parts, told.hosts),
    onError: (error) => parts.log.warn({ err: error }, "listening interrupted, polling meanwhile"),
  });
}

/** What notifications may have missed; while the database is away the last good set stands. */
function catchUp({ log }: EdgeParts, hosts: KnownHosts): void {
  hosts.catchUp().catch((error: unknown) => log.debug({ err: error }, "hosts not caught up"));
}
