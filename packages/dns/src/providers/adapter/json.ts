import { ProviderError } from "./errors.ts";
import type { HttpAnswer } from "./http.ts";

/**
 * Checks a JSON value against a shape and returns it with that type. Fields that the shape does not
 * name are dropped. `path` is the position in the answer, for the message.
 */
export type Decoder<T> = (value: unknown, path: string) => T;

type Decoded<S> = { readonly [K in keyof S]: S[K] extends Decoder<infer T> ? T : never };

/** An answer of the wrong shape is a fault of the provider, not of the credential or value. */
function unexpected(path: string, expected: string): never {
  throw new ProviderError(
    "unavailable",
    `The provider's answer has an unexpected shape: ${path === "" ? "it" : path} is not ${expected}.`,
  );
}

export const text: Decoder<string> = (value, path) =>
  typeof value === "string" ? value : unexpected(path, "a text");

export const number: Decoder<number> = (value, path) =>
  typeof value === "number" && Number.isFinite(value) ? value : unexpected(path, "a number");

export const boolean: Decoder<boolean> = (value, path) =>
  typeof value === "boolean" ? value : unexpected(path, "true or false");

/** For identifiers and numbers that some APIs send as numbers and some as texts. */
export const textOrNumber: Decoder<string> = (value, path) =>
  typeof value === "string" || typeof value === "number"
    ? String(value)
    : unexpected(path, "a text or number");

/**
 * The key of an entry. Empty where it is missing or neither text nor number: `readRow` then leaves
 * the entry alone, and the others stay readable.
 */
export const entryKey: Decoder<string> = (value) =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

export const anything: Decoder<unknown> = (value) => value;

export function list<T>(item: Decoder<T>): Decoder<readonly T[]> {
  return (value, path) =>
    Array.isArray(value)
      ? value.map((entry: unknown, index) => item(entry, `${path}[${index}]`))
      : unexpected(path, "a list");
}

/** A missing or null field becomes the fallback; a present one must have the shape. */
export function optional<T, F>(item: Decoder<T>, fallback: F): Decoder<T | F> {
  return (value, path) => (value === undefined || value === null ? fallback : item(value, path));
}

export function object<S extends Readonly<Record<string, Decoder<unknown>>>>(
  shape: S,
): Decoder<Decoded<S>> {
  return (value, path) => {
    if (!isObject(value)) return unexpected(path, "an object");
    const entries = Object.entries(shape).map(([key, decode]) => [
      key,
      decode(value[key], path === "" ? key : `${path}.${key}`),
    ]);
    return asDecoded<S>(Object.fromEntries(entries));
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Guarantee: each entry is the result of the decoder with the same key, as the mapped type says.
 */
function asDecoded<S>(entries: Record<string, unknown>): Decoded<S> {
  return entries as Decoded<S>;
}

/** Decodes a JSON answer; anything else, such as a proxy's error page, is `unavailable`. */
export function decodeJson<T>(answer: HttpAnswer, decoder: Decoder<T>): T {
  return decoder(parseJson(answer.text), "");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProviderError("unavailable", "The provider's answer is not JSON, or is cut short.", {
      cause: new Error(error instanceof SyntaxError ? "syntax error" : "unreadable"),
    });
  }
}

/** Parses an error body, which may not be JSON. */
export function jsonOrNull(answer: HttpAnswer): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    return null;
  }
}
