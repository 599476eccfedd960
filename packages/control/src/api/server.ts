import fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { AppError } from "../domain/errors.ts";
import { newId } from "../domain/id.ts";
import type { Metrics } from "../metrics.ts";
import { createOriginCheck } from "../services/applications.ts";
import type { Meter } from "../services/meter.ts";
import type { Runtime } from "../services/runtime.ts";
import { createAdmission } from "./admission.ts";
import { type Admitted, admit, callRoute } from "./call.ts";
import { corsHeaders, corsMethods, exposedHeaders, isLocalOrigin } from "./cors.ts";
import { errorReply, toAppError } from "./error-reply.ts";
import { parseJsonBody } from "./json-body.ts";
import { fastifyPath, pathPattern } from "./path.ts";
import { replySchema } from "./reply-schema.ts";
import type { Route } from "./route.ts";

export interface ServerParts {
  readonly runtime: Runtime;
  readonly meter: Meter;
  readonly metrics: Metrics;
  readonly routes: readonly Route[];
}

/** A bare server with our limits, envelope, headers and one log line per request. */
export function createServer(runtime: Runtime, metrics: Metrics): FastifyInstance {
  const { config, clock, log } = runtime;
  const app = fastify({
    bodyLimit: 65_536,
    genReqId: () => newId(clock.now()),
    trustProxy: config.TRUSTED_PROXIES.length > 0 ? [...config.TRUSTED_PROXIES] : false,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionTimeout: 60_000,
    routerOptions: { maxParamLength: 300 },
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16_384 },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    logger: false,
    frameworkErrors: (error, request, reply: FastifyReply) =>
      answerError(runtime, error, request.id, reply),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    try {
      done(null, parseJsonBody(String(text)));
    } catch (error) {
      done(error instanceof Error ? error : new Error("unreadable body"));
    }
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "(none)";
    const seconds = reply.elapsedTime / 1_000;
    metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, seconds);
    // The edge and the monitoring ask all the time; only clients are news.
    const level = request.url.startsWith("/v1/") ? "info" : "debug";
    log[level](
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        elapsedMs: Math.round(reply.elapsedTime * 10) / 10,
      },
      "request",
    );
  });
  app.setErrorHandler((error, request, reply) => answerError(runtime, error, request.id, reply));
  return app;
}

/** Bugs are logged in full under the reference that the client gets. */
function answerError(runtime: Runtime, error: unknown, ref: string, reply: FastifyReply): void {
  const appError = toAppError(error, ref);
  if (appError.code === "internal")
    runtime.log.error({ err: error, requestId: ref }, "request failed");
  if (appError.code === "unavailable")
    runtime.log.warn({ err: error, requestId: ref }, "unavailable");
  const answer = errorReply(appError);
  void reply
    .code(answer.status)
    .headers({ ...answer.headers, "x-request-id": ref })
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(answer.body);
}

/** The public API: every route of the list under its own path, with CORS, 404 and 405. */
export function mountRoutes(app: FastifyInstance, parts: ServerParts): void {
  const { runtime, routes } = parts;
  const admission = createAdmission(runtime, parts.meter, parts.metrics);
  const admitted: Admitted = new WeakMap();
  addCors(app, runtime);
  for (const route of routes) {
    app.route({
      method: route.method,
      url: fastifyPath(route.path),
      ...(route.output ? { schema: { response: { "2xx": replySchema(route.output) } } } : {}),
      onRequest: (request, reply) => admit(admission, admitted, route, request, reply),
      handler: (request, reply) => callRoute(admitted, route, request, reply),
    });
  }
  const known = routes.map((route) => ({ pattern: pathPattern(route.path), method: route.method }));
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) throw new AppError("not_found", "there is nothing here");
    reply.header("allow", [...new Set(methods)].join(", "));
    throw new AppError("method_not_allowed", `${request.method} is not possible here`);
  });
}

function addCors(app: FastifyInstance, runtime: Runtime): void {
  const isListed = createOriginCheck(runtime);
  app.addHook("onRequest", async (request, reply) => {
    const { origin } = request.headers;
    if (!request.url.startsWith("/v1/")) return;
    reply.header("vary", "Origin");
    if (origin === undefined) return;
    if (!isLocalOrigin(origin) && !(await isListed(origin))) return;
    reply.header("access-control-allow-origin", origin);
    reply.header("access-control-expose-headers", exposedHeaders);
  });
  app.options("/v1/*", async (_request, reply) => {
    reply
      .header("access-control-allow-methods", corsMethods)
      .header("access-control-allow-headers", corsHeaders)
      .header("access-control-max-age", "600")
      .code(204);
    return reply.send();
  });
}
