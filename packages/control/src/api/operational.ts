import type { FastifyInstance } from "fastify";
import { AppError } from "../domain/errors.ts";
import type { Metrics } from "../metrics.ts";
import { checkHealth, getLocalRoot } from "../services/internal.ts";
import type { Runtime } from "../services/runtime.ts";
import { createKeySet } from "../services/signing-keys.ts";
import { mountInternal } from "./internal.ts";

/** Unversioned endpoints without authentication; they tell no tenant, hostname or secret. */
export function mountOperational(parts: {
  readonly app: FastifyInstance;
  readonly internal: FastifyInstance | null;
  readonly runtime: Runtime;
  readonly metrics: Metrics;
}): void {
  const { app, internal, runtime, metrics } = parts;
  for (const server of internal ? [app, internal] : [app]) {
    server.get("/healthz", async () => {
      await checkHealth(runtime);
      return { status: "ok" };
    });
  }
  const inside = internal ?? app;
  mountInternal(inside, runtime);
  inside.get("/metrics", async (_request, reply) => {
    reply.type(metrics.registry.contentType);
    return metrics.registry.metrics();
  });
  internal?.setNotFoundHandler(async () => {
    throw new AppError("not_found", "there is nothing here");
  });
  app.get("/sandbox/ca.pem", async (_request, reply) => {
    reply.type("application/x-pem-file");
    return getLocalRoot(runtime);
  });
  const keySet = createKeySet(runtime);
  app.get("/.well-known/jwks.json", async (_request, reply) => {
    const set = await keySet();
    reply
      .header("cache-control", "public, max-age=300")
      .header("access-control-allow-origin", "*")
      .type("application/jwk-set+json");
    return set;
  });
}
