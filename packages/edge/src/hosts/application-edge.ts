import { isObject } from "./application-origins.ts";
import { type EdgeRules, readRules } from "./application-rules.ts";

/**
 * The `edge` object of an application as the edge uses it; null where the tenant has set nothing. A
 * key of the API is added here and in `services/edge-settings.ts` of the control plane.
 */
export interface ApplicationEdge {
  /** From the last byte of a request to the first of its response. */
  readonly firstByteMs: number | null;
  /** How long a response, an event stream or a WebSocket may be silent. */
  readonly idleMs: number | null;
  /** The largest body of a request. */
  readonly bodyBytes: number | null;
  readonly websocketMs: number | null;
  /** Used where there are several origins. */
  readonly healthCheck: HealthCheck | null;
  /** HTML with placeholders, for the errors that the edge answers itself. */
  readonly errorPage: string | null;
  /** The value of `Strict-Transport-Security`. */
  readonly hsts: string | null;
  readonly headerRules: readonly HeaderRule[];
  readonly isCompressed: boolean;
  /** Null without any. */
  readonly rules: EdgeRules | null;
}

export interface HealthCheck {
  /** Below the path of the origin's URL. */
  readonly path: string;
  readonly intervalMs: number;
  /** That of an origin that works. */
  readonly status: number;
}

/** A change of the fields of a response; `value` is empty for `remove`. */
export interface HeaderRule {
  readonly action: "add" | "set" | "remove";
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

/**
 * Reads the stored object. The API has validated it, but perhaps that of another release: a value
 * that is not understood counts as not set, so that it never stops the rest.
 */
export function readApplicationEdge(stored: unknown): ApplicationEdge {
  const values = isObject(stored) ? stored : {};
  return {
    firstByteMs: milliseconds(values["first_byte_timeout_s"]),
    idleMs: milliseconds(values["idle_timeout_s"]),
    bodyBytes: positive(values["max_body_bytes"]),
    websocketMs: milliseconds(values["websocket_lifetime_s"]),
    healthCheck: healthCheckIn(values["health_check"]),
    errorPage: typeof values["error_page"] === "string" ? values["error_page"] : null,
    hsts: readHsts(values["hsts"]),
    headerRules: readHeaderRules(values["response_headers"]),
    isCompressed: values["compress"] === true,
    rules: readRules(values),
  };
}

function healthCheckIn(value: unknown): HealthCheck | null {
  if (!isObject(value)) return null;
  const { path } = value;
  const intervalMs = milliseconds(value["interval_s"]);
  const status = positive(value["status"]);
  if (typeof path !== "string" || intervalMs === null || status === null) return null;
  return { path, intervalMs, status };
}

/** RFC 6797 §6.1. */
function readHsts(value: unknown): string | null {
  if (!isObject(value) || typeof value["max_age"] !== "number") return null;
  const subdomains = value["include_subdomains"] === true ? "; includeSubDomains" : "";
  const preload = value["preload"] === true ? "; preload" : "";
  return `max-age=${value["max_age"]}${subdomains}${preload}`;
}

function readHeaderRules(value: unknown): readonly HeaderRule[] {
  return Array.isArray(value) ? value.flatMap((rule) => readHeaderRule(rule) ?? []) : [];
}

function readHeaderRule(rule: unknown): HeaderRule | null {
  const { action, name, value }: Readonly<Record<string, unknown>> = isObject(rule) ? rule : {};
  if (action !== "add" && action !== "set" && action !== "remove") return null;
  if (typeof name !== "string") return null;
  if (action === "remove") return { action, name: name.toLowerCase(), value: "" };
  return typeof value === "string" ? { action, name: name.toLowerCase(), value } : null;
}

function positive(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value : null;
}

function milliseconds(value: unknown): number | null {
  const seconds = positive(value);
  return seconds === null ? null : seconds * 1_000;
}
