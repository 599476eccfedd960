import type { FastifyRequest } from "fastify";
import { sessionLifetimeMs } from "../../domain/people/session.ts";

/** The cookies of the console: how they are named, read, set and ended for one installation. */
export interface Cookies {
  /** The secret of the session that a browser has; null when there is none, or more than one. */
  session(request: FastifyRequest): string | null;
  /** The secret of a sign-in that the browser has begun elsewhere. */
  attempt(request: FastifyRequest): string | null;
  setSession(secret: string): string;
  endSession(): string;
  setAttempt(secret: string): string;
  endAttempt(): string;
}

const attemptSeconds = 600;

/**
 * With the prefix `__Host-` a browser takes the cookie only over TLS, for the whole host and from
 * that host alone (RFC 6265bis, section 4.1.3.2): no other host of the domain can put one there.
 * Plain http is for one machine, where browsers refuse `Secure`.
 */
export function createCookies(baseUrl: string): Cookies {
  const isPlain = isPlainLoopback(baseUrl);
  const prefix = isPlain ? "" : "__Host-";
  const flags = `Path=/; ${isPlain ? "" : "Secure; "}HttpOnly; SameSite=Lax`;
  const names = { session: `${prefix}mooring`, attempt: `${prefix}mooring-sign-in` };
  const cookie = (name: string, value: string, seconds: number) =>
    `${name}=${value}; Max-Age=${seconds}; ${flags}`;
  return {
    session: (request) => readCookie(request.headers.cookie, names.session),
    attempt: (request) => readCookie(request.headers.cookie, names.attempt),
    setSession: (secret) => cookie(names.session, secret, sessionLifetimeMs / 1_000),
    endSession: () => cookie(names.session, "", 0),
    setAttempt: (secret) => cookie(names.attempt, secret, attemptSeconds),
    endAttempt: () => cookie(names.attempt, "", 0),
  };
}

function isPlainLoopback(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && isLoopbackHost(hostname);
}

export function isLoopbackHost(hostname: string): boolean {
  return /^(?:localhost|[a-z0-9.-]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Two cookies of one name come from somebody who put the second there: neither is believed. */
function readCookie(header: string | undefined, name: string): string | null {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value, second] = values;
  return value === undefined || value === "" || second !== undefined ? null : value;
}
