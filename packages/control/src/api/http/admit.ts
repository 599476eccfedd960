import { createHash, hash } from "node:crypto";
import { TokenBucket } from "@mooring/concurrency";
import { isStorableText } from "@mooring/dns";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Limit, LimitName } from "../../config/values.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { type Actor, idempotencyActor, type WidgetActor } from "../../domain/tenancy.ts";
import type { ApiMetrics } from "../../metrics/api.ts";
import type { Meter } from "../../services/billing/meter.ts";
import { getConnection } from "../../services/connections/read.ts";
import { createContext, type RequestFacts, type ServiceContext } from "../../services/context.ts";
import { once } from "../../services/idempotency.ts";
import { createAuthenticator } from "../../services/people/authenticate.ts";
import type { Runtime } from "../../services/runtime.ts";
import { createStreams } from "../events/event-stream.ts";
import { type ErrorReply, errorReply } from "./error-reply.ts";
import type { PreparedCall, Route } from "./route.ts";
import { requireAccess } from "./route-access.ts";
import { createSessionAdmission } from "./session-admission.ts";

/**
 * The way of a request to its verb, in two steps. `admit` decides on the headers alone, before a
 * body is read: authentication, browser origin, scope, the caller's rate limits. `call` then
 * validates the input, applies the limit of the connection and runs the verb, once per
 * Idempotency-Key.
 */
export interface Admission {
  /** Throws the refusal, or leaves the context on the request for `call`. */
  admit(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Ends the answers that go on until somebody ends them. */
  close(): void;
  /**
   * Runs the verb of an admitted request and sets the status of the reply. `render` makes the errors that
   * are stored for an Idempotency-Key.
   */
  call(
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    render?: typeof errorReply,
  ): Promise<unknown>;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set by `admit`; null before it and on routes outside of /v1. */
    serviceContext: ServiceContext | null;
  }
}

const defaultTimeoutMs = 5_000;

export function createAdmission(runtime: Runtime, meter: Meter, metrics: ApiMetrics): Admission {
  const callers = createCallers(runtime);
  const limiter = createRateLimiter();
  const streams = createStreams(ownerOf);
  const limits = runtime.config.rateLimits;

  const refuse = (bucket: LimitName, afterSeconds: number): never => {
    metrics.rateLimited.inc({ bucket });
    throw new AppError("rate_limited", "too many requests, slow down", {
      retryAfterSeconds: afterSeconds,
    });
  };

  const failures = createFailureCount(limiter, limits.unauthorized, (seconds) =>
    refuse("unauthorized", seconds),
  );

  const authenticate = async (request: FastifyRequest, route: Route): Promise<Actor> => {
    failures.refuseRepeated(request);
    try {
      const actor = await callers.identify(request, route);
      if (actor.kind === "key" || actor.kind === "widget") meter.count(actor);
      return actor;
    } catch (error) {
      if (error instanceof AppError && error.code === "unauthorized") failures.count(request);
      throw error;
    }
  };

  const take = (bucket: LimitName, owner: string, reply: FastifyReply): void => {
    const limit = limits[bucket];
    const decision = limiter.take(`${bucket}:${owner}`, limit);
    reply.header("ratelimit-limit", limit.burst);
    reply.header("ratelimit-remaining", decision.remaining);
    reply.header("ratelimit-reset", decision.resetSeconds);
    if (!decision.allowed) refuse(bucket, decision.resetSeconds);
  };

  /**
   * Checks of one connection share a bucket, whichever key or token asks for them. It is spent only by
   * callers that may see the connection. Unknown and foreign ids share one bucket of the caller, so
   * neither a refusal nor a header tells whether an id exists.
   */
  const limitConnection = async (ctx: ServiceContext, id: string, reply: FastifyReply) => {
    try {
      await getConnection(ctx, id);
    } catch (error) {
      if (error instanceof AppError) take("connection", `absent:${ownerOf(ctx.actor)}`, reply);
      throw error;
    }
    take("connection", id, reply);
  };

  return {
    close: () => streams.close(),
    async admit(route, request, reply) {
      const actor = await authenticate(request, route);
      requireAccess(actor, route);
      take("general", ownerOf(actor), reply);
      // Tokens are limited per tenant: more keys give no more of them.
      if (route.limit === "tokens") take("tokens", actor.tenantId + actor.environment, reply);
      else if (route.limit === "check") take("check", ownerOf(actor), reply);
      const timeoutMs = route.timeoutMs ?? defaultTimeoutMs;
      request.serviceContext = createContext(runtime, actor, timeoutMs, sourceOf(request));
    },
    async call(route, request, reply, render = errorReply) {
      const ctx = request.serviceContext;
      if (!ctx) throw new Error("the handler ran for a request that was not admitted");
      const { params, query, body } = request;
      requireSafe(params, []);
      requireSafe(query, []);
      const call = route.prepare({ params, query, body });
      if (route.limit === "connection") await limitConnection(ctx, idOf(request), reply);
      if (route.stream) {
        const isAllowed = () => isStillAllowed(() => callers.identify(request, route), route);
        return streams.send(ctx, await call.run(ctx), request, reply, isAllowed);
      }
      if (route.idempotent && request.headers["idempotency-key"] !== undefined) {
        return callOnce(ctx, route, call, keyedRequest(request, render), reply);
      }
      const answer = call.render(await call.run(ctx));
      if (route.endsSession) reply.header("set-cookie", callers.endingCookie());
      reply.code(answer.status);
      return answer.body === null ? reply.send() : answer.body;
    },
  };
}

