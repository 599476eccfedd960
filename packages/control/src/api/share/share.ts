import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { findLanguage, type Language, matchLanguage } from "../../domain/locales/languages.ts";
import type { ApiMetrics } from "../../metrics/api.ts";
import type { Runtime } from "../../services/runtime.ts";
import type { ShareBrand } from "../../services/share/brand.ts";
import {
  createShares,
  type FoundShareLink,
  type NewShareLink,
  type SharedConnection,
  type Shares,
  shareConnection,
} from "../../services/share/links.ts";
import type { RemovalRequest } from "../../services/share/removal.ts";
import { zoneFile } from "../connections/zone-file.ts";
import { toAppError } from "../http/error-reply.ts";
import { createRateLimiter } from "../http/rate-limit.ts";
import { defineRoute, IdParams, Time, time } from "../http/route.ts";
import { mountFiles } from "../pages/assets.ts";
import { pagePolicy } from "../pages/layout.ts";
import { removalPage } from "./removal-page.ts";
import { expiredPage, sharePage, troublePage } from "./share-page.ts";

const ShareLinkBody = z
  .object({
    url: z.url().describe("Anyone who has it can read the page; it is shown only here"),
    expires_at: Time,
  })
  .meta({ id: "ShareLink" });

function shareLinkBody({ url, expiresAt }: NewShareLink): z.input<typeof ShareLinkBody> {
  return { url, expires_at: time(expiresAt) };
}

export const shareConnectionRoute = defineRoute({
  method: "POST",
  path: "/v1/connections/{id}/share",
  tag: "Connections",
  summary: "A link to a page with the records, for the person who manages the domain's DNS",
  description:
    "The page is read-only, needs no login and no script, and shows the records, what DNS has of them now and what to do. Of a pair it shows both names. It ends after seven days, with the connection, or when twenty newer links were made. For an archived connection that is `dangling` the page shows the record to remove and why, and nothing can be connected from it; for any other archived one: 409. A widget token gets no such link.",
  scopes: ["connections:write"],
  role: "support",
  widget: true,
  limit: "tokens",
  params: IdParams,
  output: ShareLinkBody,
  statuses: [201],
  errors: ["conflict"],
  run: (ctx, { params }) => shareConnection(ctx, params.id),
  reply: shareLinkBody,
});

/** The application's logo is the only thing that may come from elsewhere. */
function contentPolicy(logoUrl: string | null): string {
  const imageOrigin = logoUrl === null ? null : new URL(logoUrl).origin;
  return pagePolicy({ hasScript: true, imageOrigin });
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

const files = ["share.css", "share.js"];
const directory = new URL("../../../assets/share/", import.meta.url);

/** Every reply is a page for a person, also the refusals. */
export function mountShare(app: FastifyInstance, runtime: Runtime, metrics: ApiMetrics): void {
  const shares = createShares(runtime);
  const limits = createPageLimits(runtime.config.rateLimits);

  const sendBusy = (reply: FastifyReply, language: Language, seconds: number): FastifyReply => {
    metrics.rateLimited.inc({ bucket: "check" });
    return reply.code(429).header("retry-after", seconds).send(troublePage(language, "busy"));
  };

  const sendPage =
    (send: SendPage) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const language = chooseLanguage(request);
      reply
        .headers({ ...pageHeaders, "content-language": language, vary: "Accept-Language" })
        .type("text/html; charset=utf-8");
      const wait = limits.takeVisit(request.ip);
      if (wait !== null) return sendBusy(reply, language, wait);
      const { token } = request.params as { readonly token: string };
      try {
        const found = { shares, limits, sendBusy };
        return await sendFound(found, request.ip, reply, { token, language }, send);
      } catch (error) {
        return sendFailure(runtime, request, reply, error);
      }
    };

  app.get(
    "/share/:token",
    sendPage((reply, shared, { token, language }) => {
      const { logoUrl } = shared.brand;
      return reply
        .header("content-security-policy", contentPolicy(logoUrl))
        .send(sharePage(shared, token, language));
    }),
  );
  app.get(
    "/share/:token/zone.txt",
    sendPage((reply, shared) =>
      reply
        .type("text/plain; charset=utf-8")
        .header(
          "content-disposition",
          `attachment; filename="${shared.parts[0].connection.hostname}.zone"`,
        )
        .send(zoneFile(shared.parts)),
    ),
  );
  // A colour of the page's own cannot be in the page: its policy allows no inline style.
  app.get(
    "/share/:token/brand.css",
    sendPage((reply, { brand }) => sendColor(reply, brand)),
  );
  mountFiles(app, "/share", directory, files);
}

type SendPage = (reply: FastifyReply, shared: SharedConnection, page: PageRequest) => FastifyReply;

interface Found {
  readonly shares: Shares;
  readonly limits: PageLimits;
  readonly sendBusy: (reply: FastifyReply, language: Language, seconds: number) => FastifyReply;
}

async function sendFound(
  { shares, limits, sendBusy }: Found,
  ip: string,
  reply: FastifyReply,
  page: PageRequest,
  send: SendPage,
): Promise<FastifyReply> {
  const { token, language } = page;
  const link = await shares.find(token);
  const removal = link === null ? await shares.findRemoval(token) : null;
  const found = link ?? removal;
  if (found === null) {
    limits.countGuess(ip);
    return reply.code(404).send(expiredPage(language));
  }
  const isRecent = link !== null && shares.isRecent(link);
  const waitSeconds = isRecent ? null : limits.takeCheck(found);
  if (waitSeconds !== null) return sendBusy(reply, language, waitSeconds);
  return link === null
    ? sendRemoval(reply, await shares.readRemoval(found), page)
    : send(reply, await shares.read(link), page);
}

/** The page of an archived connection; of its parts only the colour is there. */
function sendRemoval(
  reply: FastifyReply,
  request: RemovalRequest | null,
  { token, language }: PageRequest,
): FastifyReply {
  if (request === null) return reply.code(404).send(expiredPage(language));
  const { brand } = request;
  if (reply.request.url.includes("/brand.css")) return sendColor(reply, brand);
  return reply
    .header("content-security-policy", contentPolicy(brand.logoUrl))
    .send(removalPage(request, token, language));
}

function sendColor(reply: FastifyReply, { color }: ShareBrand): FastifyReply {
  return reply
    .type("text/css; charset=utf-8")
    .send(color === null ? "" : `:root { --brand: ${color}; }\n`);
}

/** Each answers the seconds to wait, or null. */
interface PageLimits {
  /** Wrong tokens have a smaller limit. */
  takeVisit(ip: string): number | null;
  countGuess(ip: string): void;
  /** For all pages of a tenant's environment, at whatever address they are read. */
  takeCheck(link: FoundShareLink): number | null;
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

interface PageRequest {
  readonly token: string;
  readonly language: Language;
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
    .send(troublePage(chooseLanguage(request), "trouble"));
}
