import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createGuard, type GuardOptions } from "@mooring/egress";
import { acceleratorPaths } from "../../../../edge/src/accelerator/paths.ts";
import {
  type RunningAccelerator,
  startAccelerator,
} from "../../../../edge/src/accelerator/process/supervisor.ts";
import { createRequestRates } from "../../../../edge/src/accelerator/rates.ts";
import {
  type RunningPromotion,
  startPromotion,
} from "../../../../edge/src/accelerator/start-promotion.ts";
import type { PromoterTimes } from "../../../../edge/src/accelerator/times.ts";
import { defaultLimits, type EdgeLimits } from "../../../../edge/src/config/limits.ts";
import type { AccessLine } from "../../../../edge/src/proxy/access-log.ts";
import { type EndedExchange, noTraffic } from "../../../../edge/src/traffic/counts.ts";
import { freePort } from "../../processes/free-port.ts";
import { until } from "../../processes/until.ts";
import { leafFor, startNodeEdge, type TestEdge } from "../test-edge.ts";
import { readStat } from "./haproxy-stat.ts";

/** An edge behind HAProxy, with hosts that a test adds and removes. */
export interface AcceleratedEdge extends TestEdge {
  readonly accelerator: RunningAccelerator;
  readonly promotion: RunningPromotion;
  readonly directory: string;
  readonly accessLines: AccessLine[];
  readonly counted: { readonly hostname: string; readonly exchange: EndedExchange }[];
  readonly failures: string[];
  /** Certificates that HAProxy got, by name; removed ones are made again. */
  readonly leaves: Map<string, Promise<{ readonly cert: string; readonly key: string }>>;
  /** Requests that HAProxy has sent to origins itself. */
  served(): Promise<number>;
  /** Makes the name busy, and waits until it is promoted. */
  promote(hostname: string): Promise<void>;
}

/** The HAProxy of these tests. */
export const testedHaproxy = process.env["TEST_HAPROXY"] ?? "haproxy";

/** Many visitors of a test come from one address. */
const roomy = { connectionsPerAddress: 100_000, handshakesPerAddressPerSecond: 1_000_000 };

export interface AcceleratedEdgeOptions {
  readonly times?: Partial<PromoterTimes>;
  readonly names?: number;
  /** Another HAProxy than the installed one; by default that of `TEST_HAPROXY`. */
  readonly program?: string | undefined;
  /** HTTP/3, where that HAProxy can; by default with another HAProxy. */
  readonly hasHttp3?: boolean;
  /** Resolves the names of origins. */
  readonly lookup?: GuardOptions["lookup"];
  readonly assertion?: (hostname: string) => string;
  /** The public address; loopback by default. */
  readonly host?: string;
  /** `DATA_DIR`, which is removed at the end; by default a new one. */
  readonly directory?: string;
  /** `EDGE_DRAIN`. */
  readonly drainMs?: number;
  /** Of HAProxy, instead of none for an address. */
  readonly limits?: Partial<EdgeLimits>;
  /** A socket that listens already, and its port. */
  readonly inherited?: { readonly fd: number; readonly port: number };
}

export async function startAcceleratedEdge(
  options: AcceleratedEdgeOptions = {},
): Promise<AcceleratedEdge> {
  const directory = options.directory ?? (await mkdtemp(path.join(tmpdir(), "mooring-fast-")));
  const paths = acceleratorPaths(directory);
  const publicPort = options.inherited?.port ?? (await freePort());
  const counted: AcceleratedEdge["counted"] = [];
  const accessLines: AccessLine[] = [];
  const failures: string[] = [];
  const most = options.names ?? 8;
  const busy = new Set<string>();
  const rates = createRequestRates(
    {
      ...noTraffic,
      ended: ({ hostname }, exchange) => void counted.push({ hostname, exchange }),
    },
    1,
  );
  const accessLog = (line: AccessLine): void => void accessLines.push(line);
  const outcomes = {
    succeeded: () => undefined,
    failed: ({ connectionId }: { readonly connectionId: string }) =>
      void failures.push(connectionId),
  };
  const accelerated = { tls: paths.tls(0), decrypted: paths.decrypted(0), publicPort };
  mkdirSync(paths.directory, { recursive: true, mode: 0o700 });
  const { lookup, inherited } = options;
  const guard = createGuard({ allowPrivate: true, ...(lookup === undefined ? {} : { lookup }) });
  const assertion = options.assertion ?? ((hostname: string) => `assertion-for-${hostname}`);
  const edge = await startNodeEdge({
    accelerated,
    originGuard: guard,
    assertion: ({ hostname }) => assertion(hostname),
    accessLog,
    outcomes,
    traffic: rates.counts,
    loopId: "edge.example",
  });
  const silent = (): void => undefined;
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  const program = options.program ?? process.env["TEST_HAPROXY"];
  const accelerator = await startAccelerator({
    settings: {
      DATA_DIR: directory,
      EDGE_ACCELERATOR_NAMES: most,
      EDGE_ACCELERATOR_HTTP3: (options.hasHttp3 ?? program !== undefined) ? publicPort : 0,
      EDGE_CDN_RANGES: {},
      EDGE_CNAME: "edge.example",
      EDGE_DRAIN: options.drainMs ?? 1_000,
      EDGE_HEALTH_CHECKS_FROM: [],
      EDGE_HOST: options.host ?? "127.0.0.1",
      EDGE_HTTPS_PORT: publicPort,
      EDGE_PROXY_PROTOCOL: false,
      EDGE_PROXY_PROTOCOL_FROM: [],
      EDGE_TRUSTED_PROXIES: ["127.9.9.9"],
    },
    workers: 1,
    limits: { ...roomy, ...options.limits },
    ...(program === undefined ? {} : { program }),
    trusted: edge.authority.certificatePem,
    ...(inherited === undefined ? {} : { inherited: inherited.fd }),
    log,
  });
  const leaves: AcceleratedEdge["leaves"] = new Map();
  const promotion = await startPromotion({
    paths,
    hosts: edge.hosts,
    guard,
    isOwn: () => false,
    limits: { ...defaultLimits, ...options.limits },
    stats: edge.stats,
    outcomes,
    accessLog,
    log: { ...log, warn: (fields) => void edge.warnings.push(fields) },
    rates: {
      rank: () => [...busy].map((hostname) => ({ hostname, perSecond: 100 })),
    },
    assertion: ({ hostname }) => assertion(hostname),
    areStapled: true,
    now: () => new Date(),
    most,
    times: { tickMs: 50, rankMs: 50, ...options.times },
    async certificate({ hostname }) {
      const made = leaves.get(hostname) ?? leafFor(edge.authority, { hostnames: [hostname] });
      leaves.set(hostname, made);
      const { cert, key } = await made;
      return { chain: cert, key, notAfter: new Date(Date.now() + 3_600_000) };
    },
  });
  return {
    ...edge,
    accelerator,
    promotion,
    directory,
    accessLines,
    counted,
    failures,
    leaves,
    async served() {
      return (await readStat(paths))
        .filter(({ pxname, svname }) => pxname?.startsWith("slot") && svname === "BACKEND")
        .reduce((sum, { stot }) => sum + Number(stot), 0);
    },
    async promote(hostname) {
      busy.add(hostname);
      await until(() => promotion.isPromoted(hostname), `${hostname} promoted`);
    },
    async close() {
      await promotion.stop();
      await Promise.all([accelerator.close(), edge.close()]);
      promotion.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