/** Who sends a request. One that names a credential itself never uses the cookie that a browser adds. */
function createCallers(runtime: Runtime) {
  const authenticator = createAuthenticator(runtime);
  const sessions = createSessionAdmission(runtime);
  return {
    endingCookie: sessions.endingCookie,
    async identify(request: FastifyRequest, route: Route): Promise<Actor> {
      const { authorization, origin, host } = request.headers;
      const secret = authorization === undefined ? sessions.secretOf(request) : null;
      if (secret !== null) return sessions.actorOf(request, route, secret);
      const actor = await authenticator.authenticate(authorization);
      if (actor.kind === "widget") requireOrigin(actor, { origin, host }, runtime.config.baseUrl);
      return actor;
    },
  };
}

/**
 * Failed authentications are counted per address and credential, and per address. A credential that
 * failed too often is refused without a lookup. Beyond the limit of the address a failure is answered
 * with 429 instead of 401, but only after the lookup: a valid key is never refused because of others.
 * A lookup of an unknown key is one row of a shared, batched query.
 */
function createFailureCount(
  limiter: RateLimiter,
  limit: Limit,
  refuse: (afterSeconds: number) => never,
) {
  return {
    refuseRepeated({ ip, headers }: FastifyRequest): void {
      // Most addresses have no failure, so most requests hash nothing here.
      if (limiter.peek(`unauthorized:${ip}`, limit).remaining === limit.burst) return;
      const repeated = limiter.peek(`unauthorized:${ip}:${fingerprintOf(headers)}`, limit);
      if (!repeated.allowed) refuse(repeated.resetSeconds);
    },
    count({ ip, headers }: FastifyRequest): void {
      limiter.take(`unauthorized:${ip}:${fingerprintOf(headers)}`, limit);
      const guesses = limiter.take(`unauthorized:${ip}`, limit);
      if (!guesses.allowed) refuse(guesses.resetSeconds);
    },
  };
}

/** Whether the credential of a request, looked up again, still extends to the route. */
async function isStillAllowed(authenticate: () => Promise<Actor>, route: Route): Promise<boolean> {
  try {
    requireAccess(await authenticate(), route);
    return true;
  } catch (error) {
    if (error instanceof AppError && ["unauthorized", "forbidden"].includes(error.code))
      return false;
    throw error;
  }
}

/** Whose buckets a request is counted in. */
function ownerOf(actor: Actor): string {
  if (actor.kind === "key") return actor.keyId;
  if (actor.kind === "command") return "command";
  return actor.kind === "widget" ? actor.tokenId : actor.sessionId;
}

/** Stands for a credential in the name of a bucket, so that no secret is held in memory for long. */
function fingerprintOf({ authorization, cookie = "" }: FastifyRequest["headers"]): string {
  return hash("sha256", authorization ?? cookie, "base64").slice(0, 16);
}

function sourceOf({ id, ip }: FastifyRequest): RequestFacts {
  return { id, address: ip };
}

function idOf(request: FastifyRequest): string {
  const { id } = request.params as { readonly id?: string };
  return id ?? "";
}

const localOrigin = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

export function isLocalOrigin(origin: string): boolean {
  return localOrigin.test(origin);
}

/** Refuses a widget request from an origin that its application does not list. */
function requireOrigin(
  actor: WidgetActor,
  request: { readonly origin: string | undefined; readonly host: string | undefined },
  baseUrl: string,
): void {
  const { origin, host } = request;
  if (origin === undefined || actor.allowedOrigins.includes(origin)) return;
  if (actor.allowedOrigins.length === 0) {
    const own = [new URL(baseUrl).origin, `https://${host}`, `http://${host}`];
    if (own.includes(origin)) return;
    if (actor.environment === "test" && isLocalOrigin(origin)) return;
  }
  throw new AppError("forbidden", "this origin is not in the application's allowed_origins", {
    details: { reason: "origin_not_allowed", origin },
  });
}

const maxDepth = 20;

