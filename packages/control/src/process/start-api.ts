import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { mountBillingWebhook } from "../api/billing/billing.ts";
import { mountOAuthReturn } from "../api/credentials/oauth.ts";
import { mountDocs } from "../api/docs/mount.ts";
import { mountDomainConnectReturn } from "../api/domain-connect/domain-connect.ts";
import type { DropInApi } from "../api/drop-in.ts";
import { openApiDocument } from "../api/openapi/openapi.ts";
import { mountOperational } from "../api/operator/operational.ts";
import { type AssetDirectories, mountAssets, mountDemo } from "../api/pages/assets.ts";
import { mountHome } from "../api/pages/home.ts";
import { mountSignInLinks } from "../api/people/console.ts";
import { mountOidc } from "../api/people/console-oidc.ts";
import { mountPasskeySignIn } from "../api/people/passkeys.ts";
import { routes } from "../api/routes.ts";
import { closeServer, createServer, mountRoutes } from "../api/server.ts";
import { mountShare } from "../api/share/share.ts";
import { mountStatus } from "../api/share/status.ts";
import { type Config, databaseUrl, type Listener } from "../config/config.ts";
import { createApiMetrics } from "../metrics/api.ts";
import { startMeter } from "../services/billing/meter.ts";
import { openRuntime, type RuntimeOptions } from "./open-runtime.ts";

export interface RunningApi {
  readonly url: string;
  readonly internalUrl: string | null;
  /** Finishes the requests in flight, writes the metered usage, closes; within 10 seconds. */
  close(): Promise<void>;
}

/** For each of the last two steps of a stop, after the requests in flight. */
const lastWriteMs = 1_500;

/** File descriptors of sockets that listen already; for the others a socket is opened. */
export interface ApiSockets {
  readonly public?: number | undefined;
  readonly internal?: number | undefined;
}

export interface ApiOptions extends RuntimeOptions {
  readonly sockets?: ApiSockets;
  /** The built files for browsers. */
  readonly assets?: AssetDirectories;
  /** APIs in the shapes of other vendors. */
  readonly dropIns?: readonly DropInApi[];
}

/** The API process: public listener, and the private one where the configuration has one. */
export async function startApi(config: Config, options: ApiOptions = {}): Promise<RunningApi> {
  const opened = await openRuntime(config, {
    url: databaseUrl(config),
    role: "mooring_api",
    name: "api",
    ...options,
  });
  const { runtime } = opened;
  const metrics = createApiMetrics(runtime.database, runtime.clock, runtime.targets);
  const meter = startMeter(runtime);
  const app = createServer(runtime, metrics);
  const { internalListener } = config;
  const internal = internalListener && createServer(runtime, metrics);
  mountOperational({ app, internal, runtime, metrics });
  mountBillingWebhook(app, runtime);
  mountDocs(app, () => openApiDocument(routes));
  mountAssets(app, options.assets ?? {});
  mountDemo(app, config.demoUrl);
  mountHome(app, { config, plans: runtime.plans, hasGuide: options.assets?.docs !== undefined });
  mountShare(app, runtime, metrics);
  mountStatus(app, runtime, metrics);
  mountSignInLinks(app, runtime, metrics);
  mountOidc(app, runtime, metrics);
  mountPasskeySignIn(app, runtime, metrics);
  mountDomainConnectReturn(app, runtime);
  mountOAuthReturn(app, runtime);
  mountRoutes(app, { runtime, meter, metrics, routes, dropIns: options.dropIns ?? [] });
  // Asked before the first connection needs it; a missing record is a warning, never an obstacle.
  runtime.targets
    .mayBeDesired(config.edgeCname, new AbortController().signal)
    .catch((error: unknown) => runtime.log.warn({ err: error }, "targets not looked up"));
  const { public: socket, internal: internalSocket } = options.sockets ?? {};
  await app.listen(at({ host: config.host, port: config.port }, socket));
  if (internalListener) await internal?.listen(at(internalListener, internalSocket));
  if (internalListener && config.internalPort === null) {
    const { host, port } = internalListener;
    const to = `/internal/* and /metrics are on ${host}:${port} alone`;
    runtime.log.warn(`INTERNAL_PORT is not set: ${to}`);
  }
  return {
    url: formatAddress(app),
    internalUrl: internal ? formatAddress(internal) : null,
    async close() {
      await Promise.all([closeServer(app), internal ? closeServer(internal) : null]);
      // An unreachable database must not stop the process from ending.
      await atMost(lastWriteMs, meter.close()).catch((error: unknown) =>
        runtime.log.error({ err: error }, "usage not written at stop"),
      );
      await atMost(lastWriteMs, opened.close()).catch((error: unknown) =>
        runtime.log.warn({ err: error }, "database connections left open at stop"),
      );
    },
  };
}

/** A descriptor goes before address and port: `net.Server` takes it alone. */
function at({ host, port }: Listener, descriptor: number | undefined) {
  return { host, port, ...(descriptor === undefined ? {} : { fd: descriptor }) };
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const timeUp = new AbortController();
  const late = delay(ms, undefined, { signal: timeUp.signal }).then(
    () => {
      throw new Error(`not done within ${ms} ms`);
    },
    () => undefined, // cancelled: the work was done first
  );
  try {
    await Promise.race([work, late]);
  } finally {
    timeUp.abort();
  }
}

function formatAddress(app: FastifyInstance): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
