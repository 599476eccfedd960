import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { getConnection } from "../../services/connections/read.ts";
import { returnFromSignIn } from "../../services/oauth/return.ts";
import { type StartedOAuth, startOAuth } from "../../services/oauth/start.ts";
import type { Runtime } from "../../services/runtime.ts";
import { pageHeaders, tooManyRequests } from "../domain-connect/domain-connect.ts";
import { refusedPage, signInPage, troublePage } from "../domain-connect/page.ts";
import { toAppError } from "../http/error-reply.ts";
import { createRateLimiter } from "../http/rate-limit.ts";
import { defineRoute, IdParams, Time, time } from "../http/route.ts";

const StartedOAuthBody = z
  .object({
    authorize_url: z
      .string()
      .describe("Open it in a popup: its result goes to the page that opened it"),
    provider_name: z.string(),
    expires_at: Time.describe("Until when the customer may come back"),
  })
  .meta({ id: "OAuthStart" });

function startedOAuthBody(started: StartedOAuth): z.input<typeof StartedOAuthBody> {
  return {
    authorize_url: started.authorizeUrl,
    provider_name: started.providerName,
    expires_at: time(started.expiresAt),
  };
}

export const startOAuthRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/oauth:start",
  tag: "Connections",
  summary: "Send the customer to sign in at their DNS provider (OAuth)",
  description:
    "The popup's last page posts `{ type: \"svc:oauth\", status, grant }` to the page that opened it, at an allowed origin. `grant` is given to `records:apply` as `oauth_grant`, within 30 minutes; the provider's token is thrown away when the plan is applied, unless the application has `keep_oauth`.",
  scopes: ["connections:write"],
  role: "developer",
  widget: true,
  readConnection: getConnection,
  params: IdParams,
  output: StartedOAuthBody,
  statuses: [200],
  errors: ["conflict"],
  run: (ctx, { params }) => startOAuth(ctx, params.id),
  reply: startedOAuthBody,
});

const timeoutMs = 15_000;

/**
 * The page that customers return to from a sign-in. It needs no credential: the state in the URL is
 * one.
 */
export function mountOAuthReturn(app: FastifyInstance, runtime: Runtime): void {
  const limiter = createRateLimiter();
  const limit = runtime.config.rateLimits.unauthorized;
  const assets = `${new URL(runtime.config.baseUrl).pathname.replace(/\/$/, "")}/v1/connect/domain-connect`;
  app.get("/v1/connect/oauth/return", async (request, reply) => {
    reply.headers(pageHeaders).type("text/html; charset=utf-8");
    if (!limiter.peek(request.ip, limit).allowed) {
      return reply.code(429).send(troublePage(assets, tooManyRequests));
    }
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const result = await returnFromSignIn(runtime, readQuery(request), signal);
      if (result.kind === "accepted") return reply.send(signInPage(assets, result));
      if (result.reason === "unknown") limiter.take(request.ip, limit);
      const { status, body } = refusedPage(assets, result.reason);
      return reply.code(status).send(body);
    } catch (error) {
      return sendFailure(runtime, request, reply, assets, error);
    }
  });
}

function sendFailure(
  runtime: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
  assets: string,
  error: unknown,
): FastifyReply {
  const isBug = toAppError(error, request.id).code === "internal";
  runtime.log[isBug ? "error" : "warn"](
    { err: error, requestId: request.id },
    "return from sign-in failed",
  );
  const text = "Nothing was changed. You can close this window and try again.";
  const body = troublePage(assets, { title: "Something went wrong", text });
  return reply.code(isBug ? 500 : 503).send(body);
}

/** A parameter that occurs twice counts as absent. */
function readQuery(request: FastifyRequest) {
  const query = new Map<string, unknown>(Object.entries(request.query ?? {}));
  const text = (name: string): string | null => {
    const value = query.get(name);
    return typeof value === "string" ? value : null;
  };
  return { state: text("state"), code: text("code"), error: text("error") };
}
