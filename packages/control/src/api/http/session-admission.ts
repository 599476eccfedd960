import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { AppError, invalid } from "../../domain/errors.ts";
import {
  type Environment,
  environments,
  type OperatorActor,
  type SessionActor,
} from "../../domain/tenancy.ts";
import { createSessionAuthenticator } from "../../services/people/session.ts";
import type { Runtime } from "../../services/runtime.ts";
import type { Route } from "./route.ts";
import { createCookies, isLoopbackHost } from "./session-cookie.ts";

/**
 * How a request with the console's cookie is admitted: the session, the page that sends it, the
 * environment.
 */
export interface SessionAdmission {
  /** The secret in the request's cookie; null when there is none. */
  readSecret(request: FastifyRequest): string | null;
  /** The signed-in caller; throws the refusal. */
  authenticate(
    request: FastifyRequest,
    route: Route,
    secret: string,
  ): Promise<SessionActor | OperatorActor>;
  /** The header that makes a browser forget the session. */
  endingCookie(): string;
}

export function createSessionAdmission(runtime: Runtime): SessionAdmission {
  const { baseUrl } = runtime.config;
  const cookies = createCookies(baseUrl);
  const sessions = createSessionAuthenticator(runtime);
  return {
    readSecret: (request) => cookies.session(request),
    endingCookie: () => cookies.endSession(),
    async authenticate(request, route, secret) {
      const inEnvironment = await sessions.authenticate(secret);
      if (inEnvironment === null)
        throw new AppError("unauthorized", "the session is over: sign in");
      requireOwnPage(request, baseUrl);
      const environment = readEnvironment(request);
      const actor = inEnvironment(environment ?? "live");
      if (route.method !== "GET") requireCsrf(request, actor.session.csrfToken);
      const needsNone = route.session === "any" || actor.kind === "operator";
      if (environment === null && !needsNone) throw environmentProblem("name it: test or live");
      return actor;
    },
  };
}

/**
 * Refuses what another site makes a signed-in browser send. Reads are refused too when the browser
 * says that another origin asks, although no answer of ours could be read there.
 */
function requireOwnPage(request: FastifyRequest, baseUrl: string): void {
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  const isElsewhere = origin !== undefined && !isOwnOrigin(origin, baseUrl);
  const isNavigation = request.headers["sec-fetch-mode"] === "navigate";
  const isCross = site === "cross-site" || site === "same-site";
  if (isElsewhere || (isCross && !isNavigation)) {
    throw new AppError("forbidden", "this page may not use the session");
  }
}

/** A change needs more: the origin stated, and the token that only a page of ours can have read. */
function requireCsrf(request: FastifyRequest, token: string): void {
  const header = request.headers["x-mooring-csrf"];
  const expected = Buffer.from(token);
  const actual = Buffer.from(typeof header === "string" ? header : "");
  const isEqual = actual.length === expected.length && timingSafeEqual(actual, expected);
  if (request.headers.origin === undefined || !isEqual) {
    throw new AppError("forbidden", "a change in a session needs Origin and X-Mooring-Csrf");
  }
}

/**
 * Whether a page is of this service: of `BASE_URL`, whatever `Host` the request names. Where that
 * is this machine, its other names are as good.
 */
export function isOwnOrigin(origin: string, baseUrl: string): boolean {
  const base = new URL(baseUrl);
  if (origin === base.origin) return true;
  const page = URL.parse(origin);
  if (page === null || page.origin !== origin || page.protocol !== base.protocol) return false;
  const areLocal = isLoopbackHost(base.hostname) && isLoopbackHost(page.hostname);
  return areLocal && page.port === base.port;
}

/** The environment that a call in a session is about. */
function readEnvironment(request: FastifyRequest): Environment | null {
  const header = request.headers["x-mooring-environment"];
  if (header === undefined) return null;
  const found = environments.find((environment) => environment === header);
  if (!found) throw environmentProblem("must be test or live");
  return found;
}

function environmentProblem(message: string): AppError {
  return invalid([{ path: "X-Mooring-Environment", message }]);
}
