import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { mountOperational } from "./api/operational.ts";
import { routes } from "./api/routes/registry.ts";
import { createServer, mountRoutes } from "./api/server.ts";
import { type Config, databaseUrl } from "./config.ts";
import { createMetrics } from "./metrics.ts";
import { openRuntime, type RuntimeOptions } from "./open-runtime.ts";
import { startMeter } from "./services/usage/meter.ts";

export interface RunningApi {
  readonly url: string;
  readonly internalUrl: string | null;
  /** Answers what is under way, writes what is counted, closes; within 10 seconds. */
  close(): Promise<void>;
}

/** The API process: public listener, and the private one when INTERNAL_PORT is set. */
export async function startApi(config: Config, options: RuntimeOptions = {}): Promise<RunningApi> {
  const opened = await openRuntime(config, {
    url: databaseUrl(config),
    role: "mooring_api",
    name: "api",
    ...options,
  });
  const { runtime } = opened;
  const metrics = createMetrics(runtime.database);
  const meter = startMeter(runtime);
  const app = createServer(runtime, metrics);
  const internal = config.INTERNAL_PORT === null ? null : createServer(runtime, metrics);
  mountOperational({ app, internal, runtime, metrics });
  mountRoutes(app, { runtime, meter, metrics, routes });
  await app.listen({ host: config.HOST, port: config.PORT });
  await internal?.listen({ host: config.HOST, port: config.INTERNAL_PORT ?? 0 });
  return {
    url: addressOf(app),
    internalUrl: internal ? addressOf(internal) : null,
    async close() {
      await Promise.all([app.close(), internal?.close()]);
      await meter.close();
      await opened.close();
    },
  };
}

function addressOf(app: FastifyInstance): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
