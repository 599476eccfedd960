import fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { AppError } from "../domain/errors.ts";
import { newId } from "../domain/id.ts";
import type { ApiMetrics } from "../metrics/api.ts";
import { createOriginCheck } from "../services/applications/applications.ts";
import type { Meter } from "../services/billing/meter.ts";
import type { Runtime } from "../services/runtime.ts";
import { type DropInApi, dropInPrefix, mountDropIn } from "./drop-in.ts";
import { createAdmission } from "./http/admit.ts";
import { apiHeaders, sendError } from "./http/error-reply.ts";
import { formBodyParser, formType, jsonBodyParser } from "./http/json-body.ts";
import { pathPattern, type Route } from "./http/route.ts";
import { refuseUnreadable } from "./http/unreadable-request.ts";
import { isLocalOrigin } from "./http/widget-origin.ts";

interface ApiParts {
  readonly runtime: Runtime;
  readonly meter: Meter;
  readonly metrics: ApiMetrics;
  readonly routes: readonly Route[];
  readonly dropIns: readonly DropInApi[];
}

/** A server without routes: limits, error envelope, headers and one log line per request. */
export function createServer(runtime: Runtime, metrics: ApiMetrics): FastifyInstance {
  const { config, clock, log } = runtime;
  const app = fastify({
    bodyLimit: 65_536,
    genReqId: () => newId(clock.now()),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    connectionTimeout: 60_000,
    routerOptions: { maxParamLength: 300 },
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000, maxHeaderSize: 16_384 },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    logger: false,
    clientErrorHandler: (error, socket) =>
      refuseUnreadable(error, socket, { requestId: newId(clock.now()), log }),
    frameworkErrors: (error, request, reply: FastifyReply) =>
      sendError(runtime.log, error, request.id, reply),
  });
  app.decorateRequest("serviceContext", null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, jsonBodyParser);
  app.addContentTypeParser(formType, { parseAs: "string" }, formBodyParser);
  const headers = securityHeaders(config.baseUrl);
  // Hooks of every request are callbacks: a promise for each of them costs a tenth of a short
  // request.
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    reply.headers(isApi(request.url) ? headers.api : headers.page);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "(none)";
    const { method } = request;
    const status = reply.statusCode;
    metrics.requests.observe({ method, route, status }, reply.elapsedTime / 1_000);
    // The edge and the monitoring poll all the time; only requests of clients are worth a line.
    const level = isApi(request.url) ? "info" : "debug";
    if (log.isLevelEnabled(level)) {
      const elapsedMs = Math.round(reply.elapsedTime * 10) / 10;
      log[level]({ requestId: request.id, method, route, status, elapsedMs }, "request");
    }
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(runtime.log, error, request.id, reply));
  return app;
}

function isApi(url: string): boolean {
  return url.startsWith("/v1/") || url.startsWith(dropInPrefix);
}

/** Strict-Transport-Security (RFC 6797) only where the service is reached by https. */
function securityHeaders(baseUrl: string) {
  const isHttps = new URL(baseUrl).protocol === "https:";
  const page = isHttps ? { "strict-transport-security": "max-age=31536000" } : {};
  return { page, api: { ...page, ...apiHeaders } };
}

/** Mounts the public API: every route of the list, with CORS, 404 and 405. */
export function mountRoutes(app: FastifyInstance, parts: ApiParts): void {
  const { runtime, routes } = parts;
  const admission = createAdmission(parts);
  app.addHook("preClose", (done) => {
    admission.close();
    done();
  });
  addCors(app, runtime);
  for (const route of routes) admission.mount(app, route);
  for (const dropIn of parts.dropIns) mountDropIn(app, { dropIn, admission, log: runtime.log });
  const known = routes.map((route) => ({ pattern: pathPattern(route.path), method: route.method }));
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    if (methods.length === 0) throw new AppError("not_found", "there is nothing here");
    reply.header("allow", [...new Set(methods)].join(", "));
    throw new AppError("method_not_allowed", `${request.method} is not possible here`);
  });
}

const corsMethods = "GET, POST, PATCH, PUT, DELETE";
const corsHeaders = "authorization, content-type, idempotency-key";
const exposedHeaders =
  "x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, idempotency-replayed";

/**
 * A preflight carries no token, so it is answered for localhost and for an origin that any
 * application lists; the request itself is then checked against its own application by
 * `requireWidgetOrigin`.
 */
function addCors(app: FastifyInstance, runtime: Runtime): void {
  const isListed = createOriginCheck(runtime);
  const allow = async (origin: string, reply: FastifyReply): Promise<void> => {
    if (!isLocalOrigin(origin) && !(await isListed(origin))) return;
    reply.header("access-control-allow-origin", origin);
    reply.header("access-control-expose-headers", exposedHeaders);
  };
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    if (!request.url.startsWith("/v1/")) return done();
    reply.header("vary", "Origin");
    if (origin === undefined) return done();
    allow(origin, reply).then(() => done(), done);
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

/**
 * Above the longest verb with its database timeouts, below the ten seconds that a stop may take.
 */
const graceMs = 6_000;
const sweepIntervalMs = 50;

/**
 * Stops listening and waits for the requests in flight. An idle keep-alive connection is closed as
 * soon as its reply is sent; what is left after the grace is cut. Once a server is closing, Node
 * times out neither idle connections nor half-sent requests.
 */
export async function closeServer(app: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), sweepIntervalMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
