import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../config/config.ts";
import { findLanguage, type Language, matchLanguage } from "../../domain/locales/languages.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import type { ApiMetrics } from "../../metrics/api.ts";
import type { Runtime } from "../../services/runtime.ts";
import { toAppError } from "../http/error-reply.ts";
import { createRateLimiter } from "../http/rate-limit.ts";
import { type PageParts, pagePolicy } from "../pages/layout.ts";
import { expiredPage, troublePage } from "./share-page.ts";

/** The application's logo is the only thing that may come from elsewhere. */
export function contentPolicy(logoUrl: string | null, hasScript = true): string {
  const imageOrigin = logoUrl === null ? null : new URL(logoUrl).origin;
  return pagePolicy({ hasScript, imageOrigin });
}

const pageHeaders = {
  "content-security-policy": contentPolicy(null),
  "cache-control": "no-store",
  // The URL is the permission: it must not reach search engines or linked pages.
  "x-robots-tag": "noindex, nofollow, noarchive",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
} as const;

/** What a page is rendered for. */
export interface PageRequest extends Pick<PageParts, "language" | "root"> {
  readonly token: string;
}

/** A page whose address is the permission to read it. */
interface LinkedPage<L extends TenantScope> {
  /** Null for a link that is unknown or has ended: a guess, which is counted. */
  find(token: string, request: FastifyRequest): Promise<L | null>;
  /** Whether DNS is asked, for which all pages of a tenant's environment have one limit. */
  asksDns(link: L): boolean;
  send(reply: FastifyReply, link: L, page: PageRequest): Promise<FastifyReply>;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Makes handlers of such pages. Every reply is a page for a person, also the refusals. */
export function createLinkedPages(runtime: Runtime, metrics: ApiMetrics) {
  const limits = createPageLimits(runtime.config.rateLimits);

  const sendBusy = (reply: FastifyReply, page: PageRequest, seconds: number): FastifyReply => {
    metrics.rateLimited.inc({ bucket: "check" });
    return reply.code(429).header("retry-after", seconds).send(troublePage(page, "busy"));
  };

  return <L extends TenantScope>({ find, asksDns, send }: LinkedPage<L>): Handler =>
    async (request, reply) => {
      const page = readPageRequest(request);
      const { token, language } = page;
      reply
        .headers({ ...pageHeaders, "content-language": language, vary: "Accept-Language" })
        .type("text/html; charset=utf-8");
      const wait = limits.takeVisit(request.ip);
      if (wait !== null) return sendBusy(reply, page, wait);
      try {
        const link = await find(token, request);
        if (link === null) {
          limits.countGuess(request.ip);
          return reply.code(404).send(expiredPage(page));
        }
        const waitForCheck = asksDns(link) ? limits.takeCheck(link) : null;
        if (waitForCheck !== null) return sendBusy(reply, page, waitForCheck);
        return await send(reply, link, page);
      } catch (error) {
        return sendFailure(runtime, request, reply, error);
      }
    };
}

/** The path from a page to the root, by the number of segments of its own path. */
const roots = ["", "", "../", "../../", "../../../"] as const;

function readPageRequest(request: FastifyRequest): PageRequest {
  const { token } = request.params as { readonly token: string };
  const segments = (request.routeOptions.url ?? "").split("/").length - 1;
  return { token, language: chooseLanguage(request), root: roots[segments] ?? "" };
}

/** Each answers the seconds to wait, or null. */
interface PageLimits {
  /** Wrong tokens have a smaller limit. */
  takeVisit(ip: string): number | null;
  countGuess(ip: string): void;
  /** For all pages of a tenant's environment, at whatever address they are read. */
  takeCheck(link: TenantScope): number | null;
}

function createPageLimits(limits: Config["rateLimits"]): PageLimits {
  const limiter = createRateLimiter();
  return {
    takeVisit(ip) {
      const visits = limiter.take(`visit:${ip}`, limits.check);
      const guesses = limiter.peek(`guess:${ip}`, limits.unauthorized);
      const refused = [visits, guesses].find(({ allowed }) => !allowed);
      return refused?.resetSeconds ?? null;
    },
    countGuess: (ip) => void limiter.take(`guess:${ip}`, limits.unauthorized),
    takeCheck({ tenantId, environment }) {
      const bucket = `pages:${tenantId}:${environment}`;
      const { allowed, resetSeconds } = limiter.take(bucket, limits.general);
      return allowed ? null : resetSeconds;
    },
  };
}

/** The reader's choice on the page, or else what the browser asks for. */
function chooseLanguage(request: FastifyRequest): Language {
  const { lang } = request.query as { readonly lang?: unknown };
  const chosen = typeof lang === "string" ? findLanguage(lang) : null;
  return chosen ?? matchLanguage(request.headers["accept-language"]);
}

/** A page that says so; the cause is in the log under the request's id, without the URL. */
function sendFailure(
  runtime: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
) {
  const { code } = toAppError(error, request.id);
  runtime.log[code === "internal" ? "error" : "warn"](
    { err: error, requestId: request.id },
    "share page failed",
  );
  return reply
    .code(code === "internal" ? 500 : 503)
    .send(troublePage(readPageRequest(request), "trouble"));
}
