import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createGuard } from "@mooring/egress";
import { acceleratorPaths } from "../../../../edge/src/accelerator/paths.ts";
import {
  type RunningAccelerator,
  startAccelerator,
} from "../../../../edge/src/accelerator/process/supervisor.ts";
import { findObstacle } from "../../../../edge/src/accelerator/promotable.ts";
import { startPromotion } from "../../../../edge/src/accelerator/start-promotion.ts";
import { defaultLimits } from "../../../../edge/src/config/limits.ts";
import { claimText } from "../../../../edge/src/hosts/host.ts";
import { freePort } from "../../processes/free-port.ts";
import { until } from "../../processes/until.ts";
import {
  leafFor,
  replaceTestEdge,
  startNodeEdge,
  type TestEdge,
  type TestEdgeOptions,
} from "../test-edge.ts";
import { promptTimes } from "./forced-promotion.ts";
import { createPromotedProcesses } from "./promoted-processes.ts";
import { reportShown } from "./report.ts";
import { replaceWholeEdges } from "./whole-edges.ts";

/**
 * Preloaded by `npm run test:world -- edge --accelerator=haproxy`: every edge that a test starts,
 * in its process or in others, is behind HAProxy, and each of its names is promoted before the
 * first visitor, if it can be.
 */
replaceTestEdge(startPromotedEdge);
replaceWholeEdges(createPromotedProcesses((hostname) => shown.promoted.add(hostname)));

const maxNames = 64;
const silent = (): void => undefined;

/** What this process has shown; the runner reads it. */
const shown = { promoted: new Set<string>(), served: 0 };

/** Also those of a test that failed before it closed its edge. */
const accelerators = new Set<RunningAccelerator>();

process.on("exit", () => {
  for (const accelerator of accelerators) {
    const pid = accelerator.pid();
    if (pid !== null) process.kill(pid, "SIGKILL");
  }
  reportShown({ promoted: [...shown.promoted], served: shown.served });
});

async function startPromotedEdge(options: TestEdgeOptions): Promise<TestEdge> {
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-fast-"));
  const paths = acceleratorPaths(directory);
  mkdirSync(paths.directory, { recursive: true, mode: 0o700 });
  const publicPort = await freePort();
  const guard = options.originGuard ?? createGuard({ allowPrivate: true });
  const { front, limits = {} } = options;
  const assertion = options.assertion ?? (({ hostname }) => `assertion-for-${hostname}`);
  const edge = await startNodeEdge({
    ...options,
    originGuard: guard,
    assertion,
    accelerated: { tls: paths.tls(0), decrypted: paths.decrypted(0), publicPort },
  });
  const { hosts } = edge;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const accelerator = await startAccelerator({
    settings: {
      DATA_DIR: directory,
      EDGE_ACCELERATOR_NAMES: maxNames,
      EDGE_ACCELERATOR_HTTP3: 0,
      EDGE_CDN_RANGES: {},
      EDGE_CNAME: options.loopId ?? "mooring",
      EDGE_DRAIN: limits.drainMs ?? defaultLimits.drainMs,
      EDGE_HEALTH_CHECKS_FROM: front?.healthChecksFrom ?? [],
      EDGE_HOST: "127.0.0.1",
      EDGE_HTTPS_PORT: publicPort,
      EDGE_PROXY_PROTOCOL: (front?.proxyProtocolFrom ?? null) !== null,
      EDGE_PROXY_PROTOCOL_FROM: front?.proxyProtocolFrom ?? [],
      EDGE_TRUSTED_PROXIES: front?.trustedProxies ?? [],
    },
    workers: 1,
    limits: { connectionsPerAddress: 100_000, handshakesPerAddressPerSecond: 1_000_000, ...limits },
    trusted: String(options.originTls?.ca ?? edge.authority.certificatePem),
    log,
  });
  accelerators.add(accelerator);
  /** Names that HAProxy was not given, although nothing of their settings was against it. */
  const refused = new Set<string>();
  const promotion = await startPromotion({
    paths,
    hosts,
    guard,
    assertion,
    isOwn: (_, port) => port === publicPort || port === edge.httpPort,
    limits: { ...defaultLimits, ...limits },
    stats: edge.stats,
    outcomes: options.outcomes ?? { succeeded: silent, failed: silent },
    accessLog(line) {
      shown.served += 1;
      options.accessLog?.(line);
    },
    log: {
      ...log,
      warn(fields, message) {
        if (message === "name not promoted" && "host" in fields) refused.add(String(fields.host));
        if (message === "origin request failed") edge.warnings.push(fields);
      },
    },
    rates: { rank: () => hosts.names.map((hostname) => ({ hostname, perSecond: 100 })) },
    areStapled: true,
    now: () => new Date(),
    most: maxNames,
    times: promptTimes,
    async certificate({ hostname }) {
      const { cert, key } = await leafFor(edge.authority, { hostnames: [hostname] });
      return { chain: cert, key, notAfter: new Date(Date.now() + 3_600_000) };
    },
  });

  /** Whether HAProxy has the name as it is now, or leaves it to the Node edge for good. */
  function isSettled(hostname: string): boolean {
    const host = hosts.find(hostname);
    const application = host === null ? null : hosts.applicationOf(host);
    const isPromoted = promotion.isPromoted(hostname);
    if (host === null || application === null) return !isPromoted;
    if (refused.has(hostname)) return true;
    if (findObstacle({ host, application }) !== null) return !isPromoted;
    return isPromoted && promotion.hostOf(claimText(host)) === host;
  }

  return {
    ...edge,
    async ready(hostname) {
      await until(() => isSettled(hostname), `${hostname} promoted`, 5_000);
      if (promotion.isPromoted(hostname)) shown.promoted.add(hostname);
    },
    async close() {
      await promotion.stop();
      await Promise.all([accelerator.close(), edge.close()]);
      accelerators.delete(accelerator);
      promotion.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
