import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { mountDemo } from "./api/assets/demo.ts";
import { type AssetDirectories, mountAssets } from "./api/assets/mount.ts";
import { mountBillingWebhook } from "./api/billing-webhook.ts";
import { closeServer } from "./api/close-server.ts";
import { mountDocs } from "./api/docs/mount.ts";
import { mountDomainConnectReturn } from "./api/domain-connect/mount.ts";
import { openApiDocument } from "./api/openapi.ts";
import { mountOperational } from "./api/operational.ts";
import { routes } from "./api/routes/registry.ts";
import { createServer, mountRoutes } from "./api/server.ts";
import { mountShare } from "./api/share/mount.ts";
import { type Config, databaseUrl } from "./config.ts";
import { createMetrics } from "./metrics.ts";
import { openRuntime, type RuntimeOptions } from "./open-runtime.ts";
import { startMeter } from "./services/meter.ts";

export interface RunningApi {
  readonly url: string;
  readonly internalUrl: string | null;
  /** Answers what is under way, writes what is counted, closes; within 10 seconds. */
  close(): Promise<void>;
}

/** For each of the two last steps of a stop, after the answers under way. */
const lastWriteMs = 1_500;

export interface ApiOptions extends RuntimeOptions {
  /** What was built for browsers. */
  readonly assets?: AssetDirectories;
}

/** The API process: public listener, and the private one when INTERNAL_PORT is set. */
export async function startApi(config: Config, options: ApiOptions = {}): Promise<RunningApi> {
  const opened = await openRuntime(config, {
    url: databaseUrl(config),
    role: "mooring_api",
    name: "api",
    ...options,
  });
  const { runtime } = opened;
  const metrics = createMetrics(runtime.database, runtime.clock);
  const meter = startMeter(runtime);
  const app = createServer(runtime, metrics);
  const internal = config.INTERNAL_PORT === null ? null : createServer(runtime, metrics);
  mountOperational({ app, internal, runtime, metrics });
  mountBillingWebhook(app, runtime);
  mountDocs(app, openApiDocument(routes));
  mountAssets(app, options.assets ?? {});
  mountDemo(app, config.DEMO_URL);
  mountShare(app, runtime, metrics);
  mountDomainConnectReturn(app, runtime);
  mountRoutes(app, { runtime, meter, metrics, routes });
  await app.listen({ host: config.HOST, port: config.PORT });
  await internal?.listen({ host: config.HOST, port: config.INTERNAL_PORT ?? 0 });
  return {
    url: addressOf(app),
    internalUrl: internal ? addressOf(internal) : null,
    async close() {
      await Promise.all([closeServer(app), internal ? closeServer(internal) : null]);
      // A database that is away must not keep the process from ending.
      await atMost(lastWriteMs, meter.close()).catch((error: unknown) =>
        runtime.log.error({ err: error }, "the last usage was not written"),
      );
      await atMost(lastWriteMs, opened.close()).catch((error: unknown) =>
        runtime.log.warn({ err: error }, "database connections left open"),
      );
    },
  };
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

function addressOf(app: FastifyInstance): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
