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
  refuse(value, 0);
  return value;
}

/** Nesting beyond any schema of ours, and keys that would reach an object's prototype. */
function refuse(value: unknown, depth: number): void {
  if (typeof value !== "object" || value === null) return;
  if (depth >= maxDepth) {
    throw invalid([{ path: "", message: `the body is nested deeper than ${maxDepth} levels` }]);
  }
  for (const [key, child] of Object.entries(value)) {
    if (key === "__proto__") throw invalid([{ path: key, message: "unknown field" }]);
    refuse(child, depth + 1);
  }
}
