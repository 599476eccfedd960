import type { FastifyReply, FastifyRequest } from "fastify";
import { askForTenant } from "../../services/dns-view.ts";
import { createStreams } from "../events/event-stream.ts";
import type { RequestAuthenticator } from "./authenticate.ts";
import { isStillAllowed } from "./authorize.ts";
import type { errorReply } from "./error-reply.ts";
import { callOnce, hasIdempotencyKey } from "./idempotency-key.ts";
import { requireSafeAddress } from "./json-body.ts";
import type { RequestLimits } from "./rate-limit.ts";
import type { Route } from "./route.ts";

/** Steps 5 to 7 of the order in `admit.ts`. */
export interface RouteCaller {
  /** Runs the verb of an admitted request and sets the status of the reply. */
  call(
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    render: typeof errorReply,
  ): Promise<unknown>;
  /** Ends the open streams. */
  close(): void;
}

interface CallerParts {
  readonly authenticator: RequestAuthenticator;
  readonly limits: RequestLimits;
}

export function createRouteCaller({ authenticator, limits }: CallerParts): RouteCaller {
  const streams = createStreams();
  return {
    close: () => streams.close(),
    async call(route, request, reply, render) {
      const ctx = request.serviceContext;
      if (!ctx) throw new Error("the handler ran for a request that was not admitted");
      requireSafeAddress(request);
      const { params, query, body } = request;
      const prepared = route.prepare({ params, query, body });
      const call = {
        ...prepared,
        run: (context: typeof ctx) => askForTenant(ctx.actor, () => prepared.run(context)),
      };
      if (route.readConnection) {
        await limits.takeForConnection(ctx, readId(request), route.readConnection, reply);
      }
      if (route.stream) {
        const isAllowed = () => isStillAllowed(() => authenticator.identify(request, route), route);
        return streams.send(ctx, await call.run(ctx), request, reply, isAllowed);
      }
      if (route.idempotent && hasIdempotencyKey(request)) {
        return callOnce(ctx, { route, call, request, reply, render });
      }
      const answer = call.render(await call.run(ctx));
      if (route.endsSession) reply.header("set-cookie", authenticator.endingCookie());
      reply.code(answer.status);
      return answer.body === null ? reply.send() : answer.body;
    },
  };
}

function readId({ params }: FastifyRequest): string {
  const { id } = params as { readonly id?: string };
  return id ?? "";
}
