import { z } from "zod";
import type { Config } from "../../config/config.ts";
import { applicationBounds } from "../../config/edge-limits.ts";
import type { StoredEdgeSettings } from "../../domain/applications/application.ts";
import type { Issue } from "../../domain/errors.ts";
import { compress, errorPage, hsts, responseHeaders } from "./edge-answers.ts";
import { ruleBodies, ruleChanges, shownRules } from "./edge-rules.ts";

/**
 * The `edge` object of an application: the one list of its keys. Each is null until it is set. The
 * edge reads the stored object in its `hosts/application-edge.ts`.
 */
const keys = {
  first_byte_timeout_s: seconds().describe(
    "How long the origin may take to the first byte of its response, in seconds; then 504",
  ),
  idle_timeout_s: seconds().describe(
    "How long a response, an event stream or a WebSocket may be silent, in seconds",
  ),
  max_body_bytes: z.int().min(1).nullable().describe("The largest body of a request; then 413"),
  websocket_lifetime_s: seconds().describe("How long a WebSocket may last, in seconds"),
  health_check: z
    .strictObject({
      path: z
        .string()
        .max(500)
        .regex(/^\/[\x21-\x7e]*$/, "expected a path like /healthz")
        .describe("Below the path of the origin's URL"),
      interval_s: z.int().min(5).max(3_600).default(30),
      status: z.int().min(100).max(599).default(200).describe("That of an origin that works"),
    })
    .nullable()
    .describe(
      "How each edge process checks the origins where there are several; null for not at all",
    ),
  error_page: errorPage.nullable(),
  hsts: hsts.nullable(),
  response_headers: responseHeaders.nullable(),
  compress: compress.nullable(),
};

function seconds() {
  return z.int().min(1).max(31_536_000).nullable();
}

/** As the API shows it. */
export const EdgeSettings = z.object({ ...keys, ...ruleBodies }).meta({ id: "EdgeSettings" });
export type EdgeSettings = z.infer<typeof EdgeSettings>;

/** As the API takes it: keys that are not given stay, null takes one back to the default. */
export const EdgeChanges = z
  .strictObject({ ...keys, ...ruleChanges })
  .partial()
  .describe(
    "How the edge serves the application; keys that are not given stay, null is the default",
  );
export type EdgeChanges = z.infer<typeof EdgeChanges>;

/** What the operator's bounds have against the changes. */
export function boundIssues(changes: EdgeChanges, config: Config): readonly Issue[] {
  return Object.entries(applicationBounds(config)).flatMap(([key, most]) => {
    const value = changes[key as keyof typeof keys] ?? null;
    if (typeof value !== "number" || most === null || value <= most) return [];
    return [{ path: `edge.${key}`, message: `expected at most ${most}, the operator's limit` }];
  });
}

/** The stored object after the changes. */
export function changeEdgeSettings(
  stored: StoredEdgeSettings,
  changes: Readonly<Record<string, unknown>>,
): StoredEdgeSettings {
  const merged = Object.entries({ ...stored, ...changes });
  return Object.fromEntries(merged.filter(([, value]) => value !== null && value !== undefined));
}

export function readEdgeSettings(stored: StoredEdgeSettings): EdgeSettings {
  const shown = Object.keys(keys).map((key) => [key, stored[key] ?? null] as const);
  // Validated when it was written.
  return { ...Object.fromEntries(shown), ...shownRules(stored) } as EdgeSettings;
}
