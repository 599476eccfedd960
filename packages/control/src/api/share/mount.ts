import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "../../metrics.ts";
import type { Runtime } from "../../services/runtime.ts";
import { createShares, type SharedConnection } from "../../services/share/links.ts";
import { etagOf, isCurrent } from "../assets/etag.ts";
import { toAppError } from "../error-reply.ts";
import { createRateLimiter } from "../rate-limit.ts";
import { gonePage, sharePage, troublePage } from "./page.ts";
import { zoneFile } from "./zone-file.ts";

const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  // The address is the permission: it must not reach search engines or the pages that are linked to.
  "x-robots-tag": "noindex, nofollow, noarchive",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
} as const;

const files = [
  ["colors.css", "text/css; charset=utf-8"],
  ["share.css", "text/css; charset=utf-8"],
  ["share.js", "text/javascript; charset=utf-8"],
] as const;
const directory = new URL("../../../assets/share/", import.meta.url);

/** Every answer is a page for a person, also the refusals. */
export function mountShare(app: FastifyInstance, runtime: Runtime, metrics: Metrics): void {
  const shares = createShares(runtime);
  const limiter = createRateLimiter();
  const limits = runtime.config.RATE_LIMITS;

  /** Null when this address has asked too often; guesses run out sooner than visits. */
  const retryAfter = (ip: string): number | null => {
    const visits = limiter.take(`visit:${ip}`, limits.check);
    const guesses = limiter.peek(`guess:${ip}`, limits.unauthorized);
    const refused = [visits, guesses].find(({ allowed }) => !allowed);
    return refused?.resetSeconds ?? null;
  };

  const answer =
    (send: (reply: FastifyReply, shared: SharedConnection, token: string) => FastifyReply) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      reply.headers(pageHeaders).type("text/html; charset=utf-8");
      const wait = retryAfter(request.ip);
      if (wait !== null) {
        metrics.rateLimited.inc({ bucket: "check" });
        return reply.code(429).header("retry-after", wait).send(tooOften);
      }
      const { token } = request.params as { readonly token: string };
      try {
        const shared = await shares.open(token);
        if (shared !== null) return send(reply, shared, token);
        limiter.take(`guess:${request.ip}`, limits.unauthorized);
        return reply.code(404).send(gonePage());
      } catch (error) {
        return fail(runtime, request, reply, error);
      }
    };

  app.get(
    "/share/:token",
    answer((reply, shared, token) => reply.send(sharePage(shared, token))),
  );
  app.get(
    "/share/:token/zone.txt",
    answer((reply, shared) =>
      reply
        .type("text/plain; charset=utf-8")
        .header("content-disposition", `attachment; filename="${shared.connection.hostname}.zone"`)
        .send(zoneFile(shared)),
    ),
  );
  mountFiles(app);
}

const tooOften = troublePage("Too many requests", "Wait a moment, then load this page again.");

/** In words; the cause is in the log under the request's id, without the address that was asked. */
function fail(runtime: Runtime, request: FastifyRequest, reply: FastifyReply, error: unknown) {
  const { code } = toAppError(error, request.id);
  runtime.log[code === "internal" ? "error" : "warn"](
    { err: error, requestId: request.id },
    "a shared page could not be made",
  );
  const text = "The service cannot be asked at the moment. Load this page again in a minute.";
  return reply
    .code(code === "internal" ? 500 : 503)
    .send(troublePage("Something went wrong", text));
}

function mountFiles(app: FastifyInstance): void {
  for (const [name, type] of files) {
    const body = readFileSync(new URL(name, directory));
    const etag = etagOf(body);
    app.get(`/share/${name}`, (request, reply) => {
      reply.headers({ etag, "cache-control": "no-cache", "x-content-type-options": "nosniff" });
      if (isCurrent(request.headers["if-none-match"], etag)) return reply.code(304).send();
      return reply.type(type).send(body);
    });
  }
}
