import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { Actor } from "../../domain/tenancy.ts";
import type { Meter } from "../../services/billing/meter.ts";
import { createAuthenticator } from "../../services/people/authenticate.ts";
import type { Runtime } from "../../services/runtime.ts";
import type { RequestLimits } from "./rate-limit.ts";
import type { Route } from "./route.ts";
import { createSessionAdmission } from "./session-admission.ts";
import { requireWidgetOrigin } from "./widget-origin.ts";

/** Finds out who sends a request. */
export interface RequestAuthenticator {
  /** Throws the refusal; counts failures, and the use of keys and tokens. */
  authenticate(request: FastifyRequest, route: Route): Promise<Actor>;
  /** The same for a request that was admitted before: nothing is counted. */
  identify(request: FastifyRequest, route: Route): Promise<Actor>;
  /** The header that makes a browser forget its session. */
  endingCookie(): string;
}

interface AuthenticatorParts {
  readonly runtime: Runtime;
  readonly meter: Meter;
  readonly limits: RequestLimits;
}

export function createRequestAuthenticator(parts: AuthenticatorParts): RequestAuthenticator {
  const { runtime, meter, limits } = parts;
  const authenticator = createAuthenticator(runtime);
  const sessions = createSessionAdmission(runtime);

  /** A request that names a credential itself never uses the cookie that a browser adds. */
  const identify = async (request: FastifyRequest, route: Route): Promise<Actor> => {
    const { authorization, origin, host } = request.headers;
    const secret = authorization === undefined ? sessions.readSecret(request) : null;
    if (secret !== null) return sessions.authenticate(request, route, secret);
    const actor = await authenticator.authenticate(authorization);
    if (actor.kind === "widget") {
      requireWidgetOrigin(actor, { origin, host }, runtime.config.baseUrl);
    }
    return actor;
  };

  return {
    identify,
    endingCookie: () => sessions.endingCookie(),
    async authenticate(request, route) {
      limits.refuseRepeatedFailure(request.ip, () => fingerprint(request));
      try {
        const actor = await identify(request, route);
        if (actor.kind === "key" || actor.kind === "widget") meter.count(actor);
        return actor;
      } catch (error) {
        if (error instanceof AppError && error.code === "unauthorized") {
          limits.countFailure(request.ip, fingerprint(request));
        }
        throw error;
      }
    },
  };
}

/** Stands for a credential in the name of a bucket, so that no secret stays in memory for long. */
function fingerprint({ headers: { authorization, cookie = "" } }: FastifyRequest): string {
  return hash("sha256", authorization ?? cookie, "base64").slice(0, 16);
}
