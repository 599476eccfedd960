import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiMetrics } from "../../metrics/api.ts";
import {
  type Browser,
  type OpenedSession,
  readLink,
  redeemLink,
} from "../../services/people/sign-in.ts";
import type { Runtime } from "../../services/runtime.ts";
import { toAppError } from "../http/error-reply.ts";
import { createRateLimiter } from "../http/rate-limit.ts";
import { isOwnOrigin } from "../http/session-admission.ts";
import { type Cookies, createCookies } from "../http/session-cookie.ts";
import { pagePolicy } from "../pages/layout.ts";
import { deadLinkPage, linkPage, signInTroublePage } from "./sign-in-page.ts";

/**
 * A page here may be framed by nobody and sends its address to our own pages only. Not
 * `no-referrer`: with it browsers send `Origin: null` with a form (Fetch, section 3.2).
 */
export const signInHeaders = {
  "content-security-policy": pagePolicy({ hasForm: true }),
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "cross-origin-opener-policy": "same-origin",
} as const;

type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** What every page of a sign-in shares: who asks, how often, and the cookie that a success sets. */
export interface SignInPages {
  readonly cookies: Cookies;
  describeBrowser(request: FastifyRequest): Browser;
  /** Sends the page of a handler; refuses addresses that guess, and shows failures as pages. */
  page(handle: PageHandler): PageHandler;
  /** The same for a page that begins a sign-in; an address may begin only so many. */
  beginPage(handle: PageHandler): PageHandler;
  /** Counts a guess of the address. */
  noteGuess(request: FastifyRequest): void;
  /** Sends the browser to the console, signed in. */
  signedIn(reply: FastifyReply, session: OpenedSession, to: string): FastifyReply;
  /**
   * Whether a form was sent by a page of ours; a program that is no browser says nothing about it.
   */
  isOwnForm(request: FastifyRequest): boolean;
}

export function createSignInPages(runtime: Runtime, metrics: ApiMetrics): SignInPages {
  const { baseUrl, rateLimits } = runtime.config;
  const cookies = createCookies(baseUrl);
  const limiter = createRateLimiter();
  const refuse = (reply: FastifyReply, seconds: number): FastifyReply => {
    metrics.rateLimited.inc({ bucket: "unauthorized" });
    return reply.code(429).header("retry-after", seconds).send(tooMany);
  };
  const page: SignInPages["page"] = (handle) => async (request, reply) => {
    reply.headers(signInHeaders).type("text/html; charset=utf-8");
    const guesses = limiter.peek(`guess:${request.ip}`, rateLimits.unauthorized);
    if (!guesses.allowed) return refuse(reply, guesses.resetSeconds);
    try {
      return await handle(request, reply);
    } catch (error) {
      return sendFailure(runtime, request, reply, error);
    }
  };
  return {
    cookies,
    describeBrowser: (request) => ({
      address: request.ip,
      userAgent: request.headers["user-agent"] ?? null,
      requestId: request.id,
      heldSecret: cookies.session(request),
    }),
    page,
    beginPage: (handle) =>
      page(async (request, reply) => {
        const begun = limiter.take(`begin:${request.ip}`, rateLimits.unauthorized);
        return begun.allowed ? handle(request, reply) : refuse(reply, begun.resetSeconds);
      }),
    noteGuess: (request) => {
      limiter.take(`guess:${request.ip}`, rateLimits.unauthorized);
    },
    signedIn: (reply, session, to) =>
      reply.header("set-cookie", cookies.setSession(session.secret)).redirect(to, 303),
    isOwnForm({ headers }) {
      const site = headers["sec-fetch-site"];
      if (site !== undefined && site !== "same-origin" && site !== "none") return false;
      return headers.origin === undefined || isOwnOrigin(headers.origin, baseUrl);
    },
  };
}

const tooMany = signInTroublePage("Too many requests", "Wait a few minutes, then try again.");
const foreignForm = signInTroublePage(
  "Not signed in",
  "Another site sent this form. Open the link itself.",
);

/** One-time links. GET shows a button and POST redeems, so that programs that open links do not. */
export function mountSignInLinks(
  app: FastifyInstance,
  runtime: Runtime,
  metrics: ApiMetrics,
): void {
  const pages = createSignInPages(runtime, metrics);
  const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;
  const dead = (request: FastifyRequest, reply: FastifyReply) => {
    pages.noteGuess(request);
    return reply.code(404).send(deadLinkPage());
  };
  app.get(
    "/console/link/:token",
    pages.page(async (request, reply) => {
      const token = tokenOf(request);
      const target = await readLink(runtime, token);
      return target === null ? dead(request, reply) : reply.send(linkPage(target, token));
    }),
  );
  app.post(
    "/console/link/:token",
    pages.page(async (request, reply) => {
      if (!pages.isOwnForm(request)) return reply.code(403).send(foreignForm);
      const session = await redeemLink(runtime, tokenOf(request), pages.describeBrowser(request));
      return session === null ? dead(request, reply) : pages.signedIn(reply, session, "../");
    }),
  );
}

/** A page that says so; the cause is in the log under the request's id, without the URL. */
function sendFailure(
  runtime: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  const { code } = toAppError(error, request.id);
  const isBug = code === "internal";
  runtime.log[isBug ? "error" : "warn"]({ err: error, requestId: request.id }, "sign-in failed");
  const text = "The service does not answer now. Try again in a minute.";
  return reply.code(isBug ? 500 : 503).send(signInTroublePage("Something went wrong", text));
}
