import { isStorableText } from "@mooring/dns";
import type { FastifyRequest } from "fastify";
import { AppError, invalid } from "../../domain/errors.ts";

const maxDepth = 20;

/**
 * Parses a JSON body; undefined when it is empty. Refuses nesting beyond any schema of ours, keys
 * that would reach a prototype, and text that the database cannot store.
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid([{ path: "", message: "the body is not valid JSON" }]);
  }
  requireSafe(value, []);
  return value;
}

/**
 * A content type parser of the server: `parseJsonBody`, with its refusal as the request's error.
 */
export function jsonBodyParser(
  _request: FastifyRequest,
  text: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  try {
    done(null, parseJsonBody(String(text)));
  } catch (error) {
    done(error instanceof Error ? error : new Error("unreadable body"));
  }
}

export const formType = "application/x-www-form-urlencoded";

/**
 * A content type parser of the server. The forms of our own pages have no field that is read: what
 * they name is in their address. The API takes no form.
 */
export function formBodyParser(
  { routeOptions }: FastifyRequest,
  _text: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  const isApi = routeOptions.url?.startsWith("/v1/") === true;
  done(isApi ? new AppError("unsupported_media_type", sendJson) : null);
}

export const sendJson = "send application/json";

/** The same refusals for what comes in the address instead of the body. */
export function requireSafeAddress({ params, query }: Pick<FastifyRequest, "params" | "query">) {
  requireSafe(params, []);
  requireSafe(query, []);
}

function requireSafe(value: unknown, at: readonly string[]): void {
  if (typeof value === "string") requireText(value, at);
  if (typeof value !== "object" || value === null) return;
  if (at.length >= maxDepth) {
    throw invalid([{ path: "", message: `the body is nested deeper than ${maxDepth} levels` }]);
  }
  for (const [key, child] of Object.entries(value)) {
    if (key === "__proto__") throw invalid([{ path: key, message: "unknown field" }]);
    requireText(key, at);
    requireSafe(child, [...at, key]);
  }
}

/** No input of a client may reach a statement that the database then refuses. */
function requireText(text: string, at: readonly string[]): void {
  if (isStorableText(text)) return;
  const message = "text that is not valid Unicode or holds a NUL";
  throw invalid([{ path: at.join("."), message }]);
}
