import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ReturnQuery } from "../../services/domain-connect/return.ts";
import { type ReturnResult, returnFromProvider } from "../../services/domain-connect/return.ts";
import type { Runtime } from "../../services/runtime.ts";
import { etagOf, isCurrent } from "../assets/etag.ts";
import { toAppError } from "../error-reply.ts";
import { createRateLimiter } from "../rate-limit.ts";
import { acceptedPage, refusedPage, troublePage } from "./page.ts";

const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  // The address holds the state.
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "x-content-type-options": "nosniff",
} as const;

const files = [
  ["return.css", "text/css; charset=utf-8"],
  ["return.js", "text/javascript; charset=utf-8"],
] as const;
const directory = new URL("../../../assets/domain-connect/", import.meta.url);

const base = "/v1/connect/domain-connect";
const timeoutMs = 15_000;

/**
 * Where customers come back to from their DNS provider. It needs no credential: the state is one, for
 * one use. Every answer is a page for a person, or sends them where the connection was begun.
 */
export function mountDomainConnectReturn(app: FastifyInstance, runtime: Runtime): void {
  const limiter = createRateLimiter();
  const limit = runtime.config.RATE_LIMITS.unauthorized;
  const assets = `${new URL(runtime.config.BASE_URL).pathname.replace(/\/$/, "")}${base}`;

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.headers(pageHeaders).type("text/html; charset=utf-8");
    const guesses = limiter.peek(request.ip, limit);
    if (!guesses.allowed) {
      reply.code(429).header("retry-after", guesses.resetSeconds);
      return reply.send(troublePage(assets, tooOften));
    }
    try {
      const result = await returnFromProvider(
        runtime,
        given(request),
        AbortSignal.timeout(timeoutMs),
      );
      if (result.kind === "refused" && result.reason === "unknown") limiter.take(request.ip, limit);
      return send(reply, assets, result);
    } catch (error) {
      return fail(runtime, request, reply, assets, error);
    }
  };

  app.get(`${base}/return`, answer);
  app.get(`${base}/return/:state`, answer);
  for (const [name, type] of files) {
    const body = readFileSync(new URL(name, directory));
    const etag = etagOf(body);
    app.get(`${base}/${name}`, (request, reply) => {
      reply.headers({ etag, "cache-control": "no-cache", "x-content-type-options": "nosniff" });
      if (isCurrent(request.headers["if-none-match"], etag)) return reply.code(304).send();
      return reply.type(type).send(body);
    });
  }
}

const tooOften = { title: "Too many requests", text: "Wait a moment, then load this page again." };

/** A parameter that was given twice is no parameter. */
function given(request: FastifyRequest): {
  readonly pathState: string | null;
  readonly query: ReturnQuery;
} {
  const query = new Map(Object.entries(request.query ?? {}));
  const params = new Map(Object.entries(request.params ?? {}));
  const text = (from: ReadonlyMap<string, unknown>, name: string): string | null => {
    const value = from.get(name);
    return typeof value === "string" ? value : null;
  };
  return {
    pathState: text(params, "state"),
    query: {
      state: text(query, "state"),
      code: text(query, "code"),
      error: text(query, "error"),
      errorDescription: text(query, "error_description"),
    },
  };
}

function send(reply: FastifyReply, assets: string, result: ReturnResult): FastifyReply {
  if (result.kind === "refused") {
    const { status, body } = refusedPage(assets, result.reason);
    return reply.code(status).send(body);
  }
  const { redirectUri, connectionId, status } = result;
  if (redirectUri === null) return reply.send(acceptedPage(assets, result));
  const target = new URL(redirectUri);
  target.searchParams.set("connection_id", connectionId);
  target.searchParams.set("domain_connect", status);
  return reply.redirect(target.href, 303);
}

/** In words; the cause is in the log under the request's id, without the address that was asked. */
function fail(
  runtime: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
  assets: string,
  error: unknown,
): FastifyReply {
  const { code } = toAppError(error, request.id);
  const isBug = code === "internal";
  runtime.log[isBug ? "error" : "warn"](
    { err: error, requestId: request.id },
    "a return from a DNS provider failed",
  );
  const text = "What your DNS provider has set is found all the same. You can close this window.";
  const body = troublePage(assets, { title: "Something went wrong", text });
  return reply.code(isBug ? 500 : 503).send(body);
}
