import type { z } from "zod";

type Parsed<T> =
  | { readonly success: true; readonly data: T; readonly issues: readonly [] }
  | { readonly success: false; readonly issues: readonly z.core.$ZodIssue[] };

/**
 * `safeParse` for what strangers send. The library compares the `length` of whatever has one, and
 * throws for one that is an object; such a value is invalid like any other of the wrong type.
 */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): Parsed<z.output<T>> {
  const path = pathToLength(value);
  if (path !== null) {
    return { success: false, issues: [{ code: "custom", path: [...path], message: "wrong type" }] };
  }
  const { success, data, error } = schema.safeParse(value);
  return success ? { success, data, issues: [] } : { success, issues: error.issues };
}

/** Deeper than any schema goes. */
const maxDepth = 16;

/** The path to an object whose `length` is an object; null without one. */
function pathToLength(value: unknown, depth = 0): readonly string[] | null {
  if (typeof value !== "object" || value === null || depth > maxDepth) return null;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner !== "object" || inner === null) continue;
    if (key === "length") return [];
    const rest = pathToLength(inner, depth + 1);
    if (rest !== null) return [key, ...rest];
  }
  return null;
}
