import { setTimeout as wait } from "node:timers/promises";
import { TokenBucket } from "@mooring/concurrency";
import type { FastifyReply } from "fastify";
import type { Limit, LimitName } from "../../config/values.ts";
import { AppError } from "../../domain/errors.ts";
import type { Actor } from "../../domain/tenancy.ts";
import type { ApiMetrics } from "../../metrics/api.ts";
import type { ServiceContext } from "../../services/context.ts";
import type { ReadConnection, Route } from "./route.ts";

/** The rate limits of the API. A method throws `rate_limited` when its bucket is empty. */
export interface RequestLimits {
  /**
   * Takes from the general bucket of the caller, then from the one that the route names. A share
   * that comes within `maxWaitMs` is waited for, after those who waited before.
   */
  takeForRoute(
    route: Route,
    actor: Actor,
    reply: FastifyReply,
    maxWaitMs: number,
  ): Promise<void> | null;
  /**
   * Calls for one connection share a bucket, whichever key or token sends them. It is spent only by
   * callers for whom `read` finds the connection. Unknown and foreign ids share one bucket of the
   * caller, so neither a refusal nor a header tells whether an id exists.
   */
  takeForConnection(
    ctx: ServiceContext,
    id: string,
    read: ReadConnection,
    reply: FastifyReply,
  ): Promise<void>;
  /** Refuses a credential that failed too often at this address, without a lookup. */
  refuseRepeatedFailure(ip: string, fingerprint: () => string): void;
  /**
   * Counts a failed authentication per address and credential, and per address. Beyond the limit of
   * the address a failure is answered with 429 instead of 401, but only after the lookup: a valid
   * key is never refused because of others. A lookup of an unknown key is one row of a shared,
   * batched query.
   */
  countFailure(ip: string, fingerprint: string): void;
}

export function createRequestLimits(
  limits: Readonly<Record<LimitName, Limit>>,
  metrics: ApiMetrics,
): RequestLimits {
  const limiter = createRateLimiter();
  const failures = limits.unauthorized;

  const refuse = (bucket: LimitName, retryAfterSeconds: number): never => {
    metrics.rateLimited.inc({ bucket });
    throw new AppError("rate_limited", "too many requests, slow down", { retryAfterSeconds });
  };

  /** Answers how long the caller has to wait. */
  const take = (bucket: LimitName, owner: string, reply: FastifyReply, maxWaitMs = 0): number => {
    const limit = limits[bucket];
    const decision = limiter.take(`${bucket}:${owner}`, limit, maxWaitMs);
    reply.header("ratelimit-limit", limit.burst);
    reply.header("ratelimit-remaining", decision.remaining);
    reply.header("ratelimit-reset", decision.resetSeconds);
    if (!decision.allowed) refuse(bucket, decision.resetSeconds);
    return decision.waitMs;
  };

  return {
    takeForRoute(route, actor, reply, maxWaitMs) {
      const owner = bucketOwner(actor);
      const takeOther = (): number => {
        // Tokens are limited per tenant: more keys give no more of them.
        const tenant = actor.tenantId + actor.environment;
        if (route.limit === "tokens") return take("tokens", tenant, reply, maxWaitMs);
        return route.limit === "check" ? take("check", owner, reply, maxWaitMs) : 0;
      };
      const waitMs = Math.max(take("general", owner, reply, maxWaitMs), takeOther());
      return waitMs === 0 ? null : wait(waitMs);
    },
    async takeForConnection(ctx, id, read, reply) {
      try {
        await read(ctx, id);
      } catch (error) {
        if (error instanceof AppError)
          take("connection", `absent:${bucketOwner(ctx.actor)}`, reply);
        throw error;
      }
      take("connection", id, reply);
    },
    refuseRepeatedFailure(ip, fingerprint) {
      // Most addresses have no failure, so most requests hash nothing here.
      if (limiter.peek(`unauthorized:${ip}`, failures).remaining === failures.burst) return;
      const repeated = limiter.peek(`unauthorized:${ip}:${fingerprint()}`, failures);
      if (!repeated.allowed) refuse("unauthorized", repeated.resetSeconds);
    },
    countFailure(ip, fingerprint) {
      limiter.take(`unauthorized:${ip}:${fingerprint}`, failures);
      const guesses = limiter.take(`unauthorized:${ip}`, failures);
      if (!guesses.allowed) refuse("unauthorized", guesses.resetSeconds);
    },
  };
}

/** Whose buckets a request is counted in. */
export function bucketOwner(actor: Actor): string {
  if (actor.kind === "key") return actor.keyId;
  if (actor.kind === "command") return "command";
  return actor.kind === "widget" ? actor.tokenId : actor.sessionId;
}

/**
 * Token buckets of this process, refilled continuously. Beyond 50,000 the longest idle is dropped.
 */
export interface RateLimiter {
  /**
   * Takes one token, or says after how many seconds there will be one. One that will be there
   * within `maxWaitMs` is taken too: the caller waits for it, and the next caller for the next.
   */
  take(name: string, limit: Limit, maxWaitMs?: number): RateDecision;
  /** Whether a token could be taken, without taking it. */
  peek(name: string, limit: Limit): RateDecision;
}

interface RateDecision {
  readonly allowed: boolean;
  /** Until the token is there that was taken. */
  readonly waitMs: number;
  readonly remaining: number;
  /** Until the next token when refused, until full when allowed. */
  readonly resetSeconds: number;
}

const maxBuckets = 50_000;

export function createRateLimiter(nowMs: () => number = () => performance.now()): RateLimiter {
  const buckets = new Map<string, TokenBucket>();

  const findBucket = (name: string, limit: Limit): TokenBucket => {
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

  const decide = (
    bucket: TokenBucket,
    limit: Limit,
    { cost, maxWaitMs }: { readonly cost: 0 | 1; readonly maxWaitMs: number },
  ): RateDecision => {
    const tokens = bucket.refill(limit, nowMs());
    const waitMs = tokens < 1 ? ((1 - tokens) / limit.perSecond) * 1_000 : 0;
    const resetSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
    if (waitMs > maxWaitMs) return { allowed: false, waitMs: 0, remaining: 0, resetSeconds };
    if (cost > 0) bucket.take();
    if (waitMs > 0) return { allowed: true, waitMs, remaining: 0, resetSeconds };
    return {
      allowed: true,
      waitMs,
      remaining: Math.floor(tokens - cost),
      resetSeconds: Math.ceil((limit.burst - (tokens - cost)) / limit.perSecond),
    };
  };

  return {
    take: (name, limit, maxWaitMs = 0) =>
      decide(findBucket(name, limit), limit, { cost: 1, maxWaitMs }),
    peek: (name, limit) =>
      buckets.has(name)
        ? decide(findBucket(name, limit), limit, { cost: 0, maxWaitMs: 0 })
        : { allowed: true, waitMs: 0, remaining: limit.burst, resetSeconds: 0 },
  };
}
