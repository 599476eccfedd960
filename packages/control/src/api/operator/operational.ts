import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { ApiMetrics } from "../../metrics/api.ts";
import {
  checkHealth,
  createAsk,
  createRouting,
  getLocalRoot,
} from "../../services/operator/internal.ts";
import { createKeySet } from "../../services/operator/signing-keys.ts";
import {
  createTraefik,
  maintenancePath,
  type TraefikOptions,
} from "../../services/operator/traefik.ts";
import type { Runtime } from "../../services/runtime.ts";
import { sendMaintenance } from "./maintenance-page.ts";

/** Unversioned endpoints without authentication; they reveal no tenant, hostname or secret. */
export function mountOperational(parts: {
  readonly app: FastifyInstance;
  readonly internal: FastifyInstance | null;
  readonly runtime: Runtime;
  readonly metrics: ApiMetrics;
}): void {
  const { app, internal, runtime, metrics } = parts;
  for (const server of internal ? [app, internal] : [app]) {
    server.get("/healthz", async () => {
      await checkHealth(runtime);
      return { status: "ok" };
    });
  }
  const privateListener = internal ?? app;
  mountInternal(privateListener, runtime);
  if (internal) mountTraefik(internal, runtime);
  privateListener.get("/metrics", async (_request, reply) => {
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

const askStatus = { allow: 200, deny: 403, invalid: 400 } as const;

/**
 * What an edge asks. Belongs on a private listener: it reveals which hostnames are customers. An
 * unknown name and one that is not yet verified get the same reply.
 */
function mountInternal(app: FastifyInstance, runtime: Runtime): void {
  const ask = createAsk(runtime);
  app.get("/internal/ask", async (request, reply) => {
    const name = readHostname(request);
    const answer = name === null ? "invalid" : await ask(name);
    reply.code(askStatus[answer]).header("cache-control", "no-store");
    return { allow: answer === "allow" };
  });
  const routing = createRouting(runtime);
  app.get("/internal/route", async (request, reply) => {
    const name = readHostname(request);
    const cdnLoop = request.headers["cdn-loop"]?.toString();
    const route = name === null ? "absent" : await routing({ name, cdnLoop });
    reply.header("cache-control", "no-store");
    if (route === "looped") return reply.code(508).send({ error: "the request loops" });
    if (route === "absent") return reply.code(404).send({ error: "no route" });
    if (route === "suspended") return sendMaintenance(request, reply);
    if (route === "refused") return reply.code(502).send({ error: "the origin is refused" });
    return reply
      .headers({
        "x-svc-upstream": route.url,
        "x-svc-upstream-scheme": route.scheme,
        "x-svc-upstream-dial": route.dial,
        "x-svc-upstream-host": route.host,
        "x-svc-upstream-path": route.path,
        "x-svc-loop": route.loop,
      })
      .send({});
  });
}

/** The list of all customers' hostnames: never on a listener that others reach. */
function mountTraefik(app: FastifyInstance, runtime: Runtime): void {
  const traefik = createTraefik(runtime);
  // Visitors reach it through Traefik, with any method.
  app.all(maintenancePath, async (request, reply) => sendMaintenance(request, reply));
  app.get("/internal/traefik", async (request, reply) => {
    reply.header("cache-control", "no-store");
    return traefik(traefikOptions(request));
  });
}

const optionName = /^[\w@.-]{1,100}$/;

/** What Traefik's own configuration calls things, from the address that it polls. */
function traefikOptions(request: FastifyRequest): TraefikOptions {
  const query = request.query as Readonly<Record<string, unknown>>;
  const namesIn = (parameter: string): readonly string[] => {
    const names = String(query[parameter] ?? "").split(",");
    return names.filter((name) => optionName.test(name));
  };
  return {
    entryPoints: namesIn("entry_points"),
    certResolver: namesIn("cert_resolver")[0] ?? null,
    baseUrl: `${request.protocol}://${request.host}`,
  };
}

/**
 * `domain` as Caddy says, `host` as kamal-proxy does, or `hostname`; null when missing or there
 * twice.
 */
function readHostname(request: FastifyRequest): string | null {
  const query = request.query as Readonly<Record<string, unknown>>;
  const name = query["domain"] ?? query["hostname"] ?? query["host"];
  return typeof name === "string" && name !== "" ? name : null;
}
