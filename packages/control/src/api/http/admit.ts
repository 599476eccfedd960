import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiMetrics } from "../../metrics/api.ts";
import type { Meter } from "../../services/billing/meter.ts";
import { createContext, type ServiceContext } from "../../services/context.ts";
import type { Runtime } from "../../services/runtime.ts";
import { createRequestAuthenticator } from "./authenticate.ts";
import { requireAccess } from "./authorize.ts";
import { createRouteCaller } from "./call-route.ts";
import { errorReply } from "./error-reply.ts";
import { createRequestLimits } from "./rate-limit.ts";
import { replySerializer } from "./reply-serializer.ts";
import { fastifyPath, type Route } from "./route.ts";

/**
 * The way of a request to its verb. Each step may refuse; the first refusal is the reply.
 *
 * On the headers alone, before a body is read. This is admission, entered once per request:
 *  1. `authenticate.ts`: who sends it (401). A credential that failed too often is not looked up
 *     (429). A session is used by a page of ours only, and a widget token by the origins of its
 *     application (`widget-origin.ts`, 403).
 *  2. `authorize.ts`: whether the credential, its scopes and its role extend to the route, and
 *     whether the operator lets the tenant change anything (403).
 *  3. `rate-limit.ts`: the general limit of the caller, then the one of the route (429). Reads of
 *     the drop-in APIs wait a little for their share.
 *
 * Then the body:
 *  4. `json-body.ts`: its type, size, syntax and depth (400, 413, 415).
 *
 * Then the route's handler, `call-route.ts`: 5. the parameters, the query and the body against the
 * schemas of the route (400); 6. where the route names a connection, its limit, which only those
 * spend who may see it (404, 429); 7. `idempotency-key.ts`: the stored reply of a repeat, else the
 * verb.
 */
export interface Admission {
  /** Serves a route in `scope`. */
  mount(scope: FastifyInstance, route: Route, options?: MountOptions): void;
  /** Ends the replies that continue until somebody ends them. */
  close(): void;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set by admission; null before it and on routes outside of /v1. */
    serviceContext: ServiceContext | null;
  }
}

interface MountOptions {
  /** Makes the errors of the route as they are stored for a repeat. */
  readonly render?: typeof errorReply;
  /** How long a request may wait for its share of the rate limits; by default not at all. */
  readonly maxWaitMs?: number;
}

interface AdmissionParts {
  readonly runtime: Runtime;
  readonly meter: Meter;
  readonly metrics: ApiMetrics;
}

const defaultTimeoutMs = 5_000;

export function createAdmission({ runtime, meter, metrics }: AdmissionParts): Admission {
  const limits = createRequestLimits(runtime.config.rateLimits, metrics);
  const authenticator = createRequestAuthenticator({ runtime, meter, limits });
  const caller = createRouteCaller({ authenticator, limits });

  const admit = async (
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    maxWaitMs: number,
  ) => {
    const actor = await authenticator.authenticate(request, route);
    requireAccess(actor, route);
    const share = limits.takeForRoute(route, actor, reply, maxWaitMs);
    if (share !== null) await share;
    const timeoutMs = route.timeoutMs ?? defaultTimeoutMs;
    const facts = { id: request.id, address: request.ip };
    request.serviceContext = createContext(runtime, actor, timeoutMs, facts);
  };

  return {
    close: () => caller.close(),
    mount(scope, route, { render = errorReply, maxWaitMs = 0 } = {}) {
      scope.route({
        method: route.method,
        url: fastifyPath(route.path),
        ...serialized(route),
        onRequest: (request, reply) => admit(route, request, reply, maxWaitMs),
        handler: (request, reply) => caller.call(route, request, reply, render),
      });
    },
  };
}

/** The schema names only the replies that are written so: the serialiser has one of its own. */
function serialized({ output }: Route) {
  if (output === null) return {};
  const serialize = replySerializer(output);
  return { schema: { response: { "2xx": {} } }, serializerCompiler: () => serialize };
}
