import { AcmeError } from "./error.ts";
import type { AcmeAnswer } from "./transport.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a CA's JSON object; every deviation from RFC 8555 is `malformed`. */
export function readJson(answer: AcmeAnswer): JsonObject {
  try {
    return readObject(JSON.parse(answer.text), "the answer");
  } catch (error) {
    if (error instanceof AcmeError) throw error;
    throw malformed("the answer is not JSON");
  }
}

export function readObject(value: unknown, what: string): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw malformed(`${what} is not an object`);
  }
  return Object.fromEntries(Object.entries(value));
}

export function textIn(body: JsonObject, field: string): string {
  const value = body[field];
  if (typeof value !== "string" || value === "") throw malformed(`${field} is missing`);
  return value;
}

export function optionalTextIn(body: JsonObject, field: string): string | null {
  return body[field] === undefined || body[field] === null ? null : textIn(body, field);
}

export function listIn(body: JsonObject, field: string): readonly unknown[] {
  const value = body[field];
  if (!Array.isArray(value)) throw malformed(`${field} is not a list`);
  return value;
}

/** One of the values that the protocol defines. */
export function wordIn<Word extends string>(
  body: JsonObject,
  field: string,
  words: readonly Word[],
): Word {
  const word = words.find((each) => each === body[field]);
  if (word === undefined) throw malformed(`${field} has an unknown value`);
  return word;
}

/**
 * An absolute URL of the CA. An https directory must not name a plain http resource (RFC 8555
 * §6.1); `fetch` decides whether it may be dialled at all.
 */
export function resolveUrl(text: unknown, base: string): string {
  const url = typeof text === "string" ? URL.parse(text, base) : null;
  if (url === null || url.protocol !== new URL(base).protocol) {
    throw malformed("a URL cannot be read or is not encrypted");
  }
  return url.href;
}

export function optionalUrlIn(body: JsonObject, field: string, base: string): string | null {
  return body[field] === undefined || body[field] === null ? null : resolveUrl(body[field], base);
}

/** The Location header, which names a resource that was created or found. */
export function readLocation(answer: AcmeAnswer): string {
  const location = answer.headers.get("location");
  if (location === null) throw malformed("Location is missing");
  return resolveUrl(location, answer.url);
}

export function malformed(why: string): AcmeError {
  return new AcmeError("malformed", `the CA's answer cannot be used: ${why}`);
}
