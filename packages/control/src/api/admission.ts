import type { FastifyReply, FastifyRequest } from "fastify";
import type { Limit, LimitName } from "../config-values.ts";
import { AppError } from "../domain/errors.ts";
import type { Actor } from "../domain/tenancy.ts";
import type { Metrics } from "../metrics.ts";
import { createAuthenticator } from "../services/authenticate.ts";
import type { ServiceContext } from "../services/context.ts";
import type { Meter } from "../services/meter.ts";
import type { Runtime } from "../services/runtime.ts";
import { requireOrigin } from "./cors.ts";
import { createRateLimiter } from "./rate-limit.ts";
import type { Route } from "./route.ts";

/** Who is let in, and how often: authentication, origin, rate limits, metering. */
export interface Admission {
  readonly runtime: Runtime;
  authenticate(request: FastifyRequest): Promise<Actor>;
  limit(ctx: ServiceContext, route: Route, request: FastifyRequest, reply: FastifyReply): void;
}

export function createAdmission(runtime: Runtime, meter: Meter, metrics: Metrics): Admission {
  const authenticator = createAuthenticator(runtime);
  const limiter = createRateLimiter();
  const limits = runtime.config.RATE_LIMITS;

  const refuse = (bucket: LimitName, afterSeconds: number): never => {
    metrics.rateLimited.inc({ bucket });
    throw new AppError("rate_limited", "too many requests, slow down", {
      retryAfterSeconds: afterSeconds,
    });
  };

  const take = (bucket: LimitName, owner: string, reply: FastifyReply): void => {
    const limit: Limit = limits[bucket];
    const decision = limiter.take(`${bucket}:${owner}`, limit);
    reply.header("ratelimit-limit", limit.burst);
    reply.header("ratelimit-remaining", decision.remaining);
    reply.header("ratelimit-reset", decision.resetSeconds);
    if (!decision.allowed) refuse(bucket, decision.resetSeconds);
  };

  return {
    runtime,
    async authenticate(request) {
      const { authorization, origin, host } = request.headers;
      // Refused before any look-up, so that a flood of bad keys does not reach the database.
      const failures = limiter.peek(`unauthorized:${request.ip}`, limits.unauthorized);
      if (!failures.allowed) refuse("unauthorized", failures.resetSeconds);
      try {
        const actor = await authenticator.authenticate(authorization);
        meter.count(actor);
        if (actor.kind === "widget") {
          requireOrigin(actor, { origin, host }, runtime.config.BASE_URL);
        }
        return actor;
      } catch (error) {
        if (error instanceof AppError && error.code === "unauthorized") {
          limiter.take(`unauthorized:${request.ip}`, limits.unauthorized);
        }
        throw error;
      }
    },
    limit(ctx, route, request, reply) {
      const { actor } = ctx;
      const owner = actor.kind === "key" ? actor.keyId : actor.tokenId;
      take("general", owner, reply);
      if (route.limit)
        take(route.limit, route.limit === "connection" ? idOf(request) : owner, reply);
    },
  };
}

/** Looks at one connection are limited together, whoever asks for them. */
function idOf(request: FastifyRequest): string {
  const { id } = request.params as { readonly id?: string };
  return id ?? "";
}
