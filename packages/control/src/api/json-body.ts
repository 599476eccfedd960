import { invalid } from "../domain/errors.ts";

const maxDepth = 20;

/** A JSON body, or undefined when there is none; refuses what a parser or a verb could trip over. */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid([{ path: "", message: "the body is not valid JSON" }]);
  }
  refuse(value, []);
  return value;
}

/** Nesting beyond any schema of ours, keys that would reach a prototype, text no database holds. */
function refuse(value: unknown, at: readonly string[]): void {
  if (typeof value === "string") refuseText(value, at);
  if (typeof value !== "object" || value === null) return;
  if (at.length >= maxDepth) {
    throw invalid([{ path: "", message: `the body is nested deeper than ${maxDepth} levels` }]);
  }
  for (const [key, child] of Object.entries(value)) {
    if (key === "__proto__") throw invalid([{ path: key, message: "unknown field" }]);
    refuseText(key, at);
    refuse(child, [...at, key]);
  }
}

/** PostgreSQL has no NUL in text and no lone surrogates in jsonb; elsewhere they would change. */
function refuseText(text: string, at: readonly string[]): void {
  if (text.isWellFormed() && !text.includes("\0")) return;
  const message = "text that is not valid Unicode or holds a NUL";
  throw invalid([{ path: at.join("."), message }]);
}