/**
 * Parses a JSON body; undefined when it is empty. Refuses nesting beyond any schema of ours, keys
 * that would reach a prototype, and text that the database cannot store.
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid([{ path: "", message: "the body is not valid JSON" }]);
  }
  requireSafe(value, []);
  return value;
}

function requireSafe(value: unknown, at: readonly string[]): void {
  if (typeof value === "string") requireText(value, at);
  if (typeof value !== "object" || value === null) return;
  if (at.length >= maxDepth) {
    throw invalid([{ path: "", message: `the body is nested deeper than ${maxDepth} levels` }]);
  }
  for (const [key, child] of Object.entries(value)) {
    if (key === "__proto__") throw invalid([{ path: key, message: "unknown field" }]);
    requireText(key, at);
    requireSafe(child, [...at, key]);
  }
}

/** No input of a client may reach a statement that the database then refuses. */
function requireText(text: string, at: readonly string[]): void {
  if (isStorableText(text)) return;
  const message = "text that is not valid Unicode or holds a NUL";
  throw invalid([{ path: at.join("."), message }]);
}

interface KeyedRequest {
  /** The Idempotency-Key. */
  readonly key: string;
  /** What must be the same in a repeat: the body, with the parameters of a path that has some. */
  readonly request: unknown;
  readonly render: typeof errorReply;
}

function keyedRequest(
  { headers, params, body }: FastifyRequest,
  render: typeof errorReply,
): KeyedRequest {
  const hasParams = typeof params === "object" && params !== null && Object.keys(params).length > 0;
  return {
    key: String(headers["idempotency-key"]),
    request: hasParams ? { params, body } : body,
    render,
  };
}

async function callOnce(
  ctx: ServiceContext,
  route: Route,
  call: PreparedCall,
  { key, request, render }: KeyedRequest,
  reply: FastifyReply,
): Promise<unknown> {
  if (!/^[ -~]{1,255}$/.test(key)) {
    throw invalid([
      { path: "Idempotency-Key", message: "must be 1 to 255 printable ASCII characters" },
    ]);
  }
  const answer = await once(
    ctx,
    {
      route: `${route.method} ${route.path}`,
      actor: idempotencyActor(ctx.actor),
      key,
      fingerprint: fingerprint(request),
    },
    {
      result: (result) => storable(call.render(result)),
      error: (error) => storableError(render(error)),
    },
    call.run,
  );
  reply.code(answer.status).type("application/json; charset=utf-8").serializer(String);
  if (answer.replayed) reply.header("idempotency-replayed", "true");
  return answer.body;
}

function storable(reply: { readonly status: number; readonly body: unknown }) {
  return { status: reply.status, body: JSON.stringify(reply.body) };
}

/** Null for a 5xx, which says nothing about the request: the key stays free for another try. */
function storableError(reply: ErrorReply) {
  return reply.status >= 500 ? null : storable(reply);
}

/** Hashes the parsed request with sorted keys, so that spacing and the order of fields do not matter. */
function fingerprint(request: unknown): Buffer {
  return createHash("sha256")
    .update(JSON.stringify(sorted(request ?? null)))
    .digest();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, sorted(child)]),
  );
}

/** Token buckets of this process, refilled continuously. Beyond 50,000 the longest idle is dropped. */
export interface RateLimiter {
  /** Takes one token, or says after how many seconds there will be one. */
  take(name: string, limit: Limit): RateDecision;
  /** Whether a token could be taken, without taking it. */
  peek(name: string, limit: Limit): RateDecision;
}

interface RateDecision {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Until the next token when refused, until full when allowed. */
  readonly resetSeconds: number;
}

const maxBuckets = 50_000;

export function createRateLimiter(nowMs: () => number = () => performance.now()): RateLimiter {
  const buckets = new Map<string, TokenBucket>();

  const bucketNamed = (name: string, limit: Limit): TokenBucket => {
    const bucket = buckets.get(name) ?? new TokenBucket(limit.burst, nowMs());
    // Re-inserted, so that the map's order is the order of use and the first is the longest idle.
    buckets.delete(name);
    buckets.set(name, bucket);
    if (buckets.size > maxBuckets) {
      for (const oldest of buckets.keys()) {
        buckets.delete(oldest);
        break;
      }
    }
    return bucket;
  };

  const decide = (bucket: TokenBucket, limit: Limit, cost: 0 | 1): RateDecision => {
    const tokens = bucket.refill(limit, nowMs());
    if (tokens < 1) {
      const wait = Math.max(1, Math.ceil((1 - tokens) / limit.perSecond));
      return { allowed: false, remaining: 0, resetSeconds: wait };
    }
    if (cost > 0) bucket.take();
    return {
      allowed: true,
      remaining: Math.floor(tokens - cost),
      resetSeconds: Math.ceil((limit.burst - (tokens - cost)) / limit.perSecond),
    };
  };

  return {
    take: (name, limit) => decide(bucketNamed(name, limit), limit, 1),
    peek: (name, limit) =>
      buckets.has(name)
        ? decide(bucketNamed(name, limit), limit, 0)
        : { allowed: true, remaining: limit.burst, resetSeconds: 0 },
  };
}
